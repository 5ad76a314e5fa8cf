//! The contributed tools begin as a new tool does: what `tool new` lays beside a tool is the same there.

use std::path::Path;

#[test]
fn examples_have_the_helpers_that_new_tools_get() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    for (template, example) in [
        ("python/bailiwick_tool.py", "changelog-writer/bailiwick_tool.py"),
        ("js/bailiwick-tool.js", "typespec-style/bailiwick-tool.js"),
        ("js/bailiwick-tool.d.ts", "typespec-style/bailiwick-tool.d.ts"),
    ] {
        let read = |path: std::path::PathBuf| std::fs::read_to_string(path).unwrap();
        let given = read(here.join("templates").join(template));
        assert!(given == read(here.join("../../examples/tools").join(example)), "{example} is not {template} any more");
    }
}
