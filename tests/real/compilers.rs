//! Three generations of the TypeSpec compiler show the same of a specification.

use std::path::{Path, PathBuf};
use std::process::Command;

use bailiwick_tests::{libraries, node, older_compiler};
use serde_json::Value;

/// Written in what all of them understand.
const MAIN: &str = r#"import "@typespec/http";
import "@typespec/versioning";
import "@azure-tools/typespec-client-generator-core";
using TypeSpec.Http;
using TypeSpec.Versioning;
@service(#{ title: "Library" })
@versioned(Versions)
namespace Contoso.Library;
enum Versions { v1: "2024-01-01" }
model Book { id: string; shelfMark?: string; state: BookState; }
union BookState { string, lent: "lent" }
alias Found<T> = { @body body: T };
interface Books {
  @route("/books/{id}") @get read(@path id: string): Found<Book>;
  @route("/books/{id}") @delete remove(@path id: string, @query force?: boolean): void;
}
"#;

const CLIENT: &str = r#"import "./main.tsp";
import "@azure-tools/typespec-client-generator-core";
using Azure.ClientGenerator.Core;
@@clientName(Contoso.Library.Book, "Volume", "python");
@@access(Contoso.Library.Books.remove, Access.internal, "python");
"#;

/// What the program that asks the compiler prints.
fn shown(modules: &Path) -> Value {
    let directory = tempfile::tempdir().unwrap();
    let project = directory.path().join("library");
    std::fs::create_dir(&project).unwrap();
    std::os::unix::fs::symlink(modules, directory.path().join("node_modules")).unwrap();
    std::fs::write(project.join("main.tsp"), MAIN).unwrap();
    std::fs::write(project.join("client.tsp"), CLIENT).unwrap();
    let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("../host/customize/src/typespec/probe/main.mjs");
    let output = Command::new(node())
        .arg(program)
        .arg("--root")
        .arg(&project)
        .args(["--entry", "client.tsp", "--client", "client.tsp", "--language", "python"])
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn every_generation_of_the_compiler_shows_the_same_of_a_specification() {
    let newest = shown(&libraries());
    assert_eq!(newest["diagnostics"], serde_json::json!([]));
    assert!(newest.to_string().contains("\"Volume\""), "{newest:#}");
    let older: [PathBuf; 2] = ["1.0", "1.6"].map(|version| older_compiler(version).join("node_modules"));
    for modules in older {
        assert_eq!(shown(&modules), newest, "{}", modules.display());
    }
}
