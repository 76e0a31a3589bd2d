import type { ApprovalRequest } from "../../../agent/approval.ts";
import type { Look } from "../theme/look.ts";
import type { Role } from "../theme/roles.ts";
import { type Change, changePreview } from "./change-preview.ts";
import { commandText } from "./command-text.ts";
import { exactRows } from "./exact-rows.ts";
import { PagedRows } from "./paged-rows.ts";
import { prettyJson } from "./pretty-json.ts";
import { revealedText } from "./revealed-text.ts";

/** More than a model writes in one call and an extension sends in one frame (`FRAME_MAX_BYTES`). */
const SHOWN_MAX_CHARS = 4 * 1024 * 1024;

export interface ApprovalDetail {
  readonly rows: PagedRows;
  /** How much of it is not in the rows; "" when everything is. */
  readonly warning: string;
}

/** What a call would do: every character of it can be paged to and seen. */
export async function approvalDetail(request: ApprovalRequest, cwd: string, look: Look): Promise<ApprovalDetail> {
  const change = await changePreview(request, cwd);
  const all = change === undefined ? argumentsText(request) : changeText(change);
  const lines = all.slice(0, SHOWN_MAX_CHARS).split("\n");
  const roleOf = change === undefined ? (): Role => "text" : diffRole;
  const rows = new PagedRows(look, (width) =>
    lines.flatMap((line) => exactRows(line, width - 2).map((row) => ` ${look.paint(roleOf(line), row)}`)),
  );
  const left = all.length - SHOWN_MAX_CHARS;
  return { rows, warning: left > 0 ? `✗ too long: the last ${left} characters are not shown here` : "" };
}

function argumentsText(request: ApprovalRequest): string {
  return commandText(request) ?? revealedText(prettyJson(request.args.text));
}

/** The path is one line, whatever is in it, so that it cannot pass for a part of the diff. */
function changeText({ path, diff }: Change): string {
  return `${revealedText(path).replaceAll("\n", "\\n")}\n${revealedText(diff)}`;
}

function diffRole(line: string): Role {
  if (line.startsWith("+")) return "added";
  return line.startsWith("-") ? "removed" : "toolOutput";
}
