//! Reads and changes mutated plans, on the stable toolchain. It counts executions and checks that nothing outside the edits was touched; every eighth text is
//! merged with another one grown from the same text. `cargo bench --bench fuzz [-- COUNT [SEED]]`; `PLAN_CORPUS` names a folder of start files.

use std::io::Write as _;
use std::time::Instant;

use plan::plan::change::{Change, NewGoal, edits};
use plan::plan::edit::apply;
use plan::plan::merge::{Markers, MergedText, merge};
use plan::plan::model::{Key, Mark, Status};
use plan::plan::parse;

#[path = "../tests/it/plan/kept.rs"]
mod kept;
use kept::{is_only_moved, is_untouched_outside};

/// A small random generator. Everything that is tried depends only on the seed.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit.max(1) as u64) as usize
    }
}

/// The pieces that mutations insert: bytes with a meaning in a plan.
const WORDS: &[&[u8]] = &[
    b"\n", b"\r\n", b"\n\n", b" ", b"    ", b"\t", b"- [ ] ", b"- [x] 1. ", b"- ", b"* ", b"10. ", b"## Goal: G\n",
    b"### x\n", b"## Log\n", b"# Archive\n", b"# Plan: p\n", b"<!-- id: a-1 -->\n", b"<!--", b"-->", b"```\n", b"~~~",
    b"status: done\n", b"done_when:", b"verify: x\n", b"failure_modes:\n- a\n", b"needs: a-1\n", b" \xe2\x80\x94 ",
    b"(after 1)", b"(run: x)", b"- 2026-06-15 14:02  x\n", b"---\n", b"\xef\xbb\xbf", b"\xff", b"\0", b"<<<<<<< a\n",
    b"=======\n", b">>>>>>> b\n", b"#", b">", b"\\",
];

fn main() {
    let mut numbers = std::env::args().skip(1).filter_map(|word| word.parse::<u64>().ok());
    let (count, seed) = (numbers.next().unwrap_or(200_000), numbers.next().unwrap_or(20_260_615));
    let seeds = seeds();
    let mut random = Random(seed | 1);
    let (mut read, mut unread, mut written, mut refused, mut merged) = (0u64, 0u64, 0u64, 0u64, 0u64);
    let started = Instant::now();
    for round in 0..count {
        let mut source = seeds[random.below(seeds.len())].clone();
        for _ in 0..=random.below(6) {
            mutate(&mut source, &mut random);
        }
        if round % 8 == 0 {
            merged += u64::from(both_ways(&source, &mut random));
        }
        let Ok(plan) = parse(&source) else {
            unread += 1;
            continue;
        };
        read += 1;
        assert!(apply(&source, &[]).is_ok_and(|bytes| bytes == source), "no change: {}", source.escape_ascii());
        for _ in 0..4 {
            let change = change(&mut random, plan.goals.len(), plan.steps.len());
            let Ok(edits) = edits(&plan, std::slice::from_ref(&change)) else {
                refused += 1;
                continue;
            };
            written += 1;
            let bytes = apply(&source, &edits).unwrap_or_default();
            assert!(is_untouched_outside(&source, &bytes, &edits), "{change:?}: {}", source.escape_ascii());
            assert!(is_only_moved(&source, &bytes, &change), "{change:?}: {}", source.escape_ascii());
            assert!(parse(&bytes).is_ok(), "unreadable after {change:?}: {}", source.escape_ascii());
        }
    }
    let seconds = started.elapsed().as_secs_f64();
    let _ = writeln!(
        std::io::stdout(),
        "{count} texts (seed {seed}) in {seconds:.1} s: {read} read, {unread} refused by name; {written} changes written, {refused} refused; {merged} clean merges, the same both ways; \
         no panic, every byte outside the edits identical, what was moved too"
    );
}

