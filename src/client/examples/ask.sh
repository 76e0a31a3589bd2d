#!/bin/sh
# Asks one question and prints the answer, with nothing but a shell and jq:
#   sh ask.sh "say hello" --provider offline
set -eu
question=${1:-"say hello"}
[ $# -eq 0 ] || shift

# Closing stdin ends zot when the prompt is done.
jq -nc --arg message "$question" '{id: "1", type: "prompt", message: $message}' |
  "${ZOT:-zot}" rpc "$@" |
  jq -rn '
    last(inputs
      | if .type == "message_end" and .message.role == "assistant" then
          [.message.content[] | select(.type == "text") | .text] | join("")
        elif .type == "prompt_result" and .status == "error" then "error: \(.error.message)"
        else empty end)'
