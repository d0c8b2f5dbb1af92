#!/usr/bin/env bash
# Instructions that a hook and a trivial call cost, counted by callgrind: the same on every machine.
# Usage: benches/instructions.sh PLAN [INJECT [HOOK [START [QUIET]]]]. With ceilings, exit 1 where `inject` or a hook's event on 10
# goals, in guide or in contract mode, costs more; START is for a session's start in guide mode, QUIET for a hook with nothing to say.
set -euo pipefail

plan=$(realpath "$1")
ceiling=${2:-}
hook_ceiling=${3:-}
start_ceiling=${4:-$hook_ceiling}
quiet_ceiling=${5:-$hook_ceiling}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
git init --quiet "$work"
cd "$work"

# write_plan FRONT LOG: 10 goals, two of them active; both texts with escapes, as printf reads them
write_plan() {
    printf '%b# Plan: Faster search\n' "$1"
    for goal in 1 2 3 4 5 6 7 8 9 10; do
        printf '\n## Goal: Implement cache layer %s\n<!-- id: implement-cache-layer-%s -->\n' "$goal" "$goal"
        if [ "$goal" -le 2 ]; then printf 'status: active\n'; else printf 'status: open\n'; fi
        printf 'done_when: p95 < 50ms on bench-%s. If wrong: timeouts in load-test.log\n' "$goal"
        printf 'verify: python3 bench/p95.py --max-ms 50\nfailure_modes:\n- cache silently bypassed\n- bench too small\n'
        printf -- '- [x] %s. wire it\n- [ ] %s. load test\n' "$((goal * 2 - 1))" "$((goal * 2))"
    done
    printf '\n## Log\n- 2026-06-15 14:02  cache client wired; eviction next\n%b' "$2"
}
write_plan '' '' >plan.md

# count WORD... <STDIN
count() {
    env -i PATH="$PATH" HOME="$work" LANG=C.UTF-8 TZ=UTC \
        valgrind --tool=callgrind --callgrind-out-file=/dev/null "$plan" "$@" 2>&1 >/dev/null |
        sed -n 's/.*Collected : *\([0-9]*\).*/\1/p'
}

# hook NAME FIELDS WHAT [CEILING]: an event of a session of Claude Code, after those before it
hook() {
    local cost ceiling=${4:-$hook_ceiling}
    cost=$(printf '{"session_id":"%s","cwd":"%s","hook_event_name":"%s",%s}' "$session" "$work" "$1" "$2" | count hook claude)
    printf '%-28s %s\n' "hook: $3" "$cost"
    if [ -n "$ceiling" ] && [ "$cost" -gt "$ceiling" ]; then
        printf 'the hook costs %s instructions, the ceiling is %s\n' "$cost" "$ceiling" >&2
        exit 1
    fi
}

session=guide
printf '%-28s %s\n' --version "$(count --version </dev/null)"
inject=$(count inject </dev/null)
printf '%-28s %s\n' inject "$inject"
if [ -n "$ceiling" ] && [ "$inject" -gt "$ceiling" ]; then
    printf 'inject costs %s instructions, the ceiling is %s\n' "$inject" "$ceiling" >&2
    exit 1
fi
edit='"tool_calls":[{"tool_name":"Edit","tool_input":{"file_path":"a.py"}}]'
hook SessionStart '"source":"startup"' "session start, whole plan" "$start_ceiling"
hook UserPromptSubmit '"prompt":"go on"' "prompt, nothing new"
hook PostToolBatch "$edit" "tools, nothing new" "$quiet_ceiling"
hook PostToolBatch "$edit" "tools, again" "$quiet_ceiling"
hook PostToolBatch "$edit" "tools, reminder"
printf '\n' >>plan.md
hook PostToolBatch "$edit" "tools, plan changed"
"$plan" step done 2 "loaded" >/dev/null
hook PostToolBatch '"tool_calls":[{"tool_name":"Bash","tool_input":{"command":"plan step done 2"}}]' "tools, own change"
hook Stop '"last_assistant_message":"done"' "stop, sent on"
for _ in 1 2 3 4 5; do
    hook Stop '"last_assistant_message":"done"' "stop, again"
done

# The same in contract mode: at work, and with a change that waits for approval.
session=contract
write_plan '---\nmode: contract\n---\n' '' >plan.md
contract=$("$plan" review --key a::b --json | sed -n 's/.*"contract": "\([0-9a-f]\{12\}\).*/\1/p' | head -n 1)
write_plan '---\nmode: contract\n---\n' "- 2026-06-15 14:03  plan approved by ada via terminal (contract $contract, steps to 20)\n" >plan.md
"$plan" --json | grep '"state": "active"' >/dev/null
hook SessionStart '"source":"startup"' "contract: session start"
hook UserPromptSubmit '"prompt":"work on the plan"' "contract: prompt"
printf '\n' >>plan.md
hook PostToolBatch "$edit" "contract: plan changed"
for _ in 1 2; do
    hook PostToolBatch "$edit" "contract: tools" "$quiet_ceiling"
done
hook PostToolBatch "$edit" "contract: reminder"
hook Stop '"last_assistant_message":"done"' "contract: stop, sent on"
sed -i 's/bench-10/bench-11/' plan.md
hook PostToolBatch "$edit" "contract: change waits"
hook Stop '"last_assistant_message":"done"' "contract: stop, held"
