//! Limits and the schema of the result hold.

use super::desk::{Desk, NOTES, READER, RESULT, records};

#[test]
fn limits_of_the_file_hold() {
    let desk = Desk::new();
    let text = format!("{READER}{NOTES}{RESULT}[limits]\ntool-calls = 1\n");
    let answer = desk.run(&text, &[]).exits(1);
    assert!(answer.stderr.contains("the agent's 1 tool calls did not suffice"), "{}", answer.stderr);
    let text = format!("{READER}{NOTES}{RESULT}[limits.call]\noutput-kib = 1\n");
    desk.write("notes/note.txt", &"x".repeat(4096));
    let answer = desk.run(&text, &[]).exits(1);
    assert!(answer.stderr.contains("step `note`"), "{}", answer.stderr);
    assert_eq!(records(&desk.world).len(), 2);
}

#[test]
fn result_that_is_off_its_schema_is_refused() {
    let desk = Desk::new();
    let text = format!("{READER}{NOTES}{RESULT}").replacen("\"string\"", "\"integer\"", 1);
    let answer = desk.run(&text, &[]).exits(1);
    assert!(answer.stdout.is_empty(), "{}", answer.stdout);
    assert!(answer.stderr.contains("its result was refused"), "{}", answer.stderr);
    let answer = desk.run(&text, &["--json"]).exits(1);
    assert_eq!(answer.json()["error"]["exitCode"], 1);
}
