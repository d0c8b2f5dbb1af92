//! If the sandbox cannot be set up, the program is not started, and nothing claims that it was protected.

use super::attack::{Target, abi};
use crate::support::judge::{HONEST, world};
use crate::support::output::Output;
use crate::support::{World, strace};

const PLAN: &str = env!("CARGO_BIN_EXE_plan");

/// A judge that leaves a trace of its start in its home, and accepts.
fn traced() -> World {
    let answer = format!("SIGNOFF[$nonce]\nprobe: $token\n{HONEST}VERDICT[$nonce]: accept\n");
    world()
        .judge_doing("judge", &format!("touch -c \"$HOME/.gitconfig\"\nchmod +x ../started\ncat <<END\n{answer}END\n"))
}

/// True if the judge of [`traced`] ran: it made that file executable, which no sandbox prevents.
fn started(world: &World) -> bool {
    use std::os::unix::fs::PermissionsExt;
    std::fs::metadata(world.base().join("started")).unwrap().permissions().mode() & 0o111 != 0
}

/// Runs `plan complete` while these system calls of it and its descendants are tampered with.
fn complete_with(world: &World, tampered: &[&str]) -> Output {
    world.write("../started", "");
    let mut words: Vec<String> =
        ["-f", "-qq", "-o", "/dev/null", "-e", "trace=landlock_create_ruleset,landlock_restrict_self"]
            .map(str::to_owned)
            .into();
    words.extend(tampered.iter().flat_map(|what| ["-e".to_owned(), format!("inject={what}")]));
    words.extend([PLAN, "complete", "fast-1", "--judge", "cmd:judge"].map(str::to_owned));
    world.call_program("strace", words).run()
}

#[test]
fn a_call_that_is_wrong_or_cannot_be_enforced_starts_nothing() {
    let Some(abi) = abi() else { return };
    let target = Target::new();
    let mark = target.world.path("mark").display().to_string();
    let higher = format!("landlock{}", abi + 1);
    for (words, why) in [
        (vec!["--level", &higher, "--"], "cannot start `touch` in a sandbox: "),
        (vec!["--level", "seatbelt", "--"], "cannot start `touch` in a sandbox: this system has no seatbelt"),
        (vec!["--level", "landlock2", "--"], "`landlock2` is not a level"),
        (vec!["--ro", "/", "--"], "unknown argument `--ro`"),
    ] {
        let words = ["__sandbox"].into_iter().chain(words).chain(["touch", &mark]);
        let output = target.world.plan(words);
        assert_eq!((output.code, &*output.stdout), (125, ""), "{output:?}");
        assert!(output.stderr.starts_with(&format!("plan sandbox: {why}")), "{output:?}");
        assert!(!target.world.path("mark").exists());
    }
    let output = target.world.plan(["__sandbox", "--", "no-such-program"]);
    let said = "plan sandbox: `no-such-program` cannot be started: not found on `PATH`\n";
    assert_eq!((output.code, &*output.stderr), (125, said));
}

/// The kernel stacks at most sixteen sandboxes.
// P-50
#[test]
fn a_judge_round_which_the_kernel_puts_no_sandbox_is_not_started() {
    if abi().is_none() {
        return;
    }
    let world = traced();
    world.write("../started", "");
    let base = world.base().to_str().unwrap();
    let mut words = Vec::new();
    for _ in 0..16 {
        words.extend(["__sandbox", "--rw", base, "--", PLAN]);
    }
    words.extend(["complete", "fast-1", "--judge", "cmd:judge"]);
    let output = world.plan(&words);
    assert_eq!(output.code, 3, "{output:?}");
    let shown = format!("{}{}", output.stdout, output.stderr);
    assert!(shown.contains("cannot start `judge` in a sandbox: "), "{output:?}");
    assert!(!shown.contains("asking once more"), "{output:?}");
    assert!(!started(&world), "{output:?}");
    assert!(world.plan_md().contains("status: active") && !world.plan_md().contains("signed off"));
    let words: Vec<&str> = words.split_off(5);
    assert_eq!(world.plan(&words).code, 0, "the control: one layer less");
    assert!(started(&world));
}

// P-50
#[test]
fn a_refusal_of_the_kernel_is_no_sign_off() {
    let world = traced();
    if abi().is_none() || !strace::available(&world) {
        return;
    }
    let output = complete_with(&world, &["landlock_restrict_self:error=EPERM"]);
    assert_eq!(output.code, 3, "{output:?}");
    assert!(output.stdout.contains("cannot start `judge` in a sandbox"), "{output:?}");
    assert!(!started(&world), "{output:?}");
}

/// As on a kernel without Landlock, and on a kernel whose Landlock allows truncate.
// P-50
#[test]
fn a_system_without_a_sandbox_says_none_and_is_refused_where_one_is_required() {
    let world = traced();
    if !strace::available(&world) {
        return;
    }
    for tampered in ["landlock_create_ruleset:error=ENOSYS", "landlock_create_ruleset:retval=2"] {
        let world = traced();
        let output = complete_with(&world, &[tampered]);
        assert_eq!(output.code, 0, "{tampered}: {output:?}");
        let said = "asking judge cmd:judge (sandbox none: this kernel has no Landlock of ABI 3 or newer)";
        assert!(output.stderr.contains(said), "{tampered}: {output:?}");
        assert!(output.stdout.contains("accept (sandbox none)"), "{tampered}: {output:?}");
        assert!(started(&world));

        let world = traced();
        world.write("../home/.config/plan/config.yaml", "require_sandbox: true\n");
        let output = complete_with(&world, &[tampered]);
        assert_eq!(output.code, 3, "{tampered}: {output:?}");
        assert!(output.stderr.contains("judge `cmd:judge` would run without a sandbox"), "{tampered}: {output:?}");
        assert!(!started(&world));
    }
}
