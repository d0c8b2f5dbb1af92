use super::*;

const NOW: &str = "2026-06-15 14:33";

/// A text merge that always finds a conflict.
fn no_text([base, ours, theirs]: [&[u8]; 3]) -> Result<MergedText> {
    Ok(MergedText::conflict([Some(base), Some(ours), Some(theirs)]))
}

fn merged(base: &str, ours: &str, theirs: &str) -> Merged {
    let both = [[ours, theirs], [theirs, ours]]
        .map(|[ours, theirs]| merge([base, ours, theirs].map(str::as_bytes), NOW, &mut no_text).unwrap());
    if both[0].conflicts() == 0 {
        let [one, other] = both.each_ref().map(|merged| merged.render(&Markers::default()));
        assert_eq!(String::from_utf8_lossy(&one), String::from_utf8_lossy(&other), "the other way round");
    } else {
        assert_eq!(both[0].conflicts(), both[1].conflicts());
    }
    both.into_iter().next().unwrap()
}

fn text(base: &str, ours: &str, theirs: &str) -> String {
    String::from_utf8(merged(base, ours, theirs).render(&Markers::default())).unwrap()
}

const PLAN: &str = "\
# Plan: Faster search

## Goal: Cache
<!-- id: cache-1 -->
status: active
done_when: p95 < 50ms
verify: pytest -q
failure_modes:
- bypassed
- too small
- [ ] 1. wire
- [ ] 2. evict
- [ ] 3. load

## Goal: Docs
<!-- id: docs-1 -->
status: open
done_when: written

## Log
- 2026-06-15 14:00  begun
";

fn with(changes: &[(&str, &str)]) -> String {
    changes.iter().fold(PLAN.to_owned(), |text, (from, to)| {
        assert!(text.contains(from), "{from}");
        text.replacen(from, to, 1)
    })
}

const END: &str = "14:00  begun\n";

#[test]
fn both_append_to_the_log() {
    let ours = with(&[(END, "14:00  begun\n- 2026-06-15 14:05  b\n- 2026-06-15 14:09  c\n")]);
    let theirs = with(&[(END, "14:00  begun\n- 2026-06-15 14:05  a\n- 2026-06-15 14:07  d\n")]);
    let expected = with(&[(
        END,
        "14:00  begun\n- 2026-06-15 14:05  a\n- 2026-06-15 14:05  b\n- 2026-06-15 14:07  d\n- 2026-06-15 14:09  c\n",
    )]);
    assert_eq!(text(PLAN, &ours, &theirs), expected);
}

#[test]
fn the_same_log_line_on_both_sides_stands_once() {
    let ours = with(&[(END, "14:00  begun\n- 2026-06-15 14:05  b\n- 2026-06-15 14:05  a\n")]);
    let theirs = with(&[(END, "14:00  begun\n- 2026-06-15 14:05  a\n- 2026-06-15 14:05  b\n")]);
    assert_eq!(text(PLAN, &ours, &theirs).matches("14:05  a").count(), 1);
    assert_eq!(text(PLAN, &ours, &theirs).matches("14:05  b").count(), 1);
}

#[test]
fn a_log_line_that_one_side_took_out_stays_out() {
    let ours = with(&[("- 2026-06-15 14:00  begun\n", "- 2026-06-15 14:01  o\n")]);
    let theirs = with(&[(END, "14:00  begun\n- 2026-06-15 14:00  t\n")]);
    let expected = with(&[("- 2026-06-15 14:00  begun\n", "- 2026-06-15 14:00  t\n- 2026-06-15 14:01  o\n")]);
    assert_eq!(text(PLAN, &ours, &theirs), expected);
}

#[test]
fn both_begin_the_log() {
    let base = PLAN.split("\n## Log").next().unwrap();
    let ours = format!("{base}\n## Log\n\n- 2026-06-15 14:05  b\n");
    let theirs = format!("{base}\n## Log\n\n- 2026-06-15 14:04  a\n");
    let expected = format!("{base}\n## Log\n\n- 2026-06-15 14:04  a\n- 2026-06-15 14:05  b\n");
    assert_eq!(text(base, &ours, &theirs), expected);
}

