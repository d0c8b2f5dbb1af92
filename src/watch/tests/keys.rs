//! Tests of the keys.

use ratatui_core::layout::Position;

use super::{KIOSK, LIVE, Viewer, words};
use crate::plan::parse;
use crate::watch::line_edit::Key;
use crate::watch::model::{Busy, Effect};
use crate::watch::prompt::Job;

#[test]
fn keys_move_find_and_filter() {
    let plan = parse(KIOSK.as_bytes()).unwrap();
    let mut viewer = Viewer::new(&plan, (80, 24));
    let first = viewer.selected();
    viewer.keys("jjk");
    assert_ne!(viewer.selected(), first);
    viewer.keys("kkk");
    assert_eq!(viewer.selected(), first);
    viewer.keys("G");
    assert_eq!(viewer.selected(), "loyalty-1");
    viewer.key(Key::Home);
    assert_eq!(viewer.selected(), first);
    // `n` selects the goal of `plan next`; after a search it selects the next result, and continues at the top.
    viewer.keys("n");
    assert_eq!(viewer.selected(), "each-order-once-1");
    viewer.keys("/REFUND\n");
    assert!(viewer.selected().starts_with("refund-one-line"));
    viewer.keys("n");
    assert_eq!(viewer.selected(), "refunds-1");
    viewer.keys("/nowhere\n");
    assert_eq!(viewer.message(), "no goal here has `nowhere`");
    viewer.key(Key::Esc);
    viewer.keys("n");
    assert_eq!(viewer.selected(), "each-order-once-1");
    for (word, count) in [("to look at", 1), ("active", 2), ("open", 7), ("done", 1), ("all", 12)] {
        viewer.keys("f");
        assert_eq!((viewer.state.filter.word(), viewer.state.rows.len()), (word, count), "{}", viewer.frame(LIVE));
    }
}

#[test]
fn keys_that_write_show_their_command_first() {
    let plan = parse(KIOSK.as_bytes()).unwrap();
    let mut viewer = Viewer::new(&plan, (80, 24));
    let run = |words: &[&str]| Effect::Run(Job::new(words.iter().copied()));
    viewer.keys("n ");
    assert!(viewer.frame(LIVE).contains(" $ plan step start 6\n enter runs it, esc leaves"), "{}", viewer.frame(LIVE));
    assert_eq!(viewer.keys("j"), Effect::Frame);
    assert!(viewer.state.prompt.is_none(), "another key leaves");
    assert_eq!(viewer.keys(" \n"), run(&["step", "start", "6"]));
    viewer.keys("lkey 'made'\n");
    assert_eq!(viewer.state.command.as_deref(), Some("plan log 'key '\\''made'\\'''"));
    assert_eq!(viewer.keys("l-5 left\n"), run(&["log", "--", "-5 left"]));
    assert_eq!(viewer.keys("l  \n"), Effect::Frame);
    assert!(viewer.frame(LIVE).contains("a few words are needed"), "{}", viewer.frame(LIVE));
    viewer.key(Key::Esc);
    // Asks for the evidence, then for the paths.
    viewer.keys("cdone, see the log\n");
    assert!(viewer.frame(LIVE).contains("$ plan complete each-order-once-1 --evidence 'done, see the log'\n"));
    let job = Job::new([
        "complete", "each-order-once-1", "--evidence", "done, see the log", "--path", "a b.log", "--path", "c",
    ]);
    let job = Job { signs_off: Some("each-order-once-1".to_owned()), ..job };
    assert_eq!(viewer.keys("'a b.log' c\n"), Effect::Run(job));
    viewer.keys("c\n'a\n");
    assert!(viewer.frame(LIVE).contains("is not closed"), "{}", viewer.frame(LIVE));
    viewer.key(Key::Esc);
    assert_eq!(viewer.keys("jjs\n"), run(&["goal", "start", viewer.selected()]));
}

#[test]
fn the_next_mark_of_a_step_is_that_under_the_cursor() {
    let source = KIOSK.replace("- [ ] 6.", "- [/] 6.").replace("- [ ] 7.", "- [!] 7.");
    let plan = parse(source.as_bytes()).unwrap();
    let mut viewer = Viewer::new(&plan, (80, 60));
    viewer.keys("n built\n");
    assert_eq!(viewer.state.command.as_deref(), Some("plan step done 6 built"));
    viewer.keys("\n");
    let at = |viewer: &mut Viewer<'_, '_>, text: &str| {
        let lines = viewer.state.goal_lines(&viewer.version, 80).to_vec();
        let at = lines.iter().position(|line| words(line).contains(text)).unwrap();
        viewer.keys("g");
        (0..at).for_each(|_| drop(viewer.keys("j")));
    };
    at(&mut viewer, "7. Retry");
    assert_eq!(viewer.keys(" \n"), Effect::Run(Job::new(["step", "retry", "7"])));
    at(&mut viewer, "4. Key of");
    viewer.keys(" ");
    assert_eq!(viewer.message(), "step 4 is complete; `plan step retry 4` puts it back");
    let line = source.lines().position(|line| line.starts_with("- [x] 4.")).unwrap() + 1;
    assert_eq!(viewer.keys("e"), Effect::Edit(line));
    assert_eq!(viewer.key(Key::Esc), Effect::Frame);
    assert!(!viewer.state.is_open);
}

#[test]
fn what_runs_is_not_started_twice_and_not_left_by_accident() {
    let plan = parse(KIOSK.as_bytes()).unwrap();
    let mut viewer = Viewer::new(&plan, (80, 24));
    viewer.keys("n");
    let signs_off = Busy { signs_off: true, writes: false };
    viewer.busy_key(signs_off, Key::Char('c'));
    assert_eq!(viewer.message(), "a sign-off is running already; x stops it");
    assert!(viewer.state.prompt.is_none());
    viewer.busy_key(signs_off, Key::Char('l'));
    assert!(viewer.state.prompt.take().is_some(), "a log line can be written meanwhile");
    assert_eq!(viewer.busy_key(signs_off, Key::Char('x')), Effect::Stop);
    assert_eq!(viewer.busy_key(signs_off, Key::Char('q')), Effect::Frame);
    assert!(viewer.message().contains("q once more"));
    assert_eq!(viewer.busy_key(signs_off, Key::Char('q')), Effect::Quit { interrupted: false });
    // Another key in between cancels the first `q`.
    viewer.busy_key(signs_off, Key::Char('q'));
    viewer.busy_key(signs_off, Key::Char('j'));
    assert_eq!(viewer.busy_key(signs_off, Key::Char('q')), Effect::Frame);
    assert_eq!(viewer.keys("x"), Effect::Frame);
    assert_eq!(viewer.keys("q"), Effect::Quit { interrupted: false });
    assert_eq!(viewer.key(Key::Ctrl('c')), Effect::Quit { interrupted: true });
}

#[test]
fn pasted_text_is_an_answer_and_never_keys() {
    let plan = parse(KIOSK.as_bytes()).unwrap();
    let mut viewer = Viewer::new(&plan, (80, 24));
    viewer.state.paste("s\n\nq");
    assert!(viewer.state.prompt.is_none());
    viewer.keys("l");
    viewer.state.paste("two\nlines");
    let (_, cursor) = viewer.cells(LIVE);
    assert_eq!(cursor, Some(Position { x: " log line: two lines".len() as u16, y: 23 }));
    assert_eq!(viewer.keys("\n"), Effect::Run(Job::new(["log", "two lines"])));
}
