#!/usr/bin/env python3
"""A tool with which the model asks a human: a panel opens from inside the call and its keys decide. Standard library only.

One thread takes one frame after the other. That is enough, because nothing here waits: a call that has no answer yet is
an entry in `Approvals.waiting`, and whatever ends it comes as a frame.
"""

import json
import sys
import textwrap

MAX_WAITING = 16
# What does not fit is refused, not cut: nobody can approve what he was not shown.
MAX_TITLE = 100
MAX_PLAN = 20_000
MAX_REASON = 500
# Until the host says how much room there is (protocol 2).
DEFAULT_SIZE = (76, 8)
# The choices, and the row that says how much of the plan is shown.
FIXED_ROWS = 2

# "no" comes first and is chosen first: whoever was just typing something else must not approve by accident.
NO, NO_BECAUSE, YES = range(3)
CHOICES = ("no", "no, because …", "yes")
CHOOSING = "←/→ choose · enter decides · ↑/↓ read · esc no"
WRITING = "enter sends it · backspace · esc no, without a reason"

TOOL = {
    "type": "register_tool",
    "name": "ask_approval",
    "description": "Asks the user to approve what you are about to do, and waits for the answer, however long it takes. "
    "Call it before steps that are hard to undo. Do not go on with a plan that was not approved.",
    "schema": {
        "type": "object",
        "properties": {
            "title": {"type": "string", "description": "What is to be decided, in a few words"},
            "plan": {"type": "array", "items": {"type": "string"}, "description": "The steps, one a line"},
        },
        "required": ["title", "plan"],
    },
    # A human answers: no deadline, and the host refuses the call where nobody is there to ask.
    "interactive": True,
}


def send(frame):
    # Compact, and flushed at once: the host waits for whole lines.
    sys.stdout.write(json.dumps(frame, ensure_ascii=False, separators=(",", ":")) + "\n")
    sys.stdout.flush()


def problem(args):
    """What is wrong with the arguments; None when nothing is. The host hands on whatever the model wrote."""
    if not isinstance(args, dict):
        return "arguments: expected an object"
    if not isinstance(args.get("title"), str) or not args["title"].strip():
        return "title: expected a text"
    if len(args["title"]) > MAX_TITLE:
        return f"title: longer than {MAX_TITLE} characters"
    plan = args.get("plan")
    if not isinstance(plan, list) or not plan or not all(isinstance(step, str) for step in plan):
        return "plan: expected a list of texts"
    if sum(len(step) + 1 for step in plan) > MAX_PLAN:
        return f"plan: longer than {MAX_PLAN} characters"
    return None


class Approval:
    """One call that waits for its answer, and the panel that asks for it."""

    def __init__(self, call):
        self.call = call["id"]
        # A panel of its own for each call, so that a late key cannot decide the next one.
        self.panel = f"approval-{self.call}"
        self.title = " ".join(call["args"]["title"].split())
        self.plan = [line for step in call["args"]["plan"] for line in step.splitlines() or [""]]
        self.chosen = NO
        self.first = 0
        self.reason = None

    def view(self, size):
        width, height = size
        rows = [row for line in self.plan for row in textwrap.wrap(line, max(10, width)) or [""]]
        room = max(1, height - FIXED_ROWS)
        self.first = max(0, min(self.first, len(rows) - room))
        shown = rows[self.first : self.first + room]
        lines = [self.head(), *shown]
        if len(shown) < len(rows):
            lines.append(f"  … lines {self.first + 1} to {self.first + len(shown)} of {len(rows)}")
        footer = CHOOSING if self.reason is None else WRITING
        return {"title": f"Approve? {self.title}", "lines": lines, "footer": footer}

    def head(self):
        # `▸ ` makes the host draw the row as the chosen one, and keep it in view.
        if self.reason is not None:
            return f"▸ no, because: {self.reason}▏"
        return "▸ " + "   ".join(f"[{text}]" if at == self.chosen else f" {text} " for at, text in enumerate(CHOICES))

    def press(self, key, text, size):
        """Acts on a key; gives the answer when that decides: (approved, reason)."""
        if self.reason is not None:
            return self.write(key, text)
        if key == "enter" and self.chosen != NO_BECAUSE:
            return (self.chosen == YES, "")
        if key == "enter":
            self.reason = ""
            return None
        page = max(1, size[1] - FIXED_ROWS)
        self.chosen += {"left": -1, "right": 1, "tab": 1}.get(key, 0)
        self.chosen = max(NO, min(self.chosen, YES))
        self.first += {"up": -1, "down": 1, "pageup": -page, "pagedown": page}.get(key, 0)
        return None

    def write(self, key, text):
        if key == "enter":
            return (False, self.reason.strip())
        if key == "backspace":
            self.reason = self.reason[:-1]
        elif key == "rune":
            self.reason = (self.reason + text)[:MAX_REASON]
        return None


