use super::{Prompt, Slip, fill};

#[test]
fn a_gap_takes_its_value_each_time() {
    assert_eq!(fill("a {{x}} b {{ y }} {{x}}", &[("x", "1"), ("y", "2")]).unwrap(), "a 1 b 2 1");
}

#[test]
fn values_are_not_looked_into_again() {
    assert_eq!(fill("{{x}}{{y}}", &[("x", "{{y}} {{z}} {{"), ("y", "!")]).unwrap(), "{{y}} {{z}} {{!");
}

#[test]
fn an_unknown_or_unused_name_is_an_error() {
    assert_eq!(fill("a\n{{who}}", &[]), Err(Slip::Unknown("who".into(), 2)));
    assert_eq!(fill("a", &[("x", "1")]), Err(Slip::Unused("x".into())));
    assert_eq!(fill("a\n\n{{x\n}}", &[("x", "1")]), Err(Slip::Unclosed(3)));
    assert_eq!(fill("{{}}", &[]), Err(Slip::Unknown(String::new(), 1)));
}

#[test]
fn an_error_names_file_line_and_gap() {
    let error = Prompt::LoopJudge.fill(Some("x\n{{nme}}"), &[]).unwrap_err();
    assert_eq!(error.message, "prompt `5-loop-judge.md`, line 2: nothing is known by the name `nme`");
    let error = Prompt::EvidenceJudge.fill(Some("hello"), &[("nonce", "7f")]).unwrap_err();
    assert_eq!(error.message, "prompt `6-evidence-judge.md`: `{{nonce}}` is missing, it must be used");
    let error = Prompt::EvidenceJudge.fill(Some("{{nonce"), &[("nonce", "7f")]).unwrap_err();
    assert_eq!(error.message, "prompt `6-evidence-judge.md`, line 1: `{{` is not closed by `}}` on its line");
}

fn gaps(prompt: Prompt) -> Vec<&'static str> {
    let mut names: Vec<_> = prompt.text().split("{{").skip(1).map(|rest| rest.split("}}").next().unwrap()).collect();
    names.sort_unstable();
    names.dedup();
    names
}

// P-67, P-68
#[test]
fn the_prompts_have_exactly_the_gaps_that_callers_fill() {
    assert_eq!(gaps(Prompt::PlanDrafting), ["existing", "objective", "research"]);
    assert_eq!(gaps(Prompt::PlanInjection), ["block", "file", "mode"]);
    assert_eq!(gaps(Prompt::Reminder), [""; 0]);
    assert_eq!(gaps(Prompt::Continuation), ["block", "next", "objective"]);
    assert_eq!(gaps(Prompt::LoopJudge), ["goals", "nonce", "reply"]);
    assert_eq!(gaps(Prompt::EvidenceJudge), ["data", "nonce", "probe", "root"]);
    assert_eq!(gaps(Prompt::HostPlan), ["file", "what"]);
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
