# As much JSON as these scripts need, with sed and awk. Bytes are bytes: sourced by scripts that run with LC_ALL=C.

# The text of string member $1 of the JSON object $2, unescaped; empty when there is none. Fails on escapes other than
# \" \\ and \/. Blanks may stand around the colon: frames are compact, but arguments are as the model wrote them.
member() {
  text=$(printf '%s\n' "$2" | sed -n 's/^.*"'"$1"'"[[:space:]]*:[[:space:]]*"\([^"\\]*\(\\.[^"\\]*\)*\)".*$/\1/p')
  case $(printf '%s\n' "$text" | sed 's/\\["\\/]//g') in *\\*) return 1 ;; esac
  printf '%s\n' "$text" | sed 's/\\\(["\\/]\)/\1/g'
}

# The number member $1 of $2 when it is a whole one of at most six digits; else $3.
number() {
  text=$(printf '%s\n' "$2" | sed -n 's/^.*"'"$1"'"[[:space:]]*:[[:space:]]*\([0-9]\{1,6\}\)[[:space:]]*[,}].*$/\1/p')
  printf '%s\n' "${text:-$3}"
}

# The words of the member $1 of $2, an array of strings that hold nothing to unescape, one a line.
words() {
  printf '%s\n' "$2" | sed -n 's/^.*"'"$1"'"[[:space:]]*:[[:space:]]*\[\([^]]*\)\].*$/\1/p' |
    tr ',' '\n' | sed 's/^[[:space:]]*"//; s/"[[:space:]]*$//'
}

# $1 as the inside of a JSON string; control characters are dropped, line ends become \n.
escape() {
  printf '%s' "$1" | tr '\011' ' ' | tr -d '\000-\011\013-\037\177' |
    sed 's/\\/\\\\/g; s/"/\\"/g' | awk 'NR > 1 { printf "\\n" } { printf "%s", $0 }'
}
