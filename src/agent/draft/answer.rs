//! Reads a drafting agent's answer: the plan's text, alone or in a JSON object, up to the line that shows that nothing was cut off.

use serde::Deserialize;

/// The maximum size of an answer, in bytes.
const LARGEST: usize = 512 << 10;

/// The schema that hosts make their model follow. A strict mode wants every property required and no others allowed.
pub(super) const SCHEMA: &str = r#"{
  "type": "object",
  "properties": {
    "plan": {"type": "string", "description": "the whole plan in the form of the prompt, up to and with its last line"}
  },
  "required": ["plan"],
  "additionalProperties": false
}
"#;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DraftAnswer {
    plan: String,
}

/// Returns the plan in an answer. `signal` is the line that ends the answer, if the prompt asked for one. The error is a
/// sentence for the agent.
pub(super) fn read(answer: &[u8], signal: Option<&str>) -> Result<String, String> {
    if answer.len() > LARGEST {
        return Err(format!("the answer is longer than {} KiB", LARGEST >> 10));
    }
    let text = std::str::from_utf8(answer).map_err(|_| "the answer is not UTF-8".to_owned())?.replace("\r\n", "\n");
    let text = without_thoughts(text.trim());
    let object = unfenced(text);
    let text = match object.starts_with('{') {
        true => serde_json::from_str::<DraftAnswer>(object)
            .map_err(|error| format!("the answer is not one JSON object with the text `plan`: {error}"))?
            .plan
            .replace("\r\n", "\n"),
        false => text.to_owned(),
    };
    let lines: Vec<&str> = text.lines().collect();
    let lines = match signal {
        Some(signal) => whole(&lines, signal)?,
        None => &lines,
    };
    plan(lines)
}

const NO_PLAN: &str = "there is no plan in the answer: it needs a line `# Plan: …`";

fn is_head(line: &&str) -> bool {
    line.starts_with("# Plan:")
}

/// Returns the lines above the line that ends the answer.
fn whole<'l, 't>(lines: &'l [&'t str], signal: &str) -> Result<&'l [&'t str], String> {
    let is_signal = |line: &str| line.trim().trim_matches(['`', '*']) == signal;
    let mut at = lines.iter().enumerate().filter(|(_, line)| is_signal(line)).map(|(at, _)| at);
    match (at.next(), at.next()) {
        (Some(at), None) => Ok(&lines[..at]),
        (Some(_), Some(_)) => Err("the line that ends the answer appears more than once".to_owned()),
        (None, _) if !lines.iter().any(is_head) => Err(NO_PLAN.to_owned()),
        (None, _) => Err(
            "the answer does not end with the line `PLAN-END[…]` that the prompt asks for, as if it had been cut off"
                .to_owned(),
        ),
    }
}

/// Returns the plan from its heading on, without any text before the heading and without a fence around the plan.
fn plan(lines: &[&str]) -> Result<String, String> {
    let heads: Vec<usize> = lines.iter().enumerate().filter(|(_, line)| is_head(line)).map(|(at, _)| at).collect();
    let head = match heads[..] {
        [head] => head,
        [] => return Err(NO_PLAN.to_owned()),
        _ => return Err("the answer has more than one line `# Plan: …`".to_owned()),
    };
    let mut end = lines.len();
    while end > head && lines[end - 1].trim().is_empty() {
        end -= 1;
    }
    let fence = lines[..head].iter().rev().find(|line| !line.trim().is_empty()).map_or("", |line| line.trim());
    let fence = &fence[..fence.len() - fence.trim_start_matches(['`', '~']).len()];
    if fence.len() >= 3 && lines[end - 1].trim() == fence {
        end -= 1;
    }
    Ok(lines[head..end].join("\n").trim_end().to_owned() + "\n")
}

/// Removes the thoughts that a model wrote before its answer.
fn without_thoughts(text: &str) -> &str {
    match text.starts_with("<think>").then(|| text.rsplit_once("</think>")).flatten() {
        Some((_, answer)) => answer.trim(),
        None => text,
    }
}

