#!/bin/sh
# Answers zot while it works: every tool that needs approval is approved, everything else is shown as it comes.
#   sh approve.sh 'call bash {"command":"date"}' --provider offline --approve ask
set -eu
question=${1:-'call bash {"command":"date"}'}
[ $# -eq 0 ] || shift

pipes=$(mktemp -d)
trap 'rm -rf "$pipes"' EXIT
mkfifo "$pipes/in" "$pipes/out"
"${ZOT:-zot}" rpc "$@" <"$pipes/in" >"$pipes/out" &
exec 3>"$pipes/in" 4<"$pipes/out"

jq -nc --arg message "$question" '{id: "1", type: "prompt", message: $message}' >&3
while IFS= read -r frame <&4; do
  case $(printf '%s' "$frame" | jq -r .type) in
    extension_ui_request)
      # Only questions about tools: whatever else asks gets no answer from a script.
      printf '%s' "$frame" | jq -c 'select(.method == "select" and (.title | startswith("Allow tool:")))
        | {type: "extension_ui_response", id: .id, value: "Approve"}' >&3
      ;;
    tool_execution_end) printf '%s' "$frame" | jq -r '.result.content[] | select(.type == "text") | .text' ;;
    prompt_result)
      printf '%s' "$frame" | jq -r .status
      break
      ;;
  esac
done
exec 3>&-
wait
