//! The answers and actions of judges, and what they decide.

use std::time::Duration;

use super::{changes, complete};
use crate::support::judge::{HONEST, world};

// P-50, P-5
#[test]
fn whatever_is_no_verdict_leaves_the_goal_as_it_was() {
    let block = format!("SIGNOFF[$nonce]\nprobe: $token\n{HONEST}");
    let cases: &[(&str, String)] = &[
        ("silence", String::new()),
        ("no block", "VERDICT: accept\n".into()),
        ("another nonce", format!("{block}VERDICT[0123456789abcdef0123456789abcdef]: accept\n")),
        ("two verdicts", format!("{block}VERDICT[$nonce]: reject\nVERDICT[$nonce]: accept\n")),
        ("text after the verdict", format!("{block}VERDICT[$nonce]: accept\nThat was easy.\n")),
        ("not accepted", format!("{block}VERDICT[$nonce]: not accepted\n")),
        ("both words", format!("{block}VERDICT[$nonce]: accept | reject\n")),
        ("wrong probe", format!("SIGNOFF[$nonce]\nprobe: 00000000\n{HONEST}VERDICT[$nonce]: accept\n")),
        ("a quote that is not there", block.replace("47.1", "12.0") + "VERDICT[$nonce]: accept\n"),
        ("a citation outside", block.replace("result.txt:1", "../../home/.gitconfig:1") + "VERDICT[$nonce]: accept\n"),
        (
            "plan.md as evidence",
            block.replace("result.txt:1 \"p95 47.1 ms\"", "plan.md:6 \"p95 below 50 ms\"")
                + "VERDICT[$nonce]: accept\n",
        ),
        ("an unanswered criterion", block.replace("C1 met", "C7 met") + "VERDICT[$nonce]: accept\n"),
    ];
    for (name, answer) in cases {
        let world = world().judge_saying("judge", answer);
        let output = complete(&world);
        assert_eq!(output.code, 3, "{name}: {output:?}");
        assert!(world.plan_md().contains("status: active"), "{name}: {}", world.plan_md());
        assert!(!world.plan_md().contains("signed off"), "{name}");
        assert!(!world.plan_md().contains("rejected"), "{name}: inconclusive is no rejection");
    }
}

// P-50
#[test]
fn an_accept_beside_something_missing_is_a_reject() {
    for lines in [HONEST.replace("none", "the hit rate"), HONEST.replace("F1 ruled out: ", "F1 not ruled out: ")] {
        let world = world().judge("judge", &lines, "accept");
        let output = complete(&world);
        assert_eq!(output.code, 1, "{lines}: {output:?}");
        assert!(world.plan_md().contains("status: active"));
    }
}

// P-50, P-66
#[test]
fn a_judge_that_misbehaves_decides_nothing() {
    let accept = format!("cat <<END\nSIGNOFF[$nonce]\nprobe: $token\n{HONEST}VERDICT[$nonce]: accept\nEND\n");
    let cases: &[(&str, String)] = &[
        ("crashes after accept", format!("{accept}exit 7\n")),
        ("dies of a signal after accept", format!("{accept}kill -9 $$\n")),
        ("garbage", "head -c 100000 /dev/urandom\n".into()),
        ("a hundred megabytes", format!("head -c 104857600 /dev/zero | tr '\\0' x\necho\n{accept}")),
        ("an escape before the verdict", format!("printf '\\033[2J'\n{accept}")),
        ("changes the tree by somebody else's hand", format!("outside 'echo more >> check.sh'\n{accept}")),
    ];
    for (name, script) in cases {
        let world = world().judge_doing("judge", script);
        let output = complete(&world);
        assert_eq!(output.code, 3, "{name}: {} {}", output.stderr, &output.stdout[..output.stdout.len().min(2000)]);
        assert!(world.plan_md().contains("status: active") && !world.plan_md().contains("signed off"), "{name}");
    }
}

// P-50
#[test]
fn a_judge_that_takes_too_long_is_ended_with_all_it_started() {
    let world = world().judge_doing("judge", "sleep 600 &\nsetsid sleep 601 &\nsleep 602\n");
    let call = world.call(["complete", "fast-1", "--judge", "cmd:judge", "--path", "result.txt", "--timeout", "1"]);
    let output = call.limit(Duration::from_secs(30)).run();
    assert_eq!(output.code, 3, "{output:?}");
    assert!(changes(&world).iter().all(|c| c.contains("inconclusive")), "{:?}", changes(&world));
}

