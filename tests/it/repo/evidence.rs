//! Evidence must be a file of this repository (P-43).

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use plan::repo::evidence::{evidence, open_beneath};

use super::support::World;

fn refused(world: &World, path: impl AsRef<Path>) -> String {
    let error = evidence(&world.top, path.as_ref()).unwrap_err();
    assert_eq!(error.kind, plan::error::Kind::Input);
    error.message.strip_prefix("no evidence: ").unwrap().to_owned()
}

#[test]
fn a_file_is_digested() {
    let world = World::new();
    world.write("bench/p95.log", "abc");
    let found = evidence(&world.top, Path::new("bench/p95.log")).unwrap();
    assert_eq!(found.path, Path::new("bench/p95.log"));
    assert_eq!(found.size, 3);
    assert_eq!(found.sha256, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    assert_eq!(
        evidence(&world.top, &world.top.join("bench/../bench/p95.log")).unwrap(),
        found,
        "absolute, and with dots"
    );
    symlink("bench/p95.log", world.top.join("inner-link")).unwrap();
    symlink(world.top.join("bench"), world.top.join("folder-link")).unwrap();
    assert_eq!(evidence(&world.top, Path::new("inner-link")).unwrap().path, Path::new("bench/p95.log"));
    assert_eq!(evidence(&world.top, Path::new("folder-link/p95.log")).unwrap().path, Path::new("bench/p95.log"));
}

#[test]
fn what_is_none_is_refused_by_name() {
    let world = World::new();
    fs::write(world.folder.path().join("outside"), "x").unwrap();
    symlink(world.folder.path().join("outside"), world.top.join("out-link")).unwrap();
    symlink("..", world.top.join("up")).unwrap();
    symlink("loop", world.top.join("loop")).unwrap();
    symlink(".git/config", world.top.join("git-link")).unwrap();
    symlink("/dev/zero", world.top.join("zero")).unwrap();
    world.write("empty", "");
    let top = world.top.display();
    assert_eq!(refused(&world, "absent"), "`absent` does not exist");
    assert_eq!(refused(&world, "a/below"), "`a/below` does not exist");
    assert_eq!(refused(&world, "empty"), "`empty` is empty");
    assert_eq!(refused(&world, "src"), "`src` is not a regular file");
    assert_eq!(refused(&world, "."), "`.` is not a regular file");
    for path in ["out-link", "../outside", "up/outside", "zero", "/etc/passwd"] {
        assert_eq!(refused(&world, path), format!("`{path}` leads out of `{top}`"));
    }
    for path in [".git/config", "git-link", "src/../.git/HEAD"] {
        assert_eq!(
            refused(&world, path),
            format!("`{path}` is in the git folder, which does not count as a file of the repository")
        );
    }
    assert!(refused(&world, "loop").starts_with("cannot read `loop`: "));
}

#[test]
fn pipes_and_sockets_are_refused_without_waiting() {
    let world = World::new();
    let pipe = world.top.join("pipe");
    super::support::pipe(&pipe);
    let _socket = std::os::unix::net::UnixListener::bind(world.top.join("socket")).unwrap();
    assert_eq!(refused(&world, "pipe"), "`pipe` is not a regular file");
    assert_eq!(refused(&world, "socket"), "`socket` is not a regular file");
}

#[test]
fn files_of_other_repositories_are_refused() {
    let world = World::new();
    world.write("inner/log", "x");
    super::support::git(&world.top.join("inner")).args(["init", "-q"]).status().unwrap();
    assert_eq!(refused(&world, "inner/log"), "`inner/log` is in another repository, `inner`");
}

#[test]
fn a_link_swapped_in_between_is_never_followed_out() {
    let world = World::new();
    let outside = world.folder.path().join("outside");
    fs::create_dir(&outside).unwrap();
    fs::write(outside.join("log"), "secret").unwrap();
    world.write("dir/log", "public").write("kept/log", "public");
    let stop = std::sync::atomic::AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let (dir, kept, link) = (world.top.join("dir"), world.top.join("kept"), world.top.join("link"));
            while !stop.load(std::sync::atomic::Ordering::Relaxed) {
                let _ = symlink(&outside, &link);
                let _ = fs::rename(&dir, world.top.join("away"));
                let _ = fs::rename(&link, &dir);
                let _ = fs::remove_file(&dir);
                let _ = fs::rename(world.top.join("away"), &dir);
                assert!(kept.exists());
            }
        });
        for _ in 0..3000 {
            if let Ok((mut file, _)) = open_beneath(&world.top, Path::new("dir/log")) {
                let mut text = String::new();
                std::io::Read::read_to_string(&mut file, &mut text).unwrap();
                assert_eq!(text, "public");
            }
        }
        stop.store(true, std::sync::atomic::Ordering::Relaxed);
    });
}
