//! Gives up the powers of root beyond files, because Landlock does not restrict them (capabilities(7)).

use std::io;

use rustix::thread::{CapabilitySet, clear_ambient_capability_set, remove_capability_from_bounding_set};

/// The capabilities that root keeps: reading and writing any user's files and sending signals, both as far as Landlock allows
/// it; low ports. Root loses the right to change modes, owners and attributes of others' files, and access to the clock, the
/// kernel, raw disks and the memory of others.
const KEPT: CapabilitySet = CapabilitySet::DAC_OVERRIDE
    .union(CapabilitySet::DAC_READ_SEARCH)
    .union(CapabilitySet::KILL)
    .union(CapabilitySet::NET_BIND_SERVICE);

/// Takes the other capabilities away from all programs that are started from now on. A user other than root has none to lose.
pub(super) fn give_up() -> io::Result<()> {
    // If the set cannot be changed, there are no such capabilities either.
    let _ = clear_ambient_capability_set();
    for bit in 0..u64::BITS {
        let one = CapabilitySet::from_bits_retain(1 << bit);
        if !KEPT.contains(one) {
            match remove_capability_from_bounding_set(one) {
                // This capability does not exist, nor do the higher ones.
                Err(rustix::io::Errno::INVAL) => break,
                // We may not give up capabilities: not root, or in a container that denies it. The other restrictions still apply.
                Err(rustix::io::Errno::PERM) => break,
                other => other?,
            }
        }
    }
    Ok(())
}
