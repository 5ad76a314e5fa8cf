//! Sizes and numbers: large files, long lines, full disks. Refused by size and never by running out.

use super::{leftovers, list, patch, read, write};
use crate::common::{World, block_on, limits};
use bailiwick_sandbox::{Access, CallReport, ErrorKind, Limits};
use serde_json::{Value, json};
use std::fs::File;

const MIB: u64 = 1 << 20;

fn call_within(world: &World, tool: &str, input: &Value, limits: &Limits) -> CallReport {
    block_on(world.sandbox.call(world.tool(tool), &world.grants, &input.to_string(), limits))
}

#[test]
fn sparse_file_of_a_tebibyte_is_too_large_and_can_be_replaced() {
    let world = World::new(Access::ReadWrite);
    let path = world.granted().join("sparse");
    File::create(&path).unwrap().set_len(1 << 40).unwrap();
    for (tool, input) in [
        ("ReadFile", json!({"filePath": "box/sparse"})),
        ("CodePatch", json!({"filePath": "box/sparse", "oldContent": "a", "newContent": "b"})),
    ] {
        let report = world.call(tool, &input);
        assert_eq!(super::refused(&report), ErrorKind::TooLarge, "{tool}");
        assert!(report.cost.memory_bytes < 64 << 20, "{tool} {:?}", report.cost);
        assert!(report.cost.read_bytes <= 16 * MIB, "{tool} {:?}", report.cost);
    }
    assert!(list(&world, "box").unwrap().contains(&("sparse".to_owned(), "file".to_owned())));
    assert_eq!(std::fs::metadata(&path).unwrap().len(), 1 << 40);
    assert_eq!(write(&world, "box/sparse", "small\n"), Ok(()));
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "small\n");
}

#[test]
fn line_of_64_mebibytes_is_too_large_whole_or_in_part() {
    let world = World::new(Access::ReadWrite);
    let line = "x".repeat(64 << 20);
    std::fs::write(world.granted().join("line"), format!("short\n{line}\nlast\n")).unwrap();
    assert_eq!(read(&world, "box/line"), Err(ErrorKind::TooLarge));
    assert_eq!(patch(&world, "box/line", "short", "x"), Err(ErrorKind::TooLarge));
    let range = |start: u32, end: u32| {
        let input = json!({"filePath": "box/line", "startLine": start, "endLine": end});
        world.call("ReadFile", &input)
    };
    assert_eq!(super::refused(&range(2, 2)), ErrorKind::TooLarge);
    for (line, content) in [(1, "short\\n"), (3, "last\\n")] {
        assert!(range(line, line).outcome.unwrap().contains(content), "{line}");
    }
    let first: Value = serde_json::from_str(&range(1, 3).outcome.unwrap()).unwrap();
    assert_eq!((&first["content"], &first["truncated"]), (&json!("short\n"), &json!(true)));
}

#[test]
fn answer_that_is_full_ends_with_a_whole_character() {
    let world = World::new(Access::ReadWrite);
    for (offset, character) in ["", "a", "ab", "abc"].into_iter().zip(["\u{e9}", "\u{20ac}", "\u{1f600}", "\u{1f600}"])
    {
        let line = format!("{offset}{}\n", character.repeat(997));
        std::fs::write(world.granted().join("wide"), line.repeat(1500)).unwrap();
        let report = world.call("ReadFile", &json!({"filePath": "box/wide", "startLine": 1}));
        let answer: Value = serde_json::from_str(&report.outcome.unwrap()).unwrap();
        let content = answer["content"].as_str().unwrap();
        assert_eq!(answer["truncated"], json!(true));
        assert_eq!(content, line.repeat(content.len() / line.len()), "{character}");
    }
}

#[test]
fn write_over_the_quota_leaves_the_old_content_and_no_temporary_file() {
    let world = World::new(Access::ReadWrite);
    let little = Limits { written_bytes: 64 * 1024, ..limits() };
    let content = "x".repeat(64 * 1024 + 1);
    for path in ["box/inside.txt", "box/new.txt"] {
        let report = call_within(&world, "WriteFile", &json!({"filePath": path, "content": content}), &little);
        assert_eq!(super::refused(&report), ErrorKind::Failed, "{path}");
        assert!(report.cost.written_bytes <= little.written_bytes, "{:?}", report.cost);
    }
    assert_eq!(read(&world, "box/inside.txt").unwrap(), "inside\n");
    assert!(!world.granted().join("new.txt").exists());
    assert_eq!(leftovers(&world.granted()), [""; 0]);
    let fits = json!({"filePath": "box/new.txt", "content": &content[1..]});
    assert!(call_within(&world, "WriteFile", &fits, &little).outcome.is_ok());
}

#[test]
fn directory_with_more_names_than_allowed_is_too_large_to_list_and_still_used_by_name() {
    let world = World::new(Access::ReadWrite);
    for number in 0..101 {
        std::fs::write(world.granted().join(format!("sub/{number}")), "x\n").unwrap();
    }
    let few = Limits { directory_entries: 100, ..limits() };
    let report = call_within(&world, "ListFiles", &json!({"path": "box/sub"}), &few);
    assert_eq!(super::refused(&report), ErrorKind::TooLarge);
    assert!(call_within(&world, "ReadFile", &json!({"filePath": "box/sub/7"}), &few).outcome.is_ok());
    std::fs::remove_file(world.granted().join("sub/100")).unwrap();
    assert!(call_within(&world, "ListFiles", &json!({"path": "box/sub"}), &few).outcome.is_ok());
}

#[test]
fn patch_that_would_multiply_a_file_ends_at_a_limit() {
    let world = World::new(Access::ReadWrite);
    std::fs::write(world.granted().join("many"), "a\n".repeat(20_000)).unwrap();
    let before = std::fs::read(world.granted().join("many")).unwrap();
    let bomb = json!({
        "filePath": "box/many", "oldContent": "a", "newContent": "b".repeat(64 * 1024), "replaceAll": true,
    });
    let report = world.call("CodePatch", &bomb);
    assert!(report.outcome.is_err(), "{:?}", report.cost);
    assert!(report.cost.memory_bytes <= limits().memory_bytes);
    assert_eq!(std::fs::read(world.granted().join("many")).unwrap(), before);
    assert_eq!(leftovers(&world.granted()), [""; 0]);
    assert_eq!(read(&world, "box/inside.txt").unwrap(), "inside\n");
}