#[test]
fn adjacent_and_equal_ticks_are_joined() {
    let ours = with(&[("[ ] 1.", "[x] 1."), ("[ ] 3. load", "[x] 3. load — fine")]);
    let theirs = with(&[("[ ] 2.", "[x] 2."), ("[ ] 3.", "[x] 3."), ("[ ] 1.", "[/] 1.")]);
    let expected = with(&[("[ ] 1.", "[x] 1."), ("[ ] 2.", "[x] 2."), ("[ ] 3. load", "[x] 3. load — fine")]);
    assert_eq!(text(PLAN, &ours, &theirs), expected);
}

#[test]
fn a_step_complete_here_and_failed_there_is_a_conflict_of_that_line() {
    let ours = with(&[("[ ] 2. evict", "[x] 2. evict")]);
    let theirs = with(&[("[ ] 2. evict", "[!] 2. evict"), ("[ ] 1.", "[x] 1.")]);
    let expected = with(&[
        ("[ ] 1.", "[x] 1."),
        ("- [ ] 2. evict\n", "<<<<<<< ours\n- [x] 2. evict\n=======\n- [!] 2. evict\n>>>>>>> theirs\n"),
    ]);
    assert_eq!(text(PLAN, &ours, &theirs), expected);
}

#[test]
fn complete_here_and_cancelled_there_is_a_conflict_of_the_status_alone() {
    let ours = with(&[("status: active", "status: done"), ("pytest -q", "pytest -q -x")]);
    let theirs = with(&[("status: active", "status: cancelled"), ("[ ] 1.", "[x] 1.")]);
    let expected = with(&[
        ("status: active\n", "<<<<<<< ours\nstatus: done\n=======\nstatus: cancelled\n>>>>>>> theirs\n"),
        ("pytest -q", "pytest -q -x"),
        ("[ ] 1.", "[x] 1."),
    ]);
    assert_eq!(text(PLAN, &ours, &theirs), expected);
}

#[test]
fn a_status_that_got_further_is_followed() {
    let (ours, theirs) = (with(&[("status: open", "status: active")]), with(&[("status: open", "status: cancelled")]));
    assert_eq!(merged(PLAN, &ours, &theirs).conflicts(), 1);
    let (done, again, open) = ("status: done", "status: active", "status: open");
    let base = with(&[("status: active", done)]);
    let other = |to| with(&[("status: active", to)]);
    assert_eq!(text(&base, &other(again), &other(open)), other(again));
}

#[test]
fn both_add_a_goal_and_a_step() {
    let goal = |name: &str| format!("## Goal: {name}\nstatus: open\n\n## Log");
    let ours = with(&[("## Log", &goal("Beta")), ("- [ ] 3. load\n", "- [ ] 3. load\n- [ ] 4. one\n")]);
    let theirs = with(&[("## Log", &goal("Alpha")), ("- [ ] 3. load\n", "- [ ] 3. load\n- [ ] 5. two\n")]);
    let expected = with(&[
        ("## Log", "## Goal: Alpha\nstatus: open\n\n## Goal: Beta\nstatus: open\n\n## Log"),
        ("- [ ] 3. load\n", "- [ ] 3. load\n- [ ] 4. one\n- [ ] 5. two\n"),
    ]);
    assert_eq!(text(PLAN, &ours, &theirs), expected);
}

#[test]
fn a_goal_is_moved_here_and_edited_there() {
    let docs = "## Goal: Docs\n<!-- id: docs-1 -->\nstatus: open\ndone_when: written\n\n";
    let ours = with(&[(docs, ""), ("## Goal: Cache", &format!("{docs}## Goal: Cache"))]);
    let theirs = with(&[("done_when: written", "done_when: printed")]);
    assert_eq!(text(PLAN, &ours, &theirs), ours.replace("written", "printed"));
    // Each side moves another goal to the archive.
    let archived = |goals: &str| format!("\n# Archive\n{goals}");
    let cache: String = PLAN.split_inclusive("\n\n").nth(1).unwrap().to_owned();
    let ours = format!("{}{}", with(&[(docs, "")]), archived(docs.trim_end())) + "\n";
    let theirs = format!("{}{}", with(&[(&cache, "")]), archived(cache.trim_end())) + "\n";
    let both = text(PLAN, &ours, &theirs);
    let plan = parse(both.as_bytes()).unwrap();
    assert_eq!(plan.live_goals().count(), 0, "{both}");
    assert_eq!(plan.all_goals().count(), 2);
}

