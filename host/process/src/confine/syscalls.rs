//! A system call filter for what neither Landlock nor a namespace keeps from a program.

use seccompiler::{
    BackendError, BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule, apply_filter,
};

/// What else confines the program, on which depends what the filter has to refuse.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Reach {
    pub(crate) sockets: Sockets,
    pub(crate) processes: Processes,
    pub(crate) ipc: Ipc,
}

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

/// Which processes have numbers for the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Processes {
    /// Its own alone.
    OwnNamespace,
    /// All of the system.
    Shared,
}

/// Whose System V objects and POSIX message queues the program would find.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ipc {
    /// Its own alone.
    OwnNamespace,
    /// Those of the whole system.
    Shared,
}

/// The bit that marks a call of the x32 kind on x86-64, where it is another number for the same call.
#[cfg(target_arch = "x86_64")]
const NUMBERINGS: &[i64] = &[0, 0x4000_0000];
#[cfg(not(target_arch = "x86_64"))]
const NUMBERINGS: &[i64] = &[0];

/// `ptrace`, `process_vm_readv` and `process_vm_writev` as x32 numbers them.
#[cfg(target_arch = "x86_64")]
const X32_ALONE: &[i64] = &[521, 539, 540];
#[cfg(not(target_arch = "x86_64"))]
const X32_ALONE: &[i64] = &[];

/// `fchmodat2`, from Linux 6.6 on; the same number on every architecture.
const FCHMODAT2: libc::c_long = 452;

/// The kind of a socket without the flags that share the argument.
const TYPE_MASK: u64 = 0xf;

/// A call and the rules of which one has to match; an empty list matches every call of that number.
type Refused = (i64, Vec<SeccompRule>);

/// Refuses, from now on and for every descendant:
///
/// - the creation of other sockets, of pairs that carry datagrams (which can be pointed at any path afterwards), and
///   io_uring, which creates sockets without the call;
/// - the kernel's key rings;
/// - limits, memory, descriptors and tracing of other processes; their priority and scheduling where they have numbers;
/// - namespaces, in which a program would have all capabilities again;
/// - watching directories, which tells names outside the rules;
/// - the set-user-id bit, which Landlock lets a program give to every file of the user's;
/// - System V objects and message queues where they are those of the whole system.
///
/// Calls of another architecture end the process.
pub(crate) fn filter(reach: Reach) -> Result<(), String> {
    let denied = compile(refused(reach), libc::EACCES);
    // Its flags lie in memory that a filter cannot read. `ENOSYS` makes libraries use `clone` instead, whose flags are an
    // argument.
    let absent = compile(Ok(vec![(libc::SYS_clone3, Vec::new())]), libc::ENOSYS);
    for program in [absent, denied] {
        apply_filter(&program.map_err(|error| error.to_string())?).map_err(|error| error.to_string())?;
    }
    Ok(())
}

fn compile(refused: Result<Vec<Refused>, BackendError>, errno: i32) -> Result<BpfProgram, BackendError> {
    SeccompFilter::new(
        refused?
            .into_iter()
            .flat_map(|(call, rules)| NUMBERINGS.iter().map(move |offset| (call + offset, rules.clone())))
            .collect(),
        SeccompAction::Allow,
        SeccompAction::Errno(errno.unsigned_abs()),
        std::env::consts::ARCH.try_into()?,
    )?
    .try_into()
}

fn refused(reach: Reach) -> Result<Vec<Refused>, BackendError> {
    let mut refused = sockets(reach.sockets)?;
    refused.extend(namespaces()?);
    refused.extend(processes(reach.processes)?);
    refused.extend(modes()?);
    refused.extend([
        // Landlock does not ask where a watch is put, so one tells the names of files outside the rules.
        always(libc::SYS_inotify_add_watch),
        always(libc::SYS_fanotify_init),
        always(libc::SYS_add_key),
        always(libc::SYS_keyctl),
        always(libc::SYS_request_key),
    ]);
    if reach.ipc == Ipc::Shared {
        refused.extend(
            [
                libc::SYS_shmget,
                libc::SYS_shmat,
                libc::SYS_shmctl,
                libc::SYS_msgget,
                libc::SYS_msgsnd,
                libc::SYS_msgrcv,
                libc::SYS_msgctl,
                libc::SYS_semget,
                libc::SYS_semop,
                libc::SYS_semtimedop,
                libc::SYS_semctl,
                libc::SYS_mq_open,
                libc::SYS_mq_unlink,
            ]
            .map(always),
        );
    }
    Ok(refused)
}

