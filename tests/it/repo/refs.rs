//! The refs of `plan`: created once, never moved.

use std::fs;
use std::path::Path;
use std::process::Command;

use plan::repo::{ObjectId, Repo, Written};

use super::support::World;

const NAME: &str = "refs/plan/signoffs/cache-1/0123456789ab-ba9876543210";

#[test]
fn a_record_is_never_overwritten() {
    let world = World::new();
    let repo = world.repo();
    assert_eq!(repo.read_record(NAME, 9).unwrap(), None);
    let first = repo.write_record(NAME, b"first\0\xff\r\n").unwrap();
    assert!(matches!(first, Written::New(_)));
    let second = repo.write_record(NAME, b"second").unwrap();
    assert_eq!(second, Written::AlreadyThere(first.id()));
    assert_eq!(repo.read_record(NAME, 9).unwrap().unwrap(), b"first\0\xff\r\n", "byte for byte, no conversion");
    assert_eq!(repo.read_record(NAME, 8).unwrap(), None, "whoever can push can name anything");
    world.git(&["update-ref", "refs/plan/signoffs/tree/1", "HEAD^{tree}"]);
    assert_eq!(repo.read_record("refs/plan/signoffs/tree/1", 9000).unwrap(), None);
    assert_eq!(repo.list_refs("refs/plan/signoffs/cache-1").unwrap(), [(NAME.to_owned(), first.id())]);
    assert_eq!(repo.list_refs("refs/plan/signoffs/cache").unwrap(), []);
}

#[test]
fn several_refs_are_read_at_once_and_nothing_else() {
    let world = World::new();
    let repo = world.repo();
    let id = repo.write_record(NAME, b"one").unwrap().id();
    repo.write_record("refs/plan/starts/g-1/0-1", b"two").unwrap();
    // A folder of refs, a pattern, an option, a name that git refuses: none of them names a ref.
    for name in ["refs/plan/signoffs", "refs/plan/signoffs/cache-1", "refs/plan/**", "--all", "refs/..", "", "-x y"] {
        let found = repo.read_refs(&[name.to_owned(), NAME.to_owned()]).unwrap();
        assert_eq!(found.into_iter().collect::<Vec<_>>(), [(NAME.to_owned(), id)], "{name}");
    }
    assert!(repo.read_refs(&[]).unwrap().is_empty());
}

