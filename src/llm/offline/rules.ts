/** What the rehearsal model does, for `zot help offline` and for whoever writes a script for it. */
export const rules = `The offline model (--provider offline) needs no key and no network. It answers by rules, always alike.

It reads the newest user message, line by line. These lines make a script; other lines are ignored beside them:

  call TOOL {json}   call the tool with exactly this text as its arguments ({} when left out);
                     several lines: one call after the other, each after the result of the one before;
                     "&" at the end of a line: in parallel with the call on the next line
  say TEXT           answer with this text; several lines in a row make one text
  think TEXT         reason with this text
  sleep MS           wait so many milliseconds (at most 600000)
  fail STATUS        fail as a service with this HTTP status does (400 to 599; 500 when left out)
  drop               break off, as a lost connection does

fail and drop strike once: the repeated request goes on behind them. With a number they strike that often
(fail 429 3), with "always" every time (drop always).

When the script ends with a call, the answer is a short list of all results since the message.
When no tools are offered, call lines are ignored.
Any other message gets two lines that say what this is and which tools and commands there are.

Example:
  zot --provider offline -p 'call bash {"command":"date"}'
`;
