//! A tool of one's own, from an empty directory to cases that pass, in each language: one test after the other, since
//! each uses every core, and each says how long it took.

use bailiwick_tests::{binary, cache};
use serde_json::Value;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output};
use std::time::Instant;

fn bailiwick(base: &Path, arguments: &[&str]) -> Output {
    Command::new(binary())
        .args(arguments)
        .current_dir(base)
        .env("BAILIWICK_STATE_DIR", base.join("state"))
        .env("BAILIWICK_CACHE_DIR", cache())
        // What a builder must not see.
        .env("OPENAI_API_KEY", "sk-not-for-builders")
        .output()
        .unwrap()
}

/// Both texts, after the exit code was looked at.
#[track_caller]
pub(crate) fn exits(output: &Output, code: i32) -> (String, String) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (stdout, stderr) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(code), "\nstdout:\n{stdout}\nstderr:\n{stderr}");
    (stdout, stderr)
}

#[test]
fn tool_in_each_language_goes_from_an_empty_directory_to_passing_cases() {
    let base = tempfile::Builder::new().prefix("bailiwick-new-").tempdir().unwrap();
    let base = base.path();
    for language in ["rust", "python", "js"] {
        let name = format!("{language}-outline");
        let started = Instant::now();
        exits(&bailiwick(base, &["tool", "new", &name, "--lang", language]), 0);
        let tested = bailiwick(base, &["--json", "tool", "test", &name]);
        let (stdout, _) = exits(&tested, 0);
        println!("{language}: from nothing to tested in {:.0} s", started.elapsed().as_secs_f64());
        let report: Value = serde_json::from_str(&stdout).unwrap();
        assert_eq!((report["passed"].as_u64(), report["failed"].as_u64()), (Some(7), Some(0)), "{report:#}");

        let manifest = base.join(&name).join("tool.toml");
        let text = fs::read_to_string(&manifest).unwrap();
        assert!(text.contains(report["digest"].as_str().unwrap()), "{text}");
        assert!(text.contains("# or \"read\""), "a comment of the author's is gone: {text}");

        // A tool that does something else fails its cases, each with what is wrong.
        let cases = base.join(&name).join("tests/outline.toml");
        let other = fs::read_to_string(&cases).unwrap().replace("- Guide\\n", "- Another\\n");
        fs::write(&cases, other).unwrap();
        let (stdout, _) = exits(&bailiwick(base, &["tool", "test", "--no-build", &name]), 1);
        assert!(stdout.contains("failed  headings are listed and the outline is written"), "{stdout}");
        assert!(stdout.contains("and has to be `- Another"), "{stdout}");
        assert!(stdout.contains("6 passed, 1 failed"), "{stdout}");
    }
    nothing_is_written_over(base);
    author_learns_what_does_not_compile(base);
    reaching_out_while_building_is_refused(base);
}

