//! Taking from the calling process what a confined program must not have. All of it is for good.

pub(crate) mod filesystem;
pub(crate) mod namespace;
pub(crate) mod privileges;
pub(crate) mod sockets;

use crate::command::Network;
use crate::wire::{Failure, Grants, Namespace};
use filesystem::Tcp;
use sockets::Sockets;

/// Applies `grants` to the calling process, which must have one thread.
///
/// The order matters: paths are opened while everything is reachable, the namespace needs the
/// privileges that are then dropped, and the system call filter comes last because it refuses
/// what the steps before it use.
pub(crate) fn enforce(grants: &Grants, namespace: Namespace) -> Result<(), Failure> {
    let opened = filesystem::open(grants)?;
    let own_network = match (grants.network, namespace) {
        (Network::Allowed, _) => Err("not asked for".to_owned()),
        (Network::Refused, Namespace::Skip) => Err("network namespaces cannot be used by this user".to_owned()),
        (Network::Refused, Namespace::Try) => namespace::enter()?,
    };
    privileges::drop_all_but_file_access()?;
    let enforced = filesystem::restrict(&opened, grants.network)?;
    let sockets = match (grants.network, &own_network, enforced.tcp) {
        (Network::Allowed, _, _) | (Network::Refused, Ok(()), _) => Sockets::Internet,
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
    sockets::filter(sockets)
        .map_err(|reason| Failure::CannotConfine { missing: format!("the system call filter: {reason}") })
}
