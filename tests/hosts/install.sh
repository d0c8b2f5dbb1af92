#!/bin/sh
# install.sh: the pinned clients of package-lock.json into node_modules beside it, with npm. Twice changes nothing.
set -eu
cd "$(dirname "$0")"
bin=node_modules/.bin
if cmp -s package-lock.json node_modules/.installed && "$bin/claude" --version >/dev/null && "$bin/codex" --version >/dev/null; then
    exit 0
fi
npm ci --no-audit --no-fund --loglevel=error
# Where npm runs no install scripts, the client's own script puts its binary in place.
"$bin/claude" --version >/dev/null 2>&1 || node node_modules/@anthropic-ai/claude-code/install.cjs
"$bin/claude" --version
"$bin/codex" --version
cp package-lock.json node_modules/.installed
