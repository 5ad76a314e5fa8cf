//! Recorded differences as a disk or another program may have left them.

use bailiwick_fuzz::Target;

#[test]
fn differences() {
    const WORDS: &[&str] = &[
        "--- ",
        "+++ ",
        "@@ -1,3 +1,4 @@",
        "@@ -18446744073709551615,2 +18446744073709551615,2 @@",
        "\n+",
        "\n-",
        "\n ",
        "Binary files ",
        " and ",
        " differ",
        "# generated: ",
        "# and ",
        "\\ No newline",
        "/dev/null",
    ];
    Target { name: "differences", words: WORDS }.run_text(|text| {
        crate::diff::parse(text);
        crate::time::readable(text);
        crate::clip::line(text, 7);
        crate::clip::code_line(text, 7);
        crate::clip::text(text, 7, 3);
    });
}
