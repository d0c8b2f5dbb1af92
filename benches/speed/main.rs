//! Wall time and peak memory of `plan`, compared with `/bin/true` and with the floor (`benches/floor.rs`), as Markdown tables.
//!
//! `cargo bench --bench speed -- [--plan PROGRAM] [--sizes 10,1000] [--seconds N] [--only startup,merge]`. Without `--plan` it uses the
//! release build that cargo made; a static build starts faster (see ARCHITECTURE, dependencies).

#![allow(
    clippy::expect_used,
    clippy::print_stdout,
    unreachable_pub,
    reason = "a program that may stop and prints its figures"
)]

mod audit;
mod complete;
mod exports;
mod fingerprint;
mod gate;
mod hooks;
mod merge;
mod plan_file;
mod rewind;
mod sandbox;
mod signed_plan;
mod timing;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use timing::Make;

struct Options {
    plan: PathBuf,
    sizes: Vec<usize>,
    budget: Duration,
    only: Vec<String>,
}

fn main() {
    let options = options();
    let folder = tempfile::tempdir().expect("a temporary folder");
    let floor = compile_floor(folder.path());
    println!("{}\n", options.plan.display());
    let tables: [(&str, &dyn Fn()); 11] = [
        ("startup", &|| startup(&options, folder.path())),
        ("hooks", &|| hooks::events(&options, folder.path())),
        ("session", &|| hooks::bytes(&options, folder.path())),
        ("sandbox", &|| sandbox::start(&options, folder.path())),
        ("complete", &|| complete::overhead(&options, &repository(folder.path(), "complete", 10))),
        ("gate", &|| gate::multiples(&options, folder.path())),
        ("exports", &|| exports::beside_worktree(&options, folder.path())),
        ("fingerprint", &|| fingerprint::files(folder.path())),
        ("rewind", &|| rewind::beside_stash(&options, folder.path())),
        ("merge", &|| merge::beside_git(&options, folder.path())),
        ("audit", &|| audit::sizes(&options, folder.path())),
    ];
    let wanted = |name: &str| options.only.is_empty() || options.only.iter().any(|only| only == name);
    tables.iter().filter(|(name, _)| wanted(name)).for_each(|(_, table)| table());
    if wanted("commands") {
        commands(&options, folder.path(), &floor);
    }
}

/// Compares every command with the floor, at every size.
fn commands(options: &Options, folder: &Path, floor: &Path) {
    println!("\n| goals | file | command | plan | floor | plan/floor | peak memory | 3 × file + 6 MiB |");
    println!("| ---: | ---: | --- | ---: | ---: | ---: | ---: | ---: |");
    for &goals in &options.sizes {
        for (name, ours, theirs) in COMMANDS {
            row(options, folder, floor, goals, name, ours, theirs);
        }
    }
}

/// Name, arguments of `plan`, arguments of the floor. `{N}` is a different step in each run, `{F}` the file.
const COMMANDS: &[(&str, &[&str], &[&str])] = &[
    ("plan", &[], &["list", "{F}"]),
    ("next", &["next"], &["next", "{F}"]),
    ("show", &["show", "implement-cache-layer-7"], &["show", "{F}", "implement-cache-layer-7"]),
    ("inject", &["inject"], &["inject", "{F}"]),
    ("report", &["report", "--html", "-"], &["list", "{F}"]),
    ("log", &["log", "cache client wired"], &["log", "{F}", "cache client wired"]),
    ("step done", &["step", "done", "{N}"], &["done", "{F}", "{N}"]),
    ("goal add", &["goal", "add", "Added goal"], &["add", "{F}", "Added goal"]),
];

fn options() -> Options {
    let args: Vec<String> = std::env::args().collect();
    let value = |flag: &str| args.iter().position(|a| a == flag).and_then(|at| args.get(at + 1));
    let plan = value("--plan").map_or(env!("CARGO_BIN_EXE_plan"), String::as_str);
    let sizes = value("--sizes").map_or("10,100,1000,10000,100000", String::as_str);
    let seconds = value("--seconds").map_or(Ok(2), |s| s.parse()).expect("a number of seconds a row");
    Options {
        plan: Path::new(plan).canonicalize().expect("the program is there"),
        sizes: sizes.split(',').map(|s| s.parse().expect("a number of goals")).collect(),
        budget: Duration::from_secs(seconds),
        only: value("--only").map(|names| names.split(',').map(str::to_owned).collect()).unwrap_or_default(),
    }
}

