#!/bin/sh
# install.sh: the pinned clients, with npm. Twice changes nothing. Afterwards they stand by their names in two folders:
# `node_modules/.bin` (claude, codex) and `packed/node_modules/.clients` (pi, gemini, opencode, qwen; one that does not run on this machine is missing).
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

# Clients that need no dependency of theirs: some name packages that no registry has, so that npm has no lock for them.
# Each is held to its digest. The plugin package is what opencode fetches at every start where a plugin is there and it is not.
packed="
pi-coding-agent @earendil-works/pi-coding-agent@1.5.2 sha512-mUWI04rqF1Vd/m1q+Ps1XeWsTXEVvRUnsmRa83I3Dzua0Tx5bYS93imeqtIfrXf7PkkaR6ERz+AuQhIJlom5yA==
gemini-cli @google/gemini-cli@0.61.0 sha512-dbQ9A0qBtFJNi6XBkHvfZ6Azpn6PNgH/P8h2MZ67RLlX8hSAVjup39CRWqdRxZv7YXIuhrFaytr8y0jKnkoxnQ==
qwen-code @qwen-code/qwen-code@0.24.4 sha512-pmexy/Nj+BKd3Un1ogqGQE8V4GJn5B6N9PQOrU1GH+lMR29kn6Bgf6YdbZa8hNIoTmAKT1LTPK+P8TibZRPPVg==
@opencode-ai/plugin @opencode-ai/plugin@1.18.33 sha512-fmhqCBJvNt+Vfbx6ckKP19S3xwMBhUXLCBQaK92R4wnv3wsWTZYkJQwYf2egiWfJNOl47jhs3vP7uQkl0mvHQw==
"
packed() {
    cd packed
    if printf %s "$packed" | cmp -s - node_modules/.installed && cmp -s package-lock.json node_modules/.locked; then
        return
    fi
    npm ci --no-audit --no-fund --loglevel=error
    printf '%s' "$packed" | while read -r name package digest; do
        [ -z "$name" ] || unpack "$name" "$package" "$digest"
    done
    mkdir node_modules/.clients
    node=$(echo "$PWD"/node_modules/node-*/bin/node)
    [ -x "$node" ] || node=node
    # Older ones do not run pi and qwen.
    if "$node" -e 'const [a, b] = process.versions.node.split("."); process.exit(a > 22 || (a == 22 && b >= 19) ? 0 : 1)'; then
        wrapper pi "$node" node_modules/pi-coding-agent/dist/bundle/cli.js
        wrapper qwen "$node" node_modules/qwen-code/cli-entry.js
    fi
    wrapper gemini "$node" node_modules/gemini-cli/bundle/gemini.js
    opencode=$(echo node_modules/opencode-*/bin/opencode)
    [ ! -x "$opencode" ] || wrapper opencode "$opencode"
    # pi and opencode search with it, and would fetch it.
    rg=$(echo ../node_modules/@openai/codex-*/vendor/*/codex-path/rg)
    [ ! -x "$rg" ] || wrapper rg "$rg"
    cp package-lock.json node_modules/.locked
    printf %s "$packed" > node_modules/.installed
}

# The archive of a package, unpacked as node_modules/NAME.
unpack() {
    archive=node_modules/$(npm pack "$2" --silent --pack-destination node_modules)
    found=$(node -e 'process.stdout.write("sha512-" + require("crypto").createHash("sha512").update(require("fs").readFileSync(process.argv[1])).digest("base64"))' "$archive")
    [ "$found" = "$3" ] || { echo "install.sh: $2 is not the one that was pinned: $found" >&2; exit 1; }
    mkdir -p "node_modules/$1"
    tar -xzf "$archive" -C "node_modules/$1" --strip-components=1
    rm "$archive"
}

# A client under its own name, whatever stands on PATH. The last argument is below this folder.
wrapper() {
    name=$1
    shift
    if [ $# -eq 2 ]; then set -- "\"$1\" \"$PWD/$2\""; else set -- "\"$PWD/$1\""; fi
    printf '#!/bin/sh\nexec %s "$@"\n' "$1" > "node_modules/.clients/$name"
    chmod 755 "node_modules/.clients/$name"
}

clients
packed
