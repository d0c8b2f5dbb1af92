//! `plan audit`: what a pull request can try, and what honest work looks like.

mod amended;
mod caught;
mod ci;
mod damage;
mod held;
mod history;
mod records;
mod remotes;
mod rerun;
#[path = "../../benches/speed/signed_plan.rs"]
mod signed_plan;
mod size;
mod support;
