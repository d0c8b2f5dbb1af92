//! `error-swallowed`: added code that catches errors and drops them. It may be right, so it is a note for the judge.

use super::{AddedLine, at_each, lines, sources};
use crate::gate::facts::GateFacts;
use crate::gate::{GateFinding, GateLevel};

/// Bodies of handlers that ignore the error.
const NOTHING: [&str; 12] = [
    "pass", "continue", "return", "return None", "return []", "return {}", "return \"\"", "return ''", "return 0",
    "return False", "return True", "...",
];
/// Whole handlers in one line, without white space.
const EMPTY: [&str; 7] = [
    "catch{}", ".catch(()=>{})", ".catch(()=>null)", ".catch(()=>undefined)", "rescuenil", "=>{}}//ignored",
    "catch(_){}",
];

/// Returns the notes of this scan.
pub(super) fn find(facts: &GateFacts<'_>) -> Vec<GateFinding> {
    let dropping = lines(sources(facts, false)).filter(|AddedLine { file, number, text }| {
        drops(text, file.now.as_deref().unwrap_or_default().lines().nth(*number))
    });
    let (says, resolve) =
        ("the work catches errors here and drops them", "let the error be seen, or say why it may be dropped");
    let found = at_each(dropping, "error-swallowed", "errors that somebody sees", says, resolve);
    found.into_iter().map(|finding| finding.level(GateLevel::Note)).collect()
}

/// Whether a line catches errors, and this line or the line below drops them.
fn drops(line: &str, below: Option<&str>) -> bool {
    let text = line.trim();
    if let Some(rest) = text.strip_prefix("except") {
        let is_handler = rest.is_empty() || rest.starts_with([' ', ':', '(']);
        let body = rest.rsplit_once(':').map(|(_, body)| body.trim()).unwrap_or_default();
        let body = if body.is_empty() || body.starts_with('#') { below.unwrap_or_default().trim() } else { body };
        return is_handler && NOTHING.contains(&body.split('#').next().unwrap_or_default().trim());
    }
    let dense: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    let is_empty_catch = dense.split_once("catch(").and_then(|(_, rest)| rest.split_once(')'));
    EMPTY.iter().any(|handler| dense.contains(handler))
        || is_empty_catch.is_some_and(|(_, body)| body.starts_with("{}"))
        || text.ends_with('{') && dense.contains("catch") && below.is_some_and(|below| below.trim().starts_with('}'))
}

#[cfg(test)]
mod tests {
    use super::*;

    // P-5
    #[test]
    fn a_handler_that_does_nothing_drops_the_error() {
        for (line, below) in [
            ("    except Exception:", "        pass"),
            ("except (OSError, ValueError) as error:  # why", "    return None"),
            ("except: continue", ""),
            ("} catch (error) {}", ""),
            ("} catch (error) {", "}"),
            ("save().catch(() => {});", ""),
            ("value = load rescue nil", ""),
        ] {
            assert!(drops(line, Some(below)), "{line}");
        }
        for (line, below) in [
            ("except OSError as error:", "    raise Missing(path) from error"),
            ("except KeyError:", "    return default"),
            ("exceptional = True", "pass"),
            ("} catch (error) {", "  report(error);"),
            ("catches.push(1);", "}"),
        ] {
            assert!(!drops(line, Some(below)), "{line}");
        }
    }
}