#[test]
fn items_of_a_list_are_united_and_one_item_changed_twice_is_a_conflict() {
    let ours = with(&[("- too small\n", "- too small\n- b\n")]);
    let theirs = with(&[("- too small\n", "- too small\n- a\n"), ("- bypassed", "- bypassed by luck")]);
    let expected = with(&[("- too small\n", "- too small\n- a\n- b\n"), ("- bypassed", "- bypassed by luck")]);
    assert_eq!(text(PLAN, &ours, &theirs), expected);
    let ours = with(&[("- bypassed", "- bypassed here")]);
    assert_eq!(
        text(PLAN, &ours, &theirs),
        with(&[
            ("- bypassed\n", "<<<<<<< ours\n- bypassed here\n=======\n- bypassed by luck\n>>>>>>> theirs\n"),
            ("- too small\n", "- too small\n- a\n"),
        ])
    );
}

#[test]
fn what_one_side_removed_and_the_other_changed_is_a_conflict_where_it_stood() {
    let ours = with(&[("- [ ] 2. evict\n", "")]);
    let theirs = with(&[("[ ] 2. evict", "[x] 2. evict"), ("[ ] 1.", "[x] 1.")]);
    let expected =
        with(&[("[ ] 1.", "[x] 1."), ("- [ ] 2. evict\n", "<<<<<<< ours\n=======\n- [x] 2. evict\n>>>>>>> theirs\n")]);
    assert_eq!(text(PLAN, &ours, &theirs), expected);
}

/// The plan with its first goal signed off for its contract.
fn signed(text: &str) -> String {
    let plan = parse(text.as_bytes()).unwrap();
    let contract = crate::plan::contract::goal_contract(plan.goal(0).unwrap()).digest.short();
    text.replacen("status: active", "status: done", 1).replacen(
        END,
        &format!(
            "{END}- 2026-06-15 14:10  cache-1 signed off (verify green 0.1s, gate fast, oracle accept by checks, contract {contract}, tree none, at none)\n"
        ),
        1,
    )
}

const ID: &str = "<!-- id: cache-1 -->\n";

#[test]
fn a_goal_that_gets_its_id_on_both_sides_is_one_goal_whatever_each_calls_it() {
    let renamed = ("## Goal: Cache", "## Goal: Store");
    for without in ["", "<!-- id: cache-1 --> by hand\n"] {
        let base = with(&[(ID, without)]);
        let given = |changes: &[(&str, &str)]| with(changes).replacen(ID, &format!("{ID}{without}"), 1);
        for theirs in [("[ ] 1.", "[x] 1."), ("status: open", "status: cancelled"), ("- [ ] 1. wire\n", "")] {
            assert_eq!(text(&base, &given(&[renamed]), &given(&[theirs])), given(&[renamed, theirs]));
        }
    }
}

#[test]
fn an_id_that_comes_or_goes_leaves_a_goal_the_same_by_its_subject() {
    let (bare, ticked) = (with(&[(ID, "")]), with(&[("[ ] 1.", "[x] 1.")]));
    let both = with(&[(ID, ""), ("[ ] 1.", "[x] 1.")]);
    assert_eq!(text(PLAN, &bare, &ticked), both);
    assert_eq!(text(&bare, PLAN, &both), ticked);
    assert_eq!(text("", &bare, &with(&[("Cache", "CACHE"), (ID, "")])).matches("<<<<<<<").count(), 1);
}

#[test]
fn goals_that_could_each_be_the_same_one_go_to_the_text_merge() {
    let base = with(&[(ID, "")]);
    let other = format!("## Goal: Other\n{ID}status: open\n\n## Log");
    let theirs = with(&[(ID, ""), ("## Log", &other)]);
    let merged = merged(&base, PLAN, &theirs);
    assert!(merged.by_text && merged.conflicts() == 1);
}

#[test]
fn steps_that_could_each_be_the_same_one_go_to_the_text_merge() {
    let ours = with(&[("3. load", "3. fresh")]);
    let theirs = with(&[("- [ ] 3. load\n", "- [ ] 3. load\n- [ ] 3. fresh\n")]);
    assert_eq!(merged(PLAN, &ours, &theirs).conflicts(), 1);
}

