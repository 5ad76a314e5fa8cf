//! Objects of System V, message queues and pairs of sockets: nothing of the user's is reached through them, and nothing
//! stays.

use std::os::unix::net::UnixDatagram;

use crate::{assert_done, assert_refused, helper, place, probe_by, rules, systems, text, unconfined};

const IPC_CREAT: i32 = 0o1000;

/// A segment of System V shared memory of the test's.
struct Segment {
    key: i32,
    id: i32,
}

impl Segment {
    fn new() -> Self {
        let key = i32::try_from(std::process::id()).unwrap() | 0x4000_0000;
        #[expect(unsafe_code, reason = "System V calls have no safe form")]
        // SAFETY: The call takes three integers.
        let id = unsafe { libc::shmget(key, 4096, IPC_CREAT | 0o600) };
        assert!(id >= 0);
        Self { key, id }
    }
}

impl Drop for Segment {
    fn drop(&mut self) {
        #[expect(unsafe_code, reason = "System V calls have no safe form")]
        // SAFETY: To remove a segment the call takes no address.
        unsafe {
            libc::shmctl(self.id, libc::IPC_RMID, std::ptr::null_mut())
        };
    }
}

fn call<'a>(number: &'a str, arguments: &[&'a str]) -> Vec<&'a str> {
    [&["call", number], arguments].concat()
}

#[tokio::test]
async fn segment_of_the_users_cannot_be_found() {
    let place = place();
    let segment = Segment::new();
    let (number, key) = (libc::SYS_shmget.to_string(), segment.key.to_string());
    let find = call(&number, &[&key, "0", "0"]);
    for (_, supervisor) in systems() {
        assert_refused(&probe_by(&supervisor, &find, &rules(&place.inside)).await);
    }
    assert_eq!(unconfined(&find).await, format!("done {}", segment.id));
}

#[tokio::test]
async fn segment_that_a_program_made_is_gone_with_it() {
    let place = place();
    let key = (i32::try_from(std::process::id()).unwrap() | 0x2000_0000).to_string();
    let exists = || std::fs::read_to_string("/proc/sysvipc/shm").unwrap().contains(&key);
    let number = libc::SYS_shmget.to_string();
    let flags = (IPC_CREAT | 0o600).to_string();
    let make = call(&number, &[&key, "4096", &flags]);
    for (situation, supervisor) in systems() {
        let said = probe_by(&supervisor, &make, &rules(&place.inside)).await;
        // Without a namespace of its own it is refused instead.
        assert_eq!(said.starts_with("refused"), situation == "no namespaces", "{situation}: {said}");
        assert!(!exists(), "{situation}");
    }
    let said = unconfined(&make).await;
    assert!(exists());
    let remove = libc::SYS_shmctl.to_string();
    assert_done(&unconfined(&call(&remove, &[said.strip_prefix("done ").unwrap(), "0", "0"])).await);
}

#[tokio::test]
async fn queues_and_semaphores_of_the_user_are_out_of_reach() {
    let place = place();
    let name = format!("text=bailiwick-{}", std::process::id());
    for (situation, supervisor) in systems() {
        for number in [libc::SYS_msgget, libc::SYS_semget] {
            let number = number.to_string();
            let make = call(&number, &["0", "384", "384"]);
            let said = probe_by(&supervisor, &make, &rules(&place.inside)).await;
            // With a namespace these are objects of its own, which end with it.
            assert_eq!(said.contains("PermissionDenied"), situation == "no namespaces", "{situation}: {said}");
        }
        // For reading, made if it is not there. Landlock refuses it as well: it is a file that no rule names.
        let number = libc::SYS_mq_open.to_string();
        let open = call(&number, &[&name, "64", "384", "0"]);
        assert_refused(&probe_by(&supervisor, &open, &rules(&place.inside)).await);
    }
}

#[tokio::test]
async fn pairs_that_carry_datagrams_are_refused_whatever_they_are_called() {
    let place = place();
    let number = libc::SYS_socketpair.to_string();
    let unix = libc::AF_UNIX.to_string();
    for (kind, carries) in [
        (libc::SOCK_DGRAM, true),
        (libc::SOCK_RAW, true),
        (libc::SOCK_RAW | libc::SOCK_CLOEXEC, true),
        (libc::SOCK_STREAM, false),
        (libc::SOCK_SEQPACKET, false),
        (libc::SOCK_STREAM | libc::SOCK_CLOEXEC | libc::SOCK_NONBLOCK, false),
    ] {
        let kind = kind.to_string();
        let pair = call(&number, &[&unix, &kind, "0", "buffer"]);
        for (situation, supervisor) in systems() {
            let said = probe_by(&supervisor, &pair, &rules(&place.inside)).await;
            assert_eq!(said.starts_with("refused"), carries, "kind {kind}, {situation}: {said}");
        }
        assert_done(&unconfined(&pair).await);
    }
}

/// The attack itself: a pair of `SOCK_RAW` that is pointed at a socket with a path.
#[tokio::test]
async fn listener_outside_gets_no_datagram() {
    let place = place();
    let path = place.outside.join("log");
    let listener = UnixDatagram::bind(&path).unwrap();
    listener.set_nonblocking(true).unwrap();
    for (situation, supervisor) in systems() {
        let said = probe_by(&supervisor, &["datagram", text(&path)], &rules(&place.inside)).await;
        assert!(said.starts_with("refused"), "{situation}: {said}");
        assert!(listener.recv(&mut [0; 16]).is_err(), "{situation}");
    }
    assert_done(&unconfined(&["datagram", text(&path)]).await);
    assert_eq!(listener.recv(&mut [0; 16]).unwrap(), 5);
}

/// A system on which no namespace of any kind can be made, simulated by the kernel's own limits for it.
#[test]
fn where_the_kernel_gives_no_namespaces_builds_are_confined_all_the_same() {
    let place = place();
    let supervise = |operation: &[&str]| {
        std::process::Command::new("unshare")
            .args(["--user", "--map-root-user", "/bin/sh", "-ec"])
            .arg(
                "for kind in net pid mnt ipc user; do echo 0 >/proc/sys/user/max_${kind}_namespaces; done; exec \"$@\"",
            )
            .arg("sh")
            .arg(helper())
            .args(["supervise", "confined", text(&place.inside)])
            .arg(helper())
            .arg("probe")
            .args(operation)
            .output()
            .unwrap()
    };
    let first = supervise(&["status"]);
    if !first.status.success() {
        crate::skip("no user namespaces here, so a system without them cannot be simulated in one");
        return;
    }
    let said = String::from_utf8(first.stdout).unwrap();
    let numbers = said.lines().find(|line| line.starts_with("NSpid:")).unwrap();
    assert_eq!(numbers.split_whitespace().count(), 2, "no process namespace was made: {numbers}");
    let (shmget, prlimit) = (libc::SYS_shmget.to_string(), libc::SYS_prlimit64.to_string());
    let own = std::process::id().to_string();
    for attempt in [
        call(&shmget, &["0", "4096", "384"]),
        call(&prlimit, &[&own, "7", "0", "buffer"]),
        vec!["signal", &own],
        vec!["unix-datagram-pair"],
    ] {
        let said = String::from_utf8(supervise(&attempt).stdout).unwrap();
        assert_refused(&said);
    }
}
