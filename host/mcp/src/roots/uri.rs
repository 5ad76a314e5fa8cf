//! `file://` URIs as paths.

/// The absolute path that `uri` names on this machine, if it names one. Escapes are undone, and nothing else is.
pub(super) fn path(uri: &str) -> Option<String> {
    let rest = uri.strip_prefix("file://").or_else(|| uri.strip_prefix("FILE://"))?;
    let rest = rest.strip_prefix("localhost").unwrap_or(rest);
    if !rest.starts_with('/') {
        return None;
    }
    let end = rest.find(['?', '#']).unwrap_or(rest.len());
    let mut bytes = Vec::with_capacity(end);
    let mut encoded = rest[..end].bytes();
    while let Some(byte) = encoded.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let digit = |byte: Option<u8>| char::from(byte?).to_digit(16);
        let (high, low) = (digit(encoded.next())?, digit(encoded.next())?);
        bytes.push(u8::try_from(high * 16 + low).ok()?);
    }
    let path = String::from_utf8(bytes).ok()?;
    (!path.contains('\0')).then_some(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_are_undone_and_other_uris_than_local_files_are_refused() {
        for (uri, expected) in [
            ("file:///work/a", Some("/work/a")),
            ("file://localhost/work/a", Some("/work/a")),
            ("file:///work/my%20dir/%C3%A9", Some("/work/my dir/é")),
            ("file:///a%2e%2e/b", Some("/a../b")),
            ("file:///a?x#y", Some("/a")),
            ("file://elsewhere/share", None),
            ("file:///a%00b", None),
            ("file:///a%zz", None),
            ("file:///a%f", None),
            ("https://example.com/", None),
            ("/work/a", None),
            ("", None),
        ] {
            assert_eq!(path(uri).as_deref(), expected, "{uri}");
        }
    }
}
