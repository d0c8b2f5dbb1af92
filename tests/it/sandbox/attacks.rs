//! Attacks that must not work. Each is tried by `plan __sandbox` itself and by a judge of `plan complete`.

use super::attack::{Attack, abi};

const fn writes(name: &'static str, lines: &'static str) -> Attack {
    Attack { name, lines, since: 3, needs: None }
}

const fn as_root(name: &'static str, lines: &'static str) -> Attack {
    Attack { name, lines, since: 3, needs: Some("root") }
}

pub(super) const ATTACKS: &[Attack] = &[
    writes("append", "echo x >> victim"),
    writes("create", "echo x > new"),
    writes("truncate while opening", ": > victim"),
    writes("truncate by name", "python3 -c 'import os; os.truncate(\"victim\", 0)'"),
    writes("write in place", "printf x | dd of=victim conv=notrunc status=none"),
    writes("unlink", "rm -f victim"),
    writes("remove a folder", "rmdir folder"),
    writes("rename", "mv victim moved"),
    writes("rename over", "echo x > \"$RW/mine\" && mv -f \"$RW/mine\" victim"),
    writes("rename away", "python3 -c 'import os; os.rename(\"victim\", os.environ[\"RW\"] + \"/stolen\")'"),
    writes("link", "ln victim hard"),
    writes("link where one may write", "ln victim \"$RW/hard\" && echo x >> \"$RW/hard\""),
    writes("symlink", "ln -s victim soft"),
    writes("mkdir", "mkdir made"),
    writes("fifo", "mkfifo pipe"),
    writes("socket file", "python3 -c 'import socket; socket.socket(socket.AF_UNIX).bind(\"socket\")'"),
    writes("write through a symlink", "ln -sf \"$PWD/victim\" \"$RW/soft\" && echo x >> \"$RW/soft\""),
    writes("a file without a name, linked", TMPFILE),
    writes("by the number of a descriptor", "exec 5<victim; echo x >> /proc/self/fd/5"),
    writes("by the root of a process", "echo x >> /proc/self/root\"$PWD\"/victim"),
    writes("map and write", MMAP),
    writes("git commit", "git commit --quiet --allow-empty -m forged"),
    writes("git config", "git config core.hooksPath /tmp/hooks"),
    writes("git update-ref", "git update-ref refs/plan/signoffs/forged HEAD"),
    writes("the home folder", "echo x > \"$HOME/.bashrc\""),
    writes("a process of others, by /proc", "echo 900 > /proc/$OUTSIDER/oom_score_adj"),
    as_root("device in the folder to write", "mknod \"$RW/disk\" c 1 3"),
    as_root("mount", "unshare -m mount -t tmpfs none folder"),
    as_root("bind mount", "unshare -m sh -c 'mount --bind \"$RW\" folder && echo x > folder/x'"),
    as_root("remount", "unshare -m mount -o remount,bind,rw /"),
    as_root("a mount as root of a namespace of its own", "unshare -rm mount -t tmpfs none folder"),
    Attack { name: "signal", lines: "kill -CONT $OUTSIDER", since: 6, needs: None },
    Attack { name: "end a process outside", lines: "kill -KILL $OUTSIDER", since: 6, needs: None },
    Attack { name: "ptrace", lines: PTRACE, since: 3, needs: Some("ptrace of a sibling") },
    Attack { name: "memory", lines: "head -c 0 /proc/$OUTSIDER/mem", since: 3, needs: Some("ptrace of a sibling") },
    writes("descriptors of others", "ls /proc/$OUTSIDER/fd/0"),
    writes("environment of others", "cat /proc/$OUTSIDER/environ"),
];

const TMPFILE: &str = "python3 - <<'END'
import os
file = os.open('.', os.O_TMPFILE | os.O_WRONLY, 0o644)
os.link('/proc/self/fd/%d' % file, 'linked', src_dir_fd=0, follow_symlinks=True)
END
";

const MMAP: &str = "python3 - <<'END'
import mmap
with open('victim', 'r+b') as file:
    mmap.mmap(file.fileno(), 0)[0:1] = b'X'
END
";

/// `PTRACE_SEIZE`, which does not stop the process.
const PTRACE: &str = "python3 - <<'END'
import ctypes, os, sys
sys.exit(ctypes.CDLL(None).ptrace(0x4206, int(os.environ['OUTSIDER']), None, None) and 1)
END
";

#[test]
fn nothing_outside_the_folder_is_changed() {
    let Some(abi) = abi() else { return };
    ATTACKS.iter().for_each(|attack| attack.try_both(abi));
}

/// Root's powers beyond files, which the sandbox takes away together with the rights to them.
#[test]
fn root_keeps_no_right_but_to_files() {
    if abi().is_none() {
        return;
    }
    let target = super::attack::Target::new();
    let of = |output: crate::support::output::Output| {
        let line = output.stdout.lines().find_map(|line| line.strip_prefix("CapEff:")).unwrap().trim().to_owned();
        u64::from_str_radix(&line, 16).unwrap()
    };
    let (inside, outside) = (target.inside("cat /proc/self/status"), target.outside("cat /proc/self/status"));
    let (inside, outside) = (of(inside), of(outside));
    // DAC_OVERRIDE 1, DAC_READ_SEARCH 2, KILL 5, NET_BIND_SERVICE 10
    assert_eq!(inside, outside & (1 << 1 | 1 << 2 | 1 << 5 | 1 << 10));
}
