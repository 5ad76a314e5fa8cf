//! A tool that may read one directory and write none, in a program of yours:
//!
//! ```sh
//! cargo run --example read_without_writing
//! ```

#![expect(clippy::print_stdout, reason = "the example shows its result")]

use bailiwick_sandbox::{
    Access, Allocation, Audit, CallError, Capabilities, CompileCache, ErrorKind, Grant, Grants, Limits, LoadLimits,
    Reserved, Sandbox, SandboxConfig, builtin,
};
use serde_json::{Value, json};
use std::path::Path;
use std::time::Duration;

/// What one call may spend. There are no defaults: a limit that was not thought about is none.
fn limits() -> Limits {
    Limits {
        memory_bytes: 16 << 20,
        table_elements: 10_000,
        deadline: Duration::from_secs(10),
        input_bytes: 64 << 10,
        output_bytes: 1 << 20,
        handles: 16,
        directory_entries: 1_000,
        written_bytes: 1 << 20,
    }
}

fn sandbox() -> Result<Sandbox, Box<dyn std::error::Error>> {
    let load = LoadLimits {
        component_bytes: 16 << 20,
        functions: 50_000,
        function_bytes: 64 << 10,
        instances: 8,
        memories: 1,
        tables: 4,
        description_bytes: 16 << 10,
        schema_bytes: 64 << 10,
        deadline: Duration::from_secs(60),
        at_once: 1,
        threads: 1,
        most_stuck: 1,
    };
    Ok(Sandbox::new(SandboxConfig {
        allocation: Allocation::OnDemand,
        workers: 1,
        waiting: 16,
        most_stuck: 1,
        largest_memory: 16 << 20,
        cache: CompileCache::Off,
        load,
        audit: Audit::Off,
        describe: limits(),
    })?)
}

/// Reads `file` of `directory` with a component, and has another one try to overwrite it.
async fn read_and_try_to_write(
    directory: &Path,
    file: &str,
) -> Result<(String, ErrorKind), Box<dyn std::error::Error>> {
    let sandbox = sandbox()?;
    // A component of your own comes from `std::fs::read`; `load_any` takes one without the contract as well.
    let read = sandbox.load(builtin::READ_FILE, &Capabilities::files()).await?;
    let write = sandbox.load(builtin::WRITE_FILE, &Capabilities::files()).await?;

    // Tools know the directory as `notes`, and no other way to it.
    let grant = Grant::open("notes", directory, Access::ReadOnly, &Reserved::none())?;
    let grants = Grants::new(vec![grant])?;
    let path = format!("notes/{file}");

    let input = json!({ "filePath": path }).to_string();
    let answer: Value = serde_json::from_str(&sandbox.call(&read, &grants, &input, &limits()).await.outcome?)?;
    let content = answer["content"].as_str().ok_or("an answer without content")?.to_owned();

    let input = json!({ "filePath": path, "content": "overwritten" }).to_string();
    let report = sandbox.call(&write, &grants, &input, &limits()).await;
    match report.outcome {
        Err(CallError::Tool(refused)) if !report.denials.is_empty() => Ok((content, refused.kind)),
        Err(error) => Err(error.into()),
        Ok(answer) => Err(format!("it was written: {answer}").into()),
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let directory = tempfile::tempdir()?;
    std::fs::write(directory.path().join("a.txt"), "the sphere in which one has authority\n")?;
    let (content, refusal) = read_and_try_to_write(directory.path(), "a.txt").await?;
    println!("read: {content}written: {}", refusal.name());
    Ok(())
}

#[tokio::test]
async fn what_is_granted_for_reading_is_read_and_not_written() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("a.txt");
    std::fs::write(&file, "text\n").unwrap();
    let (content, refusal) = read_and_try_to_write(directory.path(), "a.txt").await.unwrap();
    assert!(content.contains("text"), "{content}");
    assert_eq!(refusal, ErrorKind::NotPermitted);
    assert_eq!(std::fs::read_to_string(file).unwrap(), "text\n");
}