#[test]
fn of_many_writers_one_wins_and_the_others_are_told() {
    let world = World::new();
    let repo = world.repo();
    let results: Vec<Written> = std::thread::scope(|scope| {
        let write = |n: u8| repo.write_record(NAME, &[n]).unwrap();
        let threads: Vec<_> = (0..8).map(|n| scope.spawn(move || write(n))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    let new: Vec<_> = results.iter().filter(|one| matches!(one, Written::New(_))).collect();
    assert_eq!(new.len(), 1, "{results:?}");
    assert!(results.iter().all(|one| one.id() == new[0].id()));
}

#[test]
fn a_ref_is_read_by_its_whole_name_only() {
    let world = World::new();
    world.git(&["update-ref", "refs/heads/refs/plan/base/g", "HEAD"]);
    world.git(&["update-ref", "refs/tags/refs/plan/base/g", "HEAD"]);
    assert_eq!(world.repo().read_ref("refs/plan/base/g").unwrap(), None);
    assert!(world.repo().read_refs(&["refs/plan/base/g".to_owned()]).unwrap().is_empty());
}

#[test]
fn other_refs_and_odd_names_are_refused() {
    let world = World::new();
    for name in
        ["refs/heads/main", "HEAD", "refs/plan", "refs/plan/a\nb", "refs/plan/a\0b", "refs/planx/a", "refs/plan/"]
    {
        let error = world.repo().write_record(name, b"x").unwrap_err();
        assert!(error.message.contains("`plan` does not keep the ref"), "{name}: {error}");
    }
    for name in ["refs/plan/a..b", "refs/plan/x.lock", "refs/plan/a:b"] {
        let error = world.repo().write_record(name, b"x").unwrap_err();
        assert!(error.message.starts_with("`git "), "{name}: {error}");
    }
}

#[test]
fn an_object_that_is_not_here_is_absent() {
    let world = World::new();
    let id = ObjectId::parse("0123456789012345678901234567890123456789").unwrap();
    assert!(!world.repo().has(id).unwrap());
    assert!(world.repo().blob(id).is_err());
}

#[test]
fn trees_and_records_hold_while_another_git_works() {
    let world = World::new();
    let repo: Repo = world.repo();
    let mut other = Command::new("sh");
    let script =
        "for i in $(seq 60); do echo $i > n; git add n; git -c user.name=t -c user.email=t commit -qm $i; done";
    let mut child = other.args(["-c", script]).current_dir(&world.top).spawn().unwrap();
    for round in 0..10 {
        repo.tree(&[Path::new("plan.md")]).unwrap();
        repo.write_record(&format!("refs/plan/signoffs/g/{round}"), b"x").unwrap();
    }
    child.wait().unwrap();
    assert_eq!(world.tree().id, world.expected());
}

/// The refs that are read from git's files are those that git lists.
#[test]
fn refs_in_files_are_those_that_git_lists() {
    let world = World::new();
    let repo = world.repo();
    let same = |what: &str| {
        for prefix in
            ["refs/heads", "refs/tags", "refs/plan", "refs/plan/signoffs/g", "refs/none", "refs/heads/main", "refs"]
        {
            let listed = world.git(&["for-each-ref", "--format=%(refname) %(objectname)", prefix]);
            let found = repo.list_refs(prefix).unwrap();
            let found: Vec<String> = found.into_iter().map(|(name, id)| format!("{name} {id}")).collect();
            assert_eq!(found.join("\n"), listed, "{what}: {prefix}");
        }
    };
    same("one branch");
    world.git(&["tag", "-a", "-m", "t", "v1"]);
    for name in
        ["refs/heads/a/b", "refs/heads/a-b", "refs/plan/signoffs/g/1-2", "refs/plan/signoffs/g-2/1-2", "refs/plan/x"]
    {
        world.git(&["update-ref", name, "HEAD"]);
    }
    same("loose ones");
    world.git(&["pack-refs", "--all"]);
    same("packed ones");
    world.commit().git(&["update-ref", "refs/plan/signoffs/g/1-2", "HEAD"]);
    world.git(&["update-ref", "-d", "refs/heads/a-b"]);
    same("both");
    fs::write(world.git_dir().join("refs/heads/a.lock"), "x").unwrap();
    world.git(&["symbolic-ref", "refs/heads/alias", "refs/heads/main"]);
    same("a symbolic one");
    world.git(&["symbolic-ref", "-d", "refs/heads/alias"]);
    std::os::unix::fs::symlink("main", world.git_dir().join("refs/heads/linked")).unwrap();
    same("a link");
    let linked = world.folder.path().join("linked");
    world.git(&["worktree", "add", "-q", linked.to_str().unwrap()]);
    same("a second work tree");
    let git_dir = world.git_dir().join("worktrees/linked");
    let other = Repo::open(&linked, &git_dir).unwrap().unwrap();
    assert_eq!(other.list_refs("refs/heads").unwrap(), repo.list_refs("refs/heads").unwrap());
    // If git stores refs in another way, git is asked.
    let folder = crate::support::tempdir();
    let init = super::support::git(folder.path()).args(["init", "-q", "--ref-format=reftable", "x"]).output().unwrap();
    if !init.status.success() {
        println!("skipped: this git knows no reftable");
        return;
    }
    let tables = World::init(&["--ref-format=reftable"]);
    tables.write("a", "x").commit();
    let listed = tables.repo().list_refs("refs/heads").unwrap();
    assert_eq!(listed.len(), 1, "{listed:?}");
    assert_eq!(listed[0].1.to_string(), tables.git(&["rev-parse", "HEAD"]));
}
