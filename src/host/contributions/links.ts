import type { OpenUrl } from "../../wire/ui-request.ts";
import type { Attachment } from "../attachment.ts";
import type { Extension } from "../extension.ts";
import { ownerOf } from "../owner.ts";
import type { Link } from "../ports.ts";

/** Pages that extensions want a human to visit (feature `ui`). Only the web: a link may not start a local program. */
export class Links {
  readonly #attachment: Attachment;

  constructor(attachment: Attachment) {
    this.#attachment = attachment;
  }

  open(extension: Extension, { url, launchUrl, instructions }: OpenUrl): void {
    const page = webPage(url);
    const launch = launchUrl === null || launchUrl === undefined ? undefined : webPage(launchUrl);
    if (page === undefined || (launch === undefined && typeof launchUrl === "string")) {
      extension.diagnostics.add("open_url: only http and https pages can be opened");
      return;
    }
    const link: Link = {
      ...ownerOf(extension),
      url: page,
      instructions,
      ...(launch === undefined ? {} : { launchUrl: launch }),
    };
    this.#attachment.surface?.openUrl(link);
  }
}

function webPage(text: string): string | undefined {
  const url = URL.parse(text);
  return url?.protocol === "https:" || url?.protocol === "http:" ? url.href : undefined;
}
