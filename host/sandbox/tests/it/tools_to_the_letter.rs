//! What the tools that this project's tools replace were held to, or should have been, item by item: input and outcome,
//! through the real components in the real sandbox. Names carry the item's number in the list of behaviours.

use crate::common::World;
use bailiwick_sandbox::{Access, CallError, CallReport, DenialReason, ErrorKind, Grant, Grants, Reserved};
use serde_json::{Value, json};
use std::os::unix::fs::symlink;

fn answer(report: CallReport) -> Value {
    serde_json::from_str(&report.outcome.unwrap()).unwrap()
}

fn refusal(report: &CallReport) -> (ErrorKind, String) {
    match &report.outcome {
        Err(CallError::Tool(error)) => (error.kind, error.message.clone()),
        other => panic!("expected a refusal, got {other:?}"),
    }
}

fn patch(path: &str, old: &str, new: &str) -> Value {
    json!({"filePath": path, "oldContent": old, "newContent": new})
}

/// A world whose granted directory has this file.
fn with_file(content: impl AsRef<[u8]>) -> World {
    let world = World::new(Access::ReadWrite);
    std::fs::write(world.granted().join("file.txt"), content).unwrap();
    world
}

fn file(world: &World) -> Vec<u8> {
    std::fs::read(world.granted().join("file.txt")).unwrap()
}

/// A patch of the file that is refused, and the file stays as it was.
fn refused_patch(content: &str, input: &Value) -> (ErrorKind, String) {
    let world = with_file(content);
    let refusal = refusal(&world.call("CodePatch", input));
    assert_eq!(file(&world), content.as_bytes(), "{input}");
    refusal
}

/// What a patch makes of a file.
fn patched(content: &str, old: &str, new: &str) -> String {
    let world = with_file(content);
    let _ = answer(world.call("CodePatch", &patch("box/file.txt", old, new)));
    String::from_utf8(file(&world)).unwrap()
}

/// Every tool that takes a path, with an input that would show or change what is there.
fn attempts(path: &str, directory: &str) -> Vec<(&'static str, Value)> {
    vec![
        ("ReadFile", json!({"filePath": path})),
        ("WriteFile", json!({"filePath": path, "content": "overwritten\n"})),
        ("CodePatch", patch(path, "canary", "overwritten")),
        ("ListFiles", json!({"path": directory, "recursive": true})),
    ]
}

fn assert_refused(world: &World, path: &str, directory: &str) {
    for (tool, input) in attempts(path, directory) {
        let report = world.call(tool, &input);
        assert_eq!(refusal(&report).0, ErrorKind::NotPermitted, "{tool} {input}");
        world.assert_outside_untouched();
    }
}

#[test]
fn item_01_parent_path_is_refused_and_the_file_untouched() {
    let world = World::new(Access::ReadWrite);
    let before = std::fs::read("/etc/passwd").unwrap();
    for (path, directory) in [
        ("../../../etc/passwd", "../../../etc"),
        ("box/../../../../../../etc/passwd", "box/../../../../../../etc"),
        ("box/../secret.txt", "box/.."),
        ("box/sub/../../secret.txt", "box/sub/../../granted-evil"),
    ] {
        assert_refused(&world, path, directory);
        let report = world.call("ReadFile", &json!({"filePath": path}));
        assert!(report.denials.iter().any(|denial| denial.reason == DenialReason::Outside), "{path}: {report:?}");
    }
    assert_eq!(std::fs::read("/etc/passwd").unwrap(), before);
}

#[test]
fn item_02_absolute_path_is_refused_even_inside() {
    let world = World::new(Access::ReadWrite);
    let inside = world.granted().join("inside.txt");
    let granted = world.granted();
    assert_refused(&world, inside.to_str().unwrap(), granted.to_str().unwrap());
    assert_refused(&world, "/box/inside.txt", "/box");
    assert_eq!(std::fs::read_to_string(inside).unwrap(), "inside\n");
}

