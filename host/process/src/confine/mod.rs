//! Taking from the calling process what a confined program must not have. All of it is for good.

pub(crate) mod filesystem;
pub(crate) mod loopback;
pub(crate) mod namespaces;
pub(crate) mod privileges;
pub(crate) mod proc;
pub(crate) mod syscalls;

use crate::command::Network;
use crate::wire::{Failure, Grants, Missing, UserNamespace};
use filesystem::{Signals, Tcp};
use namespaces::{Entered, Kind};
use syscalls::{Ipc, Processes, Reach, Sockets};

/// The first step: namespaces of the calling process and of its later children. It must have one thread.
pub(crate) fn separate(
    user_namespace: UserNamespace,
    grants: &Grants,
    withheld: &[Missing],
) -> Result<Entered, Failure> {
    let mut wanted = Vec::new();
    for (kind, missing) in [
        (Kind::Processes, Missing::ProcessNamespace),
        (Kind::Mounts, Missing::MountNamespace),
        (Kind::Ipc, Missing::IpcNamespace),
        (Kind::Network, Missing::NetworkNamespace),
    ] {
        let asked_for = kind != Kind::Network || matches!(grants.network, Network::Refused | Network::Proxied { .. });
        if asked_for && !withheld.contains(&missing) {
            wanted.push(kind);
        }
    }
    let users = if withheld.contains(&Missing::UserNamespace) { UserNamespace::Skip } else { user_namespace };
    namespaces::enter(&wanted, users)
}

/// The second step, in the process that becomes the program: applies `grants` to it.
///
/// The order matters: paths are opened while everything is reachable and by the program itself, whose own entry
/// `/proc/self` is; the system call filter comes last because it refuses what the steps before it use.
pub(crate) fn enforce(grants: &Grants, entered: &Entered, withheld: &[Missing]) -> Result<(), Failure> {
    let opened = filesystem::open(grants)?;
    privileges::drop_all_but_file_access()?;
    let enforced = filesystem::restrict(&opened, &grants.network, withheld)?;
    let processes = match (entered.own(Kind::Processes), enforced.signals) {
        (Ok(()), _) => Processes::OwnNamespace,
        (Err(_), Signals::Refused) => Processes::Shared,
        // Without either, a program could end its caller and everything else of the user.
        (Err(reason), Signals::Unrestricted) => {
            return Err(Failure::CannotConfine {
                missing: format!(
                    "nothing can keep signals from other processes: {reason}, and Landlock has no scope before Linux 6.12"
                ),
            });
        }
    };
    let sockets = match (&grants.network, entered.own(Kind::Network), enforced.tcp) {
        (Network::Allowed | Network::Ports(_), _, _) | (Network::Refused | Network::Proxied { .. }, Ok(()), _) => {
            Sockets::Internet
        }
        (Network::Proxied { .. }, Err(reason), _) => return Err(Failure::CannotConfine { missing: reason }),
        // Landlock leaves UDP and raw sockets, so without a namespace there are no sockets at all.
        (Network::Refused, Err(_), Tcp::Refused) => Sockets::None,
        (Network::Refused, Err(reason), Tcp::Unrestricted) => {
            return Err(Failure::CannotConfine {
                missing: format!(
                    "nothing can cut the network: {reason}, and Landlock has no TCP rules before Linux 6.7"
                ),
            });
        }
    };
    let ipc = if entered.own(Kind::Ipc).is_ok() { Ipc::OwnNamespace } else { Ipc::Shared };
    syscalls::filter(Reach { sockets, processes, ipc })
        .map_err(|reason| Failure::CannotConfine { missing: format!("the system call filter: {reason}") })
}
