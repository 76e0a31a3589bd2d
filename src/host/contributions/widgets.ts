import { CHROME_LINE_MAX_CHARS, WIDGET_LINES_MAX, WIDGETS_PER_EXTENSION_MAX } from "../../wire/limits.ts";
import type { WidgetFields } from "../../wire/schemas.ts";
import type { Attachment } from "../attachment.ts";
import type { Extension } from "../extension.ts";
import { ownerOf } from "../owner.ts";
import type { Widget } from "../ports.ts";
import { clip, clipLines } from "./clip.ts";
import { KeyedRecords } from "./keyed-records.ts";

/** Blocks above the input, wherever the extension wanted them (extension-host.md §5.5 [REQ]). */
export class Widgets extends KeyedRecords<Widget> {
  constructor(attachment: Attachment) {
    super(attachment, {
      noun: "widget",
      limit: WIDGETS_PER_EXTENSION_MAX,
      show: (surface, widget) => surface.widget(widget),
      clear: (surface, name, id) => surface.clearWidget(name, id),
    });
  }

  put(extension: Extension, { id, title, lines }: WidgetFields): void {
    this.set(extension, id, {
      ...ownerOf(extension),
      id,
      position: "above_input",
      title: clip(title, CHROME_LINE_MAX_CHARS),
      lines: clipLines(lines, WIDGET_LINES_MAX, CHROME_LINE_MAX_CHARS),
    });
  }
}
