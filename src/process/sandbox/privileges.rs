//! Gives up the powers of root beyond files, because Landlock does not restrict them (capabilities(7)).

use std::io;

use rustix::thread::{CapabilitySet, clear_ambient_capability_set, remove_capability_from_bounding_set};

/// What is left of root: reading and writing files whoever they belong to, as far as Landlock lets it; signals, as far as
/// that lets it; low ports. Not the modes, owners and attributes of others' files; not the clock, the kernel, raw disks,
/// others' memory.
const KEPT: CapabilitySet = CapabilitySet::DAC_OVERRIDE
    .union(CapabilitySet::DAC_READ_SEARCH)
    .union(CapabilitySet::KILL)
    .union(CapabilitySet::NET_BIND_SERVICE);

/// Takes the others away from all that is started from here on. Who is not root has none to lose.
pub(super) fn give_up() -> io::Result<()> {
    // Where none of it may be changed, there is no right to it either.
    let _ = clear_ambient_capability_set();
    for bit in 0..u64::BITS {
        let one = CapabilitySet::from_bits_retain(1 << bit);
        if !KEPT.contains(one) {
            match remove_capability_from_bounding_set(one) {
                // No such capability: neither are the higher ones.
                Err(rustix::io::Errno::INVAL) => break,
                // Without the right to give up: not root, or in a container that keeps it. The rest holds all the same.
                Err(rustix::io::Errno::PERM) => break,
                other => other?,
            }
        }
    }
    Ok(())
}
