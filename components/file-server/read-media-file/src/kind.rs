//! What a file is by its name, and its name as a URI.

use std::fmt::Write;

/// Endings of names, and what they stand for.
const KINDS: [(&str, &str); 11] = [
    ("png", "image/png"),
    ("jpg", "image/jpeg"),
    ("jpeg", "image/jpeg"),
    ("gif", "image/gif"),
    ("webp", "image/webp"),
    ("bmp", "image/bmp"),
    ("svg", "image/svg+xml"),
    ("mp3", "audio/mpeg"),
    ("wav", "audio/wav"),
    ("ogg", "audio/ogg"),
    ("flac", "audio/flac"),
];

/// The MIME type of the file at `path`, in any letter case.
pub(crate) fn of(path: &str) -> &'static str {
    let name = path.rsplit('/').next().unwrap_or(path);
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    let known = KINDS.iter().find(|(known, _)| known.eq_ignore_ascii_case(ending));
    known.map_or("application/octet-stream", |(_, kind)| kind)
}

/// The `file` URI of an absolute path.
pub(crate) fn uri(path: &str) -> String {
    let mut uri = String::from("file://");
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"/-._~!$&'()*+,;=:@".contains(&byte) {
            uri.push(char::from(byte));
        } else {
            // Writing to a string cannot fail.
            let _ = write!(uri, "%{byte:02X}");
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endings_say_what_a_file_is() {
        for (path, expected) in [
            ("/a/b.PNG", "image/png"),
            ("x.tar.ogg", "audio/ogg"),
            ("a.png/b", "application/octet-stream"),
            ("png", "application/octet-stream"),
        ] {
            assert_eq!(of(path), expected, "{path}");
        }
    }

    #[test]
    fn a_uri_has_what_is_no_part_of_one_escaped() {
        assert_eq!(uri("/my dir/é%?#.bin"), "file:///my%20dir/%C3%A9%25%3F%23.bin");
    }
}
