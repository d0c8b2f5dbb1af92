//! `plan audit`: the tricks that a pull request can try, and honest work for comparison.

mod amended;
mod caught;
mod ci;
mod damage;
mod held;
mod history;
mod judges;
mod records;
mod remotes;
mod rerun;
#[path = "../../benches/speed/signed_plan.rs"]
mod signed_plan;
mod size;
mod support;
