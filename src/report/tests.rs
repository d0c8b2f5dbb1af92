use std::fmt::Write as _;

use pulldown_cmark::{Event, Tag};

use super::{Report, ReportOrigin};
use crate::audit::records::{Cited, JudgeVerdict, RecordedAnswer, Records, Verdict};
use crate::plan::contract::goal_contract;
use crate::plan::{Plan, parse};

fn report(source: &str, records: &Records) -> Report {
    let origin = ReportOrigin { file: "plan.md".to_owned(), ..ReportOrigin::default() };
    Report::new(&parse(source.as_bytes()).unwrap(), origin, records)
}

fn page(source: &str) -> String {
    report(source, &Records::default()).html()
}

fn short(plan: &Plan<'_>, id: &str) -> String {
    goal_contract(plan.goal_named(id).unwrap()).digest.short()
}

const GOALS: &str = "\
# Plan: Orders

## Goal: Keep them
<!-- id: keep-1 -->
status: done
done_when:
- none is lost
- none is sent twice
verify: sh a.sh
failure_modes:
- of another day (check: sh day.sh)

## Goal: Send them
<!-- id: send-1 -->
status: active
needs: keep-1
done_when:
- one charge
- the key survives
- [x] 1. key
- [/] 2. send

## Goal: Open
<!-- id: open-1 -->
needs: send-1, keep-1

## Goal: Cards
<!-- id: cards-1 -->
status: cancelled

## Log
";

/// The goals with a sign-off of `keep-1` for the current contract, and the record of the sign-off.
fn signed() -> (String, Records) {
    let contract = short(&parse(GOALS.as_bytes()).unwrap(), "keep-1");
    let log = format!(
        "- 2026-06-15 09:00  keep-1 started (contract {contract}, at 0123456789ab, tree 0123456789ab, verify red exit 1)
- 2026-06-15 10:00  keep-1 rejected (verify exit 1): 2 failed
- 2026-06-16 09:00  keep-1 signed off (verify green 2.1s, gate fast, oracle accept by claude, contract {contract}, tree ba9876543210, at 89abcdef0123)
- 2026-06-16 10:00  send-1 started (contract 0123456789ab, at 0123456789ab, tree 0123456789ab, verify none)
- 2026-06-17 10:00  send-1 rejected (oracle codex): missing: C2 not met: made anew; a log of the drill
- 2026-06-17 11:00  cards-1 cancelled: not this season
"
    );
    let cited = |place: &str, quote: &str| Cited { place: place.to_owned(), quote: quote.to_owned() };
    let answer = |id: &str, cited: Cited| RecordedAnswer { id: id.to_owned(), citations: vec![cited] };
    let judge = JudgeVerdict {
        judge: "claude".to_owned(),
        answers: vec![
            answer("C2", cited("src/b.rs:4", "once <b>")),
            answer("F1", cited("check 1", "")),
            answer("C1", cited("src/a.rs:3", "keep(order)")),
        ],
        ..JudgeVerdict::default()
    };
    let verdict = Verdict { claim: Some("20 of 20".to_owned()), judges: vec![judge], ..Verdict::default() };
    let key = ("keep-1".to_owned(), contract, "ba9876543210".to_owned());
    let records = Records { verdicts: [(key, verdict)].into(), ..Records::default() };
    (GOALS.to_owned() + &log, records)
}

/// Checks that the parts are in this order.
#[track_caller]
fn in_order(text: &str, parts: &[&str]) {
    let mut at = 0;
    for part in parts {
        let found = text[at..].find(part);
        at += found
            .unwrap_or_else(|| panic!("no `{part}` behind {at}: {}", text[at..].chars().take(300).collect::<String>()))
            + part.len();
    }
}

