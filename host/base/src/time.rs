//! Points in time as files carry them, and their text form.

use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

/// Seconds and nanoseconds since 1970 (UTC); serialised as `[seconds, nanoseconds]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Moment(pub i64, pub u32);

impl Moment {
    /// The time of the system's clock.
    pub fn now() -> Self {
        // A clock set before 1970 is a broken clock; zero keeps everything working.
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Self(i64::try_from(since.as_secs()).unwrap_or(i64::MAX), since.subsec_nanos())
    }

    /// `2026-11-20T13:04:05.678Z`
    pub fn rfc3339(self) -> String {
        let Civil { year, month, day, hour, minute, second } = civil(self.0);
        let millis = self.1 / 1_000_000;
        format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{millis:03}Z")
    }

    /// `20261120-130405-678`: sorts as the time does.
    pub fn compact(self) -> String {
        let Civil { year, month, day, hour, minute, second } = civil(self.0);
        let millis = self.1 / 1_000_000;
        format!("{year:04}{month:02}{day:02}-{hour:02}{minute:02}{second:02}-{millis:03}")
    }
}

struct Civil {
    year: i64,
    month: i64,
    day: i64,
    hour: i64,
    minute: i64,
    second: i64,
}

/// Proleptic Gregorian date of a Unix time, counted in years that begin in March so that the leap
/// day is the last day of a year.
fn civil(seconds: i64) -> Civil {
    let (days, rest) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let of_era = days.rem_euclid(146_097);
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * of_year + 2) / 153;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    Civil {
        year: year_of_era + era * 400 + i64::from(month <= 2),
        month,
        day: of_year - (153 * shifted + 2) / 5 + 1,
        hour: rest / 3600,
        minute: rest / 60 % 60,
        second: rest % 60,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_times_have_their_known_text() {
        for (seconds, text) in [
            (0, "1970-01-01T00:00:00.007Z"),
            (951_782_399, "2000-02-28T23:59:59.007Z"),
            (951_782_400, "2000-02-29T00:00:00.007Z"),
            (4_107_542_400, "2100-03-01T00:00:00.007Z"),
            (1_795_179_845, "2026-11-20T13:04:05.007Z"),
        ] {
            assert_eq!(Moment(seconds, 7_000_000).rfc3339(), text);
        }
        assert_eq!(Moment(1_795_179_845, 7_000_000).compact(), "20261120-130405-007");
    }
}
