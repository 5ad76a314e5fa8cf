//! `WWW-Authenticate`: how a registry wants to know who asks.

// What stands here is decided by others: nothing of it is an index or a number that is taken on trust.
#![cfg_attr(not(test), warn(clippy::arithmetic_side_effects, clippy::indexing_slicing, clippy::string_slice))]

/// What it wants.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Challenge {
    /// A name and a password with each request.
    Basic,
    /// A token of this server.
    Bearer { realm: String, service: Option<String> },
}

impl Challenge {
    /// The challenge that this program can answer, a token before a password.
    pub(super) fn read<'a>(headers: impl Iterator<Item = &'a str>) -> Option<Self> {
        let all: Vec<_> = headers.filter_map(Self::of).collect();
        let bearer = all.iter().find(|challenge| matches!(challenge, Self::Bearer { .. }));
        bearer.or_else(|| all.first()).cloned()
    }

    fn of(header: &str) -> Option<Self> {
        let header = header.trim();
        let (scheme, rest) = header.split_once(' ').unwrap_or((header, ""));
        if scheme.eq_ignore_ascii_case("basic") {
            return Some(Self::Basic);
        }
        if !scheme.eq_ignore_ascii_case("bearer") {
            return None;
        }
        let parameters = parameters(rest)?;
        let value = |name: &str| {
            let named = parameters.iter().find(|(key, _)| key.eq_ignore_ascii_case(name));
            named.map(|(_, value)| value.clone())
        };
        Some(Self::Bearer { realm: value("realm")?, service: value("service") })
    }
}

/// `name="value"` or `name=value`, with commas between; `None` where it is neither.
fn parameters(text: &str) -> Option<Vec<(String, String)>> {
    let mut found = Vec::new();
    let mut rest = text.trim();
    while !rest.is_empty() {
        let (name, after) = rest.split_once('=')?;
        let (value, after) = match after.strip_prefix('"') {
            Some(quoted) => quoted_string(quoted)?,
            None => {
                let (value, _) = after.split_once(',').unwrap_or((after, ""));
                (value.trim().to_owned(), after.strip_prefix(value).unwrap_or_default())
            }
        };
        found.push((name.trim().to_owned(), value));
        rest = match after.trim_start() {
            "" => "",
            more => more.strip_prefix(',')?.trim_start(),
        };
    }
    Some(found)
}

/// What stands before the closing quote, and what comes after it.
fn quoted_string(text: &str) -> Option<(String, &str)> {
    let mut value = String::new();
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match character {
            '"' => return Some((value, characters.as_str())),
            '\\' => value.push(characters.next()?),
            other => value.push(other),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn token_is_preferred_and_what_is_not_a_challenge_is_ignored() {
        let bearer = |realm: &str, service: Option<&str>| {
            Some(Challenge::Bearer { realm: realm.to_owned(), service: service.map(str::to_owned) })
        };
        let cases: [(&[&str], Option<Challenge>); 8] = [
            (&["Basic realm=\"x\""], Some(Challenge::Basic)),
            (&["bearer realm=\"https://a/t\",service=\"s\",scope=\"x,y\""], bearer("https://a/t", Some("s"))),
            (&["Basic realm=\"x\"", "Bearer realm=https://a/t , service=s"], bearer("https://a/t", Some("s"))),
            (&["Bearer realm=\"a\\\"b\""], bearer("a\"b", None)),
            (&["Bearer service=\"s\""], None),
            (&["Bearer realm=\"open"], None),
            (&["Negotiate"], None),
            (&[], None),
        ];
        for (headers, expected) in cases {
            assert_eq!(Challenge::read(headers.iter().copied()), expected, "{headers:?}");
        }
    }
}
