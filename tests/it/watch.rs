//! `plan watch` on a real terminal, made by tmux.
#![cfg(target_os = "linux")]

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use crate::support::judge::{HONEST, world};
use crate::support::{World, size};

/// The longest time until a change is visible, on a busy machine.
const PATIENCE: Duration = Duration::from_secs(20);

/// Writes the exit code of the view, and the state of the terminal then.
const SAY: &str = "echo $? > ../code; stty -g > ../after";

/// A terminal with a shell that has run `plan watch`. It is removed when dropped.
struct Terminal<'w> {
    world: &'w World,
    socket: PathBuf,
}

impl<'w> Terminal<'w> {
    /// Starts a user's shell and types `plan watch`.
    fn new(world: &'w World, columns: usize, rows: usize) -> Self {
        let terminal = Terminal { world, socket: world.base().join("tmux") };
        let (columns, rows) = (columns.to_string(), rows.to_string());
        // A shell with job control; its messages do not matter.
        let shell = "env PS1='$ ' bash --norc --noprofile -i";
        terminal.tmux(&["-f", "/dev/null", "new-session", "-d", "-x", &columns, "-y", &rows, shell]);
        terminal.keys(&["stty -g > ../before", "Enter"]);
        terminal.until("the shell runs", || world.path("../before").metadata().is_ok_and(|file| file.len() > 0));
        let line = format!("{} watch; {SAY}", env!("CARGO_BIN_EXE_plan"));
        terminal.keys(&[&line, "Enter"]);
        terminal
    }

    fn tmux(&self, words: &[&str]) -> String {
        let socket = self.socket.to_str().unwrap();
        let call = self.world.call_program("tmux", ["-u", "-S", socket].into_iter().chain(words.iter().copied()));
        call.env("TERM", "xterm-256color").run().stdout
    }

    fn keys(&self, keys: &[&str]) {
        self.tmux(&[&["send-keys"], keys].concat());
    }

    fn screen(&self) -> String {
        self.tmux(&["capture-pane", "-p"])
    }

    fn is_alternate(&self) -> bool {
        self.tmux(&["display-message", "-p", "#{alternate_on}"]).trim() == "1"
    }

    #[track_caller]
    fn until(&self, what: &str, mut is_so: impl FnMut() -> bool) {
        let start = Instant::now();
        while !is_so() {
            assert!(start.elapsed() < PATIENCE, "not seen: {what}\n{}", self.screen());
            std::thread::sleep(Duration::from_millis(30));
        }
    }

    /// Waits until the screen contains this text.
    #[track_caller]
    fn shows(&self, text: &str) {
        self.until(text, || self.screen().contains(text));
    }

    /// Returns the process of the view.
    fn process(&self) -> Pid {
        let shell = self.tmux(&["display-message", "-p", "#{pane_pid}"]);
        let children = format!("/proc/{0}/task/{0}/children", shell.trim());
        let child = std::fs::read_to_string(children).unwrap();
        Pid::from_raw(child.split_whitespace().next().unwrap().parse().unwrap()).unwrap()
    }

    /// Asserts that the view has ended with this exit code, and that the terminal is as it was.
    #[track_caller]
    fn is_restored(&self, code: &str) {
        let read = |name: &str| std::fs::read_to_string(self.world.path(name)).unwrap_or_default();
        self.until("the end", || !read("../after").is_empty());
        assert_eq!((read("../code").trim(), read("../after")), (code, read("../before")), "{}", self.screen());
        assert!(!self.is_alternate());
        for file in ["../code", "../after"] {
            std::fs::remove_file(self.world.path(file)).unwrap();
        }
    }
}

impl Drop for Terminal<'_> {
    fn drop(&mut self) {
        self.tmux(&["kill-server"]);
    }
}

/// True if the process is gone, or is a zombie.
fn is_over(process: Pid) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", process.as_raw_pid()));
    stat.map_or(true, |stat| stat.rsplit(") ").next().is_some_and(|rest| rest.starts_with('Z')))
}

/// True if tmux is installed. Without it these tests see nothing; CI must have it.
fn has_tmux() -> bool {
    let found = World::without_git().call_program("sh", ["-c", "command -v tmux bash"]).run().code == 0;
    assert!(found || std::env::var_os("CI").is_none(), "tmux and bash are needed");
    found
}

