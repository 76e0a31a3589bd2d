/** Everything a theme colours, by what it means. */
export const ROLES = [
  "text",
  "muted",
  "faint",
  "accent",
  "border",
  "borderFocused",
  "user",
  "userBackground",
  "selected",
  "selectedBackground",
  "success",
  "warn",
  "error",
  "tool",
  "toolOutput",
  "added",
  "removed",
  "reasoning",
  "heading",
  "link",
  "code",
  "quote",
  "codeKeyword",
  "codeString",
  "codeNumber",
  "codeComment",
  "codeFunction",
  "codeType",
] as const;

export type Role = (typeof ROLES)[number];

/** Roles that paint behind the text. */
export const BACKGROUNDS: ReadonlySet<Role> = new Set<Role>(["userBackground", "selectedBackground"]);

export type Colours = Readonly<Record<Role, string | number>>;

export interface Theme {
  readonly name: string;
  readonly colours: Colours;
}
