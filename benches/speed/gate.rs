//! The time of the fast and the full gate, as a multiple of verify's own time.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use crate::complete::JUDGE;
use crate::timing::{self, Make};
use crate::{Options, plan, ratio, repository, show};

/// A project: its source before and after the work, its test, and its verify line.
struct Project {
    name: &'static str,
    source: (&'static str, &'static str, &'static str),
    test: (&'static str, &'static str),
    verify: &'static str,
}

/// `{S}` is the number of seconds that verify waits in addition to its work.
const PROJECTS: [Project; 2] = [
    Project {
        name: "shell",
        source: ("sum.sh", "echo $(($1 - $2))\n", "echo $(($1 + $2))\n"),
        test: (
            "check.sh",
            "set -e\nsleep {S}\ntest \"$(sh sum.sh 2 3)\" = 5\ntest \"$(sh sum.sh 4 9)\" = 13\necho 2 passed\n",
        ),
        verify: "sh check.sh",
    },
    Project {
        name: "Python",
        source: ("calc.py", "def add(a, b):\n    return a - b\n", "def add(a, b):\n    return a + b\n"),
        test: (
            "test_calc.py",
            "import time\nimport unittest\n\nfrom calc import add\n\n\nclass Add(unittest.TestCase):\n    def setUp(self):\n        \
             time.sleep({S} / 2)\n\n    def test_small(self):\n        self.assertEqual(add(2, 3), 5)\n\n    \
             def test_large(self):\n        self.assertEqual(add(40, 90), 130)\n",
        ),
        verify: "python3 -B -m unittest -q test_calc",
    },
];

/// Prints a line for each project and each length of verify.
pub fn multiples(options: &Options, folder: &Path) {
    println!("\n| project | verify | `complete`, gate fast | × verify | `complete`, gate full | × verify |");
    println!("| --- | ---: | ---: | ---: | ---: | ---: |");
    for project in &PROJECTS {
        for seconds in ["0.1", "1"] {
            row(options, folder, project, seconds);
        }
    }
}

fn row(options: &Options, folder: &Path, project: &Project, seconds: &str) {
    let work = repository(folder, "gate", 0);
    let write = |name: &str, text: &str| std::fs::write(work.join(name), text).expect("the folder takes a file");
    let open = format!(
        "# Plan: Speed\n\n## Goal: Add\n<!-- id: add-1 -->\nstatus: open\ndone_when: p95 below 50 ms\nverify: {}\n\
         failure_modes:\n- measured without the cache\n\n## Log\n",
        project.verify
    );
    for (name, text) in [("plan.md", open.as_str()), ("judge.sh", JUDGE), ("result.txt", "none yet\n")] {
        write(name, text);
    }
    write(project.source.0, project.source.1);
    write(project.test.0, &project.test.1.replace("{S}", seconds));
    crate::complete::commit(&work);
    let started = plan(options, &work, &["goal", "start", "add-1"]).output().expect("plan starts");
    assert!(started.status.success(), "{}", String::from_utf8_lossy(&started.stderr));
    write(project.source.0, project.source.2);
    write("result.txt", "p95 47.1 ms\ncache on\n");
    let active = std::fs::read_to_string(work.join("plan.md")).expect("the plan is there");
    let complete = |gate: &'static str| -> Make<'_> {
        let (active, work) = (active.clone(), work.clone());
        Box::new(move |_| {
            std::fs::write(work.join("plan.md"), &active).expect("the folder takes a file");
            plan(
                options,
                &work,
                &["complete", "add-1", "--gate", gate, "--judge", "cmd:sh judge.sh", "--path", "result.txt"],
            )
        })
    };
    let words: Vec<&str> = project.verify.split(' ').collect();
    let verify: Make<'_> = Box::new(|_| {
        let mut command = Command::new(words[0]);
        command.args(&words[1..]).current_dir(&work);
        command
    });
    let times = timing::medians_of(&[verify, complete("fast"), complete("full")], Duration::ZERO, 5..=5);
    println!(
        "| {} | {} | {} | {:.1} | {} | {:.1} |",
        project.name,
        show(times[0]),
        show(times[1]),
        ratio(times[1], times[0]),
        show(times[2]),
        ratio(times[2], times[0])
    );
}
