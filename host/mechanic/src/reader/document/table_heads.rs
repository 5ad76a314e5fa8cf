//! Heads of tables that say with a language, or with where a name is written, which names a column has.

use super::super::lexicon as words;
use super::Document;

/// Where a specification's own names are written.
const SPECIFIED: &[&str] = list! {
    "typespec" "tsp" "rest" "wire" "swagger" "openapi" "spec" "specification" "json"
};

/// Words of a head that say nothing else than that its column holds names.
const NAMING: &[&str] = &["in", "the", "name", "names", "client", "sdk", "for", "library", "package"];

impl Document<'_> {
    /// `In TypeSpec | In Python`, `Wire name | Name in .NET`: what a name is, and what the client is to call it. Other heads are
    /// left as they are.
    pub(super) fn spoken_heads(&self, heads: &[String]) -> Vec<String> {
        let parts = |head: &str| -> Vec<String> {
            head.split(|c: char| c.is_whitespace() || "/()`*:".contains(c)).map(str::to_owned).collect()
        };
        let languages = |head: &str| parts(head).iter().filter_map(|word| words::language(word)).collect::<Vec<_>>();
        let only = |head: &str, list: &[&str]| {
            let plain =
                |word: &String| word.is_empty() || list.contains(&word.as_str()) || words::language(word).is_some();
            parts(head).iter().all(plain)
        };
        let is_own = |head: &String| languages(head) == [self.language] && only(head, NAMING);
        let is_specified = |head: &String| {
            let specified = parts(head).iter().any(|word| SPECIFIED.contains(&word.as_str()));
            let rest = |word: &String| {
                word.is_empty() || SPECIFIED.contains(&word.as_str()) || NAMING.contains(&word.as_str())
            };
            languages(head).is_empty() && specified && parts(head).iter().all(rest)
        };
        let others = heads.iter().any(|head| !languages(head).is_empty() && !is_own(head));
        let both =
            [heads.iter().filter(|head| is_own(head)).count(), heads.iter().filter(|head| is_specified(head)).count()];
        if others || both != [1, 1] {
            return heads.to_vec();
        }
        let spoken = |head: &String| match () {
            () if is_own(head) => "new name".to_owned(),
            () if is_specified(head) => "current name".to_owned(),
            () => head.clone(),
        };
        heads.iter().map(spoken).collect()
    }
}
