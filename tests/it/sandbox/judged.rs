//! The same attacks by a judge of `plan complete`: a program that tries every attack and is then believed.

use super::attack::{Target, abi};
use super::attacks::ATTACKS;
use crate::support::World;
use crate::support::judge::{HONEST, world};

/// Runs every attack, reports those that worked through a process outside, and accepts.
const TRIES_ALL: &str = "mkdir \"$scratch/rw\"; export RW=\"$scratch/rw\"
for attack in ../attacks/*; do
    if sh \"$attack\" >/dev/null 2>&1; then basename \"$attack\" >> \"$scratch/worked\"; fi
done
echo tried >> \"$scratch/worked\"
outside \"cp '$scratch/worked' ../worked\"
";

fn accepting(lines: &str) -> String {
    format!("{lines}cat <<END\nSIGNOFF[$nonce]\nprobe: $token\n{HONEST}VERDICT[$nonce]: accept\nEND\n")
}

/// The attestation of the only sign-off.
fn attested(world: &World) -> serde_json::Value {
    let reference = world.git(["for-each-ref", "--format=%(refname)", "refs/plan/signoffs/"]);
    serde_json::from_str(&world.git(["cat-file", "blob", reference.trim()])).unwrap()
}

// P-50
#[test]
fn a_judge_that_tries_everything_changes_nothing() {
    let Some(abi) = abi() else { return };
    let mut target = Target::new(); // for its process alone
    let world = world().judge_doing("judge", &accepting(TRIES_ALL)).file("victim", "line\n").file("notes.txt", "n\n");
    world.commit("more");
    std::fs::create_dir(world.path("folder")).unwrap();
    for attack in ATTACKS {
        world.write(&format!("../attacks/{}", attack.name), format!("set -e\n{}\n", attack.lines));
    }
    let call = world.call(["complete", "fast-1", "--judge", "cmd:judge"]);
    let output = call.env("OUTSIDER", target.outsider().to_string()).run();
    assert_eq!(output.code, 0, "{output:?}");
    let worked = world.read("../worked");
    let held = |name: &&str| ATTACKS.iter().any(|attack| attack.name == *name && attack.since <= abi);
    assert_eq!(worked.lines().filter(held).collect::<Vec<_>>(), [""; 0]);
    assert!(worked.ends_with("tried\n"));
    assert!(target.outsider_lives());
    let level = format!("landlock{abi}");
    assert!(output.stderr.contains(&format!("asking judge cmd:judge (sandbox {level})")), "{output:?}");
    assert!(output.stdout.contains(&format!("(sandbox {level})")), "{output:?}");
    assert_eq!(attested(&world)["judges"][0]["sandbox"], *level);
}

#[test]
fn a_judge_may_write_its_scratch_folder_and_no_other_temporary_one() {
    if abi().is_none() {
        return;
    }
    let lines = "file=$(mktemp) && echo x > \"$file\" && echo y > \"$XDG_CACHE_HOME/y\" || exit 9\n\
        if echo x > \"$HOME/x\" || echo x > \"$scratch/../x\" || echo x > /tmp/plan-sandbox-test; then exit 8; fi\n";
    let world = world().judge_doing("judge", &accepting(lines));
    let output = world.plan(["complete", "fast-1", "--judge", "cmd:judge"]);
    assert_eq!(output.code, 0, "{output:?}");
}

/// `claude` is a host, so its client may write its own state.
#[test]
fn a_hosts_client_may_write_its_state_unless_that_overlaps_the_repository() {
    if abi().is_none() {
        return;
    }
    let lines = "echo refreshed > \"$HOME/.claude/token\"; echo x > \"$HOME/x\"; echo x > result.txt; exit 1\n";
    let client = |world: World| world.judge_doing("claude", lines);
    let world = client(world());
    std::fs::create_dir(world.base().join("home/.claude")).unwrap();
    let before = world.read("result.txt");
    let output = world.plan(["complete", "fast-1", "--judge", "claude"]);
    assert_eq!(output.code, 3, "{output:?}");
    assert_eq!(world.read("../home/.claude/token"), "refreshed\n");
    assert_eq!(world.read("result.txt"), before);
    assert!(!world.base().join("home/x").exists());

    std::os::unix::fs::symlink(world.root(), world.base().join("link")).unwrap();
    std::fs::create_dir(world.path("state")).unwrap();
    for state in [world.root(), world.base(), &world.path("state"), &world.base().join("link")] {
        let output = world.call(["complete", "fast-1", "--judge", "claude"]).env("CLAUDE_CONFIG_DIR", state).run();
        assert_eq!(output.code, 3, "{output:?}");
        assert!(output.stderr.contains("judge claude: it may write its own state, `"), "{output:?}");
        assert!(output.stderr.contains("which overlaps the repository"), "{output:?}");
        let output = world.call(["draft", "--force", "x", "--with", "claude"]).env("CLAUDE_CONFIG_DIR", state).run();
        assert!(output.stderr.contains("drafting with claude: it may write its own state, `"), "{output:?}");
    }
}
