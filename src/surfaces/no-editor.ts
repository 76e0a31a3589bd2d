import type { Submitter, Support } from "../host/ports.ts";

/** A surface without an editor and a queue of prompts: what an extension would type has no place here (§5.7). */
export abstract class NoEditor implements Submitter {
  submit(): Support {
    return "unsupported";
  }

  submitSlash(): Support {
    return "unsupported";
  }

  insert(): Support {
    return "unsupported";
  }

  setEditorText(): Support {
    return "unsupported";
  }

  setTitle(): Support {
    return "unsupported";
  }
}
