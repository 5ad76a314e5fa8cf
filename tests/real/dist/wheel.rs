//! The wheel, through `uvx` and `pip`.

use super::home::Home;
use super::registry::Registry;
use super::{Packages, prints, version};
use bailiwick_tests::python_tools;
use serde_json::Value;
use std::path::Path;

#[test]
fn uvx_runs_it_and_a_client_is_told_of_uvx_and_not_of_its_cache() {
    let (registry, tools) = (Registry::python(), python_tools());
    let home = Home::new(&[&tools.join("uv"), &tools.join("uvx")]);
    let uvx = home.path().join("bin/uvx");
    let index = format!("{}/simple/", registry.address);
    let options =
        ["--python", tools.join("python").to_str().unwrap(), "--index-url", &index, "bailiwick-cli"].map(str::to_owned);
    let run = |arguments: &[&str]| prints(home.command(&uvx).args(&options).args(arguments));
    assert_eq!(run(&["--version"]), version());
    let itself: Value = serde_json::from_str(&run(&["--json", "self"])).unwrap();
    assert_eq!(
        (&itself["installation"]["by"], &itself["installation"]["cached"]),
        (&"uv".into(), &true.into()),
        "{itself:#}"
    );
    let file: Value =
        serde_json::from_str(&run(&["mcp", "install", "--client", "cursor", "--grant", "docs=docs", "--print"]))
            .unwrap();
    let entry = &file["mcpServers"]["bailiwick"];
    assert_eq!(entry["command"], uvx.to_str().unwrap(), "{entry:#}");
    assert_eq!(entry["args"][0], format!("bailiwick-cli@{}", Packages::all().release.version), "{entry:#}");
    let first: Vec<&str> = options.iter().map(String::as_str).collect();
    home.reads_over_mcp(&uvx, &first);
}

#[test]
fn pip_installs_it_where_it_stays() {
    let (registry, tools) = (Registry::python(), python_tools());
    let home = Home::new(&[]);
    let environment = home.path().join("environment");
    prints(home.command(&tools.join("python")).args(["-m", "venv"]).arg(&environment));
    let python = environment.join("bin/python");
    let index = format!("{}/simple/", registry.address);
    prints(home.command(&python).args(["-m", "pip", "install", "--quiet", "--index-url", &index, "bailiwick-cli"]));
    let program = |name: &str| environment.join("bin").join(name);
    for name in ["bailiwick", "bailiwick-cli"] {
        assert_eq!(prints(home.command(&program(name)).arg("--version")), version());
    }
    let itself = prints(home.command(&program("bailiwick")).arg("self"));
    assert!(itself.contains("pip, from the Python wheel: "), "{itself}");
    let file = prints(home.command(&program("bailiwick")).args(["mcp", "install", "--client", "cursor", "--print"]));
    let file: Value = serde_json::from_str(&file).unwrap();
    assert!(
        Path::new(file["mcpServers"]["bailiwick"]["command"].as_str().unwrap()).ends_with("environment/bin/bailiwick"),
        "{file:#}"
    );
    let files = environment.join("lib").read_dir().unwrap().next().unwrap().unwrap().path();
    let version = &Packages::all().release.version;
    assert!(
        files.join(format!("site-packages/bailiwick_cli-{version}.dist-info/sboms/bailiwick-cli.cdx.json")).is_file()
    );
    home.reads_over_mcp(&program("bailiwick"), &[]);
}
