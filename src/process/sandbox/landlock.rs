//! Landlock (landlock(7)): a process permanently gives up rights for itself and for all processes that it starts.

use std::fs;
use std::path::{Path, PathBuf};

use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible, PathBeneath, PathFd, RestrictSelfAttr,
    Ruleset, RulesetAttr, RulesetCreated, RulesetCreatedAttr, RulesetError, RulesetStatus, Scope,
};

use super::FLOOR;

/// The newest ABI that the `landlock` crate knows.
const NEWEST: u8 = ABI::V9 as u8;
/// Always writable: programs write to it, and nobody can read the data.
const SINK: &str = "/dev/null";

/// The newest ABI of this kernel, from [`FLOOR`] on. Each ABI is probed by the features that it introduced.
pub(super) fn newest() -> Option<u8> {
    (FLOOR..=NEWEST).rev().find(|&abi| has(abi).is_ok())
}

/// Checks that this kernel supports a set of rules with all features of `abi`.
fn has(abi: u8) -> Result<(), RulesetError> {
    let mut rules = rules(abi)?;
    let version = ABI::from(i32::from(abi));
    if version >= ABI::V7 {
        rules = rules.log_same_exec(true).and_then(|rules| rules.log_new_exec(true))?;
    }
    if version >= ABI::V8 {
        rules.all_threads(true)?;
    }
    Ok(())
}

/// A set of rules that forbids every write, and everything else that `abi` can forbid except reading, running and the
/// network. Fails if the kernel supports less.
fn rules(abi: u8) -> Result<RulesetCreated, RulesetError> {
    let version = ABI::from(i32::from(abi));
    let mut rules = Ruleset::default().set_compatibility(CompatLevel::HardRequirement);
    rules = rules.handle_access(AccessFs::from_write(version))?;
    let scopes = Scope::from_all(version);
    if !scopes.is_empty() {
        rules = rules.scope(scopes)?;
    }
    // Only a probe for ABI 4, which introduced it. The network stays allowed, because a judge asks its model.
    if version >= ABI::V4 {
        Ruleset::default()
            .set_compatibility(CompatLevel::HardRequirement)
            .handle_access(AccessNet::from_all(version))?;
    }
    rules.create()
}

/// The access rights in a writable folder. Device files are excluded: as root, one would give access to the whole disk.
fn inside(version: ABI) -> BitFlags<AccessFs> {
    AccessFs::from_write(version) & !(AccessFs::MakeBlock | AccessFs::MakeChar | AccessFs::IoctlDev)
}

/// Restricts this process, which must have only one thread.
///
/// # Errors
/// One line: the kernel does not support all of `abi`, or refused.
pub(super) fn restrict(abi: u8, writable: &[PathBuf]) -> Result<(), String> {
    let failed = |error: RulesetError| error.to_string();
    if abi > NEWEST {
        return Err(format!("Landlock ABI {abi} is unknown"));
    }
    let version = ABI::from(i32::from(abi));
    has(abi).map_err(failed)?;
    let mut rules = rules(abi).map_err(failed)?;
    for path in writable.iter().map(PathBuf::as_path).filter(|path| path.exists()) {
        rules = rules.add_rule(beneath(path, inside(version), version)?).map_err(failed)?;
    }
    let sink = AccessFs::WriteFile | AccessFs::Truncate;
    rules = rules.add_rule(beneath(Path::new(SINK), sink, version)?).map_err(failed)?;
    let status = rules.restrict_self().map_err(failed)?;
    match status.ruleset == RulesetStatus::FullyEnforced && status.no_new_privs {
        true => Ok(()),
        false => Err(format!("Landlock is enforced only in part: {:?}", status.ruleset)),
    }
}

fn beneath(path: &Path, access: BitFlags<AccessFs>, version: ABI) -> Result<PathBeneath<PathFd>, String> {
    let failed = |why: String| format!("`{}` cannot be made writable: {why}", path.display());
    let kind = fs::metadata(path).map_err(|error| failed(error.to_string()))?;
    let access = if kind.is_dir() { access } else { access & AccessFs::from_file(version) };
    let file = PathFd::new(path).map_err(|error| failed(error.to_string()))?;
    Ok(PathBeneath::new(file, access).set_compatibility(CompatLevel::HardRequirement))
}
