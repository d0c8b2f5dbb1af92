//! `rewind N; rewind --undo` changes nothing: every file that was not left out and the marks of plan.md come back (`CONTRACT.md` §3.5, law
//! 10); index, HEAD, refs and ignored files stay byte-equal throughout.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};

use super::snapshot::Snapshot;
use super::{done, world};
use crate::support::{World, size};

/// A random generator with the same numbers on every run.
struct Dice(u64);

impl Dice {
    fn throw(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % sides
    }

    fn pick<'t>(&mut self, all: &[&'t str]) -> &'t str {
        all[self.throw(all.len() as u64) as usize]
    }
}

const NAMES: [&str; 14] = [
    "a", "b.txt", "calc.sh", "src/lib.sh", "src/x", "src/deep/y", "d", "d/e", "d/e/f", "out.log", "build/o.o",
    "build/keep", "ü", "B.TXT",
];
const TEXTS: [&str; 6] = ["", "one\n", "two\r\n", "three", "four\n\n", "\u{0}bin"];
const RULES: [&str; 6] = ["*.log\n", "build/\n", "/d\n", "a\n!b.txt\n", "", "src/x\n*.o\n"];

fn clear(world: &World, name: &str) {
    let path = world.path(name);
    // A file in place of one of its folders is removed.
    for above in path.ancestors().skip(1).take_while(|above| *above != world.root()) {
        if above.symlink_metadata().is_ok_and(|meta| !meta.is_dir()) {
            fs::remove_file(above).unwrap();
        }
    }
    match path.symlink_metadata() {
        Ok(meta) if meta.is_dir() => fs::remove_dir_all(&path).unwrap(),
        Ok(_) => fs::remove_file(&path).unwrap(),
        Err(_) => {}
    }
    fs::create_dir_all(path.parent().unwrap()).unwrap();
}

fn stir(world: &World, dice: &mut Dice) {
    for _ in 0..dice.throw(14) + 2 {
        let name = dice.pick(&NAMES);
        match dice.throw(13) {
            0..=4 => {
                clear(world, name);
                world.write(name, dice.pick(&TEXTS));
            }
            5 => clear(world, name),
            6 => {
                clear(world, name);
                symlink(dice.pick(&["a", "src", "../home", "nowhere"]), world.path(name)).unwrap();
            }
            7 | 8 if world.path(name).symlink_metadata().is_ok_and(|meta| meta.is_file()) => {
                let mode = [0o644, 0o755, 0o600, 0o664, 0o700][dice.throw(5) as usize];
                fs::set_permissions(world.path(name), fs::Permissions::from_mode(mode)).unwrap();
            }
            9 => world.write(".gitignore", dice.pick(&RULES)),
            10 => drop(world.call_program("git", ["add", "-A"]).run()),
            // A folder gets another name, and a link takes its place.
            12 => {
                let folder = dice.pick(&["src", "d", "build"]);
                let is_folder = world.path(folder).symlink_metadata().is_ok_and(|meta| meta.is_dir());
                if is_folder && !world.path("moved").exists() {
                    fs::rename(world.path(folder), world.path("moved")).unwrap();
                    symlink("moved", world.path(folder)).unwrap();
                }
            }
            11 => drop(world.call_program("git", ["commit", "-q", "-am", "x"]).run()),
            _ => {}
        }
    }
}

#[test]
fn undo_after_rewind_is_the_identity() {
    let (mut rewound, mut refused) = (0, 0);
    for seed in 0..size(10, 40) as u64 {
        let mut dice = Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) + 1);
        let world = world();
        stir(&world, &mut dice);
        done(&world, 1);
        let then = Snapshot::of(&world);
        stir(&world, &mut dice);
        done(&world, 2);
        stir(&world, &mut dice);
        let now = Snapshot::of(&world);
        let preview = world.plan(["rewind", "1", "--dry-run", "--json"]);
        assert_eq!(Snapshot::of(&world), now, "seed {seed}: the preview wrote");
        let output = world.plan(["rewind", "1", "--yes"]);
        if output.code == 4 {
            assert!(output.stderr.contains(" must become a f"), "seed {seed}: {}", output.stderr);
            assert_eq!(Snapshot::of(&world), now, "seed {seed}: refused");
            refused += 1;
            continue;
        }
        assert_eq!(output.code, 0, "seed {seed}: {}{}", output.stdout, output.stderr);
        let after = Snapshot::of(&world);
        assert_eq!(after.git, now.git, "seed {seed}");
        // Every file that existed then and was not ignored is back; no file that is ignored now and was not then is lost.
        let preview = preview.json(0);
        let named = |list: &str| {
            preview[list].as_array().unwrap().iter().map(|path| path.as_str().unwrap().to_owned()).collect::<Vec<_>>()
        };
        for path in named("comes_back").iter().chain(&named("changes")) {
            let key = path.as_bytes().escape_ascii().to_string();
            assert_eq!(after.files.get(&key), then.files.get(&key), "seed {seed}: {path}");
        }
        let touched: Vec<String> = ["comes_back", "changes", "goes"].iter().flat_map(|list| named(list)).collect();
        for (path, file) in now.files.iter().filter(|(_, (mode, _))| mode & 0o170_000 != 0o040_000) {
            if !touched.iter().any(|touched| touched.as_bytes().escape_ascii().to_string() == *path) {
                assert_eq!(after.files.get(path), Some(file), "seed {seed}: {path} was not named");
            }
        }
        let undo = world.plan(["rewind", "--undo", "--yes"]);
        assert_eq!(undo.code, 0, "seed {seed}: {}{}", undo.stdout, undo.stderr);
        assert_eq!(Snapshot::of(&world), now, "seed {seed}: the undo");
        let plan = world.plan_md();
        assert!(plan.contains("- [x] 1. write it") && plan.contains("- [x] 2. test it"), "seed {seed}: {plan}");
        rewound += 1;
    }
    assert!(rewound > refused, "{rewound} rewound, {refused} refused");
}
