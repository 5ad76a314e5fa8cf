//! Numbers in words.

/// `1 file`, `1,234 files`.
pub(crate) fn count(number: impl TryInto<u64>, noun: &str) -> String {
    let number = number.try_into().unwrap_or(u64::MAX);
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {noun}{plural}", grouped(number))
}

/// `1,234,567`.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `0.012345`: an amount of money in the unit that the prices are in.
pub(crate) fn money(millionths: u64) -> String {
    format!("{}.{:06}", grouped(millionths / 1_000_000), millionths % 1_000_000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped_and_nouns_agree() {
        assert_eq!(count(1_usize, "file"), "1 file");
        assert_eq!(count(1_234_567_u64, "file"), "1,234,567 files");
        assert_eq!((grouped(0), grouped(999), money(1_250_000)), ("0".into(), "999".into(), "1.250000".into()));
    }
}