/// Returns the content of a fence around the whole answer; without a fence, the text itself.
fn unfenced(text: &str) -> &str {
    let inner = text.strip_prefix("```").and_then(|rest| rest.strip_suffix("```"));
    inner.and_then(|inner| inner.split_once('\n')).map_or(text, |(_, inner)| inner.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    const END: &str = "PLAN-END[7f3a]";
    const PLAN: &str = "# Plan: Sums\n\nNow: none.\n\n## Goal: Add\n- [ ] write it\n";

    fn object(plan: &str) -> String {
        serde_json::json!({ "plan": plan }).to_string()
    }

    // P-20, W-7
    #[test]
    fn the_plan_alone_in_a_fence_or_in_an_object() {
        let whole = format!("{PLAN}\n{END}\n");
        for answer in [
            whole.clone(),
            format!("\n\n{PLAN}{END}"),
            format!("{PLAN}\n**{END}**\n"),
            format!("{PLAN}\n`{END}`\nThat is all."),
            format!("I looked at everything.\n\n{whole}"),
            format!("```markdown\n{whole}```\n"),
            format!("Here it is:\n\n````md\n{PLAN}````\n{END}\n"),
            format!("<think>\n# Plan: no\n{END}\n</think>\n{whole}"),
            object(&whole),
            format!("```json\n{}\n```", object(&whole)),
            whole.replace('\n', "\r\n"),
            object(&whole.replace('\n', "\r\n")),
        ] {
            assert_eq!(read(answer.as_bytes(), Some(END)).as_deref(), Ok(PLAN), "{answer}");
        }
        assert_eq!(read(PLAN.as_bytes(), None).as_deref(), Ok(PLAN), "no line was asked for");
    }

    // W-21
    #[test]
    fn what_is_no_whole_plan_is_said_in_a_sentence() {
        let whole = format!("{PLAN}{END}\n");
        for (answer, part) in [
            (String::new(), "there is no plan"),
            ("I could not do it.".to_owned(), "there is no plan"),
            (PLAN.to_owned(), "does not end with the line"),
            (format!("{PLAN}PLAN-END[7f3b]"), "does not end with the line"),
            (object(PLAN), "does not end with the line"),
            (object(&whole)[..60].to_owned(), "is not one JSON object"),
            (format!("{}\n{}", object(&whole), object(&whole)), "is not one JSON object"),
            (r#"{"plan": 3}"#.to_owned(), "is not one JSON object"),
            (r#"{"goals": []}"#.to_owned(), "is not one JSON object"),
            (format!("[{}]", object(&whole)), "there is no plan"),
            (format!("{whole}{whole}"), "more than once"),
            (format!("{PLAN}{whole}"), "more than one line `# Plan: …`"),
            (format!("print('hello')\n{END}"), "there is no plan"),
            (format!("```python\nprint('# Plan: x')\n{END}\n```"), "there is no plan"),
            ("x".repeat(10 << 20), "longer than 512 KiB"),
        ] {
            let why = read(answer.as_bytes(), Some(END)).unwrap_err();
            assert!(why.contains(part), "{why}: {}", answer.chars().take(200).collect::<String>());
        }
        assert!(read(b"# Plan: \xff", None).unwrap_err().contains("UTF-8"));
    }

    #[test]
    fn a_fence_of_the_plan_itself_stays() {
        let text = "# Plan: x\n\n```sh\n# how\n```\n";
        assert_eq!(read(format!("{text}{END}").as_bytes(), Some(END)).as_deref(), Ok(text));
    }

    #[test]
    fn the_schema_is_json() {
        let schema: serde_json::Value = serde_json::from_str(SCHEMA).unwrap();
        assert_eq!(schema["required"].as_array().unwrap().len(), schema["properties"].as_object().unwrap().len());
    }
}