// P-51, P-52
#[test]
fn a_person_sees_each_change_and_the_terminal_is_given_back() {
    if !has_tmux() {
        return;
    }
    let world = world();
    let terminal = Terminal::new(&world, 80, 24);
    terminal.shows("0/2 signed off  1 active  live");
    assert!(terminal.is_alternate() && terminal.screen().contains("> ● Make it fast"), "{}", terminal.screen());
    terminal.keys(&["j"]);
    terminal.shows("> ○ Write it up");
    // The file is saved by renaming, as editors do.
    world.write("new.md", world.plan_md().replace("Write it up", "Write all of it up"));
    std::fs::rename(world.path("new.md"), world.path("plan.md")).unwrap();
    terminal.shows("> ○ Write all of it up");
    // A key that writes runs a command, and shows the command first.
    terminal.keys(&["l"]);
    terminal.keys(&["-l", "drill is next"]);
    terminal.shows("$ plan log 'drill is next'");
    terminal.keys(&["Enter"]);
    terminal.until("the log line", || world.plan_md().contains("  drill is next\n"));
    terminal.shows("06-15 14:33  drill is next");
    // If the file cannot be read, the last frame stays, with the reason.
    let whole = world.plan_md();
    std::fs::remove_file(world.path("plan.md")).unwrap();
    terminal.shows("plan.md: it is gone; this is how it was");
    assert!(terminal.screen().contains("Write all of it up"), "{}", terminal.screen());
    world.write("plan.md", "# Plan: a\0b\n");
    terminal.shows(" plan.md:1:10: expected text, found a NUL byte; this is how it was");
    world.write("plan.md", whole);
    terminal.shows("? keys");
    // The terminal changes its size all the time.
    for step in 0..size(8, 40) {
        let (columns, rows) = ((step * 37 % 200 + 10).to_string(), (step * 13 % 40 + 2).to_string());
        terminal.tmux(&["resize-window", "-x", &columns, "-y", &rows]);
    }
    terminal.tmux(&["resize-window", "-x", "120", "-y", "30"]);
    terminal.shows("0 of 2 signed off   1 active   live, plan.md");
    // Ctrl-Z gives the terminal to the shell, and `fg` takes it back.
    terminal.keys(&["C-z"]);
    // The shell continues its line, which reports that the view is suspended.
    terminal.is_restored("148");
    terminal.keys(&[&format!("fg; {SAY}"), "Enter"]);
    terminal.until("the view", || terminal.is_alternate());
    terminal.shows("live, plan.md");
    terminal.keys(&["q"]);
    terminal.is_restored("0");
}

/// Returns the bytes that the process has read and written so far, and how often it waited.
fn activity(process: Pid) -> ([u64; 2], u64) {
    let folder = PathBuf::from(format!("/proc/{}", process.as_raw_pid()));
    let value = |file: &Path, field: &str| -> u64 {
        let text = std::fs::read_to_string(file).unwrap();
        text.lines().find_map(|line| line.strip_prefix(field)).unwrap().trim().parse().unwrap()
    };
    let threads = std::fs::read_dir(folder.join("task")).unwrap();
    let waits = threads.map(|thread| value(&thread.unwrap().path().join("status"), "voluntary_ctxt_switches:")).sum();
    (["rchar:", "wchar:"].map(|field| value(&folder.join("io"), field)), waits)
}

