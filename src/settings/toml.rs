//! Edits TOML: adds one table at the end of a document, or removes its lines. Each change is checked: all other entries must
//! mean the same in the new text.

use toml::de::DeTable;
use toml::{Table, Value};

use super::edit::{Edit, apply};
use super::obstacle::Obstacle;

/// Parses a text.
///
/// # Errors
/// The mistake in the text, in one line.
pub(super) fn table(text: &str) -> Result<Table, String> {
    text.parse::<Table>().map_err(|error| {
        let at = error.span().map_or(0, |span| span.start.min(text.len()));
        let line = text.get(..at).map_or(0, |front| front.matches('\n').count()) + 1;
        format!("{} on line {line}", error.message().lines().collect::<Vec<_>>().join(", "))
    })
}

/// Returns the value at a dotted path.
pub(super) fn at<'t>(table: &'t Table, path: &str) -> Option<&'t Value> {
    let mut keys = path.split('.');
    let first = table.get(keys.next()?)?;
    keys.try_fold(first, |value, key| value.as_table()?.get(key))
}

/// Adds the table `path` with `lines` below its header.
///
/// # Errors
/// In one line: the text cannot be read, or such a table cannot be added to it.
pub(super) fn add(text: &str, path: &str, lines: &str) -> Result<Vec<Edit>, String> {
    let before = table(text)?;
    let eol = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let mut new = format!("[{path}]\n{lines}").replace('\n', eol);
    if !text.is_empty() {
        let gap = if text.ends_with('\n') { eol.to_owned() } else { eol.repeat(2) };
        // If the text has no final line end, the new text has none either, so that the table can be removed without a record.
        if !text.ends_with('\n') {
            new.truncate(new.len() - eol.len());
        }
        new = gap + &new;
    }
    let after = table(&format!("{text}{new}"))
        .map_err(|_| format!("`[{path}]` cannot be added to the entries that are there"))?;
    if at(&after, path).is_none() || !same(&before, &without(after, path)) {
        return Err(format!("`[{path}]` cannot be added without changing other entries"));
    }
    Ok(vec![Edit { at: text.len(), old: String::new(), new }])
}

/// Sets `key` of the table `path` to `new`, a text or a list of texts. A missing key is added below the table's first line.
///
/// # Errors
/// In one line: the text cannot be read, or the table does not have lines of its own.
pub(super) fn replace(text: &str, path: &str, key: &str, new: &Value) -> Result<Vec<Edit>, String> {
    let missing = || format!("`{path}.{key}` is not there");
    let document = DeTable::parse(text).map_err(|error| error.message().to_owned())?;
    let mut table = document.get_ref();
    for step in path.split('.') {
        table = table.get(step).and_then(|value| value.get_ref().as_table()).ok_or_else(missing)?;
    }
    // A JSON string, and a list of them, is valid TOML.
    let value = serde_json::to_string(new).unwrap_or_default();
    let edit = match table.get(key) {
        Some(old) => Edit { at: old.span().start, old: text[old.span()].to_owned(), new: value },
        None => {
            let first = table.values().map(|value| value.span().end).min().ok_or_else(missing)?;
            let line = text[first..].find('\n').ok_or_else(missing)?;
            let eol = if text[..first + line].ends_with('\r') { "\r\n" } else { "\n" };
            Edit { at: first + line + 1, old: String::new(), new: format!("{key} = {value}{eol}") }
        }
    };
    let mut expected = self::table(text)?;
    let holder = path.split('.').try_fold(&mut expected, |table, step| table.get_mut(step)?.as_table_mut());
    holder.ok_or_else(missing)?.insert(key.to_owned(), new.clone());
    let after = apply(text, std::slice::from_ref(&edit)).and_then(|after| self::table(&after).ok());
    match after.is_some_and(|after| same(&after, &expected)) {
        true => Ok(vec![edit]),
        false => Err(format!("`{path}.{key}` cannot be changed without changing other entries")),
    }
}

