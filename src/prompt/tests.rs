use super::{Prompt, Slip, fill};

#[test]
fn a_gap_takes_its_value_each_time() {
    assert_eq!(fill("a {{x}} b {{ y }} {{x}}", &[("x", "1"), ("y", "2")], &[]).unwrap(), "a 1 b 2 1");
}

#[test]
fn values_are_not_looked_into_again() {
    assert_eq!(fill("{{x}}{{y}}", &[("x", "{{y}} {{z}} {{"), ("y", "!")], &[]).unwrap(), "{{y}} {{z}} {{!");
}

#[test]
fn an_unknown_or_unused_name_is_an_error() {
    assert_eq!(fill("a\n{{who}}", &[], &[]), Err(Slip::Unknown("who".into(), 2)));
    assert_eq!(fill("a", &[("x", "1"), ("y", "2")], &["x"]), Err(Slip::Unused("x".into())));
    assert_eq!(fill("a\n\n{{x\n}}", &[("x", "1")], &[]), Err(Slip::Unclosed(3)));
    assert_eq!(fill("{{}}", &[], &[]), Err(Slip::Unknown(String::new(), 1)));
}

#[test]
fn an_error_names_file_line_and_gap() {
    let error = Prompt::Reminder.fill(Some("x\n{{nme}}"), &[]).unwrap_err();
    assert_eq!(error.message, "prompt `3-reminder.md`, line 2: unknown name `nme`");
    let values = [("nonce", "7f"), ("goals", ""), ("reply", "")];
    let error = Prompt::LoopJudge.fill(Some("hello"), &values).unwrap_err();
    assert_eq!(error.message, "prompt `5-loop-judge.md`: `{{nonce}}` is missing; the prompt must use it");
    let error = Prompt::LoopJudge.fill(Some("{{nonce"), &values).unwrap_err();
    assert_eq!(error.message, "prompt `5-loop-judge.md`, line 1: `{{` is not closed by `}}` on its line");
}

// P-68: the code that fills a prompt must give exactly its gaps, whatever text the user put in its place
#[test]
fn other_values_than_the_gaps_are_refused_with_any_text() {
    let error = Prompt::LoopDone.fill(Some("{{next}}"), &[("next", "x"), ("block", "y")]).unwrap_err();
    assert_eq!(error.message, "prompt `8-loop-done.md` takes block, objective; it was given next, block");
    assert!(Prompt::Reminder.fill(Some("{{x}}"), &[("x", "y")]).is_err());
}

// W-8, W-9
#[test]
fn another_text_for_drafting_uses_the_needed_gaps_and_any_of_those_offered() {
    let prompt = Prompt::PlanDrafting;
    let names = [prompt.gaps(), prompt.offered()].concat();
    for name in ["id", "title", "section", "overview", "branch", "base_branch", "path", "research", "completion_signal"]
    {
        assert!(names.contains(&name), "{name}");
    }
    let values: Vec<(&str, &str)> = names.iter().map(|name| (*name, *name)).collect();
    let every: String = names.iter().map(|name| format!("{{{{{name}}}}} ")).collect();
    assert_eq!(prompt.fill(Some(&every), &values).unwrap(), names.join(" ") + " ");
    let short = "{{objective}} {{ research }} {{existing}}";
    assert_eq!(prompt.fill(Some(short), &values).unwrap(), "objective research existing");
    assert!(!prompt.uses(Some(short), "completion_signal") && prompt.uses(Some(short), "research"));
    assert!(prompt.uses(None, "completion_signal"));
    let error = prompt.fill(Some("{{objective}} {{existing}} {{id}}"), &values).unwrap_err();
    assert_eq!(error.message, "prompt `1-plan-drafting.md`: `{{research}}` is missing; the prompt must use it");
    assert!(prompt.fill(Some(short), &values[..3]).is_err(), "whatever the text uses, all values are given");
}

fn gaps(prompt: Prompt) -> Vec<&'static str> {
    let mut names: Vec<_> = prompt.text().split("{{").skip(1).map(|rest| rest.split("}}").next().unwrap()).collect();
    names.sort_unstable();
    names.dedup();
    names
}

// P-67, P-68
#[test]
fn each_prompt_has_its_gaps_and_no_others_than_those_offered() {
    for prompt in Prompt::ALL {
        let needed: Vec<_> = gaps(prompt).into_iter().filter(|gap| !prompt.offered().contains(gap)).collect();
        assert_eq!(needed, prompt.gaps(), "{}", prompt.file_name());
    }
    for word in ["done_when", "verify", "failure_modes", "- [ ]"] {
        assert!(Prompt::PlanDrafting.text().contains(word), "{word}");
    }
}

// P-67: numbered in flow order, the judge that can be fooled next to the one that must not be
#[test]
fn the_files_are_numbered_in_flow_order() {
    for (index, prompt) in Prompt::ALL.into_iter().enumerate() {
        assert!(prompt.file_name().starts_with(&format!("{}-", index + 1)), "{}", prompt.file_name());
        assert!(prompt.text().ends_with('\n') && !prompt.text().contains('\r'), "{}", prompt.file_name());
    }
}

// P-61, P-62, P-26
#[test]
fn the_reminder_is_one_tag_with_four_parts_and_fixed_wording() {
    let text = Prompt::Reminder.fill(None, &[]).unwrap();
    assert!(text.starts_with("<system-reminder>\n") && text.ends_with("</system-reminder>\n"));
    assert_eq!(text.matches("system-reminder").count(), 2);
    assert_eq!(text.lines().filter(|line| line.starts_with("- ")).count(), 4);
    for word in ["plan complete", "plan log", "plan pause", "status"] {
        assert!(text.contains(word), "{word}");
    }
}

// P-65: a judge that only repeats what it was given must not have said accept
#[test]
fn an_echo_of_the_evidence_prompt_holds_no_verdict_line() {
    let values = [("nonce", "7f3a"), ("probe", "/tmp/x/probe"), ("data", "{}"), ("root", "/r")];
    let text = Prompt::EvidenceJudge.fill(None, &values).unwrap();
    for line in text.lines() {
        let line = line.trim_matches(['*', '_', '`', ' ']);
        assert!(line != "VERDICT[7f3a]: accept" && line != "VERDICT[7f3a]: reject", "{line}");
    }
    assert_eq!(text.lines().filter(|line| *line == "DATA[7f3a] begin").count(), 1);
    assert_eq!(text.lines().filter(|line| *line == "DATA[7f3a] end").count(), 1);
    let (before, after) = (text.find("DATA[7f3a] begin\n").unwrap(), text.find("DATA[7f3a] end\n").unwrap());
    assert!(text[..before].contains("claims by the party being judged"));
    assert!(text[after..].contains("claims by the party being judged"));
}
