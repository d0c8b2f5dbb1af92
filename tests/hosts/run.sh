#!/bin/sh
# run.sh PLAN_BINARY [PART [CASE...]]: the real clients, offline, in seven parts. `clients`: each of the six with `plan` installed
# in it, through a whole piece of work. `sessions`: a person talks with each, asks, says stop, is asked. `judges`: each as the judge
# of `plan complete`. `drafts`: each as the agent of `plan draft`. `sandboxed`: inside `plan __sandbox` with tools that write.
# `loop`: driven by `plan loop run`. `story`: contract mode from approval to archive, a person and Claude Code (tmux).
# Needs npm (the first time: the network too), python3, git. Each part ends with `N passed, N failed`; exit 1 when one failed.
set -eu
here=$(dirname "$0")
[ $# -ge 1 ] || { echo "usage: run.sh PLAN_BINARY [PART [CASE...]]" >&2; exit 2; }
plan=$1
shift
sh "$here/install.sh"
if [ $# -gt 0 ]; then
    part=$1
    shift
    exec python3 -B "$here/$part.py" "$plan" "$@"
fi
failed=0
for part in clients sessions judges drafts sandboxed loop story; do
    python3 -B "$here/$part.py" "$plan" || failed=1
done
exit $failed