/// `wasm32-wasip2` is what many authors have, and cannot be installed everywhere these tests run. So compiler and cargo are
/// STAND-INS here: the one says that it has this target alone, the other copies a component in place of building one.
/// Shown is which target is chosen, how cargo is called, and what is taken for a component; not that a real one builds.
#[test]
fn other_target_is_taken_where_it_is_what_is_installed() {
    let base = tempfile::Builder::new().prefix("bailiwick-new-").tempdir().unwrap();
    let base = base.path();
    exits(&bailiwick(base, &["tool", "new", "other", "--lang", "rust"]), 0);
    let sysroot = base.join("stand-in");
    let place = sysroot.display();
    let library = sysroot.join("lib/wasip2");
    fs::create_dir_all(&library).unwrap();
    fs::create_dir_all(sysroot.join("bin")).unwrap();
    fs::write(library.join("libstd-stand-in.rlib"), "").unwrap();
    let dist = Path::new(env!("CARGO_MANIFEST_DIR")).join("../components/dist/read-file.wasm");
    let _ = fs::copy(&dist, sysroot.join("made.wasm")).unwrap();
    let rustc = format!(
        "#!/bin/sh\n# A stand-in for rustc, which compiles nothing.\ncase \"$*\" in\n\
         *'target-libdir --target wasm32-wasip2') echo {place}/lib/wasip2 ;;\n\
         *target-libdir*) echo {place}/lib/none ;;\n*) echo {place} ;;\nesac\n"
    );
    let cargo = format!(
        "#!/bin/sh\n# A stand-in for cargo, which builds nothing.\n[ \"$1\" = build ] || exit 0\n\
         out=$CARGO_TARGET_DIR/wasm32-wasip2/release\nmkdir -p $out && cp {place}/made.wasm $out/other.wasm && \
         echo \"$* [$RUSTFLAGS]\" > $out/called\n"
    );
    for (name, script) in [("rustc", rustc), ("cargo", cargo)] {
        let path = sysroot.join("bin").join(name);
        fs::write(&path, script).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    }
    let build = |rustc: Option<&Path>| {
        let mut command = Command::new(binary());
        command.args(["tool", "build", "other"]).current_dir(base);
        command.env("BAILIWICK_STATE_DIR", base.join("state")).env("BAILIWICK_CACHE_DIR", cache());
        if let Some(rustc) = rustc {
            command.env("RUSTC", rustc);
        }
        command.output().unwrap()
    };
    let rustc = sysroot.join("bin/rustc");
    let (_, said) = exits(&build(Some(&rustc)), 0);
    assert!(said.contains("the active toolchain for wasm32-wasip2"), "{said}");
    assert_eq!(fs::read(base.join("other/other.wasm")).unwrap(), fs::read(&dist).unwrap(), "taken as it is");
    let called = fs::read_to_string(base.join("other/target/wasm32-wasip2/release/called")).unwrap();
    assert!(called.contains("--target wasm32-wasip2") && !called.contains("stack-size"), "{called}");

    // A core module under that name is not a component, and one that is there stays.
    fs::write(sysroot.join("made.wasm"), b"\0asm\x01\0\0\0").unwrap();
    let (_, said) = exits(&build(Some(&rustc)), 2);
    assert!(said.contains("is not a component"), "{said}");
    assert_eq!(fs::read(base.join("other/other.wasm")).unwrap(), fs::read(&dist).unwrap());

    // The project's own choice is heeded, also where it cannot be had.
    fs::create_dir(base.join("other/.cargo")).unwrap();
    fs::write(base.join("other/.cargo/config.toml"), "[build]\ntarget = \"wasm32-wasip2\"\n").unwrap();
    let none = sysroot.join("bin/none");
    fs::write(&none, "#!/bin/sh\nexit 1\n").unwrap();
    fs::set_permissions(&none, fs::Permissions::from_mode(0o755)).unwrap();
    let output = build(Some(&none));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && said.contains("has the target `wasm32-wasip2`"), "{said}");
    assert!(said.contains("rustup target add wasm32-wasip2"), "{said}");
}

fn nothing_is_written_over(base: &Path) {
    let before = fs::read_to_string(base.join("js-outline/app.js")).unwrap();
    let (_, said) = exits(&bailiwick(base, &["tool", "new", "js-outline", "--lang", "js"]), 2);
    assert!(said.contains("is there already") && said.contains("hint: "), "{said}");
    assert_eq!(fs::read_to_string(base.join("js-outline/app.js")).unwrap(), before);
    exits(&bailiwick(base, &["tool", "new", "../js", "--lang", "js"]), 2);
}

/// The error is the compiler's own, and the component that was there stays.
fn author_learns_what_does_not_compile(base: &Path) {
    let project = base.join("python-outline");
    let component = project.join("python-outline.wasm");
    let built = fs::read(&component).unwrap();
    fs::write(project.join("app.py"), "def outline(:\n").unwrap();
    let (_, said) = exits(&bailiwick(base, &["tool", "build", "python-outline"]), 1);
    assert!(said.contains("SyntaxError") && said.contains("componentize-py"), "{said}");
    assert_eq!(fs::read(component).unwrap(), built);
}

/// What builds runs what an author's dependencies say: here a build script that looks for a key and for the home.
fn reaching_out_while_building_is_refused(base: &Path) {
    let project = base.join("rust-outline");
    let secret = base.join("secret");
    fs::write(&secret, "secret").unwrap();
    let script = r#"fn main() {
    let read = std::fs::read("SECRET").is_ok();
    let wrote = std::fs::write("PLANTED", "x").is_ok();
    let key = std::env::var("OPENAI_API_KEY").is_ok();
    panic!("read {read}, wrote {wrote}, key {key}");
}
"#;
    let planted = base.join("planted");
    let script = script.replace("SECRET", secret.to_str().unwrap()).replace("PLANTED", planted.to_str().unwrap());
    fs::write(project.join("build.rs"), script).unwrap();
    let (_, said) = exits(&bailiwick(base, &["tool", "build", "rust-outline"]), 1);
    assert!(said.contains("read false, wrote false, key false"), "{said}");
    assert!(!planted.exists());
}
