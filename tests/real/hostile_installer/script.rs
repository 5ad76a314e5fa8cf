//! The one script that is run belongs to a package that a person approved. It may still be hostile: what it can reach is
//! the set that is being made.

use super::registry::Registry;
use super::{cache_without_emitters, sets};
use bailiwick_tests::World;
use serde_json::{Value, json};
use std::fs;
use std::net::{TcpListener, UdpSocket};
use std::path::Path;

const EMITTER: &str = "@typespec/http-client-python";

/// Tries what an installation has no business with, and leaves an account in its own package.
const SCRIPT: &str = r#"
const fs = require("fs"), net = require("net"), path = require("path");
const plan = JSON.parse(fs.readFileSync(path.join(__dirname, "plan.json")));
const account = { variables: Object.keys(process.env) };
function attempt(name, work) {
  try { work(); account[name] = "done"; } catch (error) { account[name] = error.code; }
}
for (const [index, file] of plan.read.entries()) attempt("read " + index, () => fs.readFileSync(file));
attempt("list", () => fs.readdirSync(plan.home));
for (const [index, file] of plan.write.entries()) attempt("write " + index, () => fs.writeFileSync(file, "reached"));
attempt("own", () => fs.writeFileSync(path.join(__dirname, "own"), "x"));
fs.mkdirSync(path.join(__dirname, "venv/bin"), { recursive: true });
fs.writeFileSync(path.join(__dirname, "venv/bin/python"), "");
const connect = (port) => new Promise((resolve) => {
  const socket = net.connect({ host: "127.0.0.1", port }, () => { socket.destroy(); resolve("done"); });
  socket.on("error", (error) => resolve(error.code));
});
const proxy = process.env.HTTPS_PROXY ? new URL(process.env.HTTPS_PROXY) : null;
const ask = (request) => new Promise((resolve) => {
  let answer = "";
  const socket = net.connect({ host: proxy.hostname, port: proxy.port }, () => socket.write(request));
  socket.on("data", (data) => { answer += data; if (answer.includes("\r\n")) socket.destroy(); });
  socket.on("error", (error) => resolve(error.code));
  socket.on("close", () => resolve(answer.split(" ")[1] || "closed"));
});
const datagram = () => new Promise((resolve) => {
  const socket = require("dgram").createSocket("udp4");
  socket.on("error", (error) => resolve(error.code));
  socket.send("reached", plan.datagrams, "127.0.0.1", (error) => { socket.close(); resolve(error ? error.code : "sent"); });
});
const look = () => new Promise((resolve) => require("dns").resolve4("example.com", (error) => resolve(error ? error.code : "done")));
(async () => {
  account.connect = await connect(plan.port);
  account.datagram = await datagram();
  account.look = await look();
  account.proxied = proxy ? "yes" : "no";
  if (proxy) {
    for (const [name, request] of Object.entries(plan.requests)) account["through " + name] = await ask(request);
    // Clients that never end their request take no place from the one after them.
    const slow = Array.from({ length: 40 }, () => net.connect({ host: proxy.hostname, port: proxy.port }).on("error", () => {}));
    slow.forEach((socket) => socket.write("CONNECT a"));
    account.after = await ask(plan.allowed);
    slow.forEach((socket) => socket.destroy());
  }
  fs.writeFileSync(path.join(__dirname, "account.json"), JSON.stringify(account));
  process.exit(0);
})();
"#;

/// A package with the name of the one whose script is run, and another with a script, which is not.
fn lay_out(at: &Path, plan: &mut Value) -> Registry {
    // The address of the registry has to be known to the package that it serves.
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let own = listener.local_addr().unwrap();
    let connect = |to: &str| format!("CONNECT {to} HTTP/1.1\r\nHost: {to}\r\n\r\n");
    plan["requests"] = json!({
        "another host": connect("example.com:443"),
        "another name of the registry": connect(&format!("localhost:{}", own.port())),
        "an address": connect("192.0.2.1:443"),
        "another port": connect(&format!("127.0.0.1:{}", plan["port"])),
        "another port without TLS": format!("GET http://127.0.0.1:{}/ HTTP/1.1\r\nHost: {own}\r\n\r\n", plan["port"]),
        "no address": "GET / HTTP/1.1\r\nHost: example.com\r\n\r\n",
    });
    plan["allowed"] = json!(format!("GET http://{own}/x HTTP/1.1\r\nHost: {own}\r\n\r\n"));
    let package = at.join("package");
    fs::create_dir_all(&package).unwrap();
    let manifest = json!({ "name": EMITTER, "version": "9.9.9", "scripts": { "install": "node script.js" } });
    for (name, text) in
        [("package.json", manifest.to_string()), ("script.js", SCRIPT.to_owned()), ("plan.json", plan.to_string())]
    {
        fs::write(package.join(name), text).unwrap();
    }
    Registry::serving(&package, listener)
}

/// Whether this system has a mechanism: `tcp rules` of the kernel, which Linux got with 6.7, or a `proxied network`.
fn has(world: &World, mechanism: &str) -> bool {
    let checks = world.bailiwick(&["--json", "doctor"]).json()["checks"].clone();
    checks.as_array().unwrap().iter().any(|check| check["name"] == mechanism && check["status"] == "good")
}

