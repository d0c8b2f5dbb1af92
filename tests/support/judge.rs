//! Scripted judges: programs that read the prompt as a model would, and answer what a test wants.

use super::world::World;

/// A goal that is honestly done: verify green, and `result.txt` shows it.
pub const PLAN: &str = "\
# Plan: Faster search

## Goal: Make it fast
<!-- id: fast-1 -->
status: active
done_when: p95 below 50 ms
verify: sh check.sh
failure_modes:
- it was measured without the cache
- [x] 1. measure

## Goal: Write it up
<!-- id: docs-1 -->
status: open

## Log
- 2026-06-15 14:02  measured
";

/// The answers of an honest judge for that goal, between probe and verdict.
pub const HONEST: &str = "\
C1 met: result.txt:1 \"p95 47.1 ms\"
F1 ruled out: result.txt:2 \"cache on\"
missing: none
";

/// A repository with that goal, committed before the work, and the work.
#[must_use]
pub fn world() -> World {
    World::new()
        .file("plan.md", PLAN)
        .file("check.sh", "grep -q '^p95 4' result.txt && echo checked\n")
        .file("result.txt", "p95 212.0 ms\ncache on\n")
        .committed()
        .file("result.txt", "p95 47.1 ms\ncache on\n")
}

impl World {
    /// A program `name` on PATH that answers a whole block: nonce, probe as read from disk, `lines`, `verdict`.
    #[must_use]
    pub fn judge(self, name: &str, lines: &str, verdict: &str) -> Self {
        let answer = format!("SIGNOFF[$nonce]\nprobe: $token\n{lines}VERDICT[$nonce]: {verdict}\n");
        self.judge_saying(name, &answer)
    }

    /// [`World::judge`], but what it answers stands in the home folder: without it the program is the same, and says nothing.
    #[must_use]
    pub fn judge_at_home(self, name: &str, lines: &str, verdict: &str) -> Self {
        let answer = format!("SIGNOFF[$nonce]\nprobe: $token\n{lines}VERDICT[$nonce]: {verdict}\n");
        self.write(&format!("../home/{name}"), format!("cat <<END\n{answer}END\n"));
        self.judge_doing(name, &format!(". \"$HOME/{name}\"\n"))
    }

    /// A program `name` on PATH that answers this, with `$nonce` and `$token` (the probe's content) filled in.
    #[must_use]
    pub fn judge_saying(self, name: &str, answer: &str) -> Self {
        self.judge_doing(name, &format!("cat <<END\n{answer}END\n"))
    }

    /// A program `name` on PATH that has read its prompt and then runs these lines of `sh`. It may write nothing but in
    /// `$scratch`; `outside LINES` has lines run by somebody who may, and waits for that.
    #[must_use]
    pub fn judge_doing(self, name: &str, lines: &str) -> Self {
        let world = if lines.contains("outside ") { self.helped() } else { self };
        world.program(name, &format!("{READ_PROMPT}{lines}"))
    }
}

const READ_PROMPT: &str = r#"#!/bin/sh
prompt=$(cat)
nonce=$(printf '%s\n' "$prompt" | sed -n 's/^SIGNOFF\[\([0-9a-f]*\)\].*/\1/p' | tail -n 1)
probe=$(printf '%s\n' "$prompt" | grep -o '/[^`"]*/probe' | head -n 1)
token=$(cat "$probe")
scratch=$(dirname "$probe")
outside() {
    printf '%s\n' "$HOME" "$1" > "$scratch/asking" && mv "$scratch/asking" "$scratch/outside"
    while [ -e "$scratch/outside" ]; do sleep 0.01; done
}
"#;