#[test]
fn blank_lines_behind_steps_are_the_more_of_them() {
    let notes = |blank: &str| ("- [ ] 3. load\n", format!("- [ ] 3. load\n{blank}Notes.\n"));
    let (from, one) = notes("\n");
    let base = with(&[(from, &one)]);
    let ours = base.replacen("- [ ] 3. load\n", "- [ ] 3. load\n- [ ] 4. more\n", 1);
    for blank in ["\n", "\n\n", "\n\n\n"] {
        let theirs = base.replacen("- [ ] 3. load\n\n", blank, 1);
        let expected = base.replacen("- [ ] 3. load\n\n", &format!("- [ ] 4. more\n{blank}"), 1);
        assert_eq!(text(&base, &ours, &theirs), expected);
    }
    let [ours, theirs] = [" \n", "\t\n"].map(|blank| base.replacen("load\n\n", &format!("load\n{blank}"), 1));
    assert_eq!(text(&base, &ours, &theirs), ours.max(theirs));
}

// SIGNOFF.md §8
#[test]
fn done_survives_only_where_the_sign_off_covers_the_merged_contract() {
    let ours = signed(PLAN);
    let theirs = with(&[("verify: pytest -q", "verify: true")]);
    let merged = merged(PLAN, &ours, &theirs);
    assert_eq!((merged.conflicts(), &merged.reopened[..]), (0, &["cache-1".to_owned()][..]));
    let bytes = merged.render(&Markers::default());
    let plan = parse(&bytes).unwrap();
    let now = crate::plan::contract::goal_contract(plan.goal(0).unwrap()).digest.short();
    assert_eq!(plan.goal(0).unwrap().status().word(), "active");
    let (stamp, last) = plan.log_lines().next_back().unwrap();
    assert_eq!(stamp, NOW);
    assert!(
        last.starts_with("cache-1 reopened (merge: signed off for contract ") && last.ends_with(&format!("now {now})"))
    );
    // Changes outside the contract do not reopen the goal.
    let theirs = with(&[
        ("[ ] 3.", "[x] 3."),
        ("verify: pytest -q", "verify:  pytest   -q"),
        ("status: open", "status: active"),
    ]);
    let expected = theirs.replacen("status: active", "status: done", 1);
    assert!(text(PLAN, &ours, &theirs).starts_with(expected.split("## Log").next().unwrap()));
}

#[test]
fn done_is_looked_at_beside_a_conflict_elsewhere() {
    let ours = signed(&with(&[("done_when: written", "done_when: ours")]));
    let theirs = with(&[("verify: pytest -q", "verify: true"), ("done_when: written", "done_when: theirs")]);
    let merged = merged(PLAN, &ours, &theirs);
    assert_eq!((merged.conflicts(), merged.reopened.len()), (1, 1));
    let bytes = String::from_utf8(merged.render(&Markers::default())).unwrap();
    assert!(bytes.contains("id: cache-1 -->\nstatus: active\n"), "{bytes}");
}

#[test]
fn a_contract_in_conflict_does_not_stay_done() {
    let ours = signed(PLAN.replacen("pytest -q", "pytest -q -x", 1).as_str());
    let theirs = with(&[("verify: pytest -q", "verify: true")]);
    let merged = merged(PLAN, &ours, &theirs);
    assert_eq!((merged.conflicts(), merged.reopened.len()), (1, 1));
}

#[test]
fn a_goal_that_was_done_without_a_sign_off_is_not_the_merges_to_judge() {
    let ours = with(&[("status: open", "status: done")]);
    let theirs = with(&[("[ ] 1.", "[x] 1.")]);
    let merged = merged(PLAN, &ours, &theirs);
    assert!(merged.reopened.is_empty());
}

// P-13, SIGNOFF.md §8
#[test]
fn a_goal_that_was_archived_is_looked_at_too() {
    let done = signed(PLAN);
    let cache = done.split_inclusive("\n\n").nth(1).unwrap().to_owned();
    let ours = format!("{}\n# Archive\n\n{}", done.replace(&cache, ""), cache.trim_end()) + "\n";
    let theirs = with(&[("verify: pytest -q", "verify: true")]);
    let merged = merged(PLAN, &ours, &theirs);
    assert_eq!((merged.conflicts(), &merged.reopened[..]), (0, &["cache-1".to_owned()][..]));
    let bytes = merged.render(&Markers::default());
    let plan = parse(&bytes).unwrap();
    let goal = plan.find_goal("cache-1").unwrap();
    assert!(!goal.raw().archived && goal.status().word() == "active", "{}", String::from_utf8_lossy(&bytes));
    assert_eq!(goal.verify().as_deref(), Some("true"));
    assert!(plan.log_lines().next_back().unwrap().1.starts_with("cache-1 reopened (merge: signed off for contract "));
    // A goal that was archived without a sign-off stays as it was, and so does a goal whose sign-off covers it.
    for other in [ours.replace(" signed off ", " was signed off "), ours.clone()] {
        let theirs = with(&[("done_when: written", "done_when: printed")]);
        assert!(self::merged(PLAN, &other, &theirs).reopened.is_empty());
    }
}

