//! Names of runs.

use std::fmt;
use std::str::FromStr;

use bailiwick_base::time::Moment;
use serde::{Deserialize, Serialize};

/// Name of a run: its time (UTC, milliseconds) and 40 random bits, `20261120-130405-678-k3m9x2qa`.
///
/// Names sort in the order in which the runs of a store began. A parsed name has exactly this
/// form, so that it can never be a path that leads elsewhere.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct RunId(String);

/// The text has not the form of a run's name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not the name of a run, which looks like `20261120-130405-678-k3m9x2qa`")]
pub struct BadRunId(String);

/// Five bits a letter; no vowels and nothing that reads like a digit.
const LETTERS: &[u8; 32] = b"23456789bcdfghjkmnpqrstvwxyzaeuo";
const FORM: &[u8] = b"dddddddd-dddddd-ddd-llllllll";

impl RunId {
    /// A name for now, or for just after `latest` when the clock has been set back.
    pub(crate) fn generate(now: Moment, latest: Option<&Self>) -> std::io::Result<Self> {
        let random = bailiwick_base::random::bytes::<8>()?;
        let letters: String = random.iter().map(|byte| char::from(LETTERS[usize::from(byte % 32)])).collect();
        let mut time = now.compact();
        if let Some(latest) = latest {
            let latest = &latest.0[..19];
            if time.as_str() <= latest {
                time = following(latest);
            }
        }
        Ok(Self(format!("{time}-{letters}")))
    }

    /// A name for work that this crate keeps no record of, so that it reads like any other run's.
    ///
    /// # Errors
    /// When the system has no random bits.
    pub fn unrecorded() -> std::io::Result<Self> {
        Self::generate(Moment::now(), None)
    }

    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The next higher number in the same form. It need not be a time on the calendar; only order counts.
fn following(time: &str) -> String {
    let mut bytes = time.as_bytes().to_vec();
    for digit in bytes.iter_mut().rev().filter(|byte| **byte != b'-') {
        if *digit == b'9' {
            *digit = b'0';
        } else {
            *digit += 1;
            break;
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

impl FromStr for RunId {
    type Err = BadRunId;

    fn from_str(text: &str) -> Result<Self, BadRunId> {
        let fits = text.len() == FORM.len()
            && text.bytes().zip(FORM).all(|(byte, form)| match form {
                b'd' => byte.is_ascii_digit(),
                b'l' => LETTERS.contains(&byte),
                _ => byte == *form,
            });
        if fits { Ok(Self(text.to_owned())) } else { Err(BadRunId(text.to_owned())) }
    }
}

impl TryFrom<String> for RunId {
    type Error = BadRunId;

    fn try_from(text: String) -> Result<Self, BadRunId> {
        text.parse()
    }
}

impl From<RunId> for String {
    fn from(id: RunId) -> Self {
        id.0
    }
}

impl fmt::Display for RunId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_sort_by_time_even_when_the_clock_is_set_back() {
        let first = RunId::generate(Moment(1_795_179_845, 999_000_000), None).unwrap();
        let second = RunId::generate(Moment(1_795_000_000, 0), Some(&first)).unwrap();
        let third = RunId::generate(Moment(1_795_179_900, 0), Some(&second)).unwrap();
        assert!(first < second && second < third, "{first} {second} {third}");
        assert_eq!(second.as_str().parse(), Ok(second.clone()));
    }

    #[test]
    fn names_of_one_moment_differ() {
        let now = Moment(1_795_179_845, 0);
        let names: std::collections::BTreeSet<_> = (0..200).map(|_| RunId::generate(now, None).unwrap()).collect();
        assert_eq!(names.len(), 200);
    }

    #[test]
    fn text_that_could_be_a_path_is_refused() {
        for text in ["", "..", "../../etc/passwd", "20261120-130405-678-k3m9x2q/", "20261120-130405-678-..k3m9x2"] {
            assert!(text.parse::<RunId>().is_err(), "{text}");
        }
    }
}
