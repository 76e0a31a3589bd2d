import type { AttachedSurface, Note, Support } from "../host/ports.ts";
import { NoEditor } from "./no-editor.ts";
import { plainText } from "./plain-text.ts";

/**
 * The host's surface where there is no screen: notes become lines on stderr, and everything else is answered at once
 * with "unsupported" (extension-host.md §3.4).
 */
export class HeadlessSurface extends NoEditor implements AttachedSurface {
  readonly interactive = false;
  readonly #line: (text: string) => void;

  /** @param line writes one line for a human, never to stdout */
  constructor(line: (text: string) => void) {
    super();
    this.#line = line;
  }

  note({ extension, level, message }: Note): Support {
    for (const line of plainText(message).split("\n")) this.#line(`[${extension}] ${plainText(level)}: ${line}`);
    return "done";
  }

  /** What is on stderr stays there. */
  clearNotes(): Support {
    return "unsupported";
  }

  status(): Support {
    return "unsupported";
  }

  clearStatus(): Support {
    return "unsupported";
  }

  widget(): Support {
    return "unsupported";
  }

  clearWidget(): Support {
    return "unsupported";
  }

  clearChrome(): Support {
    return "unsupported";
  }

  alert(): Support {
    return "unsupported";
  }

  openPanel(): Support {
    return "unsupported";
  }

  renderPanel(): Support {
    return "unsupported";
  }

  closePanel(): Support {
    return "unsupported";
  }

  ask(): "unsupported" {
    return "unsupported";
  }

  openUrl(): Support {
    return "unsupported";
  }
}
