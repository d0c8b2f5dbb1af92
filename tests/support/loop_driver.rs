//! A scripted client for the loop: it answers as the loop judge, and works a turn, by what a test put into its folder.

use super::world::World;

/// Reads its input whole. Called with a schema it is the judge: it prints the next line of `answers`, or runs `judging`.
/// Else it works: it runs `working`. All of it in `~/.claude`, the one folder that a sandboxed judge may write.
const CLAUDE: &str = r#"#!/bin/sh
here=$HOME/.claude
case "$*" in
*--json-schema*)
    cat > "$here/judged"
    echo judge >> "$here/calls"
    [ ! -e "$here/judging" ] || . "$here/judging"
    sed -n 1p "$here/answers" && sed -i 1d "$here/answers"
    ;;
*)
    cat > "$here/prompt"
    printf '%s\n' "$*" >> "$here/turns"
    . "$here/working"
    ;;
esac
"#;

/// A program that answers for `loop.judge: cmd:loop-judge`: the next line of `~/answers`, which it may not change.
const JUDGE: &str = "#!/bin/sh\ncat > /dev/null\n. \"$HOME/judging\"\n";

impl World {
    /// `claude` on PATH, as [`CLAUDE`].
    #[must_use]
    pub fn claude(self) -> Self {
        std::fs::create_dir_all(self.claude_path("")).unwrap();
        for file in ["answers", "calls", "turns", "working"] {
            std::fs::write(self.claude_path(file), "").unwrap();
        }
        self.program("claude", CLAUDE)
    }

    /// `loop.judge` is a program that runs these lines of `sh`.
    #[must_use]
    pub fn loop_judge(self, lines: &str) -> Self {
        self.judging(lines);
        self.program("loop-judge", JUDGE).configured("loop:\n  judge: cmd:loop-judge\n")
    }

    /// From now on it runs these.
    pub fn judging(&self, lines: &str) {
        std::fs::write(self.base().join("home/judging"), lines).unwrap();
    }

    /// The user's configuration.
    #[must_use]
    pub fn configured(self, text: &str) -> Self {
        let folder = self.base().join("home/.config/plan");
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("config.yaml"), text).unwrap();
        self
    }

    /// A file of the scripted client.
    pub fn claude_path(&self, file: &str) -> std::path::PathBuf {
        self.base().join("home/.claude").join(file)
    }

    /// The text of one.
    #[track_caller]
    pub fn claude_file(&self, file: &str) -> String {
        std::fs::read_to_string(self.claude_path(file)).unwrap_or_default()
    }

    /// The `sh` script of a turn; its output is the agent's message.
    pub fn working(&self, lines: &str) {
        std::fs::write(self.claude_path("working"), lines).unwrap();
    }

    /// Sets its answers as a judge from now on, one line each.
    pub fn answers<I: IntoIterator<Item = String>>(&self, answers: I) {
        let lines: String = answers.into_iter().map(|answer| answer + "\n").collect();
        std::fs::write(self.claude_path("answers"), lines).unwrap();
    }
}

/// The loop judge's object.
pub fn object(done: bool, blocked: bool, reason: &str) -> String {
    serde_json::json!({ "done": done, "blocked": blocked, "reason": reason }).to_string()
}

/// The same as Claude Code ends with it.
pub fn closing(done: bool, blocked: bool, reason: &str) -> String {
    let object = serde_json::json!({ "done": done, "blocked": blocked, "reason": reason });
    serde_json::json!({ "type": "result", "subtype": "success", "is_error": false, "result": "", "structured_output": object,
        "modelUsage": {} })
    .to_string()
}

/// Lines of `sh` that say this.
pub fn say(answer: &str) -> String {
    format!("cat <<'END'\n{answer}\nEND\n")
}
