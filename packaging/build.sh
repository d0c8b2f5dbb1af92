#!/usr/bin/env bash
# packaging/build.sh PROGRAM OUT - makes what people install, from a built program: an archive, an npm package, a wheel for
# PyPI and a Homebrew formula. Nothing is published. The wheel is made by maturin, which asks cargo for the same build again
# and gets it from the target folder: PROFILE and RUSTFLAGS must be those of the program. RELEASES: the address of the folder that
# the archives will be in, for the formula; by default OUT.
set -euo pipefail
program=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
mkdir -p "$2"
out=$(cd "$2" && pwd)
cd "$(dirname "$0")/.."
here=$PWD
version=$("$program" --version | cut -d' ' -f2)
target=$(rustc -vV | sed -n 's/^host: //p')
name=plan-md-$version-$target
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# GNU's name, else that of macOS.
sums() { if command -v sha256sum >/dev/null; then sha256sum -- "$@"; else shasum -a 256 -- "$@"; fi; }

# The program with its manual pages and the completions of each shell.
archive() {
    local to=$work/$name shell page
    mkdir -p "$to/completions" "$to/man"
    cp "$program" LICENSE-APACHE LICENSE-MIT README.md CHANGELOG.md "$to"
    for shell in bash zsh fish; do
        "$program" completions "$shell" >"$to/completions/plan.$shell"
    done
    "$program" man >"$to/man/plan.1"
    for page in $(grep -o 'plan\\-[a-z]*(1)' "$to/man/plan.1" | sed 's/plan\\-//; s/(1)//'); do
        "$program" man "$page" >"$to/man/plan-$page.1"
    done
    tar -C "$work" -czf "$out/$name.tar.gz" "$name"
}

# One package for all systems: a script of three lines starts the program of the system. The release workflow puts the programs
# of the other systems beside this one.
npm_package() {
    local to=$work/npm
    mkdir -p "$to/bin"
    sed "s/@VERSION@/$version/" packaging/npm/package.json >"$to/package.json"
    cp packaging/npm/plan "$to/bin/plan"
    cp "$program" "$to/bin/plan-$(uname -s)-$(uname -m)"
    cp LICENSE-APACHE LICENSE-MIT README.md "$to"
    chmod +x "$to/bin/"*
    (cd "$to" && npm pack --silent --pack-destination "$out")
}

wheel() {
    local python=$work/python
    python3 -m venv "$python"
    "$python/bin/pip" install --quiet --disable-pip-version-check -r packaging/pypi/requirements.txt
    (cd packaging/pypi && RUSTFLAGS="${RUSTFLAGS:-}" "$python/bin/maturin" build --quiet --locked --profile "${PROFILE:-dist}" \
        --target "$target" --target-dir "$here/target" --compatibility linux --out "$out")
}

formula() {
    local sum
    sum=$(cd "$out" && sums "$name.tar.gz" | cut -d' ' -f1)
    sed "s/@VERSION@/$version/g; s/@TARGET@/$target/g; s/@SHA256@/$sum/; s|@RELEASES@|${RELEASES:-file://$out}|" packaging/homebrew/plan-md.rb >"$out/plan-md.rb"
}

archive
npm_package
wheel
formula
(cd "$out" && sums *.tar.gz *.tgz *.whl >SHA256SUMS)
ls -l "$out"
