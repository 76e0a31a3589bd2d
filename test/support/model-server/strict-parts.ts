import { isRecord } from "./value.ts";

const MAGIC: Readonly<Record<string, string>> = {
  "image/png": "\x89PNG",
  "image/jpeg": "\xff\xd8\xff",
  "image/gif": "GIF8",
  "image/webp": "RIFF",
};
const MAX_IMAGE_CHARS = 5 * 1024 * 1024;

/** What is wrong with an image; "" when nothing is. */
export function imageProblem(mediaType: unknown, data: unknown): string {
  if (typeof data !== "string" || data === "") return "the image is empty";
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(data)) return "the image is not plain base64";
  if (data.length > MAX_IMAGE_CHARS) return "the image is larger than 5 MB";
  const magic = typeof mediaType === "string" ? MAGIC[mediaType] : undefined;
  if (magic === undefined) return `unsupported media type ${String(mediaType)}`;
  return Buffer.from(data.slice(0, 16), "base64").toString("latin1").startsWith(magic)
    ? ""
    : `the image does not match ${String(mediaType)}`;
}

const REFUSED_AT_TOP = ["oneOf", "anyOf", "allOf", "enum", "not", "$ref"];

/** What is wrong with the schema of a tool. */
export function schemaProblems(schema: unknown): string[] {
  if (!isRecord(schema)) return ["the schema is not an object"];
  const problems = REFUSED_AT_TOP.filter((key) => key in schema).map((key) => `${key} at the top of the schema`);
  if (schema["type"] !== "object") problems.push(`the schema is of type ${String(schema["type"])}`);
  if (!isRecord(schema["properties"])) problems.push("the schema has no properties");
  return problems;
}

/** Names that are ill formed or given twice. */
export function nameProblems(names: readonly unknown[], pattern: RegExp): string[] {
  return names.flatMap((name, position) => {
    if (typeof name !== "string" || !pattern.test(name)) return [`tool name ${JSON.stringify(name)} is not allowed`];
    return names.indexOf(name) === position ? [] : [`tool name ${name} is given twice`];
  });
}
