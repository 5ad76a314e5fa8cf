//! A secret in every way that it is commonly written: plain, escaped for JSON or an address, in Base64.
//!
//! `aho-corasick` is not used: it searches for a finite list of texts, and a character may stand behind any number of backslashes.

/// Base64 shorter than this is found in texts that have nothing to do with the secret.
const SHORTEST_BASE64: usize = 8;

/// One way to write a secret, of which every character may in turn be escaped.
///
/// A character is met as it is, behind backslashes (`\/`), as a number of JSON (`\u002f`) or percent-encoded (`%2F`,
/// also `%252F`). Texts inside texts are escaped again and again, so any number of backslashes will do.
#[derive(Clone)]
pub(super) struct Encoding(Vec<char>);

impl Encoding {
    /// Every encoding of a secret: its own characters, and what it comes to in Base64 wherever it begins in what was
    /// encoded, in both alphabets.
    pub(super) fn all(secret: &str) -> Vec<Self> {
        let mut all = vec![Self(secret.chars().collect())];
        for before in 0..3 {
            let plain = base64_inside(before, secret.as_bytes(), b'+', b'/');
            let for_addresses = base64_inside(before, secret.as_bytes(), b'-', b'_');
            if plain.len() < SHORTEST_BASE64 {
                continue;
            }
            if for_addresses != plain {
                all.push(Self(for_addresses));
            }
            all.push(Self(plain));
        }
        all
    }

    /// The length of its plain form in characters.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether it begins with what also escapes.
    pub(super) fn begins_with_backslash(&self) -> bool {
        self.0.first() == Some(&'\\')
    }

    /// The bytes that it can begin with.
    pub(super) fn beginnings(&self) -> impl Iterator<Item = u8> {
        let mut bytes = [0; 4];
        if let Some(first) = self.0.first() {
            first.encode_utf8(&mut bytes);
        }
        [bytes[0], b'\\', b'%'].into_iter()
    }

    /// How many bytes it takes at the beginning of `text`, if it stands there.
    pub(super) fn at(&self, text: &str) -> Option<usize> {
        let mut rest = text;
        let mut position = 0;
        // Only what has `%`, `\` or `u` in it can be read in two ways; the other way is tried when the first fails.
        let mut others: Vec<(usize, &str)> = Vec::new();
        while let Some(&expected) = self.0.get(position) {
            position += 1;
            let mut ways = after(rest, expected);
            match ways.next() {
                Some(way) => {
                    rest = way;
                    others.extend(ways.map(|way| (position, way)));
                }
                None => (position, rest) = others.pop()?,
            }
        }
        Some(text.len() - rest.len())
    }
}

/// What follows one character, in every way that it can be written.
fn after(text: &str, expected: char) -> impl Iterator<Item = &str> {
    if !text.starts_with(['\\', '%']) {
        return [text.strip_prefix(expected), None, None, None].into_iter().flatten();
    }
    let bare = text.strip_prefix('\\').map(|bare| bare.trim_start_matches('\\'));
    let number = bare.and_then(|bare| after_number(bare.strip_prefix('u')?, expected));
    let escaped = bare.and_then(|bare| bare.strip_prefix(expected));
    [number, escaped, after_percent(text, expected), text.strip_prefix(expected)].into_iter().flatten()
}

/// `002f`, or two of them with `\u` in between for a character that takes two.
fn after_number(text: &str, expected: char) -> Option<&str> {
    let mut rest = text;
    for (position, unit) in expected.encode_utf16(&mut [0; 2]).iter().enumerate() {
        if position > 0 {
            rest = rest.strip_prefix('\\')?.trim_start_matches('\\').strip_prefix('u')?;
        }
        rest = after_hex(rest, 4, u32::from(*unit))?;
    }
    Some(rest)
}

/// `%2F`, or `%252F` and so on where it was encoded more than once.
fn after_percent(text: &str, expected: char) -> Option<&str> {
    let mut rest = text;
    for byte in expected.encode_utf8(&mut [0; 4]).bytes() {
        rest = rest.strip_prefix('%')?;
        while let Some(again) = rest.strip_prefix("25").filter(|_| byte != b'%') {
            rest = again;
        }
        rest = after_hex(rest, 2, u32::from(byte))?;
    }
    Some(rest)
}