/// Grows two sides from a text and merges them both ways: the same bytes, or a conflict both times.
fn both_ways(base: &[u8], random: &mut Random) -> bool {
    let mut side = || {
        let mut text = base.to_vec();
        for _ in 0..=random.below(4) {
            mutate(&mut text, random);
        }
        text
    };
    let (ours, theirs) = (side(), side());
    let mut text = |[base, ours, theirs]: [&[u8]; 3]| Ok(MergedText::conflict([Some(base), Some(ours), Some(theirs)]));
    let mut one_way = |ours: &[u8], theirs: &[u8]| {
        let merged = merge([base, ours, theirs], "2026-06-15 14:33", &mut text).ok();
        let merged = merged.filter(|merged| merged.conflicts() == 0);
        merged.map(|merged| merged.render(&Markers::default()))
    };
    let (one, other) = (one_way(&ours, &theirs), one_way(&theirs, &ours));
    assert!(one == other, "{}\n{}\n{}", base.escape_ascii(), ours.escape_ascii(), theirs.escape_ascii());
    one.is_some()
}

fn seeds() -> Vec<Vec<u8>> {
    let mut seeds = vec![include_bytes!("../fixtures/plans/valid/whole.md").to_vec()];
    if let Some(folder) = std::env::var_os("PLAN_CORPUS") {
        let files = std::fs::read_dir(folder)
            .into_iter()
            .flatten()
            .flatten()
            .filter_map(|entry| std::fs::read(entry.path()).ok());
        seeds.extend(files.filter(|text| text.len() < 20_000));
    }
    // Only the whole plan has everything that can be changed, so every second text starts from it.
    let whole = vec![seeds[0].clone(); seeds.len()];
    seeds.extend(whole);
    seeds
}

fn mutate(source: &mut Vec<u8>, random: &mut Random) {
    let at = random.below(source.len() + 1);
    match random.below(6) {
        0 => drop(source.splice(at..at, WORDS[random.below(WORDS.len())].iter().copied())),
        1 => {
            let end = (at + random.below(40)).min(source.len());
            source.drain(at..end);
        }
        2 => {
            let end = (at + random.below(200)).min(source.len());
            let piece = source[at..end].to_vec();
            let to = random.below(source.len() + 1);
            source.splice(to..to, piece);
        }
        3 if at < source.len() => source[at] = random.next() as u8,
        4 => {
            // Removes the next line break.
            if let Some(newline) = memchr::memchr(b'\n', &source[at..]) {
                source.remove(at + newline);
            }
        }
        _ => {
            let start = memchr::memrchr(b'\n', &source[..at]).map_or(0, |newline| newline + 1);
            source.splice(start..start, WORDS[random.below(WORDS.len())].iter().copied());
        }
    }
}

fn change(random: &mut Random, goals: usize, steps: usize) -> Change {
    let texts = ["x", "two\nlines", "- [x] y", "## Goal: z", "<!-- a", "a \u{2014} b", "```", "", "(run: a) (after 1)"];
    let text = texts[random.below(texts.len())].to_owned();
    let (goal, step) = (random.below(goals), random.below(steps));
    let key = Key::ALL[random.below(Key::ALL.len())];
    match random.below(15) {
        0 => Change::SetStatus { goal, status: Status::Done },
        1 => Change::SetMark { step, mark: Mark::Complete, outcome: Some(text) },
        2 => Change::AppendLog { stamp: "2026-06-15 14:33".into(), text },
        3 => Change::SetField { goal, key, values: vec![text; random.below(3)] },
        4 => Change::SetField { goal, key, values: vec![text, "b".to_owned()] },
        5 => Change::SetSubject { goal, subject: text },
        6 => Change::RemoveGoal { goal },
        7 => Change::AddStep { goal, text, after: vec![1; random.below(2)], run: None, note: None },
        8 => Change::SetStepText { step, text },
        9 => Change::MoveStep { step, goal, at: Some(1 + random.below(3)) },
        10 => Change::RemoveStep { step },
        11 => Change::Archive { goals: vec![goal] },
        12 => Change::Restore { goal },
        13 => Change::SetObjective { text },
        _ => Change::AddGoal(NewGoal {
            subject: text.clone(),
            done_when: vec![text.clone()],
            steps: vec![text.into()],
            ..NewGoal::default()
        }),
    }
}
