import { CHROME_LINE_MAX_CHARS, STATUSES_PER_EXTENSION_MAX } from "../../wire/limits.ts";
import type { StatusFields } from "../../wire/schemas.ts";
import type { Attachment } from "../attachment.ts";
import type { Extension } from "../extension.ts";
import { ownerOf } from "../owner.ts";
import type { Status } from "../ports.ts";
import { clip } from "./clip.ts";
import { KeyedRecords } from "./keyed-records.ts";
import { levelOf } from "./level.ts";

/** Status lines of extensions (extension-host.md §5.5). They outlive prompts and sessions, not their process. */
export class Statuses extends KeyedRecords<Status> {
  constructor(attachment: Attachment) {
    super(attachment, {
      noun: "status",
      limit: STATUSES_PER_EXTENSION_MAX,
      show: (surface, status) => surface.status(status),
      clear: (surface, name, key) => surface.clearStatus(name, key),
    });
  }

  /** An empty text clears. */
  put(extension: Extension, { key, level, text }: StatusFields): void {
    const trimmed = text.trim();
    if (trimmed === "") {
      this.clear(extension, key);
      return;
    }
    this.set(extension, key, {
      ...ownerOf(extension),
      key,
      level: levelOf(level),
      text: clip(trimmed, CHROME_LINE_MAX_CHARS),
    });
  }
}
