//! All operations of a group together: `both methods of PartsClient`, `all operations in Parts`.

use bailiwick_sdk::tasks::EntityKind;

use super::sentence::Sentence;

/// All operations of the group that a part of a sentence speaks of as a whole, if it says so and as many as it counts.
pub(super) fn all_of_a_group(sentence: &Sentence<'_>, start: usize, end: usize) -> Option<Vec<usize>> {
    let noun = (start..end).find(|&at| {
        sentence.is(at, &["methods", "operations", "functions"])
            && sentence.is(at.saturating_add(1), &["of", "in", "on"])
    })?;
    let count = counted(sentence, start, noun)?;
    let left_out =
        sentence.any(&["except", "but", "excluding", "apart", "besides", "unless", "other", "others", "rest"]);
    let behind = noun.saturating_add(2);
    let mention = sentence
        .mentions
        .iter()
        .find(|mention| mention.at >= behind && mention.at < end && sentence.adjoins(behind, mention.at))?;
    let mut groups = mention.candidates.iter().copied().filter(|&one| {
        sentence.lookup.entity(one).kind == EntityKind::Interface && sentence.lookup.entity(one).client.is_some()
    });
    let (Some(group), None) = (groups.next(), groups.next()) else { return None };
    let reference = &sentence.lookup.entity(group).reference;
    let members: Vec<usize> = sentence
        .lookup
        .all()
        .filter(|&one| {
            let entity = sentence.lookup.entity(one);
            entity.kind == EntityKind::Operation
                && entity.client.is_some()
                && entity.container.as_ref() == Some(reference)
        })
        .collect();
    let fits = match count {
        Count::All => !members.is_empty(),
        Count::Of(number) => members.len() == number,
    };
    (fits && !left_out).then_some(members)
}

/// How many operations are spoken of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Count {
    All,
    Of(usize),
}

/// `all`, `both`, `the four`, `all three`
fn counted(sentence: &Sentence<'_>, start: usize, noun: usize) -> Option<Count> {
    const NUMBERS: [&str; 9] = ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
    let from = noun.saturating_sub(3).max(start);
    let number = (from..noun).find_map(|at| {
        let word = sentence.lower(at);
        let spelled = NUMBERS.iter().position(|known| *known == word).map(|at| at.saturating_add(2));
        spelled.or_else(|| word.parse::<usize>().ok())
    });
    if sentence.has(from..noun, &["both"]) {
        return Some(Count::Of(2));
    }
    let whole = sentence.has(from..noun, &["all", "the", "every"]);
    match number {
        Some(number) if whole => Some(Count::Of(number)),
        None if sentence.has(from..noun, &["all", "every"]) => Some(Count::All),
        _ => None,
    }
}