#[test]
fn a_step_that_both_sides_move_to_different_goals_is_a_conflict() {
    let more = "## Goal: More\n<!-- id: more-1 -->\nstatus: open\n- [ ] 4. else\n\n## Log";
    let base = with(&[("done_when: written\n", "done_when: written\n- [ ] 5. write\n"), ("## Log", more)]);
    let moved = |to: &str| {
        let step = "- [ ] 2. evict\n";
        assert!(base.contains(step) && base.contains(to));
        base.replacen(step, "", 1).replacen(to, &format!("{to}{step}"), 1)
    };
    let (ours, theirs) = (moved("- [ ] 5. write\n"), moved("- [ ] 4. else\n"));
    let text = text(&base, &ours, &theirs);
    let ours_only = "- [ ] 5. write\n<<<<<<< ours\n- [ ] 2. evict\n=======\n>>>>>>> theirs\n";
    let theirs_only = "- [ ] 4. else\n<<<<<<< ours\n=======\n- [ ] 2. evict\n>>>>>>> theirs\n";
    assert!(text.contains(ours_only) && text.contains(theirs_only), "{text}");
    // A step that one side moved, or that both moved to the same place, is there.
    assert_eq!(self::text(&base, &ours, &ours), ours);
    assert_eq!(self::text(&base, &ours, &base.replace("[ ] 4.", "[x] 4.")), ours.replace("[ ] 4.", "[x] 4."));
}

#[test]
fn the_form_of_a_file_is_merged_by_itself() {
    let crlf = PLAN.replace('\n', "\r\n");
    let theirs = with(&[("[ ] 1.", "[x] 1.")]);
    assert_eq!(text(PLAN, &crlf, &theirs), theirs.replace('\n', "\r\n"));
    let bom = format!("\u{feff}{PLAN}");
    assert_eq!(text(PLAN, &bom, &theirs), format!("\u{feff}{theirs}"));
    assert_eq!(text(PLAN, PLAN.trim_end(), &theirs), theirs.trim_end());
    let mixed = PLAN.replacen('\n', "\r\n", 3);
    assert_eq!(
        text(&mixed, &mixed.replace("[ ] 1.", "[x] 1."), &mixed.replace("[ ] 2.", "[x] 2.")),
        mixed.replace("[ ] 1.", "[x] 1.").replace("[ ] 2.", "[x] 2.")
    );
}

#[test]
fn a_form_without_a_base_is_the_same_both_ways() {
    let (crlf, bom) = (PLAN.replace('\n', "\r\n"), format!("\u{feff}{PLAN}"));
    assert_eq!(text("", PLAN, &crlf), PLAN);
    assert_eq!(text("", PLAN, &bom), PLAN);
    assert_eq!(text("", PLAN, PLAN.trim_end()), PLAN);
}

#[test]
fn what_is_not_understood_goes_to_the_text_merge_whole() {
    let twice = with(&[("docs-1", "cache-1")]);
    let fence = format!("{PLAN}```\n");
    let marked = format!("{PLAN}<<<<<<<<< a\n=========\n>>>>>>>>> b\n");
    let nul = format!("{PLAN}\0\n");
    for base in [twice, fence, marked, nul] {
        let merged = merged(&base, &base.replace("[ ] 1.", "[x] 1."), &base.replace("[ ] 2.", "[x] 2."));
        assert!(merged.by_text && merged.conflicts() == 1, "{base}");
    }
}

#[test]
fn git_s_marker_size_and_styles() {
    let (ours, theirs) = (with(&[("active", "done")]), with(&[("active", "cancelled")]));
    let markers = Markers { size: 9, labels: ["B".into(), "O".into(), String::new()], with_base: true };
    let text = String::from_utf8(merged(PLAN, &ours, &theirs).render(&markers)).unwrap();
    let expected = "<<<<<<<<< O\nstatus: done\n||||||||| B\nstatus: active\n=========\nstatus: cancelled\n>>>>>>>>>\n";
    assert!(text.contains(expected), "{text}");
}