#[test]
fn script_of_an_approved_package_reaches_neither_the_home_nor_anything_outside_nor_another_host() {
    let world = World::without_generated_code();
    let base = world.base().canonicalize().unwrap();
    let cache = cache_without_emitters(&base);
    let (home, outside) = (base.join("home"), base.join("outside"));
    for directory in [&home, &outside] {
        fs::create_dir_all(directory).unwrap();
    }
    fs::write(home.join("secret"), "canary").unwrap();
    fs::write(home.join(".npmrc"), "//registry.example/:_authToken=canary\n").unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let datagrams = UdpSocket::bind("127.0.0.1:0").unwrap();
    let node = sets(&cache).into_iter().find(|name| name.starts_with("node22-")).unwrap();
    let mut plan = json!({
        "home": home,
        "read": [home.join("secret"), home.join(".npmrc"), base.join("azure-sdk-for-python/eng/emitter-package.json")],
        "write": [
            outside.join("reached"),
            home.join("reached"),
            cache.join("reached"),
            cache.join(node).join("reached"),
            cache.join("approved-emitters/reached"),
            cache.join("downloads/npm/reached"),
            world.package().join("reached"),
        ],
        "port": listener.local_addr().unwrap().port(),
        "datagrams": datagrams.local_addr().unwrap().port(),
    });
    let registry = lay_out(&base.join("served"), &mut plan);

    let eng = base.join("azure-sdk-for-python/eng");
    fs::create_dir_all(eng.join("compiler")).unwrap();
    let compiler = json!({ "name": "@typespec/compiler", "version": "1.0.0" });
    fs::write(eng.join("compiler/package.json"), compiler.to_string()).unwrap();
    let asked = json!({ EMITTER: "9.9.9", "@typespec/compiler": "file:compiler" });
    fs::write(eng.join("emitter-package.json"), json!({ "dependencies": asked }).to_string()).unwrap();
    let lock = json!({
        "lockfileVersion": 3,
        "requires": true,
        "packages": {
            "": { "dependencies": asked },
            "compiler": compiler,
            "node_modules/@typespec/compiler": { "resolved": "compiler", "link": true },
            format!("node_modules/{EMITTER}"): {
                "version": "9.9.9",
                "resolved": format!("{}/x.tgz", registry.url),
                "integrity": registry.integrity,
                "hasInstallScript": true,
            },
        },
    });
    fs::write(eng.join("emitter-package-lock.json"), lock.to_string()).unwrap();

    let file = eng.join("emitter-package.json");
    // A version manager finds its interpreters through the home directory.
    let managed = std::env::var("PYENV_ROOT").or_else(|_| std::env::var("HOME").map(|home| home + "/.pyenv"));
    let managed = managed.unwrap_or_default();
    let environment = [
        ("BAILIWICK_CACHE_DIR", cache.to_str().unwrap()),
        ("HOME", home.to_str().unwrap()),
        ("PYENV_ROOT", managed.as_str()),
        ("NPM_CONFIG_REGISTRY", registry.url.as_str()),
        ("NPM_CONFIG__AUTH", "canary"),
    ];
    let answer = world.bailiwick_with(&["--json", "setup", "--emitter-package", file.to_str().unwrap()], &environment);
    let answer = answer.exits(0);
    let set = cache.join(sets(&cache).into_iter().find(|name| name.starts_with("emitter-")).unwrap());
    let account = fs::read(set.join("node_modules").join(EMITTER).join("account.json"));
    let account: Value =
        serde_json::from_slice(&account.unwrap_or_else(|error| panic!("{error}: {answer:?}"))).unwrap();
    assert_eq!(account["own"], "done", "{account:#}");
    let (ports, proxied) = (has(&world, "tcp rules"), has(&world, "proxied network"));
    for (name, outcome) in account.as_object().unwrap() {
        let connects = name == "connect" && ports;
        if name.starts_with("read") || name.starts_with("write") || name == "list" || connects {
            let refused = ["EACCES", "ENOENT", "EPERM"].iter().any(|code| outcome == code);
            assert!(refused, "{name}: {account:#}");
        }
    }
    assert_eq!(account["proxied"], json!(if proxied { "yes" } else { "no" }), "{account:#}");
    if proxied {
        for (name, outcome) in account.as_object().unwrap().iter().filter(|(name, _)| name.starts_with("through")) {
            let expected = if name.ends_with("no address") { "400" } else { "403" };
            assert_eq!(outcome, expected, "{name}: {account:#}");
        }
        assert_eq!(account["after"], "200", "{account:#}");
        assert_ne!(account["look"], "done", "{account:#}");
        datagrams.set_nonblocking(true).unwrap();
        assert!(datagrams.recv(&mut [0; 16]).is_err(), "a datagram arrived");
    }
    let variables = account["variables"].as_array().unwrap();
    assert!(!variables.iter().any(|name| name.as_str().unwrap().to_ascii_uppercase().contains("_AUTH")), "{account:#}");
    for place in plan["write"].as_array().unwrap() {
        assert!(!Path::new(place.as_str().unwrap()).exists(), "{place}");
    }
    listener.set_nonblocking(true).unwrap();
    assert!(!ports || listener.accept().is_err(), "a connection was made");
    let left: Vec<_> = fs::read_dir(&cache).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert!(!left.iter().any(|name| name.to_string_lossy().starts_with(".scratch")), "{left:?}");
}