fn sockets(sockets: Sockets) -> Result<Vec<Refused>, BackendError> {
    let socket = match sockets {
        Sockets::None => Vec::new(),
        Sockets::Internet => vec![SeccompRule::new(
            [libc::AF_INET, libc::AF_INET6, libc::AF_NETLINK]
                .into_iter()
                .map(|family| condition(0, SeccompCmpOp::Ne, family))
                .collect::<Result<_, _>>()?,
        )?],
    };
    // All but streams and sequenced packets, which stay connected to each other. Linux makes a datagram pair of
    // `SOCK_RAW` as well (`unix_create`).
    let kinds =
        (0..=libc::c_int::from(0xf_u8)).filter(|kind| ![libc::SOCK_STREAM, libc::SOCK_SEQPACKET].contains(kind));
    let pair =
        kinds.map(|kind| only(1, SeccompCmpOp::MaskedEq(TYPE_MASK), kind)).collect::<Result<_, BackendError>>()?;
    Ok(vec![(libc::SYS_socket, socket), (libc::SYS_socketpair, pair), always(libc::SYS_io_uring_setup)])
}

fn namespaces() -> Result<Vec<Refused>, BackendError> {
    const FLAGS: [libc::c_int; 7] = [
        libc::CLONE_NEWUSER,
        libc::CLONE_NEWNS,
        libc::CLONE_NEWPID,
        libc::CLONE_NEWNET,
        libc::CLONE_NEWIPC,
        libc::CLONE_NEWUTS,
        libc::CLONE_NEWCGROUP,
    ];
    /// In `clone` these bits are part of the signal that the parent gets.
    const NEWTIME: libc::c_int = 0x80;
    let flag = |flag: libc::c_int| only(0, SeccompCmpOp::MaskedEq(u64::from(flag.unsigned_abs())), flag);
    let clone = FLAGS.into_iter().map(flag).collect::<Result<Vec<_>, _>>()?;
    let mut unshare = clone.clone();
    unshare.push(flag(NEWTIME)?);
    Ok(vec![(libc::SYS_clone, clone), (libc::SYS_unshare, unshare), always(libc::SYS_setns)])
}

fn processes(processes: Processes) -> Result<Vec<Refused>, BackendError> {
    // Number 0 is the caller itself.
    let another = |argument| only(argument, SeccompCmpOp::Ne, 0);
    let mut refused = vec![
        (libc::SYS_prlimit64, vec![another(0)?]),
        always(libc::SYS_ptrace),
        always(libc::SYS_process_vm_readv),
        always(libc::SYS_process_vm_writev),
        always(libc::SYS_pidfd_getfd),
        always(libc::SYS_kcmp),
    ];
    refused.extend(X32_ALONE.iter().copied().map(always));
    if processes == Processes::Shared {
        /// The first argument that stands for one process or thread, in `setpriority` and in `ioprio_set`.
        const ONE: [(libc::c_long, libc::c_int); 2] = [(libc::SYS_setpriority, 0), (libc::SYS_ioprio_set, 1)];
        // A thread of the program is another one here, too: its number cannot be told from that of a process outside.
        for call in [
            libc::SYS_sched_setaffinity,
            libc::SYS_sched_setscheduler,
            libc::SYS_sched_setparam,
            libc::SYS_sched_setattr,
        ] {
            refused.push((call, vec![another(0)?]));
        }
        for (call, one) in ONE {
            refused.push((call, vec![only(0, SeccompCmpOp::Ne, one)?, another(1)?]));
        }
    }
    Ok(refused)
}

/// Whoever starts a file with this bit has the rights of its owner.
fn modes() -> Result<Vec<Refused>, BackendError> {
    const SET_USER_ID: libc::c_int = 0o4000;
    /// Each with the place of the mode among its arguments.
    const CALLS: &[(libc::c_long, u8)] = &[
        #[cfg(target_arch = "x86_64")]
        (libc::SYS_chmod, 1),
        (libc::SYS_fchmod, 1),
        (libc::SYS_fchmodat, 2),
        (FCHMODAT2, 2),
    ];
    let rule = |argument| only(argument, SeccompCmpOp::MaskedEq(u64::from(SET_USER_ID.unsigned_abs())), SET_USER_ID);
    CALLS.iter().map(|(call, argument)| Ok((*call, vec![rule(*argument)?]))).collect()
}

fn always(call: i64) -> Refused {
    (call, Vec::new())
}

fn only(argument: u8, operator: SeccompCmpOp, value: libc::c_int) -> Result<SeccompRule, BackendError> {
    SeccompRule::new(vec![condition(argument, operator, value)?])
}

fn condition(argument: u8, operator: SeccompCmpOp, value: libc::c_int) -> Result<SeccompCondition, BackendError> {
    SeccompCondition::new(argument, SeccompCmpArgLen::Dword, operator, u64::from(value.unsigned_abs()))
}