fn after_hex(text: &str, digits: usize, expected: u32) -> Option<&str> {
    let (number, rest) = text.split_at_checked(digits)?;
    let found = number.bytes().all(|digit| digit.is_ascii_hexdigit()).then(|| u32::from_str_radix(number, 16).ok())?;
    (found == Some(expected)).then_some(rest)
}

/// The Base64 of `secret` behind `before` other bytes, without the characters that hold bits of its neighbours.
fn base64_inside(before: usize, secret: &[u8], sixty_two: u8, sixty_three: u8) -> Vec<char> {
    let bits: Vec<u8> = std::iter::repeat_n(0, before)
        .chain(secret.iter().copied())
        .flat_map(|byte| (0..8).rev().map(move |bit| byte >> bit & 1))
        .collect();
    // Six bits make a character, so the first that is the secret's alone begins at a multiple of six.
    let from = (before * 8).div_ceil(6) * 6;
    let digit = |bits: &[u8]| match bits.iter().fold(0, |number, bit| number << 1 | bit) {
        number @ 0..26 => b'A' + number,
        number @ 26..52 => b'a' + number - 26,
        number @ 52..62 => b'0' + number - 52,
        62 => sixty_two,
        _ => sixty_three,
    };
    bits[from.min(bits.len())..].chunks_exact(6).map(|bits| char::from(digit(bits))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECRET: &str = "sk-a/b+c=d\"e\\f&ü𝄞";

    fn stands_at(secret: &str, text: &str) -> bool {
        Encoding::all(secret).iter().any(|encoding| encoding.at(text).is_some())
    }

    #[test]
    fn secret_is_known_however_it_is_escaped() {
        let json = serde_json::to_string(SECRET).unwrap();
        let json = json.trim_matches('"').to_owned();
        let twice = serde_json::to_string(&json).unwrap().trim_matches('"').to_owned();
        let numbers: String = SECRET.encode_utf16().map(|unit| format!("\\u{unit:04X}")).collect();
        let percent: String = SECRET.bytes().map(|byte| format!("%{byte:02x}")).collect();
        let percent_twice: String = SECRET.bytes().map(|byte| format!("%25{byte:02X}")).collect();
        let slashes = json.replace('/', "\\/");
        for text in [SECRET.to_owned(), json, twice, numbers, percent, percent_twice, slashes] {
            assert!(stands_at(SECRET, &format!("{text}…")), "{text}");
        }
    }

    #[test]
    fn what_is_not_the_secret_is_not_taken_for_it() {
        for text in ["sk-a/b+c=d", "sk-a%2Fb%2Bc%3Dd%22e%5C%26f", "\\", "%", "%2", "\\u00", "", "ü"] {
            assert!(!stands_at(SECRET, text), "{text}");
        }
        assert!(!stands_at("abc", "\\u0061\\u006"));
        // No character is cut in two.
        assert!(!stands_at("abcü", "abc%C3ü"));
    }

    #[test]
    fn base64_is_known_wherever_the_secret_begins() {
        // By `printf 'Bearer sk-canary' | base64` and the like.
        for (encoded, skip) in
            [("c2stY2FuYXJ5", 0), ("eHNrLWNhbmFyeQ==", 2), ("eHhzay1jYW5hcnk=", 3), ("QmVhcmVyIHNrLWNhbmFyeQ==", 10)]
        {
            assert!(stands_at("sk-canary", &encoded[skip..]), "{encoded}");
        }
        // `?>~` ends in the two characters that differ between the alphabets.
        assert!(stands_at("????>>>>~~~~", "Pz8/Pz4+Pj5+fn5+"));
        assert!(stands_at("????>>>>~~~~", "Pz8_Pz4-Pj5-fn5-"));
        assert!(stands_at("????>>>>~~~~", "Pz8%2FPz4%2BPj5%2Bfn5%2B"));
    }
}
