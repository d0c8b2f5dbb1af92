//! The sandbox around a judge: what it holds back, each with the control that shows the attack works without it; what
//! goes on working inside; what it does not hold back, so that nobody believes it does.

mod attack;
mod attacks;
mod inside;
mod judged;
mod open;
mod read_only;
mod refused;
mod verdict;

pub(crate) use attack::abi;
