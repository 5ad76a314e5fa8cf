//! The last lines of a file, read from its end.

use bailiwick_tool_sdk::ToolError;

/// How much is read at once.
const PIECE: u64 = 64 << 10;

/// The last `lines` lines of a file of `size` bytes, at most `limit` bytes of them, with their endings. `read_at` gives
/// bytes from an offset on, as many as asked for or fewer.
///
/// # Errors
/// Not text; too large; what `read_at` says.
pub(crate) fn read(
    size: u64,
    lines: u32,
    limit: u64,
    shown: &str,
    read_at: impl Fn(u64, u64) -> Result<Vec<u8>, ToolError>,
) -> Result<String, ToolError> {
    let mut start = size;
    // Bytes in front of those that were read before, the last of the file first.
    let mut kept: Vec<u8> = Vec::new();
    loop {
        if let Some(from) = start_of(&kept, lines) {
            kept.drain(..from);
            break;
        }
        if start == 0 {
            break;
        }
        if kept.len() as u64 > limit {
            return Err(ToolError::too_large(format!(
                "the last {lines} lines of `{shown}` are more than {limit} bytes"
            )));
        }
        let wanted = PIECE.min(start);
        start -= wanted;
        let mut piece = Vec::new();
        while (piece.len() as u64) < wanted {
            let more = read_at(start + piece.len() as u64, wanted - piece.len() as u64)?;
            if more.is_empty() {
                // The file has become shorter meanwhile.
                break;
            }
            piece.extend_from_slice(&more);
        }
        piece.append(&mut kept);
        kept = piece;
    }
    if kept.len() as u64 > limit {
        return Err(ToolError::too_large(format!("the last {lines} lines of `{shown}` are more than {limit} bytes")));
    }
    let text = String::from_utf8(kept).map_err(|_| ToolError::not_text(format!("`{shown}` is not UTF-8 text")))?;
    if text.contains('\0') {
        return Err(ToolError::not_text(format!("`{shown}` is binary: it has NUL bytes")));
    }
    Ok(text)
}

/// Where the last `lines` lines of `bytes` start, if a line ends before them.
fn start_of(bytes: &[u8], lines: u32) -> Option<usize> {
    let content = bytes.strip_suffix(b"\n").unwrap_or(bytes);
    let feeds = content.iter().enumerate().rev().filter(|(_, byte)| **byte == b'\n');
    feeds.map(|(at, _)| at + 1).nth(usize::try_from(lines).ok()? - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn last(content: &str, lines: u32, most: usize) -> String {
        let bytes = content.as_bytes();
        read(bytes.len() as u64, lines, 1 << 20, "a.txt", |offset, wanted| {
            let offset = usize::try_from(offset).unwrap();
            Ok(bytes[offset..].iter().copied().take(most.min(usize::try_from(wanted).unwrap())).collect())
        })
        .unwrap()
    }

    #[test]
    fn the_last_lines_are_whole_and_keep_their_endings() {
        for (content, lines, expected) in [
            ("a\nb\nc\n", 2, "b\nc\n"),
            ("a\nb\nc", 2, "b\nc"),
            ("a\r\nb\r\n", 1, "b\r\n"),
            ("a\n", 5, "a\n"),
            ("\n\n", 1, "\n"),
            ("", 3, ""),
        ] {
            assert_eq!(last(content, lines, 2), expected, "{content:?}");
        }
        let long: String = (0..50_000).map(|line| format!("{line}\n")).collect();
        assert_eq!(last(&long, 3, 999), "49997\n49998\n49999\n");
        assert_eq!(last(&long, 100_000, usize::MAX), long);
    }

    #[test]
    fn more_than_an_answer_holds_is_refused() {
        let error = read(100, 3, 10, "a.txt", |_, most| Ok(vec![b'x'; usize::try_from(most).unwrap()])).unwrap_err();
        assert_eq!(error.kind, bailiwick_tool_sdk::ErrorKind::TooLarge);
    }
}
