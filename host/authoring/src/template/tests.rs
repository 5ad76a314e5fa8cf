//! New projects: complete, with no name of a template left, and never over what is there.

use super::*;
use bailiwick_tools::Manifest;

const LANGUAGES: [Language; 3] = [Language::Rust, Language::Python, Language::Js];

#[test]
fn new_project_has_a_manifest_that_can_be_read_and_no_place_left_open() {
    for language in LANGUAGES {
        let parent = tempfile::tempdir().unwrap();
        let directory = parent.path().join("deep/word-count");
        let files = create("word-count", language, &directory).unwrap();
        for file in &files {
            let text = fs::read_to_string(file).unwrap();
            let path = file.strip_prefix(&directory).unwrap();
            // The SDK formats with doubled braces.
            assert!(path.starts_with("sdk") || !text.contains("{{"), "{}", path.display());
        }
        let manifest = Manifest::parse(&fs::read_to_string(directory.join("tool.toml")).unwrap()).unwrap();
        assert_eq!((manifest.name.as_str(), manifest.language), ("word-count", Some(language)));
        assert!(crate::case::read(&directory).unwrap().len() >= 6);
    }
}

#[test]
fn nothing_is_written_where_something_is_already() {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("mine"), "x").unwrap();
    let error = create("word-count", Language::Js, directory.path()).unwrap_err();
    assert!(matches!(error, AuthoringError::Occupied(_)), "{error}");
    assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1);
    let file = directory.path().join("mine");
    create("word-count", Language::Js, &file).unwrap_err();
    assert_eq!(fs::read_to_string(file).unwrap(), "x");
}

#[test]
fn names_that_no_crate_or_tool_could_have_are_refused() {
    let directory = tempfile::tempdir().unwrap();
    let long = "a".repeat(65);
    for name in ["", "-a", "a-", "1a", "A", "a_b", "../a", "a b", "a\u{202e}", "std", &long] {
        let error = create(name, Language::Rust, &directory.path().join("x")).unwrap_err();
        assert!(matches!(error, AuthoringError::Name(_)), "{name}: {error}");
    }
    assert!(!directory.path().join("x").exists());
}

#[test]
fn embedded_sdk_is_the_whole_one_and_asks_for_the_same_versions() {
    let components = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../components");
    let mut there: Vec<String> = fs::read_dir(components.join("tool-sdk/src"))
        .unwrap()
        .map(|entry| format!("sdk/src/{}", entry.unwrap().file_name().to_string_lossy()))
        .collect();
    there.sort();
    assert_eq!(files::SDK.iter().map(|(path, _)| *path).collect::<Vec<_>>(), there);

    let table = |text: &str| text.parse::<toml::Table>().unwrap();
    let workspace = table(&fs::read_to_string(components.join("Cargo.toml")).unwrap());
    let own = table(&fs::read_to_string(components.join("tool-sdk/Cargo.toml")).unwrap());
    let rust = files::of(Language::Rust);
    let sdk = table(rust.iter().find(|(path, _)| *path == "sdk/Cargo.toml").unwrap().1);
    let names = |table: &toml::Table| table["dependencies"].as_table().unwrap().keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(&sdk), names(&own));
    for (name, asked) in sdk["dependencies"].as_table().unwrap() {
        assert_eq!(asked, &workspace["workspace"]["dependencies"][name], "{name}");
    }
}

#[test]
fn packages_of_a_lock_file_stand_in_the_order_of_their_names() {
    let lock = "# head\nversion = 4\n\n[[package]]\nname = \"b\"\nversion = \"1\"\n\n[[package]]\nname = \"a\"\n";
    let expected = "# head\nversion = 4\n\n[[package]]\nname = \"a\"\n\n[[package]]\nname = \"b\"\nversion = \"1\"\n";
    assert_eq!(sorted(lock), expected);
    assert_eq!(sorted(expected), expected);
}