#[test]
fn a_verdict_stands_below_the_criterion_it_is_about() {
    let (source, records) = signed();
    let report = report(&source, &records);
    in_order(
        &report.html(),
        &[
            "1 of 3 goals is signed off. One is being worked on.",
            "id=\"goals\"",
            "Send them",
            "active, 1 of 2 steps",
            "rejected by <bdi>the judge codex</bdi>, 17 June 10:00",
            "a log of the drill",
            "the key survives",
            "made anew",
            "Open",
            "waits for 1",
            "Keep them",
            "signed off 16 June",
            "none is lost",
            "src/a.rs:3",
            "“<bdi>keep(order)</bdi>”",
            "none is sent twice",
            "src/b.rs:4",
            "once &lt;b&gt;",
            "of another day",
            "check: <code>sh day.sh</code>",
            "check 1",
            "Sign-off of 16 June 09:00",
            "20 of 20",
            "green 2.1s (red before the work)",
            "Cards",
            "cancelled 17 June",
            "not this season",
        ],
    );
    in_order(
        &report.markdown(),
        &[
            "# Orders", "## Active", "C2 the key survives", "✗ missing: made anew", "## Signed off", "C1 none is lost",
            "✓ `src/a.rs:3` “keep(order)”",
        ],
    );
}

#[test]
fn without_its_record_a_sign_off_says_so() {
    let (source, _) = signed();
    let page = page(&source);
    in_order(&page, &["Sign-off of 16 June 09:00", "none in this clone"]);
    assert!(!page.contains("src/a.rs:3"));
}

#[test]
fn a_contract_changed_by_hand_is_two_lines_and_no_sign_off() {
    let (source, mut records) = signed();
    let old = goal_contract(parse(source.as_bytes()).unwrap().goal_named("keep-1").unwrap());
    records.contracts.insert(("keep-1".to_owned(), old.digest.short()), old);
    let report = report(&source.replace("verify: sh a.sh", "verify: sh b.sh"), &records);
    in_order(
        &report.html(),
        &[
            "0 of 3 goals are signed off. One is being worked on. One says done and is not covered by a sign-off.",
            "Not covered",
            "done, not covered",
            "Contract, changed by hand since the sign-off: reworded: verify changed",
            "<del><bdi>verify: sh a.sh</bdi></del><ins><bdi>verify: sh b.sh</bdi></ins>",
            "class=\"warn gap\"",
        ],
    );
}

#[test]
fn the_time_lane_goes_from_start_to_sign_off_and_a_running_one_to_the_edge() {
    let (source, records) = signed();
    let page = report(&source, &records).html();
    let time = &page[page.find("id=\"time\"").unwrap()..page.find("id=\"log\"").unwrap()];
    // 50 hours: rejected after 1, signed off after 24; the next one started at 25, runs to the edge, rejected after 49.
    in_order(
        time,
        &[
            "Keep them", "--a:0%;--w:48%", "--a:2%\">✗", "--a:48%\">✓", "Send them",
            "class=\"run\" style=\"--a:50%;--w:50%\"", "--a:98%\">✗", "Cards", "--a:100%\">–",
        ],
    );
}

/// Text that could act as markup, a script, a link or a change of the writing direction, in every place of a plan.
const HOSTILE: &str = "<script>alert(1)</script><img src=x onerror=alert(2)>\" onload=\"x' `<b>` [l](javascript:alert(3)) &#x202e; \u{202e}\u{1b}[31m\u{feff}";

