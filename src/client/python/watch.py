#!/usr/bin/env python3
"""Shows an answer as it is written, with a tool of this program and a human who says yes.

python3 watch.py 'call clock {"zone":"UTC"}' --provider offline --approve ask
"""

import os
import sys

from zot_client import Zot


def approve(title, options):
    print(f"({title.splitlines()[0]}: yes)", file=sys.stderr)
    return options[0]


question, *args = sys.argv[1:] or ['call clock {"zone":"UTC"}']
with Zot(command=os.environ.get("ZOT", "zot"), args=args, dialogs={"select": approve}) as zot:
    zot.set_host_tools([{
        "name": "clock",
        "description": "The time in a zone.",
        "parameters": {"type": "object", "properties": {"zone": {"type": "string"}}, "required": ["zone"]},
        "loadMode": "essential",
        "run": lambda arguments: f"in {arguments['zone']} it is noon",
    }])
    events = zot.events()
    prompt = zot.prompt(question)
    for event in events:
        if event["type"] == "message_update":
            step = event["assistantMessageEvent"]
            if step["type"] == "text_delta":
                print(step["delta"], end="", flush=True)
        if event["type"] == "tool_execution_start":
            print(f"[{event['toolName']}]")
        if event["type"] == "agent_end":
            break
    print(f"\n{prompt.result()['status']}")
