//! The subcommands of `plan install` and `plan uninstall`: one for each host of the table, and the others.

use clap::{ArgMatches, FromArgMatches, Subcommand};

use crate::host::{self, HOSTS, Host};

/// A host with its arguments, or another target.
#[derive(Debug)]
pub(super) enum InstallTarget<A, O> {
    Host(&'static dyn Host, A),
    Other(O),
}

/// The arguments of a host's subcommand.
pub(super) trait HostArgs: clap::Args {
    /// Adds the texts of the subcommand's help.
    fn described(command: clap::Command, host: &dyn Host) -> clap::Command;
}

impl<A: HostArgs, O: Subcommand> Subcommand for InstallTarget<A, O> {
    fn augment_subcommands(command: clap::Command) -> clap::Command {
        let of_host = |host: &&dyn Host| A::described(A::augment_args(clap::Command::new(host.name())), *host);
        O::augment_subcommands(command.subcommands(HOSTS.iter().map(of_host)))
    }

    fn augment_subcommands_for_update(command: clap::Command) -> clap::Command {
        Self::augment_subcommands(command)
    }

    fn has_subcommand(name: &str) -> bool {
        host::find(name).is_some() || O::has_subcommand(name)
    }
}

impl<A: HostArgs, O: Subcommand> FromArgMatches for InstallTarget<A, O> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        match matches.subcommand().and_then(|(name, matches)| Some((host::find(name)?, matches))) {
            Some((host, matches)) => Ok(InstallTarget::Host(host, A::from_arg_matches(matches)?)),
            None => Ok(InstallTarget::Other(O::from_arg_matches(matches)?)),
        }
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}