/// Removes the table `path`, with everything that a person or the client added to it and below it.
///
/// # Errors
/// In one line: the text cannot be read, or the table cannot be separated from others.
pub(super) fn remove(text: &str, path: &str) -> Result<Vec<Edit>, Obstacle> {
    let expected = without(table(text)?, path);
    let (mut left, mut edits) = (text.to_owned(), Vec::new());
    // From the end, so that a table is removed after the tables below it.
    for start in headers(text, path).into_iter().rev() {
        // A line in a multi-line string may look like a header, so a cut that changes other entries is skipped.
        if let Some(edit) = cut(&left, start)
            && let Some(after) = apply(&left, std::slice::from_ref(&edit))
            && table(&after).is_ok_and(|found| same(&without(found, path), &expected))
        {
            left = after;
            edits.push(edit);
        }
    }
    match at(&table(&left)?, path) {
        None => Ok(edits),
        Some(_) => Err(Obstacle::Joined(format!("`[{path}]` cannot be removed without changing other entries"))),
    }
}

/// Returns the starts of lines that look like the header of the table `path`, or of a table below it.
fn headers(text: &str, path: &str) -> Vec<usize> {
    let is_header = |line: &str| {
        let name = line.trim().trim_start_matches('[').trim_start();
        line.trim().starts_with('[')
            && name.strip_prefix(path).is_some_and(|rest| rest.trim_start().starts_with([']', '.']))
    };
    let starts = text.split_inclusive('\n').scan(0, |at, line| {
        *at += line.len();
        Some((*at - line.len(), line))
    });
    starts.filter(|(_, line)| is_header(line)).map(|(start, _)| start).collect()
}

/// Cuts the lines from `start` to the last entry before the next header, with the blank line before them.
fn cut(text: &str, start: usize) -> Option<Edit> {
    let (mut at, mut end) = (start, start);
    for (index, line) in text[start..].split_inclusive('\n').enumerate() {
        let content = line.trim();
        let front = content.split('#').next().unwrap_or_default().trim_end();
        let is_closed = content.ends_with(']') || front.ends_with(']');
        if index > 0 && content.starts_with('[') && is_closed && !front.contains('=') {
            break;
        }
        at += line.len();
        if !content.is_empty() && !content.starts_with('#') {
            end = at;
        }
    }
    let mut from = start;
    let strip =
        |text: &str| Some(text.strip_suffix('\n').map_or(text, |text| text.strip_suffix('\r').unwrap_or(text)).len());
    if text[..from].ends_with("\n\n") || text[..from].ends_with("\n\r\n") {
        from = strip(&text[..from])?;
    }
    if end == text.len() && !text.ends_with('\n') {
        from = strip(&text[..from])?;
    }
    Some(Edit { at: from, old: text[from..end].to_owned(), new: String::new() })
}

fn without(mut table: Table, path: &str) -> Table {
    let keys: Vec<&str> = path.split('.').collect();
    drop_at(&mut table, &keys);
    table
}

/// Removes the entry, and the tables above it that become empty.
fn drop_at(table: &mut Table, keys: &[&str]) {
    let Some((first, rest)) = keys.split_first() else { return };
    if rest.is_empty() {
        table.remove(*first);
        return;
    }
    if let Some(Value::Table(inner)) = table.get_mut(*first) {
        drop_at(inner, rest);
        if inner.is_empty() {
            table.remove(*first);
        }
    }
}

/// Returns true if both mean the same. Here NaN equals itself, and empty tables are ignored, such as an empty one above ours.
fn same(a: &Table, b: &Table) -> bool {
    format!("{:?}", bare(a)) == format!("{:?}", bare(b))
}

