//! Points in time and spans of it, for people.

/// Milliseconds since 1970 of `2026-11-20T13:04:05.678Z`, the only form that a run has; `None` for anything else.
pub(crate) fn milliseconds(text: &str) -> Option<u64> {
    let (date, time) = text.strip_suffix('Z')?.split_once('T')?;
    let mut date = date.splitn(3, '-').map(|part| part.parse::<u64>().ok());
    let (year, month, day) = (date.next()??, date.next()??, date.next()??);
    let (clock, fraction) = time.split_once('.').unwrap_or((time, "0"));
    let mut clock = clock.splitn(3, ':').map(|part| part.parse::<u64>().ok());
    let (hour, minute, second) = (clock.next()??, clock.next()??, clock.next()??);
    let fraction: String = fraction.chars().chain("000".chars()).take(3).collect();
    if !(1970..=9999).contains(&year) || !(1..=12).contains(&month) || !(1..=31).contains(&day) || hour > 23 {
        return None;
    }
    // Days of the proleptic Gregorian calendar, counted in years that begin in March.
    let shifted = if month > 2 { month - 3 } else { month + 9 };
    let year = if month > 2 { year } else { year - 1 };
    let days = year * 365 + year / 4 - year / 100 + year / 400 + (153 * shifted + 2) / 5 + day - 1;
    let seconds = (days - 719_468) * 86_400 + hour * 3_600 + minute.min(59) * 60 + second.min(60);
    Some(seconds * 1_000 + fraction.parse::<u64>().ok()?)
}

/// `2026-11-20 13:04:05 UTC`, or the text as it is.
pub(crate) fn readable(text: &str) -> String {
    if milliseconds(text).is_none() {
        return text.to_owned();
    }
    let (date, time) = text.split_once('T').unwrap_or((text, ""));
    format!("{date} {} UTC", time.split(['.', 'Z']).next().unwrap_or_default())
}

/// `8 ms`, `4.1 s`, `2 min 05 s`, `1 h 02 min`.
pub(crate) fn span(milliseconds: u64) -> String {
    let seconds = milliseconds / 1_000;
    match milliseconds {
        0..1_000 => format!("{milliseconds} ms"),
        1_000..60_000 => format!("{seconds}.{} s", milliseconds % 1_000 / 100),
        60_000..3_600_000 => format!("{} min {:02} s", seconds / 60, seconds % 60),
        _ => format!("{} h {:02} min", seconds / 3_600, seconds / 60 % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_times_are_read_and_nonsense_is_refused() {
        assert_eq!(milliseconds("1970-01-01T00:00:00.007Z"), Some(7));
        assert_eq!(milliseconds("2000-02-29T00:00:00Z"), Some(951_782_400_000));
        assert_eq!(milliseconds("2026-11-20T13:04:05.678Z"), Some(1_795_179_845_678));
        for text in ["", "Z", "T", "2026-11-20", "2026-99-20T13:04:05Z", "aaaa-bb-ccTdd:ee:ffZ", "0001-01-01T00:00:00Z"]
        {
            assert_eq!(milliseconds(text), None, "{text}");
        }
    }

    #[test]
    fn spans_and_times_are_said_as_people_say_them() {
        assert_eq!([7, 4_170, 125_000, 3_720_000].map(span), ["7 ms", "4.1 s", "2 min 05 s", "1 h 02 min"]);
        assert_eq!(readable("2026-11-20T13:04:05.678Z"), "2026-11-20 13:04:05 UTC");
        assert_eq!(readable("soon"), "soon");
    }
}
