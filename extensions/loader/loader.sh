#!/bin/sh
# A loader: the scripts in tools/ are registered as deferred tools, of which the model knows nothing but what the tool
# load_tools says about them. POSIX sh, without jq.
#
# One frame after the other, also while a script runs: an answer of two processes at once could come out in pieces.

LC_ALL=C
export LC_ALL
. ./json.sh

# zot waits 60 s for a tool.
seconds=50
max_bytes=30000
here=$(pwd)
cwd=.
no_parameters='{"type":"object","properties":{}}'
names=''
for file in tools/*; do
  if [ -x "$file" ]; then names="$names ${file#tools/}"; fi
done
# From here on no word is a pattern.
set -f

send() { printf '%s\n' "$1"; }

# What script $2 says about itself in its line "# $1: …".
header() { sed -n "s/^# $1: //p" "tools/$2" | head -n 1; }

result() { # id, text, further members
  text=$(printf '%s' "$2" | head -c "$max_bytes")
  send '{"type":"tool_result","id":"'"$1"'","content":[{"type":"text","text":"'"$(escape "$text")"'"}]'"$3"'}'
}

register() {
  list=''
  enum=''
  for name in $names; do
    description=$(escape "$(header description "$name")")
    schema=$(header schema "$name")
    send '{"type":"register_tool","name":"'"$name"'","description":"'"$description"'","schema":'"${schema:-$no_parameters}"',"deferred":true}'
    list="$list\\n$name: $description"
    enum="$enum,\"$name\""
  done
  send '{"type":"register_tool","name":"load_tools","description":"Makes more tools available. There are:'"$list"'","schema":{"type":"object","properties":{"tools":{"type":"array","items":{"enum":['"${enum#,}"']}}},"required":["tools"]}}'
  send '{"type":"ready"}'
}

is_tool() { case " $names " in *" $1 "*) return 0 ;; *) return 1 ;; esac }

load() { # id, arguments
  loaded=''
  activate=''
  for name in $(words tools "$2"); do
    if ! is_tool "$name"; then
      result "$1" "there is no tool $name to load; there are:$names" ',"is_error":true'
      return
    fi
    loaded="$loaded $name"
    activate="$activate,\"$name\""
  done
  if [ -z "$loaded" ]; then
    result "$1" "tools: expected a list of names; there are:$names" ',"is_error":true'
  else
    result "$1" "available from now on:$loaded" ',"activate_tools":['"${activate#,}"']'
  fi
}

limited() { if command -v timeout >/dev/null; then timeout "$seconds" "$@"; else "$@"; fi; }

run() { # id, name, arguments
  # The arguments are its stdin, so that it cannot take frames that are meant for us.
  if text=$(cd "$cwd" && printf '%s\n' "$3" | limited "$here/tools/$2" 2>&1); then
    result "$1" "${text:-nothing found}" ''
  else
    result "$1" "$2 failed ($?): $text" ',"is_error":true'
  fi
}

call() { # frame, id
  # The host writes type, id and name in front of the arguments, so the first match is the frame's own.
  name=${1#*\"name\":\"}
  name=${name%%\"*}
  args=${1#*\"args\":}
  args=${args%\}}
  if [ "$name" = load_tools ]; then
    load "$2" "$args"
  elif is_tool "$name"; then
    run "$2" "$name" "$args"
  else
    result "$2" "this extension has no tool $name" ',"is_error":true'
  fi
}

send '{"type":"hello","name":"loader","version":"1.0.0","capabilities":["tools"]}'

while IFS= read -r line; do
  id=${line#*\"id\":\"}
  id=${id%%\"*}
  case $line in
    '{"type":"hello_ack"'*)
      # The project; this script itself runs in its own folder.
      cwd=$(member cwd "$line") || { echo "cannot read cwd from: $line" >&2; exit 1; }
      register
      ;;
    '{"type":"tool_call"'*) call "$line" "$id" ;;
    '{"type":"shutdown"'*)
      send '{"type":"shutdown_ack"}'
      exit 0
      ;;
  esac
done