fn bare(table: &Table) -> Table {
    table
        .iter()
        .filter(|(_, value)| !value.as_table().is_some_and(Table::is_empty))
        .map(|(key, value)| (key.clone(), value.clone()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATH: &str = "mcp_servers.plan";
    const LINES: &str = "command = \"plan\"\nargs = [\"mcp\"]\n";

    #[test]
    fn what_was_there_comes_back_byte_for_byte() {
        for text in [
            "",
            "a = 1\n",
            "a = 1",
            "# only a comment\n",
            "# c\r\n[x]\r\ny = 1\r\n",
            "[x]\r\ny = 1",
            "\n\n[mcp_servers.other] # mine\ncommand = 'x'\n\n\n",
            "[mcp_servers]\n[mcp_servers.other]\ncommand = 'x'\n",
            "[mcp_servers]\n",
            "a = '''\n[mcp_servers.plan]\ncommand = 1\n'''\n",
            "[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = \"command\"\n",
            "x = nan\n",
        ] {
            let added = apply(text, &add(text, PATH, LINES).unwrap()).unwrap();
            let found = table(&added).unwrap();
            assert_eq!(at(&found, PATH).unwrap()["args"][0].as_str(), Some("mcp"), "{text:?}");
            assert_eq!(apply(&added, &remove(&added, PATH).unwrap()).as_deref(), Some(text), "{added:?}");
        }
    }

    #[test]
    fn the_program_is_corrected_in_its_place() {
        let text = "[mcp_servers.plan]\r\ncommand = '/old/plan' # where\r\nargs = [\"mcp\"]\r\n";
        let after = apply(text, &replace(text, PATH, "command", &"plan".into()).unwrap()).unwrap();
        assert_eq!(after, text.replace("'/old/plan'", "\"plan\""));
        assert!(replace("a = 1\n", PATH, "command", &"plan".into()).is_err());
    }

    #[test]
    fn a_list_is_added_or_grows() {
        let list = |names: &[&str]| Value::from(names.to_vec());
        let text = "[mcp_servers.plan]\r\ncommand = 'plan' # where\r\nargs = [\"mcp\"]\r\n[z]\r\n";
        let one = apply(text, &replace(text, PATH, "env_vars", &list(&["A"])).unwrap()).unwrap();
        assert_eq!(one, text.replace("# where\r\n", "# where\r\nenv_vars = [\"A\"]\r\n"));
        let two = apply(&one, &replace(&one, PATH, "env_vars", &list(&["A", "B"])).unwrap()).unwrap();
        assert_eq!(two, one.replace("[\"A\"]", "[\"A\",\"B\"]"));
        let inline = "mcp_servers.plan = { command = 'plan' }\n";
        assert!(replace(inline, PATH, "env_vars", &list(&["A"])).is_err());
    }

    #[test]
    fn what_a_person_wrote_around_it_stays() {
        let text = "a = 1\n\n[mcp_servers.plan] \ncommand = \"plan\"\nenv = { A = \"1\" } # own\n# below\n\n[z]\nb = [\n  1,\n]\n";
        let left = apply(text, &remove(text, PATH).unwrap()).unwrap();
        assert_eq!(left, "a = 1\n# below\n\n[z]\nb = [\n  1,\n]\n");
    }

    #[test]
    fn what_stands_below_it_goes_with_it() {
        for below in [
            "[mcp_servers.plan.tools.plan_log]\napproval_mode = \"approve\"\n",
            "[mcp_servers.plan.env] # own\nA = \"1\"\n",
            "[[mcp_servers.plan.x]]\ny = 1\n[[mcp_servers.plan.x]]\ny = 2\n",
            "[mcp_servers.plan.\"a.b\"]\n[ mcp_servers.plan.c ]\n",
        ] {
            for rest in [
                "",
                "\n[mcp_servers.plan2]\ncommand = 'x'\n[mcp_servers.planner.env]\n",
                "\n[z]\na = '''\n[mcp_servers.plan.env]\n'''\n",
            ] {
                let text = format!("a = 1\n\n[mcp_servers.plan]\n{LINES}\n{below}{rest}");
                let left = apply(&text, &remove(&text, PATH).unwrap()).unwrap();
                assert_eq!(left, format!("a = 1\n{rest}"), "{text}");
            }
        }
        let text = format!("[mcp_servers.plan] # own\n{LINES}");
        assert_eq!(apply(&text, &remove(&text, PATH).unwrap()).as_deref(), Some(""));
    }

    #[test]
    fn what_cannot_take_it_is_refused() {
        for (text, why) in [
            (
                "mcp_servers = { x = { command = 'x' } }\n",
                "`[mcp_servers.plan]` cannot be added to the entries that are there",
            ),
            ("mcp_servers = 3\n", "`[mcp_servers.plan]` cannot be added to the entries that are there"),
            ("[mcp_servers.plan]\n", "`[mcp_servers.plan]` cannot be added to the entries that are there"),
        ] {
            assert_eq!(add(text, PATH, LINES).unwrap_err(), why, "{text}");
        }
        assert!(add("a = \n", PATH, LINES).unwrap_err().ends_with("on line 1"));
        assert!(remove("[mcp_servers]\nplan.command = 'x'\n", PATH).is_err());
    }
}
