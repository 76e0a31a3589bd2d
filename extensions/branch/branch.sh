#!/bin/sh
# A command and a tool in POSIX sh, without jq. It rests on what the host promises: one frame a line, compact, `type`
# first and `id` second, ids of plain ASCII.

cwd=.

send() { printf '%s\n' "$1"; }

# The text of string member $1 of the frame $2, unescaped. Fails on escapes other than \" \\ and \/.
member() {
  text=$(printf '%s\n' "$2" | sed -n 's/^.*"'"$1"'":"\([^"\\]*\(\\.[^"\\]*\)*\)".*$/\1/p')
  case $(printf '%s\n' "$text" | sed 's/\\["\\/]//g') in *\\*) return 1 ;; esac
  printf '%s\n' "$text" | sed 's/\\\(["\\/]\)/\1/g'
}

# $1 as the inside of a JSON string; control characters are dropped, line ends become \n.
escape() {
  printf '%s' "$1" | tr -d '\000-\011\013-\037\177' |
    sed 's/\\/\\\\/g; s/"/\\"/g' | awk 'NR > 1 { printf "\\n" } { printf "%s", $0 }'
}

summary() {
  command -v git >/dev/null || { echo "git is not installed"; return 1; }
  # Reading must not get in the way of a git that writes.
  status=$(GIT_OPTIONAL_LOCKS=0 git -C "$cwd" status --porcelain=v2 --branch 2>&1) || { echo "$status"; return 1; }
  printf '%s\n' "$status" | awk '
    $1 == "#" && $2 == "branch.head" { branch = $3 }
    $1 == "#" && $2 == "branch.upstream" { upstream = $3 }
    $1 == "#" && $2 == "branch.ab" { ahead = $3 + 0; behind = -$4 }
    $1 == "1" || $1 == "2" { if (substr($2, 1, 1) != ".") staged++; if (substr($2, 2, 1) != ".") changed++ }
    $1 == "u" { conflicts++ }
    $1 == "?" { untracked++ }
    END {
      printf "on %s", branch
      if (upstream != "") printf ", %d ahead of and %d behind %s", ahead, behind, upstream
      printf "\n%d staged, %d changed, %d untracked", staged, changed, untracked
      if (conflicts) printf ", %d in conflict", conflicts
      printf "\n"
    }'
}

command_answer() {
  if text=$(summary); then
    send '{"type":"command_response","id":"'"$1"'","action":"display","display":"'"$(escape "$text")"'"}'
  else
    send '{"type":"command_response","id":"'"$1"'","action":"noop","error":"'"$(escape "$text")"'"}'
  fi
}

tool_answer() {
  if text=$(summary); then failed=''; else failed=',"is_error":true'; fi
  send '{"type":"tool_result","id":"'"$1"'","content":[{"type":"text","text":"'"$(escape "$text")"'"}]'"$failed"'}'
}

register() {
  send '{"type":"register_command","name":"branch","description":"git branch and status at a glance"}'
  send '{"type":"register_tool","name":"branch","description":"Git branch, distance to its upstream, and how many files are staged, changed or untracked.","schema":{"type":"object","properties":{}}}'
  send '{"type":"ready"}'
}

send '{"type":"hello","name":"branch","version":"1.0.0","capabilities":["commands","tools"]}'

while IFS= read -r line; do
  id=${line#*\"id\":\"}
  id=${id%%\"*}
  case $line in
    '{"type":"hello_ack"'*)
      # The project; this script itself runs in its own folder.
      cwd=$(member cwd "$line") || { echo "cannot read cwd from: $line" >&2; exit 1; }
      register
      ;;
    '{"type":"command_invoked"'*) command_answer "$id" ;;
    '{"type":"tool_call"'*) tool_answer "$id" ;;
    '{"type":"shutdown"'*)
      send '{"type":"shutdown_ack"}'
      exit 0
      ;;
  esac
done
