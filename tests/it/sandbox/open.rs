//! Actions that Landlock does not prevent, tested so that they are known: modes, times, attributes, and before ABI 9 sockets by name. If
//! the fingerprint notices one, the verdict is void; the README names the others.

use std::os::unix::net::UnixListener;

use super::attack::{Target, abi};
use crate::support::judge::{HONEST, world};

/// Name, lines, and the exit code of a `plan complete` whose judge did this: 3 means noticed, 0 means not noticed.
const OPEN: &[(&str, &str, i32)] = &[
    ("chmod that makes a program", "chmod +x victim", 3),
    ("chmod", "chmod 600 victim", 0),
    ("time", "touch -d '2001-01-01' victim", 0),
    ("owner", "chown \"$(id -u):$(id -g)\" victim", 0),
    ("attribute", "python3 -c 'import os; os.setxattr(\"victim\", \"user.x\", b\"1\")'", 0),
];

// P-50
#[test]
fn what_changes_no_content_is_not_held_back_and_noticed_in_part() {
    if abi().is_none() {
        return;
    }
    for (name, lines, code) in OPEN {
        let target = Target::new();
        if target.outside(lines).code != 0 {
            println!("skipped {name}: this file system knows nothing of it");
            continue;
        }
        assert_eq!(target.inside(lines).code, 0, "{name}: it is held back, which the README could say");
        let answer = format!("SIGNOFF[$nonce]\nprobe: $token\n{HONEST}VERDICT[$nonce]: accept\n");
        let world =
            world().judge_doing("judge", &format!("{lines}\ncat <<END\n{answer}END\n")).file("victim", "line\n");
        world.commit("more");
        let output = world.plan(["complete", "fast-1", "--judge", "cmd:judge"]);
        assert_eq!(output.code, *code, "{name}: {output:?}");
        assert_eq!(
            output
                .stdout
                .contains("answer void: the repository changed while the judge ran: file `victim` made executable"),
            *code == 3,
            "{name}: {output:?}"
        );
    }
}

#[test]
fn a_socket_by_name_is_held_back_from_abi_9_on() {
    let Some(abi) = abi() else { return };
    let target = Target::new();
    let name = target.world.base().join("service");
    let _service = UnixListener::bind(&name).unwrap();
    let connect = "python3 -c 'import socket; socket.socket(socket.AF_UNIX).connect(\"../service\")'";
    assert_eq!(target.outside(connect).code, 0);
    assert_eq!(target.inside(connect).code == 0, abi < 9);
}

#[test]
fn a_socket_without_a_name_is_held_back_from_abi_6_on() {
    use std::os::linux::net::SocketAddrExt;
    use std::os::unix::net::SocketAddr;
    let Some(abi) = abi() else { return };
    let target = Target::new();
    let name = format!("plan-test-{}", target.outsider());
    let _service = UnixListener::bind_addr(&SocketAddr::from_abstract_name(&name).unwrap()).unwrap();
    let connect = format!("python3 -c 'import socket; socket.socket(socket.AF_UNIX).connect(\"\\0{name}\")'");
    assert_eq!(target.outside(&connect).code, 0);
    assert_eq!(target.inside(&connect).code == 0, abi < 6);
}
