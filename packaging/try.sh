#!/usr/bin/env bash
# packaging/try.sh OUT - installs each artefact of packaging/build.sh from its file, each into a folder of its own, and plans
# with it: the version is that of Cargo.toml, a goal is added and listed. Then the action, on the archive's program.
set -euo pipefail
out=$(cd "$1" && pwd)
cd "$(dirname "$0")/.."
here=$PWD
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export HOME=$work/home XDG_CONFIG_HOME=$work/home/.config
mkdir -p "$HOME"
(cd "$out" && if command -v sha256sum >/dev/null; then sha256sum --quiet -c SHA256SUMS; else shasum -a 256 -c SHA256SUMS; fi)

# PROGRAM KIND: it is the version of the sources, and it works.
works() {
    local folder=$work/project-$2
    mkdir "$folder"
    cd "$folder"
    git init -q
    [ "$("$1" --version)" = "plan $version" ]
    "$1" init "Try the $2" >/dev/null
    "$1" goal add "Say hello" --verify "sh hello.sh" --done-when "it says hello" >/dev/null
    "$1" list | grep -q "Say hello"
    cd "$here"
    printf '%s: %s works\n' "$2" "$("$1" --version)"
}

tar -C "$work" -xzf "$out"/plan-md-"$version"-*.tar.gz
unpacked=$(echo "$work"/plan-md-"$version"-*)
works "$unpacked/plan" archive
bash -n "$unpacked/completions/plan.bash"
grep -q '^\.TH plan-complete 1' "$unpacked/man/plan-complete.1"

npm install --silent --global --prefix "$work/npm" "$out/plan-md-$version.tgz"
works "$work/npm/bin/plan" npm

python3 -m venv "$work/python"
"$work/python/bin/pip" install --quiet --disable-pip-version-check --no-index "$out"/plan_md-"$version"-*.whl
works "$work/python/bin/plan" wheel

# A pull request with a goal that was ticked by hand: the action fails, and the summary says which goal and why.
cd "$work/project-archive"
git -c user.name=a -c user.email=a@b.c commit -q --allow-empty -m before
git add plan.md
git -c user.name=a -c user.email=a@b.c commit -qm plan
sed -i.bak 's/^status: open/status: done/' plan.md
summary=$work/summary.md
if PLAN=$unpacked/plan BASE=HEAD GITHUB_STEP_SUMMARY=$summary sh "$here/packaging/action.sh" >"$work/said"; then
    echo "the action let a goal through that was ticked by hand" >&2
    exit 1
fi
grep -q 'hand-ticked' "$work/said"
grep -q 'Say hello' "$summary"
grep -q 'hand-ticked' "$summary"
printf 'action: a goal ticked by hand fails the job and stands in its summary\n'
