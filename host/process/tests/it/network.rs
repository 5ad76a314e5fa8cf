//! A confined child without a network has none of any kind, and no local socket either.

use std::net::{TcpListener, UdpSocket};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixListener};
use std::time::Duration;

use bailiwick_process::{Confinement, Door, Missing, Network, PROXY_PORT, ProcessError};

use crate::{
    assert_done, assert_refused, enforces, helper, place, probe, probe_command, rules, supervisor, text, unconfined,
};

fn nobody_connected(listener: &TcpListener) -> bool {
    listener.set_nonblocking(true).unwrap();
    listener.accept().is_err()
}

#[tokio::test]
async fn tcp_to_a_listener_on_loopback_is_refused() {
    let place = place();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let said = probe(&["tcp", &address], &rules(&place.inside)).await;
    assert_refused(&said);
    assert!(nobody_connected(&listener));
    if enforces("tcp rules") {
        // A network namespace alone would say that the network is unreachable.
        assert!(said.contains("PermissionDenied"), "{said}");
        let said = probe(&["tcp-listen"], &rules(&place.inside)).await;
        assert!(said.contains("PermissionDenied"), "{said}");
    }
    listener.set_nonblocking(false).unwrap();
    assert_done(&unconfined(&["tcp", &address]).await);
}

#[tokio::test]
async fn udp_to_a_socket_on_loopback_is_refused() {
    let place = place();
    let receiver = UdpSocket::bind("127.0.0.1:0").unwrap();
    receiver.set_read_timeout(Some(Duration::from_millis(100))).unwrap();
    let address = receiver.local_addr().unwrap().to_string();
    assert_refused(&probe(&["udp", &address], &rules(&place.inside)).await);
    assert!(receiver.recv(&mut [0; 8]).is_err());
    assert_done(&unconfined(&["udp", &address]).await);
    assert!(receiver.recv(&mut [0; 8]).is_ok());
}

#[tokio::test]
async fn network_namespace_is_the_childs_own() {
    if !enforces("network namespace") {
        return crate::skip("this system has no network namespaces");
    }
    let place = place();
    let mut rules = rules(&place.inside);
    let own = std::fs::read_link("/proc/self/ns/net").unwrap();
    let refused = probe(&["network-namespace"], &rules).await;
    assert_done(&refused);
    assert!(!refused.contains(text(&own)), "{refused}");
    rules.network = Network::Allowed;
    assert!(probe(&["network-namespace"], &rules).await.contains(text(&own)));
}

#[tokio::test]
async fn callers_network_namespace_cannot_be_joined() {
    let place = place();
    let mut rules = rules(&place.inside);
    rules.read.push("/proc".into());
    let caller = std::process::id().to_string();
    assert_refused(&probe(&["join-network", &caller], &rules).await);
}

#[tokio::test]
async fn allowed_network_is_there_and_files_stay_confined() {
    let place = place();
    let mut rules = rules(&place.inside);
    rules.network = Network::Allowed;
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    assert_done(&probe(&["tcp", &address], &rules).await);
    assert_done(&probe(&["tcp-listen"], &rules).await);
    assert_refused(&probe(&["write", text(&place.outside.join("x"))], &rules).await);
}

#[tokio::test]
async fn network_of_ports_reaches_those_ports_and_no_other_and_listens_on_none() {
    if !enforces("tcp rules") {
        return crate::skip("this kernel has no rules for TCP");
    }
    let place = place();
    let (named, other) = (TcpListener::bind("127.0.0.1:0").unwrap(), TcpListener::bind("127.0.0.1:0").unwrap());
    let address = |listener: &TcpListener| listener.local_addr().unwrap();
    let mut rules = rules(&place.inside);
    rules.network = Network::Ports(vec![address(&named).port()]);
    assert_done(&probe(&["tcp", &address(&named).to_string()], &rules).await);
    let said = probe(&["tcp", &address(&other).to_string()], &rules).await;
    assert!(said.contains("PermissionDenied"), "{said}");
    assert!(nobody_connected(&other));
    let said = probe(&["tcp-listen"], &rules).await;
    assert!(said.contains("PermissionDenied"), "{said}");
    assert_refused(&probe(&["write", text(&place.outside.join("x"))], &rules).await);
    rules.network = Network::Allowed;
    assert_done(&probe(&["tcp", &address(&other).to_string()], &rules).await);
}

