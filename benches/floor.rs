//! The floor that `plan` is measured against. It uses only the standard library, reads the same file, and prints the same output or makes
//! the same change with the same two fsyncs. It checks nothing, locks nothing and keeps no undo copy.
//!
//! Compiled by `benches/speed` with `rustc -O`, so that nothing of the crate is linked in.

use std::fs::{File, rename};
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::Path;

fn main() -> io::Result<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    match args[..] {
        ["list", file] => list(Lines::open(file)?),
        ["next", file] => next(Lines::open(file)?),
        ["show", file, id] => show(Lines::open(file)?, id),
        ["inject", file] => inject(Lines::open(file)?),
        ["log", file, text] => append(file, &std::fs::read_to_string(file)?, text),
        ["done", file, number] => done(file, &std::fs::read_to_string(file)?, number),
        ["add", file, subject] => add(file, &std::fs::read_to_string(file)?, subject),
        _ => Err(io::Error::other("floor list|next|show|inject|log|done|add FILE …")),
    }
}

/// Reads a file's lines through one reused buffer, because touching new memory costs more than reading.
struct Lines {
    file: BufReader<File>,
    line: String,
}

impl Lines {
    fn open(file: &str) -> io::Result<Self> {
        Ok(Lines { file: BufReader::with_capacity(1 << 16, File::open(file)?), line: String::new() })
    }

    fn next(&mut self) -> io::Result<Option<&str>> {
        self.line.clear();
        let read = self.file.read_line(&mut self.line)?;
        Ok((read > 0).then(|| self.line.trim_end_matches('\n')))
    }
}

/// Prints every goal with its status and id, and its steps.
fn list(mut lines: Lines) -> io::Result<()> {
    let mut out = BufWriter::new(io::stdout().lock());
    let (mut subject, mut id) = (String::new(), String::new());
    while let Some(line) = lines.next()? {
        if let Some(text) = line.strip_prefix("## Goal: ") {
            replace(&mut subject, text);
        } else if let Some(text) = line.strip_prefix("<!-- id: ") {
            replace(&mut id, text.strip_suffix(" -->").unwrap_or(text));
        } else if let Some(status) = line.strip_prefix("status: ") {
            for part in [status, "  ", &id, "  ", &subject, "\n"] {
                out.write_all(part.as_bytes())?;
            }
        } else if line.starts_with("- [") {
            for part in ["  ", line, "\n"] {
                out.write_all(part.as_bytes())?;
            }
        }
    }
    out.flush()
}

/// Prints the first active goal with an open step, and that step. It reads the whole file, as `plan` must.
fn next(mut lines: Lines) -> io::Result<()> {
    let (mut goal, mut active, mut found) = (String::new(), false, None);
    while let Some(line) = lines.next()? {
        if let Some(text) = line.strip_prefix("## Goal: ") {
            replace(&mut goal, text);
            active = false;
        } else if line == "status: active" {
            active = true;
        } else if found.is_none() && active && line.starts_with("- [ ]") {
            found = Some(format!("{goal} - {line}\n"));
        }
    }
    io::stdout().write_all(found.unwrap_or_default().as_bytes())
}

/// Prints the lines of one goal.
fn show(mut lines: Lines, id: &str) -> io::Result<()> {
    let mut out = BufWriter::new(io::stdout().lock());
    let id = format!("<!-- id: {id} -->");
    let (mut heading, mut inside) = (String::new(), false);
    while let Some(line) = lines.next()? {
        if line.starts_with("## ") {
            replace(&mut heading, line);
            inside = false;
        } else if line == id {
            inside = true;
            writeln!(out, "{heading}")?;
        }
        if inside {
            writeln!(out, "{line}")?;
        }
    }
    out.flush()
}

/// Prints the lines of the active goals and the last line of the log.
fn inject(mut lines: Lines) -> io::Result<()> {
    let mut out = BufWriter::new(io::stdout().lock());
    let (mut heading, mut active, mut last) = (String::new(), false, String::new());
    while let Some(line) = lines.next()? {
        if line.starts_with("## ") {
            replace(&mut heading, line);
            active = false;
        } else if line == "status: active" {
            active = true;
            writeln!(out, "{heading}")?;
        } else if line.starts_with("- 20") {
            replace(&mut last, line);
        }
        if active {
            writeln!(out, "{line}")?;
        }
    }
    writeln!(out, "{last}")?;
    out.flush()
}

fn replace(kept: &mut String, text: &str) {
    kept.clear();
    kept.push_str(text);
}

fn append(file: &str, source: &str, text: &str) -> io::Result<()> {
    let end = source.trim_end().len();
    let line = format!("\n- 2026-06-15 14:33  {text}\n");
    swap(file, &[&source[..end], &line])
}

fn done(file: &str, source: &str, number: &str) -> io::Result<()> {
    let step = format!("\n- [ ] {number}. ");
    let at = position(source, &step)?;
    let end = source.trim_end().len();
    let line = format!("\n- 2026-06-15 14:33  step {number} complete\n");
    swap(file, &[&source[..at], "\n- [x]", &source[at + 6..end], &line])
}

fn add(file: &str, source: &str, subject: &str) -> io::Result<()> {
    let at = position(source, "\n## Log")?;
    let block = format!("\n## Goal: {subject}\n<!-- id: added-1 -->\nstatus: open\n");
    swap(file, &[&source[..at], &block, &source[at..]])
}

/// Returns the place of the line that begins like `needle` after its newline.
fn position(source: &str, needle: &str) -> io::Result<usize> {
    let mut at = 0;
    for line in source.split_inclusive('\n') {
        if line.starts_with(&needle[1..]) {
            return Ok(at - 1);
        }
        at += line.len();
    }
    Err(io::Error::other("not there"))
}

/// Writes a temporary file, with fsync, rename, and fsync of the folder.
fn swap(file: &str, parts: &[&str]) -> io::Result<()> {
    let path = Path::new(file);
    let temporary = path.with_extension("tmp");
    let mut out = File::create(&temporary)?;
    for part in parts {
        out.write_all(part.as_bytes())?;
    }
    out.sync_all()?;
    rename(&temporary, path)?;
    File::open(path.parent().unwrap_or(Path::new(".")))?.sync_all()
}
