//! How a new name follows from the old one: `count` spells `cnt` out, `totalCount` adds to `count`.

use crate::names::words;

/// What a new name is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Spelled {
    /// The same letters.
    Same,
    /// Each word of the old name, at least one of which was short for what the new one says: `frmDt`, `fromDate`.
    Out,
    /// The words of the old name and more.
    Longer,
    /// Some words of the old name, of which one is spelled out, and others.
    Partly,
    /// The letters of the old name in their order, with others between them.
    Letters,
    /// Some words of the old name and no others.
    Shorter,
    /// Some words of the old name and others.
    Shared,
    /// Other words.
    Anew,
}

impl Spelled {
    pub(super) const ALL: [(Self, &'static str); 8] = [
        (Self::Same, "spelled the same"),
        (Self::Out, "spelled out"),
        (Self::Longer, "spelled longer"),
        (Self::Partly, "spelled out in part"),
        (Self::Letters, "spelled with its letters"),
        (Self::Shorter, "spelled shorter"),
        (Self::Shared, "spelled with a word of it"),
        (Self::Anew, "spelled anew"),
    ];

    pub(super) fn of(old: &str, new: &str) -> Self {
        let lower = |name: &str| words(name).iter().map(|word| word.to_lowercase()).collect::<Vec<String>>();
        let (old, new) = (lower(old), lower(new));
        let (old_letters, new_letters) = (old.concat(), new.concat());
        if old_letters == new_letters {
            return Self::Same;
        }
        let (mut rest, mut equal, mut short, mut lost) = (new.as_slice(), 0_usize, 0_usize, 0_usize);
        for word in &old {
            let Some(at) = rest.iter().position(|one| one == word || is_short_for(word, one)) else {
                lost = lost.saturating_add(1);
                continue;
            };
            if rest.get(at) == Some(word) {
                equal = equal.saturating_add(1);
            } else {
                short = short.saturating_add(1);
            }
            rest = rest.get(at.saturating_add(1)..).unwrap_or_default();
        }
        let initials: String = new.iter().filter_map(|word| word.chars().next()).collect();
        if new.len() > 1 && old_letters == initials {
            return Self::Out;
        }
        match (lost, short, equal) {
            (0, 0, _) => Self::Longer,
            (0, ..) => Self::Out,
            (_, 1.., _) => Self::Partly,
            _ if new.iter().all(|word| old.contains(word)) => Self::Shorter,
            (_, _, 1..) => Self::Shared,
            _ if is_within(&old_letters, &new_letters) => Self::Letters,
            _ => Self::Anew,
        }
    }

    /// Whether letters of the old name stand for more letters of the new one.
    pub(super) fn is_fuller(self) -> bool {
        matches!(self, Self::Out | Self::Partly | Self::Letters)
    }
}

/// Whether a word is an abbreviation of another: its beginning, or some of its letters.
fn is_short_for(short: &str, word: &str) -> bool {
    /// The letters of so short a word may be anywhere in the other.
    const SHORT: usize = 4;
    let few = short.len() <= SHORT || short.len().saturating_mul(4) < word.len().saturating_mul(3);
    word.starts_with(short) && short.len() < word.len() && !short.is_empty() || few && is_within(short, word)
}

/// Whether a text begins with the first letter of another and has its letters in their order, and more.
fn is_within(short: &str, word: &str) -> bool {
    let mut letters = word.chars();
    short.len() < word.len()
        && !short.is_empty()
        && short.chars().next() == word.chars().next()
        && short.chars().all(|letter| letters.any(|one| one == letter))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn new_name_is_told_by_what_it_keeps_of_the_old_one() {
        for (old, new, spelled) in [
            ("cnt", "count", Spelled::Out),
            ("frmDt", "from_date", Spelled::Out),
            ("TotCnt", "TotalCount", Spelled::Out),
            ("ts", "timestamp", Spelled::Out),
            ("cc", "countryCode", Spelled::Out),
            ("rsn", "contactReason", Spelled::Out),
            ("winSpd", "windVelocity", Spelled::Partly),
            ("count", "total_count", Spelled::Longer),
            ("displayName", "name", Spelled::Shorter),
            ("displayName", "displayTitle", Spelled::Shared),
            ("reqid", "requestIdentifier", Spelled::Letters),
            ("getWx", "fetchWeather", Spelled::Anew),
            ("displayName", "display_name", Spelled::Same),
        ] {
            assert_eq!(Spelled::of(old, new), spelled, "{old} {new}");
        }
    }
}
