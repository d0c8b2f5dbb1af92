//! No operation runs a program that a repository configures.

use std::fs;
use std::path::{Path, PathBuf};

use plan::repo::{Fingerprint, KeptTreeLimits, ObjectId};

use super::support::{World, trap};

const HOOKS: [&str; 9] = [
    "reference-transaction", "post-index-change", "pre-commit", "post-checkout", "fsmonitor-watchman", "post-rewrite",
    "pre-auto-gc", "update", "post-update",
];

/// A repository in which every setting that can name a program names one that leaves a mark.
fn hostile() -> (World, PathBuf) {
    let world = World::new();
    world.write(
        ".gitattributes",
        "* filter=evil diff=evil merge=evil\n*.p filter=evil-process\n*.e working-tree-encoding=utf-16\n",
    );
    world.write("x.p", "x").write("y", "y");
    world.git(&["add", "-A"]);
    world.git(&["commit", "-qm", "y"]);
    let mark = world.folder.path().join("mark");
    arm(&world, &world.git_dir(), &mark);
    // All files must be compared again.
    for name in ["a", "src/b", "y", "x.p"] {
        let bytes = fs::read(world.top.join(name)).unwrap();
        world.write(name, bytes);
    }
    world.write("untracked", "u").write("untracked.p", "u");
    (world, mark)
}

fn arm(world: &World, git_dir: &Path, mark: &Path) {
    let program = world.folder.path().join("evil");
    trap(&program, mark, "exit 0");
    for hook in HOOKS {
        trap(&git_dir.join("hooks").join(hook), mark, "exit 0");
        trap(&world.folder.path().join("hooks").join(hook), mark, "exit 0");
    }
    let evil = program.to_str().unwrap();
    let hooks = world.folder.path().join("hooks");
    let shell = format!("!{evil}");
    let remote = format!("ext::{evil} x");
    let included = world.folder.path().join("included");
    fs::write(&included, format!("[filter \"a=b.c\"]\n\tclean = {evil}\n[core]\n\tfsmonitor = {evil}\n")).unwrap();
    let settings = [
        ("core.fsmonitor", evil),
        ("core.hooksPath", hooks.to_str().unwrap()),
        ("core.pager", evil),
        ("core.sshCommand", evil),
        ("core.gitProxy", evil),
        ("core.editor", evil),
        ("core.askPass", evil),
        ("core.alternateRefsCommand", evil),
        ("filter.evil.clean", evil),
        ("filter.evil.smudge", evil),
        ("filter.evil.required", "true"),
        ("filter.evil-process.process", evil),
        ("diff.evil.textconv", evil),
        ("diff.evil.command", evil),
        ("diff.external", evil),
        ("merge.evil.driver", evil),
        ("credential.helper", &shell),
        ("gpg.program", evil),
        ("alias.ls-files", &shell),
        ("alias.rev-parse", &shell),
        ("alias.show-ref", &shell),
        ("include.path", included.to_str().unwrap()),
        ("hook.evil.command", evil),
        ("hook.evil.event", "reference-transaction"),
        ("hook.a=b.c.command", evil),
        ("hook.a=b.c.event", "reference-transaction"),
        ("core.untrackedCache", "true"),
        ("uploadpack.packObjectsHook", evil),
        ("remote.origin.url", &remote),
        ("remote.origin.uploadpack", evil),
        ("remote.origin.promisor", "true"),
        ("remote.origin.partialCloneFilter", "blob:none"),
        ("protocol.ext.allow", "always"),
        ("protocol.allow", "always"),
        ("log.showSignature", "true"),
        ("submodule.recurse", "true"),
        ("core.logAllRefUpdates", "always"),
        ("gc.auto", "1"),
    ];
    for (key, value) in settings {
        let output = super::support::git(&world.top)
            .args(["config", "--file"])
            .arg(git_dir.join("config"))
            .args([key, value])
            .output()
            .unwrap();
        assert!(output.status.success(), "{key}: {}", String::from_utf8_lossy(&output.stderr));
    }
}

fn marks(mark: &Path) -> String {
    fs::read_to_string(mark).unwrap_or_default()
}

/// Runs every operation.
fn everything(world: &World) {
    let repo = world.repo();
    let exclude = [Path::new("plan.md")];
    let tree = repo.tree(&exclude).unwrap();
    repo.tree_since(&exclude, &tree).unwrap();
    repo.keep("base-g", &tree, &KeptTreeLimits::default()).unwrap();
    repo.sweep().unwrap();
    repo.write_record("refs/plan/signoffs/g/x", b"x").unwrap();
    repo.read_record("refs/plan/signoffs/g/x", 9).unwrap();
    repo.list_refs("refs/plan").unwrap();
    let print = repo.fingerprint(&exclude).unwrap();
    assert_eq!(Fingerprint::changed(&print, &repo.fingerprint_since(&exclude, &print).unwrap()), [] as [&str; 0]);
    repo.ignored(&[Path::new("a")]).unwrap();
    repo.hides(&tree).unwrap();
    repo.head().unwrap();
    repo.entries(tree.id).unwrap();
    repo.file_at(tree.id, Path::new("a")).unwrap();
    // This object is not here: a partial clone would fetch it.
    let absent = ObjectId::parse("0123456789012345678901234567890123456789").unwrap();
    let _ = repo.has(absent);
    assert!(repo.blob(absent).is_err());
    assert!(repo.entries(absent).is_err());
}

#[test]
fn no_hook_filter_fsmonitor_or_transport_runs() {
    let (world, mark) = hostile();
    everything(&world);
    assert_eq!(marks(&mark), "");
}

#[test]
fn the_traps_do_go_off_when_git_is_asked_plainly() {
    let (world, mark) = hostile();
    let plain = |args: &[&str]| {
        let _ = fs::remove_file(&mark);
        std::process::Command::new("git").current_dir(&world.top).args(args).output().unwrap();
        marks(&mark)
    };
    assert!(plain(&["status"]).contains("evil"), "fsmonitor or filter");
    assert!(plain(&["update-ref", "refs/x/y", "HEAD"]).contains("reference-transaction"), "hook");
    assert!(plain(&["-c", "core.fsmonitor=", "add", "untracked"]).contains("evil"), "filter");
    assert!(plain(&["-c", "core.fsmonitor=", "diff"]).contains("evil"), "diff");
    assert!(!plain(&["cat-file", "-p", "0123456789012345678901234567890123456789"]).is_empty(), "lazy fetch");
}

#[test]
fn a_submodules_own_configuration_runs_nothing_either() {
    let (inner, world) = (World::new(), World::new());
    world.git(&["submodule".as_ref(), "add".as_ref(), "-q".as_ref(), inner.top.as_os_str(), "sub".as_ref()]);
    world.commit();
    let mark = world.folder.path().join("mark");
    arm(&world, &world.git_dir().join("modules/sub"), &mark);
    let bytes = fs::read(world.top.join("sub/a")).unwrap();
    world.write("sub/a", bytes).write("sub/new", "x").write("sub/.gitattributes", "* filter=evil\n");
    everything(&world);
    assert_eq!(marks(&mark), "");
}
