//! `error-swallowed`: added code that catches errors and drops them, or only reports them. It may be right, so it is a note for
//! the judge.

mod report;

use self::report::Skipped;
use super::{AddedLine, at_each, lines, sources};
use crate::gate::facts::GateFacts;
use crate::gate::source_text::{indent, is_of_name};
use crate::gate::{GateFinding, GateLevel};

/// Bodies of handlers that ignore the error.
const NOTHING: [&str; 12] = [
    "pass", "continue", "return", "return None", "return []", "return {}", "return \"\"", "return ''", "return 0",
    "return False", "return True", "...",
];
/// Whole handlers in one line, without white space.
const EMPTY: [&str; 9] = [
    "catch{}", ".catch(()=>{})", ".catch(()=>null)", ".catch(()=>undefined)", "rescuenil", "=>{}}//ignored",
    "catch(_){}", ".catch(console.error)", ".catch(console.log)",
];

pub(super) fn find(facts: &GateFacts<'_>) -> Vec<GateFinding> {
    let dropping = lines(sources(facts, false)).filter(|AddedLine { file, number, text }| {
        drops(text, file.now.as_deref().unwrap_or_default().lines().skip(*number))
    });
    let (says, resolve) =
        ("the work catches errors here and drops them", "let the error be seen, or say why it may be dropped");
    let found = at_each(dropping, "error-swallowed", "errors that somebody sees", says, resolve);
    found.into_iter().map(|finding| finding.level(GateLevel::Note)).collect()
}

/// Whether a line catches errors, and this line or the lines below drop them.
fn drops<'t>(line: &str, below: impl Iterator<Item = &'t str>) -> bool {
    let text = line.trim();
    if let Some(rest) = text.strip_prefix("except") {
        return (rest.is_empty() || rest.starts_with([' ', ':', '('])) && drops_in_python(line, rest, below);
    }
    // Go: the work reports the error and goes on as if there were none.
    if text.starts_with("if ") && text.ends_with("err != nil {") {
        return report::skip(below).next.is_some_and(|next| next.trim() == "}");
    }
    let dense: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    let is_empty_catch = dense.split_once("catch(").and_then(|(_, rest)| rest.split_once(')'));
    EMPTY.iter().any(|handler| dense.contains(handler))
        || is_empty_catch.is_some_and(|(_, body)| body.starts_with("{}"))
        || after_catch(text).is_some_and(|handler| match handler.ends_with('{') {
            true => report::skip(below).next.is_some_and(|next| next.trim().starts_with('}')),
            false => report::is_all(in_line(handler)),
        })
}

/// Whether the handler that begins with `line` drops the error: `rest` is the text after `except`.
fn drops_in_python<'t>(line: &str, rest: &str, below: impl Iterator<Item = &'t str>) -> bool {
    let is_nothing = |body: &str| NOTHING.contains(&body.split('#').next().unwrap_or_default().trim());
    let body = rest.split_once(':').map(|(_, body)| body.trim()).unwrap_or_default();
    if !body.is_empty() && !body.starts_with('#') {
        return is_nothing(body) || report::is_all(body);
    }
    let Skipped { reports, next } = report::skip(below);
    let is_end = next.is_none_or(|next| indent(next) <= indent(line));
    next.is_some_and(is_nothing) || reports > 0 && is_end
}

fn after_catch(text: &str) -> Option<&str> {
    let (before, rest) = text.split_once("catch")?;
    (!before.ends_with(is_of_name) && rest.starts_with([' ', '(', '{'])).then_some(rest)
}

/// Returns the body of a handler in one line: `(error) { BODY }`, `(error => BODY);`.
fn in_line(handler: &str) -> &str {
    let block = handler.split_once('{').and_then(|(_, rest)| rest.rsplit_once('}')).map(|(body, _)| body);
    let arrow = || handler.split_once("=>").map(|(_, body)| body.trim_end_matches(';').trim_end());
    block.or_else(|| arrow()?.strip_suffix(')')).unwrap_or_default()
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
            assert!(drops(line, below.lines()), "{line}");
        }
        for (line, below) in [
            ("except OSError as error:", "    raise Missing(path) from error"),
            ("except KeyError:", "    return default"),
            ("exceptional = True", "pass"),
            ("} catch (error) {", "  report(error);"),
            ("catches.push(1);", "}"),
        ] {
            assert!(!drops(line, below.lines()), "{line}");
        }
    }

    // P-5
    #[test]
    fn a_handler_that_only_reports_drops_the_error() {
        for (line, below) in [
            ("    except OSError as error:", "        log.error(error)\n        return None"),
            ("    except OSError as error:", "        print(error)\n\n    return total"),
            ("except OSError:", "    self.logger.exception(\n        'cannot save (%s)',\n        path,\n    )"),
            ("except OSError as error: print(error)", "raise Missing"),
            ("  } catch (error) {", "    console.error(error);\n  }"),
            ("} catch (error) { console.error(`${error}`); }", ""),
            ("save().catch((error) => {", "  console.warn(error);\n});"),
            ("save().catch(error => console.log(error));", "next();"),
            ("save().catch(console.error);", "next();"),
            ("} catch (IOException e) {", "e.printStackTrace();\n} finally {"),
            ("} catch (Exception $e) {", "$this->logger->error($e->getMessage());\n}"),
            ("\tif err != nil {", "\t\tlog.Println(err)\n\t}"),
            ("\tif err := save(); err != nil {", "\t\tfmt.Fprintln(os.Stderr, err) // why\n\t}"),
        ] {
            assert!(drops(line, below.lines()), "{line}\n{below}");
        }
        for (line, below) in [
            ("    except OSError as error:", "        log.error(error)\n        raise"),
            ("    except OSError as error:", "        print(error); sys.exit(1)\n    return 1"),
            ("    except OSError as error:", "        print(error)\n        return 1"),
            // It says why it drops the error.
            ("    except OSError as error:", "        # The file is optional.\n        pass"),
            ("} catch (error) {", "  console.error(error);\n  process.exit(1);\n}"),
            ("} catch (error) { console.error(error); throw error; }", "}"),
            ("main().catch((error) => { console.error(error); process.exitCode = 1; });", ""),
            ("function catchAll(error) {", "  console.error(error);\n}"),
            ("\tif err != nil {", "\t\tlog.Println(err)\n\t\treturn err\n\t}"),
            ("\tif err != nil {", "\t\tlog.Fatal(err)\n\t}"),
            ("\tif err != nil {", "\t\tlog.Println(err)\n\t} else {"),
        ] {
            assert!(!drops(line, below.lines()), "{line}\n{below}");
        }
    }
}
