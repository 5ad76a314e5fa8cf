//! Names that mean something elsewhere, or look like others. Here each is itself.

use super::{list, patch, read, write};
use crate::common::World;
use bailiwick_sandbox::Access;
use serde_json::{Value, json};
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

/// Every name is made, read, patched and listed as it is, and is one file of its own.
fn assert_ordinary(names: &[&str]) {
    let world = World::new(Access::ReadWrite);
    for name in names {
        let path = format!("box/sub/{name}");
        assert_eq!(write(&world, &path, &format!("old {name}\n")), Ok(()), "{name:?}");
    }
    for name in names {
        let path = format!("box/sub/{name}");
        assert_eq!(read(&world, &path).unwrap(), format!("old {name}\n"), "{name:?}");
        assert_eq!(patch(&world, &path, "old ", "new "), Ok(()), "{name:?}");
        let on_disk = std::fs::read_to_string(world.granted().join("sub").join(name)).unwrap();
        assert_eq!(on_disk, format!("new {name}\n"), "{name:?}");
    }
    let mut listed: Vec<_> = list(&world, "box/sub").unwrap().into_iter().map(|(name, _)| name).collect();
    let mut expected: Vec<_> = names.iter().map(|name| format!("sub/{name}")).collect();
    listed.sort();
    expected.sort();
    assert_eq!(listed, expected);
    world.assert_outside_untouched();
}

#[test]
fn undecodable_name_hides_no_other() {
    let world = World::new(Access::ReadWrite);
    for name in [&b"bad\xffname"[..], b"\xc3", b"\xed\xa0\x80", b"sub/deep\xfe"] {
        std::fs::write(world.granted().join(OsStr::from_bytes(name)), "").unwrap();
    }
    std::fs::write(world.granted().join("sub/good"), "").unwrap();
    let report = world.call("ListFiles", &json!({"path": "box", "recursive": true})).outcome.unwrap();
    let listed: Value = serde_json::from_str(&report).unwrap();
    let names: Vec<_> = listed["entries"].as_array().unwrap().iter().map(|entry| entry["name"].as_str()).collect();
    assert_eq!(names, [Some("inside.txt"), Some("sub"), Some("sub/good")]);
    assert_eq!(listed["undecodable"], json!(4));
}

#[test]
fn names_that_look_alike_are_different_files() {
    assert_ordinary(&[
        "caf\u{e9}.txt",
        "cafe\u{301}.txt",
        "file.txt",
        "File.txt",
        "FILE.TXT",
        "f\u{131}le.txt",
        "\u{ff46}ile.txt",
        "\u{444}ile.txt",
        "stra\u{df}e",
        "strasse",
        "\u{212a}",
        "K",
        "k",
    ]);
}

#[test]
fn names_with_invisible_characters_are_different_files() {
    assert_ordinary(&[
        "invoice.txt",
        "invoice\u{200b}.txt",
        "invoice\u{202e}txt.exe",
        "\u{2066}invoice.txt\u{2069}",
        "invoice.txt\u{feff}",
        "invoice.txt\u{e0041}",
        "invoice\u{ad}.txt",
        "\u{1f468}\u{200d}\u{1f469}\u{200d}\u{1f467}.txt",
        "\u{1f600}",
    ]);
}

#[test]
fn names_that_programs_take_for_options_or_patterns_are_ordinary_files() {
    assert_ordinary(&[
        "-", "--", "-rf", "--help", "-n1", "*", "?.txt", "[a-z]", "{a,b}", "!", "#x", "&x", "|x", ";x", "$x", "'",
        "\"", "`x`", "<x>", "~", "a b", " ", "  a", "...", "..a", "a..", "=", "@x", "%s%n", "%00", "x:y",
    ]);
}

#[test]
fn names_that_are_devices_or_streams_on_windows_are_ordinary_files() {
    assert_ordinary(&[
        "CON",
        "NUL",
        "AUX",
        "PRN",
        "COM1",
        "COM9",
        "LPT1",
        "COM\u{b9}",
        "LPT\u{b2}",
        "CONIN$",
        "CONOUT$",
        "CLOCK$",
        "nul.txt",
        "nul.txt.bak",
        "f",
        "f:stream",
        "f::$DATA",
        "f.",
        "f ",
        "f. .",
        "PROGRA~1",
        "C:x",
        "\\\\.\\NUL",
    ]);
}

// JSON can write half a character that UTF-8 cannot. It must not become some other name.
#[test]
fn half_a_surrogate_in_the_input_reaches_no_file() {
    let world = World::new(Access::ReadWrite);
    for input in [r#"{"filePath":"box/\ud800","content":"x"}"#, r#"{"filePath":"box/\udc00x","content":"x"}"#] {
        let tool = world.tool("WriteFile");
        let limits = crate::common::limits();
        let report = crate::common::block_on(world.sandbox.call(tool, &world.grants, input, &limits));
        assert!(report.outcome.is_err(), "{input}");
        // A caller that does not check first is no way round.
        let report = crate::common::block_on(world.sandbox.invoke(tool, &world.grants, input.to_owned(), &limits));
        assert!(report.outcome.is_err(), "{input}");
    }
    assert_eq!(std::fs::read_dir(world.granted()).unwrap().count(), 2);
}
