#!/usr/bin/env python3
"""A tool in Python, standard library only. The weather is made up from the name of the city: always alike, never true."""

import hashlib
import json
import sys

SKIES = ("clear", "fog", "drizzle", "rain", "snow showers", "thunderstorms", "overcast", "high clouds")

TOOL = {
    "type": "register_tool",
    "name": "weather",
    "description": "Made-up demonstration weather for a city: the same answer every time, not a forecast.",
    "schema": {
        "type": "object",
        "properties": {
            "city": {"type": "string", "description": "For example Berlin"},
            "unit": {"enum": ["c", "f"], "description": "Celsius (default) or Fahrenheit"},
        },
        "required": ["city"],
    },
}


def send(frame):
    # Compact, and flushed at once: the host waits for whole lines.
    sys.stdout.write(json.dumps(frame, ensure_ascii=False, separators=(",", ":")) + "\n")
    sys.stdout.flush()


def problem(args):
    """What is wrong with the arguments; None when nothing is. The host hands on whatever the model wrote."""
    if not isinstance(args, dict):
        return "arguments: expected an object"
    city = args.get("city")
    if not isinstance(city, str) or not city.strip():
        return "city: expected the name of a city"
    if args.get("unit", "c") not in ("c", "f"):
        return 'unit: expected "c" or "f"'
    return None


def weather(args):
    city = args["city"].strip()
    digest = hashlib.sha256(city.casefold().encode("utf-8", "replace")).digest()
    celsius = digest[0] % 45 - 10
    degrees = f"{celsius} °C" if args.get("unit", "c") == "c" else f"{round(celsius * 9 / 5 + 32)} °F"
    return f"{city}: {degrees}, {SKIES[digest[1] % len(SKIES)]} (made up)"


def answer(call):
    args = call.get("args", {})
    wrong = problem(args)
    text = weather(args) if wrong is None else f"invalid arguments for weather: {wrong}"
    frame = {"type": "tool_result", "id": call["id"], "content": [{"type": "text", "text": text}]}
    if wrong is not None:
        frame["is_error"] = True
    send(frame)


def main():
    # The text layer follows the locale, and in the C locale that may be ASCII; frames are UTF-8 everywhere.
    sys.stdout.reconfigure(encoding="utf-8", errors="replace", newline="\n")
    send({"type": "hello", "name": "weather", "version": "1.0.0", "capabilities": ["tools"]})
    # Bytes, because only 0x0A ends a frame; text lines end at more than that.
    for line in sys.stdin.buffer:
        frame = json.loads(line)
        kind = frame.get("type")
        if kind == "hello_ack":
            send(TOOL)
            send({"type": "ready"})
        elif kind == "tool_call":
            answer(frame)
        elif kind == "shutdown":
            send({"type": "shutdown_ack"})
            return


if __name__ == "__main__":
    main()
