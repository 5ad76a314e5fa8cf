//! What a decorator comes to in the library of a language. The page `docs/reference/directives.md` holds the same table.

use super::{Decorator, Language};

/// What a decorator comes to in a library.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// Generated code has it, and hand-written code that says the old is repaired.
    Followed,
    /// Generated code has it, as the real emitter writes it. What it breaks in hand-written code is for a person.
    Tried,
    /// Generated code has it; read from the source of the emitter, not tried with it. What it breaks in hand-written code is for a person.
    Generated,
    /// The model that the emitter generates from has it. The emitter itself was not tried.
    Modelled,
    /// The library does not have it; why, as the end of a sentence.
    Without(&'static str),
}

const ONE_METHOD: &str = "the emitter writes one method, which takes models and raw bodies";
const ENUM: &str = "it needs an enum that a person declares in `client.tsp`";
const CSHARP: &str = "it is for .NET alone";
const DEPRECATED: &str = "it is deprecated; `@client` takes its place";

impl Decorator {
    /// What it comes to in the library of a language.
    #[must_use]
    pub fn effect(self, language: Language) -> Effect {
        use Effect::{Followed, Generated, Modelled, Tried, Without};
        let read = matches!(language, Language::Python | Language::Java);
        match self {
            Self::Access | Self::ClientName => Followed,
            Self::ClientApiVersions => Without(ENUM),
            Self::OperationGroup => Without(DEPRECATED),
            Self::ConvenientApi | Self::ProtocolApi if language == Language::Python => Without(ONE_METHOD),
            Self::ClientOption if language == Language::Python => Without("the emitter reads no such option"),
            Self::DeserializeEmptyStringAsNull | Self::UseSystemTextJsonConverter if language != Language::Dotnet => {
                Without(CSHARP)
            }
            Self::AlternateType
            | Self::ClientDoc
            | Self::ClientLocation
            | Self::ClientNamespace
            | Self::FlattenProperty
            | Self::Override
            | Self::Scope
            | Self::Usage
                if language == Language::Python =>
            {
                Tried
            }
            _ if read => Generated,
            _ => Modelled,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = include_str!("../../../../docs/reference/directives.md");

    /// The rows of the page, made of the table.
    fn rows() -> String {
        let cell = |decorator: Decorator, language| match decorator.effect(language) {
            Effect::Followed => "done".to_owned(),
            Effect::Tried => "tried".to_owned(),
            Effect::Generated => "generated".to_owned(),
            Effect::Modelled => "model".to_owned(),
            Effect::Without(why) => format!("no: {why}"),
        };
        let row = |decorator: Decorator| {
            let cells: Vec<String> = Language::ALL.into_iter().map(|language| cell(decorator, language)).collect();
            format!("| `@{}` | {} |\n", decorator.written(), cells.join(" | "))
        };
        Decorator::ALL.into_iter().map(row).collect()
    }

    #[test]
    fn page_has_a_row_for_every_decorator_and_says_what_the_code_says() {
        let names: Vec<&str> = Language::ALL.iter().map(|language| language.display_name()).collect();
        assert!(PAGE.contains(&format!("| decorator | {} |\n", names.join(" | "))), "{names:?}");
        let rows = rows();
        assert!(PAGE.contains(&rows), "the page has to hold these rows:\n{rows}");
    }
}