/// Compares `--version` and `inject` on ten goals with a program that does nothing.
fn startup(options: &Options, folder: &Path) {
    let work = repository(folder, "startup", 10);
    let version: Make<'_> = Box::new(|_| plan(options, &work, &["--version"]));
    let inject: Make<'_> = Box::new(|_| plan(options, &work, &["inject"]));
    let nothing: Make<'_> = Box::new(|_| Command::new("/bin/true"));
    let times = timing::medians(&[version, inject, nothing], options.budget, 300);
    println!("| command | plan | /bin/true | ratio |\n| --- | ---: | ---: | ---: |");
    for (name, time) in ["--version", "inject, 10 goals"].iter().zip(&times) {
        println!("| {name} | {} | {} | {:.2} |", show(*time), show(times[2]), ratio(*time, times[2]));
    }
}

fn row(options: &Options, folder: &Path, floor: &Path, goals: usize, name: &str, ours: &[&str], theirs: &[&str]) {
    let work = repository(folder, "plan", goals);
    let base = repository(folder, "floor", goals);
    let file = work.join("plan.md");
    let bytes = std::fs::metadata(&file).expect("it was just written").len();
    let mine: Make<'_> = Box::new(|run| plan(options, &work, &filled(ours, run, &file)));
    let other: Make<'_> = Box::new(|run| {
        let mut command = Command::new(floor);
        command.args(filled(theirs, run, &base.join("plan.md"))).current_dir(&base);
        command
    });
    // `step done` uses up a step in each run, and ten goals have fewer than thirty open steps.
    let most = match goals {
        ..100 => 24,
        100..1000 => 200,
        _ => 300,
    };
    let times = timing::medians(&[mine, other], options.budget, most);
    let work = repository(folder, "memory", goals);
    let peak = timing::peak_kib(&plan(options, &work, &filled(ours, 0, &work.join("plan.md"))));
    println!(
        "| {goals} | {} | {name} | {} | {} | {:.2} | {} | {} |",
        size(bytes / 1024),
        show(times[0]),
        show(times[1]),
        ratio(times[0], times[1]),
        peak.map_or("?".into(), size),
        size(bytes * 3 / 1024 + 6 * 1024)
    );
}

fn filled(args: &[&str], run: usize, file: &Path) -> Vec<String> {
    let step = plan_file::open_step(run).to_string();
    args.iter().map(|a| a.replace("{N}", &step).replace("{F}", &file.to_string_lossy())).collect()
}

fn plan<S: AsRef<std::ffi::OsStr>>(options: &Options, work: &Path, args: &[S]) -> Command {
    let mut command = Command::new(&options.plan);
    command.args(args).current_dir(work).env("NO_COLOR", "1").env_remove("PLAN_FILE");
    command
}

/// Creates a repository with a plan of this many goals.
fn repository(folder: &Path, name: &str, goals: usize) -> PathBuf {
    let work = folder.join(name);
    if work.exists() {
        std::fs::remove_dir_all(&work).expect("our own folder");
    }
    let git = Command::new("git").args(["init", "--quiet"]).arg(&work).status();
    assert!(git.is_ok_and(|status| status.success()), "git init");
    std::fs::write(work.join("plan.md"), plan_file::plan(goals)).expect("the folder takes a file");
    work
}

/// Compiles the floor, statically if the target can; then neither side pays for the dynamic loader.
fn compile_floor(folder: &Path) -> PathBuf {
    let program = folder.join("floor-program");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/floor.rs");
    let mut rustc = Command::new("rustc");
    rustc.args(["--edition=2024", "-O", "-C", "panic=abort", "-C", "strip=symbols"]);
    if cfg!(target_os = "linux") {
        rustc.args(["-C", "target-feature=+crt-static"]);
    }
    let status = rustc.arg(source).arg("-o").arg(&program).status();
    assert!(status.is_ok_and(|status| status.success()), "rustc benches/floor.rs");
    program
}

fn ratio(ours: Duration, theirs: Duration) -> f64 {
    ours.as_secs_f64() / theirs.as_secs_f64()
}

fn show(time: Duration) -> String {
    format!("{:.2} ms", time.as_secs_f64() * 1e3)
}

fn size(kib: u64) -> String {
    format!("{:.1} MiB", kib as f64 / 1024.0)
}
