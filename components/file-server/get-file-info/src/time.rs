//! A time as text.

/// Days of 400 years, after which the calendar repeats.
const ERA: u64 = 146_097;

/// `2026-11-22T05:08:13.042Z`.
pub(crate) fn shown(seconds: u64, nanoseconds: u32) -> String {
    let (day, second) = (seconds / 86_400, seconds % 86_400);
    let (year, month, day) = date(day);
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{:03}Z", nanoseconds / 1_000_000)
}

/// The date `day` days after 1970-01-01, counted in years that begin with March, so that the leap day comes last.
fn date(day: u64) -> (u64, u64, u64) {
    // From 0000-03-01 on.
    let days = day + 719_468;
    let (era, of_era) = (days / ERA, days % ERA);
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let (month, next) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    (era * 400 + year_of_era + next, month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_written_as_dates_of_the_calendar() {
        for (seconds, nanoseconds, expected) in [
            (0, 0, "1970-01-01T00:00:00.000Z"),
            (951_782_399, 999_999_999, "2000-02-28T23:59:59.999Z"),
            (951_782_400, 0, "2000-02-29T00:00:00.000Z"),
            (951_868_800, 0, "2000-03-01T00:00:00.000Z"),
            (4_107_542_400, 0, "2100-03-01T00:00:00.000Z"),
            (1_795_324_093, 42_000_000, "2026-11-22T05:08:13.042Z"),
        ] {
            assert_eq!(shown(seconds, nanoseconds), expected);
        }
    }
}
