//! On a system that lacks namespaces, `doctor` says which promises are weaker.

use std::process::Command;

#[test]
fn doctor_says_what_is_weaker_without_namespaces() {
    // The kernel's own limits for namespaces, set to nothing in a user namespace.
    let lacking = Command::new("unshare")
        .args(["--user", "--map-root-user", "/bin/sh", "-ec"])
        .arg("for kind in net pid ipc mnt user; do echo 0 >/proc/sys/user/max_${kind}_namespaces; done; exec \"$@\"")
        .arg("sh")
        .arg(bailiwick_tests::binary())
        .args(["--json", "doctor"])
        .output()
        .unwrap();
    let Ok(said) = serde_json::from_slice::<serde_json::Value>(&lacking.stdout) else {
        assert!(std::env::var_os("CI").is_none(), "{}", String::from_utf8_lossy(&lacking.stderr));
        eprintln!("skipped: no user namespaces here, so a system without them cannot be simulated in one");
        return;
    };
    let check = |name: &str| {
        let checks = said["checks"].as_array().unwrap();
        checks.iter().find(|check| check["name"] == name).unwrap_or_else(|| panic!("no `{name}`: {said:#}")).clone()
    };
    for (name, weaker) in [
        ("user namespace", "missing as well"),
        ("process namespace", "killed one by one"),
        ("process files", "names and arguments"),
        ("ipc namespace", "refuses them"),
        ("network namespace", "refuse the network"),
    ] {
        let check = check(name);
        assert_eq!(check["status"], "note", "{check:#}");
        assert!(check["found"].as_str().unwrap().contains(weaker), "{check:#}");
    }
    // Landlock and the filter are enough to go on where they are new enough.
    let enough = check("process scope")["status"] == "good" && check("tcp rules")["status"] == "good";
    assert_eq!(check("confined builds")["status"] == "good", enough);
}