/// An installer reaches what the caller lets it reach, and nothing else of any network.
#[tokio::test]
async fn proxied_network_reaches_the_callers_listener_and_nothing_else() {
    if !enforces("proxied network") {
        return crate::skip("this system has no network namespaces");
    }
    let place = place();
    let (tcp, udp) = (TcpListener::bind("127.0.0.1:0").unwrap(), UdpSocket::bind("127.0.0.1:0").unwrap());
    udp.set_nonblocking(true).unwrap();
    let address = tcp.local_addr().unwrap().to_string();
    let own = format!("127.0.0.1:{PROXY_PORT}");
    let datagrams = udp.local_addr().unwrap().to_string();
    for (operation, reaches) in [
        (["tcp", own.as_str()].as_slice(), true),
        (&["tcp", &address], false),
        (&["tcp", "[::1]:3128"], false),
        (&["udp", &datagrams], false),
        (&["tcp-listen"], false),
        (&["write", text(&place.outside.join("x"))], false),
    ] {
        let door = Door::open().unwrap();
        let mut rules = rules(&place.inside);
        rules.network = door.network();
        let accepted = async {
            let listener = door.listener().await.unwrap();
            let (stream, _) = listener.accept().await.unwrap();
            drop(stream);
            std::future::pending::<()>().await;
        };
        let said = tokio::select! {
            said = probe(operation, &rules) => said,
            () = accepted => unreachable!(),
        };
        if reaches {
            assert_done(&said);
        } else if operation[0] != "udp" {
            assert!(!said.contains("DONE"), "{operation:?}: {said}");
        }
        assert!(nobody_connected(&tcp), "{operation:?}");
        assert!(udp.recv(&mut [0; 16]).is_err(), "{operation:?}: a datagram arrived");
    }
    let door = Door::open().unwrap();
    let mut rules = rules(&place.inside);
    rules.network = door.network();
    let lacking = supervisor().as_if_without(&[Missing::NetworkNamespace]);
    assert!(!lacking.support().proxies());
    let refused = lacking.run(&probe_command(&["tcp", &own], Confinement::Confined(rules)), &mut |_, _| {}).await;
    assert!(matches!(refused, Err(ProcessError::CannotConfine { .. })), "{refused:?}");
}

/// A daemon behind a socket (a container engine, the init system, an agent holding keys) would act outside the rules.
#[tokio::test]
async fn local_socket_is_refused_with_and_without_network() {
    let place = place();
    let path = place.inside.join("daemon.sock");
    let _listener = UnixListener::bind(&path).unwrap();
    let name = format!("bailiwick-{}", std::process::id());
    let _abstract = UnixListener::bind_addr(&SocketAddr::from_abstract_name(&name).unwrap()).unwrap();
    assert_done(&unconfined(&["unix", text(&path)]).await);
    assert_done(&unconfined(&["abstract", &name]).await);
    assert_done(&unconfined(&["unix-datagram-pair"]).await);
    for network in [Network::Refused, Network::Allowed, Network::Ports(vec![443])] {
        let mut rules = rules(&place.inside);
        rules.network = network;
        assert_refused(&probe(&["unix", text(&path)], &rules).await);
        assert_refused(&probe(&["abstract", &name], &rules).await);
        assert_refused(&probe(&["unix-datagram-pair"], &rules).await);
        assert_done(&probe(&["unix-stream-pair"], &rules).await);
    }
}

/// In a user namespace whose own limits forbid further namespaces, as on systems that restrict them.
#[tokio::test]
async fn without_namespaces_udp_is_still_refused() {
    let place = place();
    let receiver = UdpSocket::bind("127.0.0.1:0").unwrap();
    receiver.set_read_timeout(Some(Duration::from_millis(100))).unwrap();
    let supervise = |operation: &[&str]| {
        std::process::Command::new("unshare")
            .args(["--user", "--map-root-user", "/bin/sh", "-ec"])
            .arg("echo 0 >/proc/sys/user/max_net_namespaces; exec \"$@\"")
            .arg("sh")
            .arg(helper())
            .args(["supervise", "confined", text(&place.inside)])
            .arg(helper())
            .arg("probe")
            .args(operation)
            .output()
    };
    let Ok(first) = supervise(&["network-namespace"]) else {
        return crate::skip("`unshare` is not installed");
    };
    if !first.status.success() {
        return crate::skip("no user namespaces here, so a system without them cannot be simulated in one");
    }
    let own = std::fs::read_link("/proc/self/ns/net").unwrap();
    let said = String::from_utf8(first.stdout).unwrap();
    assert!(said.contains(text(&own)), "a namespace was made: {said}");
    let address = receiver.local_addr().unwrap().to_string();
    let said = String::from_utf8(supervise(&["udp", &address]).unwrap().stdout).unwrap();
    assert_refused(&said);
    assert!(receiver.recv(&mut [0; 8]).is_err());
}
