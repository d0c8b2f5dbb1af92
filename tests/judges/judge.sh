#!/bin/sh
# judge.sh accept|reject FILE - a judge in POSIX sh: prompt on stdin, answer on stdout. It accepts only where the first
# line of FILE is there to be cited.
prompt=$(cat)
nonce=$(printf '%s\n' "$prompt" | sed -n 's/^DATA\[\([0-9a-f]*\)\] begin$/\1/p' | head -n 1)
probe=$(printf '%s\n' "$prompt" | sed -n 's/.*`\(\/[^`]*\/probe\)`.*/\1/p' | head -n 1)
questions=$(printf '%s\n' "$prompt" | grep -o '"id":"[CF][0-9]*"' | cut -d '"' -f 4)
line=$(head -n 1 "$2" 2>/dev/null)

verdict=$1
[ -n "$line" ] || verdict=reject
printf 'SIGNOFF[%s]\nprobe: %s\n' "$nonce" "$(cat "$probe")"
for id in $questions; do
    case $verdict$id in
        acceptC*) printf '%s met: %s:1 "%s"\n' "$id" "$2" "$line" ;;
        acceptF*) printf '%s ruled out: %s:1 "%s"\n' "$id" "$2" "$line" ;;
        rejectC*) printf '%s not met: %s does not show it\nmissing: a file that shows %s\n' "$id" "$2" "$id" ;;
        rejectF*) printf '%s not ruled out: %s does not show it\nmissing: a file that shows %s\n' "$id" "$2" "$id" ;;
    esac
done
printf 'VERDICT[%s]: %s\n' "$nonce" "$verdict"
