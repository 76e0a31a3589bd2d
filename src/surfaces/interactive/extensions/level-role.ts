import type { NoteLevel } from "../../../host/ports.ts";
import type { Role } from "../theme/roles.ts";

/** The colour of a note or status (extension-host.md §5.4); what is unknown is muted. */
export function roleOfLevel(level: NoteLevel): Role {
  switch (level) {
    case "info":
      return "text";
    case "success":
      return "success";
    case "warn":
      return "warn";
    case "error":
      return "error";
    default:
      return "muted";
  }
}