#[test]
fn hostile_text_is_text_everywhere() {
    let mut source = format!("# Plan: {HOSTILE}\n\n{HOSTILE}\n\n[l]: javascript:alert(4)\n\n");
    for (id, status) in [("a-1", "active"), ("b-1", "done"), ("c-1", "open"), ("d-1", "cancelled")] {
        let _ = write!(
            source,
            "## Goal: {HOSTILE}\n<!-- id: {id} -->\nstatus: {status}\ndone_when: {HOSTILE}\nverify: {HOSTILE}\nfailure_modes:\n- {HOSTILE} (check: {HOSTILE})\nneeds: c-1, {HOSTILE}\nmay_change: {HOSTILE}\n- [x] {HOSTILE} — {HOSTILE}\n\n{HOSTILE} [l]\n\n<iframe src=x>\n\n"
        );
    }
    source.push_str("## Log\n");
    let line = HOSTILE.replace(['(', ')'], "");
    for id in ["a-1", "b-1", HOSTILE] {
        let _ = write!(
            source,
            "- 2026-06-15 09:00  {id} started (contract 0123456789ab, at {line}, tree none, verify {line})\n- 2026-06-15 10:00  {id} rejected (oracle {line}): missing: C1: {HOSTILE}; {HOSTILE}\n- 2026-06-15 10:01  {id} rejected (gate {line}): {HOSTILE}\n- 2026-06-15 10:02  {HOSTILE}\n"
        );
    }
    let _ = write!(
        source,
        "- 2026-06-15 11:00  b-1 signed off (verify {line}, gate {line}, oracle accept by {line}, contract 0123456789ab, tree none, at none)\n- 2026-06-15 11:00  d-1 cancelled: {HOSTILE}\n"
    );
    let hostile = HOSTILE.to_owned();
    let judge = JudgeVerdict {
        judge: hostile.clone(),
        model: Some(hostile.clone()),
        sandbox: hostile.clone(),
        answers: vec![RecordedAnswer {
            id: "C1".to_owned(),
            citations: vec![Cited { place: hostile.clone(), quote: hostile.clone() }],
        }],
        notes: vec![hostile.clone()],
    };
    let verdict = Verdict {
        claim: Some(hostile.clone()),
        evidence: vec![hostile.clone()],
        leads: vec![hostile.clone()],
        judges: vec![judge],
    };
    let key = ("b-1".to_owned(), "0123456789ab".to_owned(), "none".to_owned());
    let records = Records { verdicts: [(key, verdict)].into(), ..Records::default() };
    let origin =
        ReportOrigin { file: hostile.clone(), commit: Some(hostile.clone()), branch: Some(hostile), is_changed: true };
    let report = Report::new(&parse(source.as_bytes()).unwrap(), origin, &records);
    let page = report.html();
    assert!(page.matches("&lt;script&gt;").count() > 60, "{}", page.matches("&lt;script&gt;").count());
    for wrong in ["<script", "<img", "<iframe", "<b>`", "href=\"javascript", "\u{202e}", "\u{1b}", "\u{feff}"] {
        let at = page.find(wrong);
        assert!(at.is_none(), "{wrong:?} in {}", page[at.unwrap_or_default()..].chars().take(200).collect::<String>());
    }
    assert!(page.contains("[U+202E]") && page.contains("[U+001B]"));
    well_formed(&page);
    let markdown = report.markdown();
    assert!(markdown.contains("&lt;script&gt;") && markdown.contains("[U+202E]"));
    for event in pulldown_cmark::Parser::new(&markdown) {
        let is_active =
            matches!(event, Event::Html(_) | Event::InlineHtml(_) | Event::Start(Tag::Link { .. } | Tag::Image { .. }));
        assert!(!is_active, "{event:?}");
    }
}

/// Checks that every tag comes from the template, is closed in order and has each attribute once, and that no attribute runs code.
#[track_caller]
fn well_formed(page: &str) {
    const VOID: [&str; 5] = ["meta", "!DOCTYPE", "br", "hr", "rect/"];
    let style = page.find("</style>").unwrap();
    let mut open = vec!["html", "head", "style"];
    let mut rest = &page[style..];
    while let Some(at) = rest.find('<') {
        let end = at + rest[at..].find('>').unwrap();
        let tag = &rest[at + 1..end];
        rest = &rest[end + 1..];
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name), "{tag}");
            continue;
        }
        let name = tag.split(' ').next().unwrap();
        assert!(name.bytes().all(|byte| byte.is_ascii_alphanumeric()), "<{tag}>");
        let mut names: Vec<&str> = tag
            .split('"')
            .step_by(2)
            .flat_map(|part| part.split(' '))
            .filter_map(|part| part.strip_suffix('='))
            .collect();
        assert!(names.iter().all(|name| !name.starts_with("on") && *name != "src"), "<{tag}>");
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count, "<{tag}>");
        if !VOID.contains(&name) {
            open.push(name);
        }
    }
    assert_eq!(open, [""; 0]);
}

