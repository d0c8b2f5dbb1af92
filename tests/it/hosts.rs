//! Help, docs and the tests of the real clients name every host.

use plan::host::HOSTS;

use crate::readme::read;
use crate::support::{World, assert_names_each_host, hosts};

#[test]
fn the_docs_name_every_host() {
    for page in ["README.md", "docs/hosts.md", "docs/judges.md", "docs/commands.md"] {
        assert_names_each_host(&read(page), page);
    }
    // README's table has a column for each, the page of the hosts a section too.
    let (readme, page) = (read("README.md"), read("docs/hosts.md"));
    let first = |text: &str| text.lines().find(|line| line.starts_with("| | ")).unwrap_or_default().to_owned();
    for title in HOSTS.map(|host| host.title()) {
        assert!(first(&readme).contains(&format!("| {title} |")), "the table in README.md has no column {title}");
        assert!(first(&page).contains(&format!("| {title} ")), "the table in docs/hosts.md has no column {title}");
        assert!(page.contains(&format!("\n## {title}\n")), "docs/hosts.md has no section {title}");
    }
}

#[test]
fn the_program_names_every_host() {
    let world = World::without_git();
    for command in [&["complete", "--help"][..], &["install", "--help"], &["judge", "set", "nobody"]] {
        let output = world.plan(command);
        assert_names_each_host(&(output.stdout + &output.stderr), &format!("`plan {}`", command.join(" ")));
    }
    let page = read("docs/demo.md");
    let line = page.lines().find(|line| line.contains("plan judge set checks ")).unwrap_or_default();
    assert_names_each_host(line, "the end of `plan demo`");
}

#[test]
fn the_real_client_of_every_host_is_driven() {
    for script in ["tests/hosts/drives.py", "tests/hosts/judges.py", "tests/hosts/loop.py"] {
        let text = read(script);
        for host in hosts() {
            // Each has a table of the hosts with their judges, as `--judge` names them.
            assert!(text.contains(&format!("\"{host}:")), "{script} has no judge of {host}");
        }
    }
}
