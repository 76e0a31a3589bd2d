#!/usr/bin/env python3
"""Asks one question and prints the answer: python3 ask.py "say hello" --provider offline"""

import os
import sys

from zot_client import Zot

question, *args = sys.argv[1:] or ["say hello"]
with Zot(command=os.environ.get("ZOT", "zot"), args=args) as zot:
    print(zot.ask(question))
