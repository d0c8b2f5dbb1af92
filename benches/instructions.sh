#!/usr/bin/env bash
# Instructions that a hook and a trivial call cost, counted by callgrind: the same on every machine.
# Usage: benches/instructions.sh PLAN [CEILING]. With a ceiling, exit 1 where `inject` on 10 goals costs more.
set -euo pipefail

plan=$(realpath "$1")
ceiling=${2:-}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
git init --quiet "$work"
{
    printf '# Plan: Faster search\n'
    for goal in 1 2 3 4 5 6 7 8 9 10; do
        printf '\n## Goal: Implement cache layer %s\n<!-- id: implement-cache-layer-%s -->\n' "$goal" "$goal"
        if [ "$goal" -le 2 ]; then printf 'status: active\n'; else printf 'status: open\n'; fi
        printf 'done_when: p95 < 50ms on bench-%s. If wrong: timeouts in load-test.log\n' "$goal"
        printf 'verify: python3 bench/p95.py --max-ms 50\nfailure_modes:\n- cache silently bypassed\n- bench too small\n'
        printf -- '- [x] %s. wire it\n- [ ] %s. load test\n' "$((goal * 2 - 1))" "$((goal * 2))"
    done
    printf '\n## Log\n- 2026-06-15 14:02  cache client wired; eviction next\n'
} >"$work/plan.md"
cd "$work"

count() {
    env -i PATH="$PATH" HOME="$work" LANG=C.UTF-8 TZ=UTC \
        valgrind --tool=callgrind --callgrind-out-file=/dev/null "$plan" "$@" 2>&1 >/dev/null |
        sed -n 's/.*Collected : *\([0-9]*\).*/\1/p'
}

printf '%-10s %s\n' --version "$(count --version)"
inject=$(count inject)
printf '%-10s %s\n' inject "$inject"
if [ -n "$ceiling" ] && [ "$inject" -gt "$ceiling" ]; then
    printf 'inject costs %s instructions, the ceiling is %s\n' "$inject" "$ceiling" >&2
    exit 1
fi
