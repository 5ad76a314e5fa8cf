//! What Maven and the generator print, apart from the compiler's lines.

use bailiwick_fuzz::Target;

use bailiwick_sdk::diagnostics::{PathMap, java_generator, javac, maven, typespec};

use crate::fuzzing::holds;

#[test]
fn maven() {
    const WORDS: &[&str] = &[
        "[ERROR] ",
        "[WARNING] ",
        "\u{1b}[1;31m",
        "\u{1b}[",
        "COMPILATION ERROR",
        "Failed to execute goal ",
        "Caused by: ",
        "java.lang.IllegalStateException: ",
        "\tat a.B.c(WidgetCustomization.java:12)",
        "symbol: ",
        ".java:[",
        "is already defined in ",
        "error @azure-tools/typespec-java/generator-error: ",
        "/tmp/x/WidgetCustomization.java",
    ];
    Target { name: "maven", words: WORDS }.run_text(|text| {
        if let Some(words) = maven::complaint(text) {
            assert!(!words.is_empty() && !words.contains('\n') && words == words.trim(), "{words:?}");
        }
        let customizations = ["customization/src/main/java/WidgetCustomization.java".to_owned()];
        let found = typespec::parse(text, &PathMap::default());
        let own = |file: &str| file.strip_prefix("sdk/") == Some(&customizations[0]);
        let of_compiler = found.len();
        let all = java_generator::diagnostics(text, &customizations, found);
        assert!(all.len() <= of_compiler + text.lines().count() + 1);
        let named = all.iter().filter(|one| one.tool == "customization").filter_map(|one| one.file.as_deref());
        // Only files that are customizations are blamed.
        named.for_each(|file| assert!(own(file), "{file}"));
        holds(text, |text| javac::parse(text, |path| Some(path.to_owned())));
    });
}
