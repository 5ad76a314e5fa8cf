//! Indentation of lines that come from a caller who saw the file indented otherwise.

/// The spaces and tabs `line` starts with.
pub(super) fn of(line: &str) -> &str {
    &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
}

/// What an indentation of the caller's is in the file, learnt from lines that stand in both.
#[derive(Default)]
pub(super) struct Indents {
    pairs: Vec<(String, String)>,
}

impl Indents {
    /// Notes that the caller's `given` is `actual` in the file.
    pub(super) fn learn(&mut self, given: &str, actual: &str) {
        if !self.pairs.iter().any(|(known, _)| known == given) {
            self.pairs.push((given.to_owned(), actual.to_owned()));
        }
    }

    /// What `given` is in the file: what was learnt for it, or for the nearest shallower one and as much deeper, or for
    /// the nearest deeper one and as much shallower.
    pub(super) fn translate(&self, given: &str) -> String {
        if let Some((_, actual)) = self.pairs.iter().find(|(known, _)| known == given) {
            return actual.clone();
        }
        let shallower = self.pairs.iter().filter(|(known, _)| given.starts_with(known.as_str()));
        if let Some((known, actual)) = shallower.max_by_key(|(known, _)| known.len()) {
            return format!("{actual}{}", in_units_of(&given[known.len()..], known, actual));
        }
        let deeper = self.pairs.iter().filter(|(known, _)| known.starts_with(given));
        if let Some((known, actual)) = deeper.min_by_key(|(known, _)| known.len()) {
            let less = in_units_of(&known[given.len()..], known, actual);
            return actual.strip_suffix(&less).unwrap_or_default().to_owned();
        }
        given.to_owned()
    }
}

/// `more` in the characters that `actual` is made of, as many as `known` stands to `actual`.
fn in_units_of(more: &str, known: &str, actual: &str) -> String {
    let only = |text: &str, character| !text.is_empty() && text.chars().all(|each| each == character);
    if only(more, ' ') && only(known, ' ') && only(actual, '\t') {
        let unit = (known.len() / actual.len()).max(1);
        return "\t".repeat(more.len() / unit) + &" ".repeat(more.len() % unit);
    }
    if only(more, '\t') && only(known, '\t') && only(actual, ' ') {
        return " ".repeat(more.len() * (actual.len() / known.len()));
    }
    more.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn learnt(pairs: &[(&str, &str)]) -> Indents {
        let mut indents = Indents::default();
        pairs.iter().for_each(|(given, actual)| indents.learn(given, actual));
        indents
    }

    #[test]
    fn deeper_and_shallower_lines_keep_their_distance() {
        let indents = learnt(&[("    ", "        ")]);
        assert_eq!(indents.translate("    "), " ".repeat(8));
        assert_eq!(indents.translate("        "), " ".repeat(12));
        assert_eq!(indents.translate(""), " ".repeat(4));
    }

    #[test]
    fn tabs_and_spaces_are_translated() {
        assert_eq!(learnt(&[("    ", "\t")]).translate("        "), "\t\t");
        assert_eq!(learnt(&[("\t", "    ")]).translate("\t\t"), " ".repeat(8));
        assert_eq!(learnt(&[("", "  ")]).translate("    "), " ".repeat(6));
    }
}
