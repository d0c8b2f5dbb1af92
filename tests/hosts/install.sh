#!/bin/sh
# install.sh: the pinned clients of package-lock.json into node_modules beside it, with npm. Twice changes nothing.
set -eu
cd "$(dirname "$0")"
bin=node_modules/.bin

clients() {
    if cmp -s package-lock.json node_modules/.installed && "$bin/claude" --version >/dev/null && "$bin/codex" --version >/dev/null; then
        return
    fi
    npm ci --no-audit --no-fund --loglevel=error
    # Where npm runs no install scripts, the client's own script puts its binary in place.
    "$bin/claude" --version >/dev/null 2>&1 || node node_modules/@anthropic-ai/claude-code/install.cjs
    "$bin/claude" --version
    "$bin/codex" --version
    cp package-lock.json node_modules/.installed
}

# pi 1.5.2 names packages that no registry has; its own bundle needs none of them. It is held to this digest.
pi=@earendil-works/pi-coding-agent@1.5.2
digest=sha512-mUWI04rqF1Vd/m1q+Ps1XeWsTXEVvRUnsmRa83I3Dzua0Tx5bYS93imeqtIfrXf7PkkaR6ERz+AuQhIJlom5yA==
pi() {
    cd pi
    if [ "$(cat node_modules/.installed 2>/dev/null)" = "$digest" ] && cmp -s package-lock.json node_modules/.locked; then
        return
    fi
    npm ci --no-audit --no-fund --loglevel=error
    archive=node_modules/$(npm pack "$pi" --silent --pack-destination node_modules)
    found=$(node -e 'process.stdout.write("sha512-" + require("crypto").createHash("sha512").update(require("fs").readFileSync(process.argv[1])).digest("base64"))' "$archive")
    [ "$found" = "$digest" ] || { echo "install.sh: $pi is not the one that was pinned: $found" >&2; exit 1; }
    mkdir node_modules/pi-coding-agent
    tar -xzf "$archive" -C node_modules/pi-coding-agent --strip-components=1
    rm "$archive"
    cp package-lock.json node_modules/.locked
    printf %s "$digest" > node_modules/.installed
}

clients
pi