#[test]
fn item_03_link_to_outside_is_refused_by_read_write_list_and_patch() {
    let world = World::new(Access::ReadWrite);
    symlink("../secret.txt", world.granted().join("file")).unwrap();
    symlink("../granted-evil", world.granted().join("directory")).unwrap();
    symlink(world.base.path().join("secret.txt"), world.granted().join("absolute")).unwrap();
    for path in ["box/file", "box/directory/secret.txt", "box/absolute"] {
        assert_refused(&world, path, "box/directory");
    }
    assert_eq!(std::fs::read_link(world.granted().join("file")).unwrap().to_str().unwrap(), "../secret.txt");
}

fn listing_world() -> World {
    let base = tempfile::tempdir().unwrap();
    let granted = base.path().join("granted");
    std::fs::create_dir_all(granted.join("subdir/nested")).unwrap();
    for path in ["rootfile.txt", "subdir/file1.txt", "subdir/file2.cs", "subdir/nested/deep.txt"] {
        std::fs::write(granted.join(path), "text\n").unwrap();
    }
    std::fs::write(base.path().join("outside.txt"), "canary\n").unwrap();
    let grant = Grant::open("box", &granted, Access::ReadOnly, &Reserved::none()).unwrap();
    World::with(base, Grants::new(vec![grant]).unwrap())
}

fn names(listing: &Value) -> Vec<&str> {
    listing["entries"].as_array().unwrap().iter().map(|entry| entry["name"].as_str().unwrap()).collect()
}

#[test]
fn item_04_listing_is_of_the_directory_alone() {
    let world = listing_world();
    for path in [".", "", "box"] {
        assert_eq!(
            names(&answer(world.call("ListFiles", &json!({"path": path})))),
            ["rootfile.txt", "subdir"],
            "{path}"
        );
    }
    let listing = answer(world.call("ListFiles", &json!({"path": "subdir"})));
    assert_eq!(names(&listing), ["subdir/file1.txt", "subdir/file2.cs", "subdir/nested"]);
}

#[test]
fn item_04_recursive_listing_with_a_filter_has_every_match_beneath() {
    let listing =
        answer(listing_world().call("ListFiles", &json!({"path": ".", "recursive": true, "filter": "*.txt"})));
    assert_eq!(names(&listing), ["rootfile.txt", "subdir/file1.txt", "subdir/nested/deep.txt"]);
}

#[test]
fn item_05_filter_that_means_another_directory_is_refused() {
    let world = listing_world();
    for filter in ["../*", "../../*", "subdir/../../*", "/*", "subdir/*", "..", "..\\*"] {
        let report = world.call("ListFiles", &json!({"path": "box", "filter": filter}));
        let (kind, message) = refusal(&report);
        assert_eq!(kind, ErrorKind::InvalidInput, "{filter}");
        assert!(!message.contains("outside.txt"), "{message}");
    }
}

#[test]
fn item_06_file_is_not_a_directory() {
    let (kind, message) = refusal(&listing_world().call("ListFiles", &json!({"path": "box/rootfile.txt"})));
    assert_eq!(kind, ErrorKind::WrongKind);
    assert!(message.contains("`box/rootfile.txt` is not a directory"), "{message}");
}

#[test]
fn item_06_missing_directory_does_not_exist() {
    let (kind, message) = refusal(&listing_world().call("ListFiles", &json!({"path": "box/missing"})));
    assert_eq!(kind, ErrorKind::NotFound);
    assert!(message.contains("`box/missing` does not exist"), "{message}");
}

#[test]
fn item_07_end_past_the_end_means_the_last_line() {
    let world = with_file("one\ntwo\nthree");
    for end in [3, 4, 1_000_000] {
        let read = answer(world.call("ReadFile", &json!({"filePath": "file.txt", "startLine": 2, "endLine": end})));
        assert_eq!((&read["content"], &read["endLine"]), (&json!("two\nthree"), &json!(3)), "{end}");
    }
    let read = answer(world.call("ReadFile", &json!({"filePath": "file.txt", "startLine": 2, "endLine": 2})));
    assert_eq!(read["content"], "two\n");
}

#[test]
fn item_07_end_before_start_and_zero_are_invalid() {
    let world = with_file("one\ntwo\nthree\n");
    for (start, end) in [(json!(3), json!(2)), (json!(0), json!(2)), (json!(1), json!(0)), (json!(-1), json!(2))] {
        let report = world.call("ReadFile", &json!({"filePath": "file.txt", "startLine": start, "endLine": end}));
        assert_eq!(refusal(&report).0, ErrorKind::InvalidInput, "{start} {end}");
    }
}

