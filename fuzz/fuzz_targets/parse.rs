//! Any bytes: reading ends, in a plan or in an error, and a plan's parts lie inside the source.
#![no_main]

libfuzzer_sys::fuzz_target!(|source: &[u8]| {
    let Ok(plan) = plan::plan::parse(source) else { return };
    for goal in plan.all_goals() {
        let body = goal.raw().body.range();
        assert!(body.end <= source.len());
        assert!(goal.steps().iter().all(|step| step.end as usize <= body.end));
        assert!(goal.fields().iter().all(|field| field.lines.end as usize <= body.end));
        let _ = (goal.failure_modes(), goal.criteria(), goal.needs());
    }
});
