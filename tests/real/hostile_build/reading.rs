//! Reads what is hidden in a repository: the token that a checkout left, passwords, keys.

use bailiwick_tests::{Sdk, World};
use std::fs;

#[test]
fn test_of_a_package_reads_no_hidden_file_of_its_repository() {
    let world = World::of(Sdk::Go);
    let (package, repository) = (world.package(), Sdk::Go.repository());
    let root = world.base().join(repository);
    let _ = world.git(repository, &["config", "http.https://github.com/.extraheader", "AUTHORIZATION: basic hunter2"]);
    fs::create_dir_all(root.join("nested/.git")).unwrap();
    let hidden = [root.join(".env"), root.join("nested/.git/config"), root.join("sdk/.npmrc"), package.join("a.pem")];
    for file in &hidden {
        fs::write(file, "PASSWORD=hunter2\n").unwrap();
    }
    let read: Vec<String> =
        hidden.iter().chain([&root.join(".git/config")]).map(|file| format!("{:?}", file.to_str().unwrap())).collect();
    let test = format!(
        r#"package azwidget

import (
	"fmt"
	"os"
	"testing"
)

func TestRead(t *testing.T) {{
	tried := ""
	for _, file := range []string{{{}, "a.pem"}} {{
		content, err := os.ReadFile(file)
		tried += fmt.Sprintf("%q %v; ", content, err)
	}}
	t.Error(tried)
}}
"#,
        read.join(", ")
    );
    fs::write(package.join("read_test.go"), test).unwrap();
    let package = package.to_str().unwrap();
    let answer = world.bailiwick(&["package", "test", "--package-path", package]);
    let said = format!("{}{}", answer.stdout, answer.stderr);
    assert_eq!(said.matches("permission denied").count(), 5, "{said}");
    assert!(said.contains("a.pem: no such file") && !said.contains("hunter2"), "{said}");
    // What a build needs is there as before.
    let _ = world.bailiwick(&["package", "build", "--package-path", package]).exits(0);
}