class Approvals:
    """Calls that wait, oldest first. There is one panel, so only the first is asked; the others wait for their turn."""

    def __init__(self):
        self.waiting = []
        self.size = DEFAULT_SIZE

    def ask(self, call):
        wrong = problem(call.get("args", {}))
        if wrong is None and len(self.waiting) >= MAX_WAITING:
            wrong = f"{MAX_WAITING} questions are waiting already"
        if wrong is not None:
            answer(call["id"], f"invalid call of ask_approval: {wrong}", True)
            return
        self.waiting.append(Approval(call))
        if len(self.waiting) == 1:
            self.open()

    def open(self):
        if not self.waiting:
            return
        first = self.waiting[0]
        send({"type": "open_panel", "panel": {"id": first.panel, **first.view(self.size)}})
        send({"type": "alert", "kind": "bell", "reason": first.title})

    def asking(self, panel):
        """The call that this panel asks for; None when it has been answered."""
        return self.waiting[0] if self.waiting and self.waiting[0].panel == panel else None

    def key(self, frame):
        first = self.asking(frame.get("panel_id"))
        if first is None:
            return
        decision = first.press(frame.get("key"), frame.get("text", ""), self.size)
        if decision is None:
            self.render(first)
            return
        send({"type": "panel_close", "panel_id": first.panel})
        self.decide(*decision)

    def resize(self, frame):
        self.size = (frame.get("width", DEFAULT_SIZE[0]), frame.get("height", DEFAULT_SIZE[1]))
        first = self.asking(frame.get("panel_id"))
        if first is not None:
            self.render(first)

    def render(self, first):
        send({"type": "panel_render", "panel_id": first.panel, **first.view(self.size)})

    def closed(self, panel):
        """Esc, or somebody else's panel in its place: nobody has said yes."""
        if self.asking(panel) is not None:
            self.decide(False, "")

    def decide(self, approved, reason):
        first = self.waiting.pop(0)
        if approved:
            answer(first.call, "The user approved.", False)
        else:
            because = f", because: {reason}" if reason else ""
            answer(first.call, f"The user said no{because}. Do not go on with this plan.", True)
        self.open()

    def cancel(self, call):
        """The host has given the call up; nobody waits for an answer."""
        for index, approval in enumerate(self.waiting):
            if approval.call == call:
                del self.waiting[index]
                if index == 0:
                    send({"type": "panel_close", "panel_id": approval.panel})
                    self.open()
                return


def answer(call, text, is_error):
    frame = {"type": "tool_result", "id": call, "content": [{"type": "text", "text": text}]}
    if is_error:
        frame["is_error"] = True
    send(frame)


def main():
    # The text layer follows the locale, and in the C locale that may be ASCII; frames are UTF-8 everywhere.
    sys.stdout.reconfigure(encoding="utf-8", errors="replace", newline="\n")
    # Protocol 2 says how much room a panel has; `tool_cancel` tells when a call was given up.
    send({"type": "hello", "protocol_version": 2, "name": "approve", "version": "1.0.0",
          "capabilities": ["tools", "panels", "tool_cancel"]})  # fmt: skip
    approvals = Approvals()
    # Bytes, because only 0x0A ends a frame; text lines end at more than that.
    for line in sys.stdin.buffer:
        frame = json.loads(line)
        kind = frame.get("type")
        if kind == "hello_ack":
            send(TOOL)
            send({"type": "ready"})
        elif kind == "tool_call":
            approvals.ask(frame)
        elif kind == "tool_cancel":
            approvals.cancel(frame.get("id"))
        elif kind == "panel_key":
            approvals.key(frame)
        elif kind == "panel_resize":
            approvals.resize(frame)
        elif kind == "panel_close":
            approvals.closed(frame.get("panel_id"))
        elif kind == "shutdown":
            send({"type": "shutdown_ack"})
            return


if __name__ == "__main__":
    main()
