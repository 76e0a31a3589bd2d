import type { UiAnswer } from "../wire/frames.ts";
import type { Owner } from "./owner.ts";

/** One thing to choose. */
export interface DialogOption {
  readonly label: string;
  /** Empty when there is none. */
  readonly description: string;
}

/** One question of an `ask`; a surface always offers free text besides the options. */
export interface AskQuestion {
  readonly id: string;
  readonly question: string;
  readonly header: string;
  readonly options: readonly (DialogOption & { readonly preview: string })[];
  readonly multi: boolean;
  /** Index into `options`. */
  readonly recommended?: number;
}

/** What is asked (feature `ui`). Absent texts are empty. */
export type Question =
  | { readonly kind: "select"; readonly title: string; readonly options: readonly DialogOption[] }
  | { readonly kind: "confirm"; readonly title: string; readonly message: string }
  /** `masked`: what is typed must not be readable on the screen, nor be remembered. */
  | { readonly kind: "input"; readonly title: string; readonly placeholder: string; readonly masked: boolean }
  /** `promptStyle`: Enter sends, as it does for a prompt. */
  | { readonly kind: "editor"; readonly title: string; readonly prefill: string; readonly promptStyle: boolean }
  | { readonly kind: "ask"; readonly questions: readonly AskQuestion[] };

/** One open question of an extension to a human. */
export interface Dialog extends Owner {
  /** Unique in this host. */
  readonly id: string;
  readonly question: Question;
  /** ms that are left for the answer, for a countdown; the host itself ends the dialog. Absent: no limit. */
  readonly timeoutMs?: number;
}

export type AskAnswer = UiAnswer;

/** How a dialog ended. `value` answers select, input and editor; a surface need not check it against the options. */
export type DialogAnswer =
  | { readonly kind: "value"; readonly value: string }
  | { readonly kind: "confirmed"; readonly confirmed: boolean }
  | { readonly kind: "answers"; readonly answers: readonly AskAnswer[] }
  /** `timedOut`: a deadline of the surface's own has passed. */
  | { readonly kind: "cancelled"; readonly timedOut?: boolean };
