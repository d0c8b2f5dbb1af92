#!/bin/sh
# run.sh PLAN_BINARY [CASE...]: the real Claude Code and the real Codex as judges of `plan complete`, offline.
# Needs npm (the first time: the network too), python3, git. Ends with `N passed, N failed`; exit 1 when one failed.
set -eu
here=$(dirname "$0")
[ $# -ge 1 ] || { echo "usage: run.sh PLAN_BINARY [CASE...]" >&2; exit 2; }
sh "$here/install.sh"
exec python3 -B "$here/judges.py" "$@"