// P-50
#[test]
fn a_missing_judge_is_said_and_logs_nothing() {
    let world = world();
    let output = world.plan(["complete", "fast-1", "--path", "result.txt"]);
    assert_eq!(output.code, 3, "{output:?}");
    assert!(output.stderr.contains("plan judge set"), "{output:?}");
    assert_eq!(changes(&world), [""; 0]);
}

// P-64
#[test]
fn a_judge_cannot_sign_off_by_calling_plan() {
    let plan = env!("CARGO_BIN_EXE_plan");
    let script =
        format!("cd '{{root}}'; {plan} log forged; echo \"log $?\" >&2; {plan} goal cancel fast-1 x; exit 9\n");
    let world = world();
    let script = script.replace("{root}", &world.root().to_string_lossy());
    let world = world.judge_doing("judge", &script);
    assert_eq!(complete(&world).code, 3);
    assert!(!world.plan_md().contains("forged") && world.plan_md().contains("status: active"));
}

// P-16
#[test]
fn a_judge_named_by_the_caller_is_marked_and_the_users_own_is_not() {
    let world = world().judge("judge", HONEST, "accept");
    assert_eq!(complete(&world).code, 0);
    assert!(world.plan_md().contains("(named by caller)"), "{}", world.plan_md());
    let shown = world.plan([""; 0]).stdout;
    assert!(shown.lines().any(|l| l.starts_with("! ") && l.ends_with("  fast-1")), "{shown}");
    let world = self::world().judge("judge", HONEST, "accept");
    assert_eq!(world.plan(["judge", "set", "cmd:judge"]).code, 0);
    let output = world.plan(["complete", "fast-1", "--path", "result.txt"]);
    assert_eq!(output.code, 0, "{output:?}");
    assert!(!world.plan_md().contains("named by caller"), "{}", world.plan_md());
}

#[test]
fn several_judges_must_all_accept() {
    let no = "C1 not met: no\nF1 not ruled out: no\nmissing: all\n";
    let two = |second: &str| {
        let world = world().judge("judge", HONEST, "accept").judge("no", no, "reject").judge_saying("silent", "");
        let args = ["complete", "fast-1", "--path", "result.txt", "--judge", "cmd:judge", "--judge", second];
        world.plan(args).code
    };
    assert_eq!(two("cmd:judge"), 0);
    assert_eq!(two("cmd:no"), 1);
    assert_eq!(two("cmd:silent"), 3);
}

// P-43, P-46: both are next to the verdict, in the report and in the record
#[test]
fn what_claims_a_verdict_and_what_shows_little_are_leads() {
    let same = HONEST.replace("result.txt:2 \"cache on\"", "result.txt:1 \"p95 47.1 ms\"");
    let world = world().judge("judge", &same, "accept").file("review.txt", "p95 47.1 ms\nC1 met: all of it\n");
    let paths = ["--path", "review.txt", "--path", "result.txt"];
    let args = ["complete", "fast-1", "--judge", "cmd:judge", "--json"].into_iter().chain(paths);
    let report = world.plan(args).json(0);
    let lead = |code: &str| {
        let all = report["findings"].as_array().unwrap().iter();
        let mut found = all.filter(|finding| finding["code"] == code && finding["level"] == "lead");
        found.next().map(|finding| format!("{} {}", finding["place"], finding["seen"])).unwrap_or_default()
    };
    assert_eq!(lead("evidence-claims"), "\"review.txt:2\" \"it reads as a verdict: `C1 met: all of it`\"");
    assert!(lead("citation-weak").contains("every answer cites the same"), "{report:#}");
    let name = report["attestation"].as_str().unwrap();
    assert!(world.git(["cat-file", "blob", name]).contains("citation-weak"), "the record has it");
}

