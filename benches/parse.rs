//! The throughput of our parser and of pulldown-cmark's event iteration on the same text: MB/s and the ratio.
//!
//! `cargo bench --bench parse [-- GOALS…]`

use std::fmt::Write as _;
use std::hint::black_box;
use std::io::Write as _;
use std::time::Instant;

fn main() {
    let asked: Vec<usize> = std::env::args().skip(1).filter_map(|word| word.parse().ok()).collect();
    let sizes = if asked.is_empty() { vec![10, 100, 1_000, 10_000, 100_000] } else { asked };
    let mut out = std::io::stdout().lock();
    let _ = writeln!(out, "| goals | bytes | lines alone MB/s | ours MB/s | pulldown-cmark MB/s | ours / theirs |");
    let _ = writeln!(out, "| --- | --- | --- | --- | --- | --- |");
    for goals in sizes {
        let text = plan(goals);
        let lines = rate(text.len(), || memchr::memchr_iter(b'\n', text.as_bytes()).count());
        let ours = rate(text.len(), || plan::plan::parse(text.as_bytes()).map_or(0, |plan| plan.steps.len()));
        let theirs = rate(text.len(), || pulldown_cmark::Parser::new(&text).count());
        let _ =
            writeln!(out, "| {goals} | {} | {lines:.0} | {ours:.0} | {theirs:.0} | {:.1} |", text.len(), ours / theirs);
    }
}

/// MB/s of the fastest of many runs.
fn rate(bytes: usize, run: impl Fn() -> usize) -> f64 {
    let started = Instant::now();
    let mut best = f64::MAX;
    let mut runs = 0;
    while runs < 5 || started.elapsed().as_millis() < 400 {
        let start = Instant::now();
        black_box(run());
        best = best.min(start.elapsed().as_secs_f64());
        runs += 1;
    }
    bytes as f64 / best / 1e6
}

/// Returns a plan of `goals` goals as people write them.
fn plan(goals: usize) -> String {
    let mut text = String::from("# Plan: Faster search\n\nSome prose about it.\n\n");
    for n in 1..=goals {
        let _ = write!(
            text,
            "## Goal: Implement part {n} of the cache layer
<!-- id: implement-part-{n} -->
status: open
done_when: p95 < 50ms on bench-{n}. If wrong: timeouts in load-test.log
verify: pytest tests/cache/test_{n}.py -q && python bench/p95.py --max-ms 50
failure_modes:
- cache silently bypassed (hit-rate ~0, latency ok by luck)
- verify passes on a trivial or gamed test
- [x] {}. wire cache client — pool of 8, see bench/pool.log
- [/] {}. eviction policy
- [ ] {}. load test

",
            3 * n - 2,
            3 * n - 1,
            3 * n
        );
    }
    text.push_str("## Log\n- 2026-06-15 14:02  cache client wired; eviction next\n");
    text
}
