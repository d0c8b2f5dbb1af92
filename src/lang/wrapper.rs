//! Programs that only start another program.

use crate::shell::is_assignment;

/// Returns the command inside all wrappers; `None` if a wrapper may not run what follows it, so that nothing is guessed.
pub(crate) fn unwrap<'a, 'b>(argv: &'a [&'b str]) -> Option<&'a [&'b str]> {
    let mut argv = argv;
    loop {
        let Some((program, args)) = argv.split_first() else { return Some(argv) };
        let Some(wrapper) = system_program(program).and_then(wrapper) else { return Some(argv) };
        let rest = wrapper.skip(args)?;
        if rest.is_empty() {
            return Some(argv);
        }
        argv = rest;
    }
}

/// Returns the command inside all wrappers and behind programs that look up an installed package (`npx`, `uv run`). `None`
/// as in [`unwrap`].
pub(crate) fn started<'a, 'b>(argv: &'a [&'b str]) -> Option<&'a [&'b str]> {
    let mut argv = unwrap(argv)?;
    while let Some(found) = found(argv) {
        argv = unwrap(found)?;
    }
    Some(argv)
}

/// Returns the folder in which wrappers start a command, as they are told: `env -C web`, `uv run --directory web`.
pub(crate) fn folder<'b>(wrappers: &[&'b str]) -> Option<&'b str> {
    // With `-C`, sudo itself closes files.
    let begin = match wrappers.first() {
        Some(&"sudo") => wrappers.iter().position(|word| *word == "env")?,
        _ => 0,
    };
    let wrappers = &wrappers[begin..];
    wrappers.iter().enumerate().find_map(|(at, word)| match word.split_once('=') {
        Some(("--chdir" | "--directory" | "--dir", folder)) => Some(folder),
        _ if matches!(*word, "-C" | "--chdir" | "--directory" | "--dir") => wrappers.get(at + 1).copied(),
        _ => None,
    })
}

/// Returns the command behind a program that looks up another program.
fn found<'a, 'b>(argv: &'a [&'b str]) -> Option<&'a [&'b str]> {
    let (program, args) = argv.split_first()?;
    let rest = match (program.rsplit('/').next()?, after_options(args)?) {
        ("npx" | "bunx" | "pnpx" | "uvx", rest)
        | ("uv" | "poetry" | "pipenv" | "hatch" | "pdm" | "rye" | "pixi" | "pipx", ["run", rest @ ..])
        | ("bundle" | "pnpm" | "yarn" | "npm", ["exec" | "dlx" | "x", rest @ ..])
        | ("yarn", rest @ ["node", ..])
        | ("mise" | "asdf" | "pyenv" | "rbenv" | "nodenv", ["exec" | "x", rest @ ..]) => rest,
        _ => return None,
    };
    after_options(rest).filter(|rest| !rest.is_empty())
}

/// Returns the words after the options of a program that looks up another program. `-m` starts a command: `uv run -m module`.
fn after_options<'a, 'b>(words: &'a [&'b str]) -> Option<&'a [&'b str]> {
    const VALUED: [&str; 13] = [
        "-p", "--package", "--with", "--python", "--group", "--extra", "--project", "--directory", "-C", "--dir",
        "--filter", "-e", "--environment",
    ];
    let mut rest = words;
    while let [option, more @ ..] = rest
        && option.starts_with('-')
        && *option != "-m"
    {
        rest = if VALUED.contains(option) { more.get(1..)? } else { more };
    }
    Some(rest)
}

struct Wrapper {
    /// Options that take the next word as their value.
    valued: &'static [&'static str],
    /// The number of arguments before the command: 1 for `timeout 5`.
    operands: usize,
    /// Whether `NAME=value` words may come before the command, as for `env`.
    assignments: bool,
}

fn wrapper(name: &str) -> Option<Wrapper> {
    let plain = |valued| Wrapper { valued, operands: 0, assignments: false };
    Some(match name {
        "cross-env" | "cross-env-shell" => Wrapper { valued: &[], operands: 0, assignments: true },
        "c8" | "nyc" => plain(&[
            "-r", "--reporter", "-x", "--exclude", "-n", "--include", "--lines", "--functions", "--branches",
            "--statements", "--src", "--reports-dir", "--report-dir", "--temp-directory", "--temp-dir",
        ]),
        "dotenv" => plain(&["-e", "-c", "-v", "-f"]),
        "env" => Wrapper { valued: &["-u", "--unset", "-C", "--chdir"], operands: 0, assignments: true },
        "timeout" | "gtimeout" => {
            Wrapper { valued: &["-k", "--kill-after", "-s", "--signal"], operands: 1, assignments: false }
        }
        "nice" => plain(&["-n", "--adjustment"]),
        "ionice" => plain(&["-c", "-n", "--class", "--classdata"]),
        "sudo" => Wrapper { valued: &["-u", "-g", "-C", "-h", "-p", "-D"], operands: 0, assignments: true },
        "stdbuf" => plain(&["-i", "-o", "-e"]),
        "time" => plain(&["-f", "-o", "--format", "--output"]),
        "doas" => plain(&["-u"]),
        "exec" => plain(&["-a"]),
        "taskset" | "chrt" => Wrapper { valued: &[], operands: 1, assignments: false },
        "nohup" | "setsid" | "command" | "builtin" | "busybox" | "unbuffer" | "chronic" | "caffeinate"
        | "eatmydata" | "xvfb-run" => plain(&[]),
        _ => return None,
    })
}

impl Wrapper {
    /// Returns the words after the wrapper's own words.
    fn skip<'a, 'b>(&self, args: &'a [&'b str]) -> Option<&'a [&'b str]> {
        let mut rest = args;
        while let [option, more @ ..] = rest {
            match *option {
                "--" => {
                    rest = more;
                    break;
                }
                // `env -S 'a line'` and `command -v name` do not run what follows.
                "-S" | "--split-string" | "-v" | "-V" if self.valued.is_empty() || self.assignments => return None,
                word if self.valued.contains(&word) => rest = more.get(1..)?,
                word if word.starts_with('-') && word.len() > 1 => rest = more,
                word if self.assignments && is_assignment(word) => rest = more,
                _ => break,
            }
        }
        while self.assignments && rest.first().is_some_and(|word| is_assignment(word)) {
            rest = &rest[1..];
        }
        rest.get(self.operands..)
    }
}

/// Returns the name of a program without a folder or in a system folder. A script of the repository may be called `echo`.
pub(crate) fn system_program(program: &str) -> Option<&str> {
    const FOLDERS: [&str; 5] = ["/bin", "/usr/bin", "/usr/local/bin", "/sbin", "/usr/sbin"];
    match program.rsplit_once('/') {
        None => Some(program),
        Some((folder, name)) => FOLDERS.contains(&folder).then_some(name),
    }
}
