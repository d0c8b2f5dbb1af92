//! A judge runs code of the repository: can that code write the verdict?
//!
//! The code is in the same sandbox as the judge. If the system lets one process of a user access another, nothing keeps the code from the
//! judge, so it can write the verdict. In its own sandbox it cannot. Neither can reach `plan` or its launcher.

use super::attack::abi;
use crate::support::World;
use crate::support::judge::{HONEST, world};
use crate::support::output::Output;

/// Turns `reject` into `accept` in the memory of its parent process, the judge.
const POKES: &str = "import os, re
judge = os.environ['JUDGE']
with open(f'/proc/{judge}/maps') as maps, open(f'/proc/{judge}/mem', 'r+b', 0) as memory:
    for area in re.findall(r'^(\\w+)-(\\w+) rw.*$', maps.read(), re.M):
        start, end = (int(at, 16) for at in area)
        memory.seek(start)
        try:
            text = memory.read(end - start)
        except OSError:
            continue
        for found in re.finditer(rb']: reject', text):
            memory.seek(start + found.start())
            memory.write(b']: accept')
";

/// Writes its own verdict to the judge's output.
const WRITES: &str = "import os
with open(f\"/proc/{os.environ['JUDGE']}/fd/1\", 'w') as answer:
    answer.write('\\nVERDICT[0123456789abcdef0123456789abcdef]: accept\\n')
    answer.write('forged\\n' * 3)
";

/// A judge that runs `test.py` of the repository, in its own sandbox or without one, and always rejects.
fn ask(code: &str, around: &str) -> (World, Output) {
    let answer = format!("SIGNOFF[$nonce]\nprobe: $token\n{HONEST}VERDICT[$nonce]: reject\n");
    let run = format!(
        "export JUDGE=$$\nmkdir \"$scratch/test\"\n{around}python3 test.py > \"$scratch/said\" 2>&1 </dev/null\n\
         echo $? > \"$scratch/exit\"\noutside \"cp '$scratch/exit' ../exit; cp '$scratch/said' ../said\"\n"
    );
    let world = world().judge_doing("judge", &format!("{run}cat <<END\n{answer}END\n")).file("test.py", code);
    world.commit("test");
    let output = world.plan(["complete", "fast-1", "--judge", "cmd:judge"]);
    (world, output)
}

fn nested() -> String {
    format!("'{}' __sandbox --rw \"$scratch/test\" -- ", env!("CARGO_BIN_EXE_plan"))
}

// P-64, P-5
#[test]
fn code_in_a_sandbox_of_its_own_does_not_reach_the_judge() {
    if abi().is_none() {
        return;
    }
    for code in [POKES, WRITES] {
        let (world, output) = ask(code, &nested());
        // A reject without a reason is not a rejection; if it was turned around, it would be an accept.
        assert_eq!(output.code, 3, "{output:?}");
        assert!(world.read("../said").contains("PermissionError"), "it was tried: {}", world.read("../said"));
        assert!(!world.plan_md().contains("signed off"));
    }
}

/// The control, which shows the gap: in the same sandbox as the judge, code can change its verdict.
#[test]
fn code_in_the_judges_own_sandbox_may_reach_it() {
    if abi().is_none() {
        return;
    }
    let (world, output) = ask(POKES, "");
    match world.read("../exit").trim() {
        "0" => assert_eq!(output.code, 0, "the verdict was turned: {output:?}\n{}", world.read("../said")),
        _ => println!("skipped: this system keeps processes of a user apart: {}", world.read("../said")),
    }
    // Text that is written next to the judge's answer does not count: it lacks the nonce, and text after the answer spoils it.
    let (world, output) = ask(WRITES, "");
    assert_eq!(world.read("../exit"), "0\n", "{}", world.read("../said"));
    assert!(matches!(output.code, 1 | 3), "{output:?}");
}

/// The judge, and everything that it runs, against `plan` and its launcher, which hold the other end of the answer.
// P-64, P-5
#[test]
fn neither_reaches_plan() {
    if abi().is_none() {
        return;
    }
    let lines = "launcher=$PPID; plan=$(sed -n 's/^PPid:\\t//p' /proc/$launcher/status)\n\
        for process in $launcher $plan; do\n\
        for what in fd/0 fd/1 mem environ; do\n\
        if head -c 1 /proc/$process/$what >/dev/null 2>&1 || ls -l /proc/$process/$what 2>/dev/null | grep -q -- '->'; then\n\
        echo \"$what\" >> \"$scratch/reached\"; fi; done\n\
        kill -CONT $process 2>/dev/null && echo signal >> \"$scratch/reached\"\n\
        test -n \"$process\" && echo tried >> \"$scratch/reached\"; done\n\
        outside \"cp '$scratch/reached' ../reached\"\n";
    let missing = HONEST.replace("none", "a run");
    let answer = format!("SIGNOFF[$nonce]\nprobe: $token\n{missing}VERDICT[$nonce]: reject\n");
    let world = world().judge_doing("judge", &format!("{lines}cat <<END\n{answer}END\n"));
    let output = world.plan(["complete", "fast-1", "--judge", "cmd:judge"]);
    assert_eq!(output.code, 1, "{output:?}");
    let reached = world.read("../reached");
    let expected = if abi().is_some_and(|abi| abi < 6) { "signal\ntried\nsignal\ntried\n" } else { "tried\ntried\n" };
    assert_eq!(reached, expected);
}
