//! Three generations of the TypeSpec compiler show the same of a specification, whether they stay or are started anew.

use std::fs::OpenOptions;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use bailiwick_tests::{libraries, node, older_compiler};
use serde_json::{Value, json};
use tempfile::TempDir;

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

/// A project beside some libraries.
struct Bench {
    directory: TempDir,
}

impl Bench {
    fn new(modules: &Path) -> Self {
        let directory = tempfile::tempdir().unwrap();
        std::os::unix::fs::symlink(modules, directory.path().join("node_modules")).unwrap();
        let bench = Self { directory };
        std::fs::create_dir(bench.project()).unwrap();
        bench
    }

    fn library(modules: &Path) -> Self {
        let bench = Self::new(modules);
        std::fs::write(bench.project().join("main.tsp"), MAIN).unwrap();
        bench.client(CLIENT);
        bench
    }

    fn project(&self) -> PathBuf {
        self.directory.path().join("library")
    }

    fn client(&self, text: &str) {
        std::fs::write(self.project().join("client.tsp"), text).unwrap();
    }

    /// The program that asks the compiler.
    fn program(&self, language: &str) -> Command {
        let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("../host/customize/src/typespec/probe/main.mjs");
        let mut command = Command::new(node());
        command.arg(program).arg("--root").arg(self.project());
        command.args(["--client", "client.tsp", "--language", language]);
        command
    }

    /// What it prints.
    fn shown(&self, language: &str) -> Vec<u8> {
        let output = self.program(language).args(["--entry", "client.tsp"]).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        output.stdout
    }

    /// What one that stays answers with each of these texts as `client.tsp`, one after the other.
    fn answered(&self, language: &str, texts: &[&str]) -> Vec<Vec<u8>> {
        let pipe = self.directory.path().join("requests");
        assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let mut requests = OpenOptions::new().read(true).write(true).open(&pipe).unwrap();
        let mut resident = self.program(language).arg("--requests").arg(&pipe).stdout(Stdio::piped()).spawn().unwrap();
        let mut said = BufReader::new(resident.stdout.take().unwrap()).lines();
        let answers = (0..texts.len()).map(|number| {
            self.client(texts[number]);
            let output = self.directory.path().join("answer.json");
            let request = json!({ "number": number, "request": { "entry": "client.tsp", "output": output } });
            writeln!(requests, "{request}").unwrap();
            assert_eq!(said.next().unwrap().unwrap(), format!("answered {number}"));
            let mut answer = std::fs::read(output).unwrap();
            answer.push(b'\n');
            answer
        });
        let answers = answers.collect();
        resident.kill().unwrap();
        resident.wait().unwrap();
        std::fs::remove_file(pipe).unwrap();
        answers
    }

    /// Holds that a compiler that stays answers as new ones do, byte for byte, whatever it was asked before.
    fn compare(&self, language: &str, texts: [&str; 2]) {
        let [first, second] = texts.map(|text| {
            self.client(text);
            self.shown(language)
        });
        assert_ne!(first, second);
        let answered = self.answered(language, &[texts[0], texts[1], texts[0]]);
        let shown = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        for (number, (answer, expected)) in answered.iter().zip([&first, &second, &first]).enumerate() {
            assert!(answer == expected, "{language} {number}:\n{}\n{}", shown(answer), shown(expected));
        }
    }
}

fn shown(modules: &Path) -> Value {
    serde_json::from_slice(&Bench::library(modules).shown("python")).unwrap()
}

#[test]
fn every_generation_of_the_compiler_shows_the_same_of_a_specification() {
    let newest = shown(&libraries());
    assert_eq!(newest["diagnostics"], serde_json::json!([]));
    assert!(newest.to_string().contains("\"Volume\""), "{newest:#}");
    let older: [PathBuf; 2] = ["1.0", "1.6"].map(|version| older_compiler(version).join("node_modules"));
    for modules in older {
        let mut older = shown(&modules);
        // What the client generator core of that generation does not follow beside declared clients.
        assert_eq!((&older["locatesDeclared"], &newest["locatesDeclared"]), (&false.into(), &true.into()));
        older["locatesDeclared"] = true.into();
        assert_eq!(older, newest, "{}", modules.display());
    }
}

#[test]
fn compiler_of_every_generation_that_stays_answers_as_a_new_one() {
    let other =
        CLIENT.replace("\"Volume\"", "\"Tome\"").replace("Books.remove, Access.internal", "Nothing, Access.internal");
    for modules in [libraries(), older_compiler("1.0").join("node_modules"), older_compiler("1.6").join("node_modules")]
    {
        Bench::library(&modules).compare("python", [CLIENT, &other]);
    }
}

#[test]
fn compiler_that_stays_answers_for_the_fixtures_as_a_new_one() {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    for (project, language) in [
        ("widget/azure-rest-api-specs/specification/widget/WidgetManager", "csharp"),
        ("knowledge/WidgetManager", "java"),
    ] {
        let bench = Bench::new(&libraries());
        for entry in std::fs::read_dir(fixtures.join(project)).unwrap() {
            let entry = entry.unwrap();
            if entry.file_type().unwrap().is_file() {
                std::fs::copy(entry.path(), bench.project().join(entry.file_name())).unwrap();
            }
        }
        let text = std::fs::read_to_string(bench.project().join("client.tsp")).unwrap();
        let other =
            format!("{text}@@access(Contoso.WidgetManager.Widgets.deleteWidget, Access.internal, \"{language}\");\n");
        bench.compare(language, [&text, &other]);
    }
}
