#!/bin/sh
# run.sh PLAN_BINARY [CASE...]: the real Claude Code and the real Codex as judges of `plan complete`, and the real pi and
# Claude Code inside `plan __sandbox` with tools that write; offline.
# Needs npm (the first time: the network too), python3, git. Each part ends with `N passed, N failed`; exit 1 when one failed.
set -eu
here=$(dirname "$0")
[ $# -ge 1 ] || { echo "usage: run.sh PLAN_BINARY [CASE...]" >&2; exit 2; }
sh "$here/install.sh"
python3 -B "$here/judges.py" "$@"
[ $# -gt 1 ] || python3 -B "$here/loop.py" "$1"
[ $# -gt 1 ] || exec python3 -B "$here/sandboxed.py" "$@"