#[test]
fn item_07_start_past_the_end_says_how_many_lines_there_are() {
    let report = with_file("one\ntwo\n").call("ReadFile", &json!({"filePath": "file.txt", "startLine": 3}));
    let (kind, message) = refusal(&report);
    assert_eq!(kind, ErrorKind::InvalidInput);
    assert!(message.contains("2 lines") && message.contains('3'), "{message}");
}

#[test]
fn item_08_every_other_byte_stays() {
    for mark in ["", "\u{feff}"] {
        for [first, second] in [["\n", "\n"], ["\r\n", "\r\n"], ["\r\n", "\n"]] {
            for last in ["", "\n", "\r\n"] {
                let before = format!("{mark}\talpha  {first}beta = 1{second}{second}  gamma\u{a0}{last}");
                let after = before.replace("beta = 1", "beta = 2");
                assert_eq!(patched(&before, "beta = 1", "beta = 2"), after, "{before:?}");
            }
        }
    }
}

#[test]
fn item_08_several_lines_given_with_line_feeds_keep_the_endings_of_the_file() {
    assert_eq!(patched("a\r\nb\r\nc\r\nd", "b\nc\n", "B\nnew\nC\n"), "a\r\nB\r\nnew\r\nC\r\nd");
}

#[test]
fn item_09_absent_text_is_a_failure_that_names_the_region_and_writes_nothing() {
    let (kind, message) = refused_patch("a\nb\nc\nd\n", &patch("box/file.txt", "missing text", "x"));
    assert_eq!(kind, ErrorKind::NoMatch);
    assert!(message.contains("`box/file.txt`") && message.contains("nothing was written"), "{message}");
    let mut input = patch("box/file.txt", "d", "x");
    input["startLine"] = json!(2);
    input["endLine"] = json!(3);
    let (kind, message) = refused_patch("a\nb\nc\nd\n", &input);
    assert_eq!(kind, ErrorKind::NoMatch);
    assert!(message.contains("in lines 2 to 3") && message.contains("line 4"), "{message}");
}

#[test]
fn item_10_text_that_is_there_twice_is_ambiguous_and_nothing_is_replaced() {
    let (kind, message) = refused_patch("x = 1\ny\nx = 1\n", &patch("box/file.txt", "x = 1", "x = 2"));
    assert_eq!(kind, ErrorKind::Ambiguous);
    assert!(message.contains("appears multiple times") && message.contains("lines 1, 3"), "{message}");
    // The same when whitespace differs.
    let (kind, _) = refused_patch("f(a,  b)\nf(a,\tb)\n", &patch("box/file.txt", "f(a, b)", "g(a, b)"));
    assert_eq!(kind, ErrorKind::Ambiguous);
}

#[test]
fn item_10_a_range_or_the_wish_for_all_makes_it_clear() {
    let world = with_file("x = 1\ny\nx = 1\n");
    let mut input = patch("box/file.txt", "x = 1", "x = 2");
    input["startLine"] = json!(2);
    assert_eq!(answer(world.call("CodePatch", &input))["replacementCount"], 1);
    assert_eq!(file(&world), b"x = 1\ny\nx = 2\n");
    let world = with_file("x = 1\ny\nx = 1\n");
    let mut input = patch("box/file.txt", "x = 1", "x = 2");
    input["replaceAll"] = json!(true);
    assert_eq!(answer(world.call("CodePatch", &input))["replacementCount"], 2);
    assert_eq!(file(&world), b"x = 2\ny\nx = 2\n");
}

#[test]
fn item_11_empty_new_text_deletes() {
    for (content, old, left) in [
        ("a\nb\nc\n", "b\n", "a\nc\n"),
        ("a\nb\nc\n", "b", "a\n\nc\n"),
        ("a\r\nb\r\nc", "b\n", "a\r\nc"),
        ("keep(drop)", "drop", "keep()"),
        ("all\n", "all\n", ""),
    ] {
        assert_eq!(patched(content, old, ""), left, "{content:?} {old:?}");
    }
}