// P-51: nothing is read, written or drawn while nothing happens, however long the plan is: the view only wakes to check the file's stat
// data. A signal or a closed terminal ends it.
#[test]
fn an_idle_view_is_quiet_and_a_signal_ends_it() {
    if !has_tmux() {
        return;
    }
    let mut plan = "# Plan: long\n".to_owned();
    for goal in 0..size(500, 10_000) {
        plan += &format!(
            "\n## Goal: Goal {goal}\n<!-- id: goal-{goal} -->\ndone_when: it is there\n- [ ] {goal}. a step\n"
        );
    }
    let world = World::new().file("plan.md", plan);
    let terminal = Terminal::new(&world, 100, 30);
    // The first frame is followed by one with the file's time.
    let is_timed =
        |screen: String| screen.split("plan.md ").nth(1).is_some_and(|rest| rest.starts_with(char::is_numeric));
    terminal.until("the whole frame", || is_timed(terminal.screen()));
    let process = terminal.process();
    let bytes = world.path("../bytes");
    terminal.tmux(&["pipe-pane", &format!("cat > '{}'", bytes.display())]);
    std::thread::sleep(Duration::from_millis(500));
    let (before, waits) = activity(process);
    let seconds = size(1, 5) as u64;
    std::thread::sleep(Duration::from_secs(seconds));
    let (after, waited) = activity(process);
    assert_eq!(after, before, "bytes read and written while nothing happened");
    // Five checks a second, with room for a late clock.
    assert!(waited > waits && waited - waits <= 10 * (seconds + 1), "it woke {} times in {seconds} s", waited - waits);
    assert_eq!(std::fs::read(&bytes).unwrap_or_default(), b"", "written while nothing happened");
    terminal.tmux(&["pipe-pane"]);
    kill_process(process, Signal::HUP).unwrap();
    terminal.is_restored("130");
    // The terminal itself is closed.
    let line = format!("{} watch", env!("CARGO_BIN_EXE_plan"));
    terminal.keys(&[&line, "Enter"]);
    terminal.until("the view", || terminal.is_alternate());
    let process = terminal.process();
    terminal.tmux(&["kill-pane"]);
    terminal.until("its end", || is_over(process));
}

// P-51
#[test]
fn a_sign_off_runs_as_the_command_does() {
    if !has_tmux() {
        return;
    }
    let world = world().judge("judge", HONEST, "accept").judge_doing("slow", "sleep 60\n");
    world.write("../home/.config/plan/config.yaml", "judge: cmd:slow\ngate_budget: 1\n");
    let terminal = Terminal::new(&world, 120, 40);
    terminal.shows("Make it fast");
    let sign_off = || {
        terminal.keys(&["c"]);
        terminal.keys(&["-l", "it is fast"]);
        terminal.keys(&["Enter"]);
        terminal.keys(&["-l", "result.txt"]);
        terminal.shows("$ plan complete fast-1 --evidence 'it is fast' --path result.txt");
        terminal.keys(&["Enter"]);
    };
    // A sign-off that takes long is shown with its stages, and can be stopped.
    sign_off();
    terminal.shows("Sign-off running");
    terminal.shows("→ judge   cmd:slow");
    assert!(terminal.screen().contains("✓ verify  green after"), "{}", terminal.screen());
    terminal.keys(&["x"]);
    terminal.shows("Sign-off of fast-1: stopped");
    assert!(world.plan_md().contains("status: active"), "{}", world.plan_md());
    world.write("../home/.config/plan/config.yaml", "judge: cmd:judge\ngate_budget: 1\n");
    sign_off();
    terminal.shows("Sign-off of fast-1: signed off");
    terminal.shows("1 of 2 signed off");
    assert!(world.plan_md().contains("oracle accept by cmd:judge"), "{}", world.plan_md());
    terminal.keys(&["Escape"]);
    terminal.until("the report is read", || !terminal.screen().contains("Sign-off of"));
    // A sign-off of another process.
    world.write("plan.md", world.plan_md().replace("status: done", "status: active"));
    world.write("../home/.config/plan/config.yaml", "judge: cmd:slow\ngate_budget: 1\n");
    assert_eq!(world.plan(["complete", "fast-1", "--path", "result.txt", "--detach"]).code, 0);
    terminal.shows("in another process");
    terminal.shows("plan complete fast-1 --wait");
    let process =
        terminal.screen().split("process ").find_map(|text| text.split(' ').next()?.parse::<i32>().ok()).unwrap();
    kill_process(Pid::from_raw(process).unwrap(), Signal::TERM).unwrap();
    terminal.until("its end", || !terminal.screen().contains("in another process"));
    terminal.keys(&["q"]);
    terminal.is_restored("0");
}

#[test]
fn without_a_terminal_it_says_what_prints_the_goals() {
    let world = world();
    for arguments in [["watch"].as_slice(), &["watch", "--json"]] {
        let output = world.plan(arguments);
        assert_eq!(output.code, 2, "{output:?}");
        let said = format!("{}{}", output.stdout, output.stderr);
        assert!(said.contains("needs a terminal") && said.contains("plan list"), "{output:?}");
    }
}
