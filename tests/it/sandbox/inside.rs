//! Everything that a judge needs still works.

use super::attack::{Target, abi};

/// Lines that must end with 0 inside the sandbox.
const WORKS: &[(&str, &str)] = &[
    ("read", "grep -q line victim"),
    ("read outside of the repository", "test -r \"$HOME/.gitconfig\" && cat \"$HOME/.gitconfig\" >/dev/null"),
    ("git log", "git log --oneline | grep -q base"),
    ("git status", "test -z \"$(git status --porcelain victim)\""),
    ("git diff and grep", "git diff --quiet victim && git grep -q line"),
    ("write", "echo x > \"$RW/new\" && echo y >> \"$RW/new\" && : > \"$RW/new\" && rm \"$RW/new\""),
    (
        "folders, links, fifos",
        "mkdir -p \"$RW/a/b\" && cd \"$RW\" && ln -s a s && mkfifo f && echo x > a/x && ln a/x a/y",
    ),
    ("rename between folders", "cd \"$RW\" && mkdir -p a b && echo x > a/x && mv a/x b/y && grep -q x b/y"),
    ("temporary files", "file=$(mktemp) && rm \"$file\""),
    ("nothing", "echo x > /dev/null && : < /dev/null"),
    ("randomness", "head -c 8 /dev/urandom | od > \"$RW/random\""),
    ("standard error by name", "{ echo x > /dev/stderr && echo x > /proc/self/fd/2; } 2>&1 | grep -q x"),
    ("children and signals to them", "sleep 100 & kill $! && ! wait $!"),
    ("pipes and subshells", "test \"$(printf 'a\\nb\\n' | (sort -r) | head -n 1)\" = b"),
    ("a socket of its own", SOCKET),
    ("the network", NETWORK),
    ("its own `/proc`", "test -n \"$(cat /proc/self/status)\""),
];

const SOCKET: &str = "cd \"$RW\" && python3 - <<'END'
import socket
server = socket.socket(socket.AF_UNIX)
server.bind('own-socket')
server.listen()
socket.socket(socket.AF_UNIX).connect('own-socket')
END
";

const NETWORK: &str = "python3 - <<'END'
import socket
server = socket.create_server(('127.0.0.1', 0))
socket.create_connection(server.getsockname()).close()
END
";

#[test]
fn reading_running_and_the_own_folder_work() {
    if abi().is_none() {
        return;
    }
    let target = Target::new();
    for (name, lines) in WORKS {
        let output = target.inside(lines);
        assert_eq!(output.code, 0, "{name}: {output:?}");
    }
}

#[test]
fn no_descriptor_no_core_file_no_new_privilege_is_inherited() {
    if abi().is_none() {
        return;
    }
    let target = Target::new();
    let plan = env!("CARGO_BIN_EXE_plan");
    let through = |start: &str| format!("exec 5>>victim 9<notes.txt; {start}sh -c 'echo x >&5'");
    let inside = target.outside(&through(&format!("{plan} __sandbox --rw \"$RW\" -- ")));
    assert_ne!(inside.code, 0, "{inside:?}");
    assert_eq!(target.world.read("victim"), "line\n");
    assert_eq!(target.outside(&through("")).code, 0);
    assert_eq!(target.world.read("victim"), "line\nx\n", "the control");

    let limits = target.outside(&format!("ulimit -c 0; {plan} __sandbox -- cat /proc/self/limits /proc/self/status"));
    assert!(limits.stdout.lines().any(|line| line.starts_with("Max core file size        0  ")), "{}", limits.stdout);
    assert!(limits.stdout.contains("NoNewPrivs:\t1"), "{}", limits.stdout);
    let open = target.inside("ls /proc/self/fd");
    assert_eq!(open.stdout.split_whitespace().filter(|fd| fd.parse::<u32>().unwrap() > 3).count(), 0, "{open:?}");
}

#[test]
fn exit_code_signal_and_name_are_those_of_the_program() {
    if abi().is_none() {
        return;
    }
    let target = Target::new();
    assert_eq!(target.inside("exit 7").code, 7);
    assert_eq!(target.inside("echo \"$0\"; kill -9 $$").code, 137);
    let named = target.world.call(["__sandbox", "--program", "/bin/sh", "--", "another-name", "-c", "echo $0"]).run();
    assert_eq!(named.stdout, "another-name\n");
}
