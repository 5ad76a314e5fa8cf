//! A system call filter for what Landlock cannot see: the kinds of sockets, and ways round the file descriptors.

use seccompiler::{
    BackendError, BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule, apply_filter,
};

/// Which sockets a program may create.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sockets {
    /// Those of the internet families and of the kernel's routing table, as far as the network
    /// allows. No Unix sockets (a container or init daemon behind one acts outside all rules until
    /// Landlock can refuse the path, Linux 7.1), and no `AF_VSOCK`, which no network namespace cuts.
    Internet,
    /// None. Connected pairs within the program remain.
    None,
}

/// The bit that marks a call of the x32 kind on x86-64, where it is another number for the same call.
#[cfg(target_arch = "x86_64")]
const NUMBERINGS: &[i64] = &[0, 0x4000_0000];
#[cfg(not(target_arch = "x86_64"))]
const NUMBERINGS: &[i64] = &[0];

/// The kind of a socket without the flags that share the argument.
const TYPE_MASK: u64 = 0xf;

/// Refuses, from now on and for every descendant, the creation of other sockets, datagram pairs
/// (which can be pointed at any path afterwards), io_uring (which creates sockets without the call)
/// and the kernel's key rings. Calls of another architecture end the process.
pub(crate) fn filter(sockets: Sockets) -> Result<(), String> {
    let program = compile(sockets).map_err(|error| error.to_string())?;
    apply_filter(&program).map_err(|error| error.to_string())
}

fn compile(sockets: Sockets) -> Result<BpfProgram, BackendError> {
    let condition =
        |argument, operator, value: u64| SeccompCondition::new(argument, SeccompCmpArgLen::Dword, operator, value);
    let socket = match sockets {
        Sockets::None => Vec::new(),
        Sockets::Internet => vec![SeccompRule::new(
            [libc::AF_INET, libc::AF_INET6, libc::AF_NETLINK]
                .into_iter()
                .map(|family| condition(0, SeccompCmpOp::Ne, u64::from(family.unsigned_abs())))
                .collect::<Result<_, _>>()?,
        )?],
    };
    let datagram_pair = vec![SeccompRule::new(vec![condition(
        1,
        SeccompCmpOp::MaskedEq(TYPE_MASK),
        u64::from(libc::SOCK_DGRAM.unsigned_abs()),
    )?])?];
    // An empty list of rules matches every call of that number.
    let refused = [
        (libc::SYS_socket, socket),
        (libc::SYS_socketpair, datagram_pair),
        (libc::SYS_io_uring_setup, Vec::new()),
        (libc::SYS_add_key, Vec::new()),
        (libc::SYS_keyctl, Vec::new()),
        (libc::SYS_request_key, Vec::new()),
    ];
    SeccompFilter::new(
        refused
            .into_iter()
            .flat_map(|(call, rules)| NUMBERINGS.iter().map(move |offset| (call + offset, rules.clone())))
            .collect(),
        SeccompAction::Allow,
        SeccompAction::Errno(libc::EACCES.unsigned_abs()),
        std::env::consts::ARCH.try_into()?,
    )?
    .try_into()
}
