//! The sandbox around a judge: the attacks that it stops, each with a control that shows that it works without the sandbox; the actions
//! that still work inside; and the attacks that it does not stop, so that nobody believes it does.

mod attack;
mod attacks;
mod inside;
mod judged;
mod open;
mod read_only;
mod refused;
mod verdict;

pub(crate) use attack::abi;
