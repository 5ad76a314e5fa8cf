//! A key that is looked for afterwards, in every form that it could have been written in.

use memchr::memmem;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::time::SystemTime;

/// Characters that JSON, addresses and shells escape stand between two words that none of them changes.
pub(crate) const KEY: &str = "sk-CanaryOne/x+y==\"&%41'\\CanaryTwo";

/// How the binary comes to the key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Way {
    Variable,
    File,
    Command,
}

impl Way {
    pub(crate) const ALL: [Self; 3] = [Self::Variable, Self::File, Self::Command];

    /// The variable for a provider whose own is named, with the key in `directory` where it needs a file.
    pub(crate) fn variable(self, own: &str, directory: &Path) -> (String, String) {
        let file = directory.join("key");
        fs::write(&file, format!("{KEY}\n")).unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
        let file = file.to_str().unwrap().to_owned();
        match self {
            Self::Variable => (own.to_owned(), KEY.to_owned()),
            Self::File => ("BAILIWICK_KEY_FILE".to_owned(), file),
            Self::Command => {
                ("BAILIWICK_KEY_COMMAND".to_owned(), format!("sh -c 'cat \"$1\"; echo more' {{provider}} '{file}'"))
            }
        }
    }
}

/// The key as itself, escaped for JSON in two ways, percent-encoded in two ways, and in Base64.
pub(crate) fn forms() -> Vec<String> {
    let json = serde_json::to_string(KEY).unwrap().trim_matches('"').to_owned();
    let percent: String = KEY.bytes().map(|byte| format!("%{byte:02X}")).collect();
    let reserved: String = KEY
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() || c == '-' { c.to_string() } else { format!("%{:02x}", c as u32) })
        .collect();
    let numbers: String = KEY.chars().map(|c| format!("\\u{:04x}", c as u32)).collect();
    let mut all = vec![KEY.to_owned(), json.replace('/', "\\/"), json, percent, reserved, numbers];
    all.extend(["", "B", "Be", "Bearer "].map(|before| base64(&format!("{before}{KEY}"))));
    all.extend(["", "B", "Be"].map(|before| base64(&format!("{before}{KEY}")).replace('+', "-").replace('/', "_")));
    all
}

/// What would be left of any form: either word, or the middle of either in Base64 or percent-encoded.
fn traces() -> Vec<String> {
    let mut traces = Vec::new();
    for word in ["CanaryOne", "CanaryTwo"] {
        traces.push(word.to_owned());
        traces.push(word.bytes().map(|byte| format!("%{byte:02X}")).collect());
        traces.push(word.bytes().map(|byte| format!("\\u{byte:04x}")).collect());
        for before in ["", "B", "Be"] {
            let encoded = base64(&format!("{before}{word}"));
            // The characters at both ends hold bits of whatever stands beside the word.
            traces.push(encoded.trim_end_matches('=')[2 * before.len()..][..9].to_owned());
        }
    }
    traces
}

static TRACES: LazyLock<Vec<String>> = LazyLock::new(traces);

/// Where a trace of the key is in these bytes.
pub(crate) fn found(bytes: &[u8]) -> Option<String> {
    // Hexadecimal digits are written either way.
    let lower = bytes.to_ascii_lowercase();
    TRACES.iter().find_map(|trace| {
        let at = match trace.starts_with(['%', '\\']) {
            true => memmem::find(&lower, trace.to_ascii_lowercase().as_bytes()),
            false => memmem::find(bytes, trace.as_bytes()),
        }?;
        let around = &bytes[at.saturating_sub(80)..(at + 120).min(bytes.len())];
        Some(format!("`{trace}` in …{}…", String::from_utf8_lossy(around)))
    })
}

/// Asserts that no file below this directory that was written since then holds a trace, in its text or in its name.
#[track_caller]
pub(crate) fn assert_in_no_file(directory: &Path, since: SystemTime, except: &[PathBuf]) -> usize {
    let mut looked_at = 0;
    let mut waiting = vec![directory.to_owned()];
    while let Some(directory) = waiting.pop() {
        // Other tests work in the same cache, and what they have removed is nothing to look at.
        for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
            let path = entry.path();
            assert_eq!(found(path.as_os_str().as_encoded_bytes()), None, "in the name {}", path.display());
            let Ok(metadata) = entry.metadata() else { continue };
            if metadata.is_dir() {
                waiting.push(path);
            } else if metadata.is_file()
                && metadata.modified().is_ok_and(|modified| modified >= since)
                && !except.contains(&path)
            {
                looked_at += 1;
                let text = fs::read(&path).unwrap_or_default();
                assert_eq!(found(&text), None, "in {}", path.display());
            }
        }
    }
    looked_at
}

fn base64(text: &str) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let digits = |chunk: &[u8]| {
        let number = chunk.iter().chain(&[0, 0]).take(3).fold(0u32, |number, byte| number << 8 | u32::from(*byte));
        let all = [18, 12, 6, 0].map(|shift| char::from(DIGITS[(number >> shift & 63) as usize]));
        let used = chunk.len() + 1;
        all.into_iter().take(used).chain(std::iter::repeat_n('=', 4 - used)).collect::<String>()
    };
    text.as_bytes().chunks(3).map(digits).collect()
}

#[test]
fn search_finds_the_key_in_each_of_its_forms_and_half_of_it() {
    for form in forms() {
        assert!(found(format!("before {form} after").as_bytes()).is_some(), "{form}");
    }
    assert!(found(&KEY.as_bytes()[..15]).is_some());
    assert!(found(b"a bailiwick without a canary").is_none());
    assert_eq!(base64("Bearer sk-canary"), "QmVhcmVyIHNrLWNhbmFyeQ==");
}
