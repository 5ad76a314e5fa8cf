//! The way to a registry: through a proxy, and encrypted with a certificate of a private authority.

use super::proxy::{Does, Proxy};
use super::server::{self, Server};
use super::{World, said, text};
use std::process::Stdio;

#[test]
fn registry_is_reached_through_a_proxy_and_believed_by_the_authority_that_is_named_for_it() {
    if !server::there() {
        return;
    }
    let world = World::new();
    server::authority(world.base.path());
    let server = Server::encrypted(world.base.path());
    let project = world.project("project", "1");
    let host = format!("registry.example.test:{}", server.port());
    let tag = format!("oci://{host}/team/lines:1");
    let through = |proxy: &str, arguments: &[&str]| {
        let mut command = world.command(arguments);
        // With a password, which no message repeats.
        command.env("HTTPS_PROXY", format!("http://user:canary-password@{proxy}"));
        command
    };
    let says = |code: i32, proxy: &str, arguments: &[&str]| said(&through(proxy, arguments).output().unwrap(), code);
    let hanging = Proxy::start(Does::Hangs);
    let hung = through(&hanging.address, &["tool", "inspect", &tag])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();

    // This authority is not trusted; the platform's are in the place of a file that is named.
    let proxy = Proxy::start(Does::Connects(server.port().to_owned()));
    let push = ["tool", "push", text(&project), &tag];
    let told = says(3, &proxy.address, &push);
    assert!(told.contains("certificate that is not believed: no authority that is known here issued it"), "{told}");
    assert!(told.contains(&format!("[registries.\"{host}\"]")), "{told}");
    assert_eq!(proxy.asked(), [format!("CONNECT {host} HTTP/1.1")]);
    let authority = world.path("authority.pem");
    said(&through(&proxy.address, &push).env("SSL_CERT_FILE", &authority).output().unwrap(), 0);

    // An authority of one registry: the right one, another one, none, and for a host that the certificate is not for.
    let believe = |host: &str, file: &str| {
        let file = world.path(file);
        std::fs::write(world.path("bailiwick.toml"), format!("[registries.\"{host}\"]\nca = \"{}\"\n", file.display()))
            .unwrap();
    };
    let inspect = ["tool", "inspect", &tag];
    believe(&host.to_uppercase(), "authority.pem");
    says(0, &proxy.address, &inspect);
    believe(&host, "other.pem");
    assert!(says(3, &proxy.address, &inspect).contains("no authority that is known here"));
    believe("elsewhere.example.test", "authority.pem");
    says(3, &proxy.address, &inspect);
    for wrong in ["missing.pem", "bailiwick.toml"] {
        believe(&host, wrong);
        let told = says(2, &proxy.address, &inspect);
        assert!(told.contains(wrong), "{told}");
    }
    let other = host.replace("registry", "other");
    believe(&other, "authority.pem");
    let told = says(3, &proxy.address, &["tool", "inspect", &format!("oci://{other}/team/lines:1")]);
    assert!(told.contains("not believed: it is for another host"), "{told}");

    // Proxies that do not connect; the password of none is said.
    believe(&host, "authority.pem");
    for (answer, part) in [
        ("403 Forbidden", "the proxy refuses to connect there"),
        ("407 Proxy Authentication Required", "the proxy wants to know who asks"),
    ] {
        let refusing = Proxy::start(Does::Answers(answer));
        let told = says(1, &refusing.address, &inspect);
        let sentence =
            format!("error: `{host}` cannot be reached through the proxy `http://{}`: {part}", refusing.address);
        assert!(told.contains(&sentence), "{told}");
    }
    let told = says(1, "127.0.0.1:1", &inspect);
    assert!(told.contains("cannot be reached through the proxy `http://127.0.0.1:1`"), "{told}");

    // Not through it: what `NO_PROXY` names, and this machine, which is spoken to encrypted where its authority is named.
    let before = proxy.asked().len();
    let direct = format!("0.0.0.0:{}", server.port());
    believe(&direct, "authority.pem");
    let reference = format!("oci://{direct}/team/lines:1");
    let mut without = through(&proxy.address, &["tool", "inspect", &reference]);
    said(&without.env("NO_PROXY", "other.example.test,0.0.0.0").output().unwrap(), 0);
    assert_eq!(proxy.asked().len(), before);
    says(0, &proxy.address, &["tool", "inspect", &reference]);
    assert!(proxy.asked().len() > before);
    let before = proxy.asked().len();
    let local = format!("localhost:{}", server.port());
    believe(&local, "authority.pem");
    says(0, &proxy.address, &["tool", "inspect", &format!("oci://{local}/team/lines:1")]);
    assert_eq!(proxy.asked().len(), before);

    let told = said(&hung.wait_with_output().unwrap(), 1);
    let sentence = format!("error: `{host}` sent nothing through the proxy `http://{}` for 20 s", hanging.address);
    assert!(told.contains(&sentence), "{told}");
}
