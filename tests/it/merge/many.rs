//! Hundreds of branches, one after another.

use plan::plan::parse;

use super::support::{END, PLAN, repository, with};
use crate::support::size;

#[test]
fn hundreds_of_branches_are_merged_one_after_another() {
    let count = size(20, 200);
    let world = repository(PLAN, true);
    // One `git fast-import` writes the branches, and their plans are made by hand: each adds a goal, a step and a log line.
    let mut stream = Vec::new();
    for n in 0..count {
        let goal =
            format!("## Goal: Branch {n}\n<!-- id: branch-{n} -->\nstatus: open\n- [ ] {}. work\n\n## Log", n + 10);
        let log = format!("{END}- 2026-06-15 15:{:02}  branch {n} was here\n", n % 60);
        let plan = with(
            PLAN,
            &[
                ("## Log", &goal),
                ("- [ ] 3. load\n", &format!("- [ ] 3. load\n- [ ] {}. of {n}\n", n + 5000)),
                (END, &log),
            ],
        );
        stream.extend(format!(
            "commit refs/heads/topic-{n}\ncommitter Ada <a@example.org> 1780000000 +0000\ndata 1\nx\nfrom refs/heads/main^0\nM 100644 inline plan.md\ndata {}\n{plan}\n",
            plan.len()
        ).into_bytes());
    }
    let output = world.call_program("git", ["fast-import", "--quiet"]).stdin(stream).run();
    assert_eq!(output.code, 0, "{output:?}");
    for n in 0..count {
        let output = world.call_program("git", ["merge", "--quiet", "--no-edit", &format!("topic-{n}")]).run();
        assert_eq!((output.code, &*output.stderr), (0, ""), "{n}: {}", output.stdout);
    }
    let text = world.plan_md();
    let plan = parse(text.as_bytes()).unwrap();
    assert_eq!((plan.goals.len(), plan.steps.len()), (2 + count, 4 + 2 * count));
    for n in 0..count {
        for line in [format!("branch {n} was here\n"), format!("<!-- id: branch-{n} -->\n"), format!(" of {n}\n")] {
            assert_eq!(text.matches(&line).count(), 1, "{line}");
        }
    }
    let stamps: Vec<&str> = plan.log_lines().map(|(stamp, _)| stamp).collect();
    assert!(stamps.is_sorted() && stamps.len() == 1 + count, "{stamps:?}");
}
