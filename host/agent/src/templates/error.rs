//! What can be wrong with a template, and with the values it is rendered with.

/// Why a text is not a template.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line} of the template: {problem}")]
pub struct TemplateError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong there.
    pub problem: Problem,
}

/// What is wrong in a template.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// The front matter does not begin, or does not end.
    #[error("a template begins with a front matter between two lines `---`")]
    NoFrontMatter,
    /// An unknown line of the front matter.
    #[error("`{0}` is not one of `id:`, `version:`, `description:` and `parameters:`, each once")]
    FrontMatter(String),
    /// A part of the front matter is missing.
    #[error("the front matter has no `{0}`")]
    Missing(&'static str),
    /// An id or the name of a parameter.
    #[error("`{0}` is not lower-case words of letters and digits joined by `-`")]
    Name(String),
    /// Not three numbers.
    #[error("`{0}` is not a version: three numbers joined by `.`")]
    Version(String),
    /// A parameter is declared in a way that is not known.
    #[error(
        "`{0}` is not one of `text`, `list`, `data up to N characters`, `data list up to N characters`, `choice of …`"
    )]
    Kind(String),
    /// A parameter is declared twice.
    #[error("the parameter `{0}` is declared twice")]
    Duplicate(String),
    /// A heading that is not the next of the six.
    #[error("the section is `{found}` where `{expected}` belongs")]
    Section {
        /// The heading.
        found: String,
        /// The next of the six, or `nothing`.
        expected: &'static str,
    },
    /// A section whose unconditional part says nothing.
    #[error("the section `{0}` says nothing")]
    Empty(&'static str),
    /// Text before the first section.
    #[error("text before the first section")]
    Stray,
    /// `{{…` that is not a placeholder.
    #[error("`{{{{` without a name and `}}}}`")]
    Placeholder,
    /// A name that is not declared.
    #[error("the parameter `{0}` is not declared")]
    Undeclared(String),
    /// A list or data within a line.
    #[error("`{0}` is a list or data and stands alone on its line")]
    NotAlone(String),
    /// An optional parameter where it may be missing.
    #[error("`{0}` is optional, so it stands in a block `## … {{{0}}}`")]
    Unguarded(String),
    /// A block with a condition that can never differ, or never hold.
    #[error("the condition `{0}` is neither an optional parameter nor one of the values of a choice")]
    Condition(String),
    /// Some values of a choice have a block and this one has none.
    #[error("the choice `{parameter}` has no block for `{value}`")]
    NoBlock {
        /// The choice.
        parameter: String,
        /// The value without a block.
        value: String,
    },
    /// A declared parameter that is not used.
    #[error("the parameter `{0}` is not used")]
    Unused(String),
    /// The rule about data is missing, or is where it does not belong.
    #[error("`{{{{fence-rule}}}}` belongs once and alone into the safety guidelines of a template with data")]
    FenceRule,
    /// The ```` ``` ```` of an example is not closed.
    #[error("the code that begins here does not end")]
    OpenCode,
    /// A comment over several lines.
    #[error("a comment is one line")]
    Comment,
}

/// Why a template is not rendered with these values.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RenderError {
    /// The text is not a template.
    #[error(transparent)]
    Template(#[from] TemplateError),
    /// It has no such parameter.
    #[error("the template `{template}` has no parameter `{parameter}`, only {known}")]
    Unknown {
        /// The template's id.
        template: String,
        /// The name as given.
        parameter: String,
        /// Those it has, for a person to read.
        known: String,
    },
    /// A parameter that is not optional has no value.
    #[error("the template `{template}` needs the parameter `{parameter}`")]
    Missing {
        /// The template's id.
        template: String,
        /// The parameter.
        parameter: String,
    },
    /// A list where a text belongs, or a text where a list does.
    #[error("the parameter `{parameter}` of the template `{template}` is {expected}")]
    WrongKind {
        /// The template's id.
        template: String,
        /// The parameter.
        parameter: String,
        /// `a text` or `a list of texts`.
        expected: &'static str,
    },
    /// The value is not one of the choices.
    #[error("the parameter `{parameter}` of the template `{template}` is one of {choices}, not `{value}`")]
    NotAChoice {
        /// The template's id.
        template: String,
        /// The parameter.
        parameter: String,
        /// The value, made visible and bounded.
        value: String,
        /// The values there are.
        choices: String,
    },
    /// Text of the host's own is not fenced, so it is short and has nothing in it that could pass for structure.
    #[error(
        "the parameter `{parameter}` of the template `{template}` is one line of 1 to {limit} visible characters; what \
         comes from outside belongs into a parameter of the kind `data`"
    )]
    NotOneLine {
        /// The template's id.
        template: String,
        /// The parameter.
        parameter: String,
        /// The most characters.
        limit: usize,
    },
}
