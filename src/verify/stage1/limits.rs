//! The time limits of a command and a judge (`SIGNOFF.md` §2, §5).

use std::time::Duration;

use crate::config::{self, Config};
use crate::plan::model::Plan;

/// Time limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeLimits {
    /// For a verify, check or run.
    pub verify: Duration,
    /// For one run of a judge.
    pub judge: Duration,
}

impl TimeLimits {
    /// Returns the caps, lowered by the user's configuration, the front matter of a plan and the caller. None of them can raise a cap.
    pub fn of(plan: Option<&Plan<'_>>, config: &Config, caller: Option<Duration>) -> Self {
        let lower = |cap: u64, user: Option<u64>, key: &str| {
            let front = plan
                .and_then(|plan| plan.front_value(key))
                .and_then(|text| text.parse::<u64>().ok())
                .filter(|seconds| *seconds > 0);
            let seconds = [user.filter(|seconds| *seconds > 0), front].into_iter().flatten().fold(cap, u64::min);
            caller.map_or(Duration::from_secs(seconds), |caller| caller.min(Duration::from_secs(seconds)))
        };
        TimeLimits {
            verify: lower(config::VERIFY_SECONDS, config.verify_timeout, "verify_timeout"),
            judge: lower(config::JUDGE_SECONDS, config.judge_timeout, "judge_timeout"),
        }
    }
}