#[test]
fn item_12_other_whitespace_matches_and_indentation_and_neighbours_stay() {
    for (content, old, new, expected) in [
        // What the old tool made `a;foo baz;` of.
        ("a;\n    foo  bar;", "foo bar;", "foo baz;", "a;\n    foo baz;"),
        ("a;\n\tfoo\t bar;\nb;\n", "foo bar;", "foo baz;", "a;\n\tfoo baz;\nb;\n"),
        ("  if  x:\n    y( )\nz\n", "if x:\n  y( )", "if x:\n  y()\n  w()", "  if x:\n    y()\n    w()\nz\n"),
        ("f(a,\n  b)\nnext\n", "f(a, b)", "f(b)", "f(b)\nnext\n"),
    ] {
        assert_eq!(patched(content, old, new), expected, "{content:?}");
    }
}

#[test]
fn item_13_pasted_line_numbers_match() {
    assert_eq!(patched("alpha\nbeta\ngamma\n", "2: beta", "2: BETA"), "alpha\nBETA\ngamma\n");
    assert_eq!(patched("alpha\nbeta\ngamma\n", "2: beta\n3: gamma\n", "BETA\nGAMMA\n"), "alpha\nBETA\nGAMMA\n");
}

#[test]
fn item_13_code_that_looks_like_line_numbers_is_never_altered() {
    let map = "error_map = {\n    404: NotFound,\n    409: Exists,\n}\n";
    assert_eq!(
        patched(map, "    404: NotFound,\n    409: Exists,\n", "    404: Missing,\n    409: Exists,\n    410: Gone,\n"),
        "error_map = {\n    404: Missing,\n    409: Exists,\n    410: Gone,\n}\n"
    );
    assert_eq!(
        patched("a\nx = None\n", "x = None", "x = {\n    404: X,\n    405: Y,\n}"),
        "a\nx = {\n    404: X,\n    405: Y,\n}\n"
    );
    // The number is not that of the line, so it is code, and that code is not there.
    let (kind, _) = refused_patch("X\nY\nZ\n", &patch("box/file.txt", "404: Z", "404: W"));
    assert_eq!(kind, ErrorKind::NoMatch);
}

/// The sandbox's half: what is not in the stage cannot be changed. Which files are in the stage is
/// decided in `host/customize`, and tested there under the same number; only Python is served so far.
#[test]
fn item_14_generated_file_is_readable_and_every_change_to_it_refused() {
    let base = tempfile::tempdir().unwrap();
    let (package, stage) = (base.path().join("package"), base.path().join("stage"));
    for root in [&package, &stage] {
        std::fs::create_dir_all(root.join("azure/widget")).unwrap();
        std::fs::write(root.join("azure/widget/_patch.py"), "old\n").unwrap();
    }
    let generated = package.join("azure/widget/_client.py");
    std::fs::write(&generated, "old\n").unwrap();
    let open = |path| std::fs::File::open(path).unwrap().into();
    let grant = Grant::staged("sdk", open(&package), open(&stage), &Reserved::none()).unwrap();
    let world = World::with(base, Grants::new(vec![grant]).unwrap());
    let path = "sdk/azure/widget/_client.py";
    assert_eq!(answer(world.call("ReadFile", &json!({"filePath": path})))["content"], "old\n");
    for (tool, input) in
        [("CodePatch", patch(path, "old", "new")), ("WriteFile", json!({"filePath": path, "content": "new\n"}))]
    {
        let report = world.call(tool, &input);
        let (kind, message) = refusal(&report);
        assert_eq!(kind, ErrorKind::NotPermitted, "{tool}");
        assert!(message.contains("this is none of them"), "{tool}: {message}");
        assert!(report.denials.iter().any(|denial| denial.reason == DenialReason::ReadOnly), "{tool}: {report:?}");
    }
    assert_eq!(std::fs::read_to_string(generated).unwrap(), "old\n");
    assert!(!stage.join("azure/widget/_client.py").exists());
    let _ = answer(world.call("CodePatch", &patch("sdk/azure/widget/_patch.py", "old", "new")));
    assert_eq!(std::fs::read_to_string(stage.join("azure/widget/_patch.py")).unwrap(), "new\n");
}