#[test]
fn the_page_is_well_formed_and_guards_itself() {
    let (source, records) = signed();
    let page = report(&source, &records).html();
    well_formed(&page);
    let policy = "http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'\"";
    assert!(page.contains(policy) && page.starts_with("<!DOCTYPE html>"));
    assert!(page.find(super::GENERATOR).unwrap() < 1000);
    assert_eq!(page, report(&source, &records).html(), "the same bytes");
    for empty in
        ["", "# Plan: x\n", "## Goal: a\n", "## Log\n- 2026-06-15 09:00  x\n", "## Log\n- 2026-13-45 99:99  x\n"]
    {
        well_formed(&self::page(empty));
    }
}

#[test]
fn every_place_in_the_page_is_there_once_and_every_link_leads_somewhere() {
    let source = "## Goal: a\n<!-- id: a-1 -->\nneeds: b, c\n## Goal: b\n<!-- id: a-1 -->\n## Goal: c\n# Archive\n## Goal: d\n<!-- id: d-1 -->\n## Log\n";
    let page = page(source);
    let mut places: Vec<&str> = page.split(" id=\"").skip(1).map(|rest| rest.split('"').next().unwrap()).collect();
    places.sort_unstable();
    let count = places.len();
    places.dedup();
    assert_eq!(places.len(), count);
    let links: Vec<&str> = page.split("href=\"#").skip(1).map(|rest| rest.split('"').next().unwrap()).collect();
    assert!(links.len() > 3 && links.iter().all(|link| places.contains(link)), "{links:?} {places:?}");
}

#[test]
fn a_thousand_goals_are_less_than_two_megabytes_and_say_what_was_left_out() {
    let mut source = "# Plan: Many\n\n".to_owned();
    let mut log = "## Log\n".to_owned();
    for index in 0..1000 {
        let status = ["done", "active", "open", "done"][index % 4];
        let goal = format!(
            "## Goal: Goal number {index} of a long plan\n<!-- id: goal-{index} -->\nstatus: {status}\ndone_when:\n- p95 below 50 ms in bench/{index}.log\n- nothing else got slower\nverify: sh test/{index}.sh --max 50\nfailure_modes:\n- measured without the cache (check: grep cache bench/{index}.log)\n- [x] {}. measure — 47 ms\n- [ ] {}. write\n\nSome prose about it.\n\n",
            2 * index + 1,
            2 * index + 2
        );
        let contract = short(&parse(goal.as_bytes()).unwrap(), &format!("goal-{index}"));
        source += &goal;
        let _ = writeln!(
            log,
            "- 2026-06-{:02} 10:00  goal-{index} started (contract {contract}, at 0123456789ab, tree none, verify red exit 1)",
            index % 28 + 1
        );
        if status == "done" {
            let _ = writeln!(
                log,
                "- 2026-06-{:02} 11:00  goal-{index} signed off (verify green 1.0s, gate fast, oracle accept by claude, contract {contract}, tree none, at none)",
                index % 28 + 1
            );
        }
    }
    let report = report(&(source + &log), &Records::default());
    let page = report.html();
    assert!(page.len() < 2 << 20, "{}", page.len());
    in_order(
        &page,
        &[
            "500 of 1000 goals are signed off", "900 more", "400 older goals are one line", " more goals were started",
            "1300 older lines in plan.md",
        ],
    );
    assert_eq!(page.matches("<summary>").count(), 600);
}