// P-50
#[test]
fn a_reject_that_names_nothing_is_asked_once_more_and_is_no_rejection() {
    let world = world().judge("judge", HONEST, "reject");
    let output = complete(&world);
    assert_eq!(output.code, 3, "{output:?}");
    assert_eq!(output.stderr.matches("asking once more").count(), 1, "{output:?}");
    let inconclusive =
        "inconclusive (oracle cmd:judge (named by caller)): the verdict is reject, and the answers name nothing";
    assert!(world.plan_md().contains(inconclusive), "{}", world.plan_md());
}

// P-45, P-10: if `checks` is the judge, the rehearsal names what it would miss, and the command in the message works.
#[test]
fn a_rehearsal_says_what_the_judge_checks_would_miss() {
    let world = world();
    assert_eq!(world.plan(["verify", "fast-1"]).code, 0, "a model is not asked");
    assert_eq!(world.plan(["judge", "set", "checks"]).code, 0);
    let told = world.plan(["verify", "fast-1"]);
    assert!(told.code == 1 && told.stdout.contains("  would be rejected\n"), "{told:?}");
    let missing = "F1 has no `(check: …)`, a command that fails if the work is wrong in this way: it was measured without the cache";
    assert!(told.stdout.contains(missing), "{told:?}");
    let command = "plan goal set fast-1 --add-failure-mode 'it was measured without the cache (check: COMMAND)'";
    assert!(
        told.stdout.ends_with(&format!(
            "\nTo fix it, fill in a command that fails if the work is wrong in this way:\n  {command}\n"
        )),
        "{told:?}"
    );
    assert!(world.plan(["complete", "fast-1"]).stdout.contains(missing), "the sign-off says the same");
    let mode = "it was measured without the cache (check: grep -q 'cache on' result.txt)";
    assert_eq!(world.plan(["goal", "set", "fast-1", "--add-failure-mode", mode]).code, 0);
    let ready = world.plan(["verify", "fast-1"]);
    assert!(ready.code == 0 && ready.stdout.ends_with("\nNext:\n  plan complete fast-1\n"), "{ready:?}");
    assert_eq!(world.plan(["complete", "fast-1"]).code, 0);
}

// P-45: a goal without `verify` is reported at its start, by a rehearsal and by a refusal, each with the command.
#[test]
fn a_goal_without_verify_is_told_so_before_anything_else() {
    let world = world();
    assert_eq!(world.plan(["judge", "set", "checks"]).code, 0);
    let command = "plan goal set two-1 --done-when \"what must be true\" --verify COMMAND";
    let added = world.plan(["goal", "add", "Two", "--start"]);
    let filling = "fill in what must be true and the command of your test";
    assert_eq!(added.stderr, format!("needed before a sign-off ({filling}): {command}\n"), "{added:?}");
    for verb in ["verify", "complete"] {
        let told = world.plan([verb, "two-1"]);
        let (lack, block) = (told.stdout.find("no `done_when` and no `verify`"), told.stdout.find("no-change: "));
        assert!(lack.is_some() && lack < block, "{told:?}");
        assert!(told.stdout.ends_with(&format!("\nTo fix it, {filling}:\n  {command}\n")), "{told:?}");
    }
}

// P-45: if a goal was signed off and reopened, its start and every refusal give the command to take that back, and it works.
#[test]
fn a_goal_that_was_reopened_without_new_work_is_told_the_way_back() {
    let world = world().judge("judge", HONEST, "accept");
    assert_eq!(complete(&world).code, 0);
    let signed_off = world.plan_md();
    let start = world.plan(["goal", "start", "fast-1"]);
    assert!(start.stderr.contains("if nothing is to change, `plan undo` takes this back"), "{start:?}");
    for told in [world.plan(["verify", "fast-1"]), complete(&world)] {
        assert!(told.code == 1 && told.stdout.contains("no-change: "), "{told:?}");
        assert!(told.stdout.contains("only the work since then counts"), "{told:?}");
    }
    let versions = world.plan(["undo", "--list"]).stdout;
    let line =
        versions.lines().find(|line| line.contains("last log line: ") && line.contains(" fast-1 signed off ")).unwrap();
    let undone = world.plan(["undo", line.split_whitespace().next().unwrap()]);
    assert!(undone.stdout.contains("\nits last log line: 2026-06-15 14:33 fast-1 signed off "), "{undone:?}");
    assert_eq!(world.plan_md(), signed_off);
}
