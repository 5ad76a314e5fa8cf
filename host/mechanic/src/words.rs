//! The words the mechanic knows. A word that stands in none of these lists stops a request.

use bailiwick_sdk::tasks::{EntityKind, Language};

/// Words that can be dropped anywhere without changing what is asked.
pub(crate) const FILLERS: &[&str] = &[
    "the", "a", "an", "please", "thanks", "thx", "pls", "plz", "kindly", "just", "simply", "now", "also", "our", "my",
];

/// Words of sentences that are nothing but courtesy. Such a sentence is skipped as a whole.
pub(crate) const COURTESY: &[&str] = list! {
    "hi" "hello" "hey" "dear" "team" "everyone" "folks" "there" "thanks" "thank" "thx" "you" "cheers" "in"
    "advance" "please" "so" "very" "much" "many" "a" "lot" "regards" "best" "kind" "good" "morning" "afternoon"
    "and"
};

/// Words of sentences that introduce or describe a pasted log.
pub(crate) const LOG_TALK: &[&str] = list! {
    "the" "this" "these" "here" "is" "are" "was" "were" "my" "our" "your" "a" "an" "build" "builds" "building"
    "log" "logs" "output" "error" "errors" "failure" "failures" "failed" "fails" "failing" "fail" "broke"
    "broken" "breaks" "with" "from" "of" "in" "on" "to" "for" "mypy" "tsp" "compile" "compiler" "compilation"
    "regeneration" "generation" "regenerating" "generating" "below" "above" "following" "see" "get" "got"
    "getting" "gives" "says" "reports" "reported" "shows" "i" "we" "it" "now" "ci" "pipeline" "traceback"
    "full" "reference" "context" "attached" "pasted" "what" "complains" "please" "python" "sdk" "package"
    "complete" "stack" "trace" "type" "checker" "diagnostics" "message" "messages" "last" "latest" "run" "code"
    "fence"
};

/// Words of a line that announces what follows: `Please address the following API review comments:`.
pub(crate) const INTRODUCTION: &[&str] = list! {
    "address" "apply" "handle" "resolve" "do" "make" "api" "apiview" "review" "reviews" "comment" "comments"
    "feedback" "change" "changes" "item" "items" "request" "requests" "reviewer" "reviewers" "architect"
    "architects" "board" "customization" "customizations" "would" "like" "need" "want" "could" "can" "have"
    "received" "points" "as" "follows" "round" "todo" "list" "open" "us" "client" "library" "made" "following"
};

/// Words at the beginning of an item that goes on from another.
pub(crate) const CONNECTIVES: &[&str] = list! {
    "but" "except" "only" "unless" "however" "and" "or" "also" "otherwise" "instead" "not" "no" "if" "when"
    "then" "although" "though" "until" "while" "plus" "nor" "with" "without" "same" "ditto" "especially"
};

/// Words by which an item speaks of others.
pub(crate) const REFERRING: &[&str] = list! {
    "this" "that" "these" "those" "it" "its" "them" "they" "above" "below" "previous" "former" "latter" "others"
    "other" "rest" "everything" "all" "both" "each" "any" "every" "item" "items" "comment" "comments" "request"
    "requests" "first" "second" "third" "last" "same" "again" "either" "neither" "none" "nothing" "anything"
    "whole" "list" "entire" "cancel" "ignore" "disregard" "forget" "stop" "changes" "one" "ones" "such"
};

/// Words before a colon that name what follows: `API review feedback: …`.
pub(crate) const LABELS: &[&str] = list! {
    "api" "apiview" "review" "feedback" "comment" "request" "task" "todo" "action" "item" "customization"
    "change" "ask" "reviewer" "architect" "from" "the" "for" "sdk"
};

/// What is asked politely: a request may begin with any of these.
pub(crate) const LEAD_INS: &[&str] = list! {
    "can you" "could you" "would you" "will you" "can we" "could we" "i would like to" "we would like to"
    "i would like you to" "we would like you to" "i want to" "we want to" "i want you to" "we want you to"
    "i need to" "we need to" "i need you to" "we need you to" "we should" "we must" "we have to" "you should"
    "you must" "you need to" "let us" "go ahead and" "would it be possible to" "is it possible to"
    "do the following" "it would be good to" "it would be great to" "i think we should" "try to"
    "be so kind and"
};

/// Lead-ins that make a question mark no doubt.
pub(crate) const ASKING: &[&str] = &["can", "could", "would", "will", "possible"];

/// How a reason begins. What follows, up to the end of the sentence, is not part of what is asked.
pub(crate) const REASONS: &[&str] = &["because", "since", "so that", "due to", "given that"];

/// Why a word stops a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StopKind {
    Negation,
    Exception,
    Condition,
    Conjunction,
    Quantity,
}

/// Words that change what a request means wherever they stand. Only a few fixed phrases may hold one of them.
pub(crate) fn stop_kind(word: &str) -> Option<StopKind> {
    const NEGATIONS: &[&str] = list! {
        "not" "no" "never" "none" "nor" "neither" "without" "nothing" "nobody" "hardly" "non" "cannot" "longer"
        "refuse" "refrain" "forbid" "prevent" "deny" "lest" "nowhere" "anymore" "rarely" "seldom" "barely"
        "scarcely" "ain't" "nope" "nah" "disregard" "ignore" "cancel" "forget"
    };
    const EXCEPTIONS: &[&str] = list! {
        "except" "excepting" "excluding" "but" "unless" "instead" "keep" "stop" "avoid" "leave" "rather"
        "however" "although" "though" "other" "besides" "apart" "otherwise" "save" "aside" "despite"
    };
    const CONDITIONS: &[&str] = list! {
        "if" "when" "whenever" "only" "until" "till" "after" "before" "once" "while" "whether" "provided"
        "assuming" "depending" "later" "where" "wherever" "maybe" "perhaps" "might" "eventually" "temporarily"
    };
    const QUANTITIES: &[&str] = list! {
        "all" "every" "each" "both" "any" "several" "some" "multiple" "everything" "others" "rest" "either"
    };
    if NEGATIONS.contains(&word) {
        Some(StopKind::Negation)
    } else if EXCEPTIONS.contains(&word) {
        Some(StopKind::Exception)
    } else if CONDITIONS.contains(&word) {
        Some(StopKind::Condition)
    } else if ["and", "or", "plus", "&", "then"].contains(&word) {
        Some(StopKind::Conjunction)
    } else if QUANTITIES.contains(&word) {
        Some(StopKind::Quantity)
    } else {
        None
    }
}

/// All stop words that a misspelt word is compared with.
pub(crate) const MISSPELT_STOPS: &[&str] = &[
    "not", "never", "without", "except", "unless", "instead", "however", "although", "until", "whether", "only",
    "when", "before", "after", "neither", "keep", "stop", "avoid", "every", "other", "nothing", "nobody",
];

/// Verbs that ask for something the mechanic does not do, or does only in a fixed phrase.
pub(crate) const OTHER_VERBS: &[&str] = list! {
    "delete" "remove" "add" "group" "regroup" "split" "merge" "deprecate" "expose" "unhide" "show"
    "publish" "update" "fix" "repair" "create" "implement" "support" "generate" "regenerate" "replace"
    "convert" "flatten" "extract" "reorder" "revert" "undo" "restore" "introduce" "refactor" "improve" "enable"
    "disable" "document" "test" "upgrade" "bump" "drop" "take" "mark" "make" "set" "change" "put" "turn"
    "write" "build" "rebuild" "allow" "provide" "return" "throw" "raise" "handle" "retry" "wrap" "inline"
    "simplify" "reduce" "increase" "use" "give" "combine" "separate" "rewrite" "override" "subclass" "inherit"
    "cache" "log" "paginate" "stream" "validate" "customize" "redesign"
};

/// Verbs about the structure of clients, for guidance where a request is none of the known forms.
pub(crate) const MOVING_VERBS: &[&str] = &["move", "group", "regroup", "split", "merge"];

/// Words of the supported requests that must not stand in a reason.
pub(crate) const CORE_VERBS: &[&str] = &[
    "hide", "hides", "hiding", "hid", "hidden", "conceal", "rename", "renames", "renaming", "renamed", "unhide",
    "expose", "exposing", "call", "called", "named", "move", "moved", "split", "regroup",
];

/// Words that describe a hidden thing.
pub(crate) const INTERNAL: &[&str] =
    &["internal", "private", "hidden", "non-public", "nonpublic", "invisible", "access.internal", "unexposed"];

/// Words that describe a thing users see.
pub(crate) const VISIBLE: &[&str] =
    &["public", "visible", "exposed", "accessible", "exported", "published", "surfaced", "shown", "public-facing"];

/// Nouns for a client library as a whole.
pub(crate) const SDK_NOUNS: &[&str] = list! {
    "sdk" "library" "lib" "package" "client" "api" "code" "side" "bindings" "module" "users" "developers"
    "customers" "consumers" "callers" "people"
};

/// Nouns for those who use a client library.
pub(crate) const PEOPLE: &[&str] = &["users", "developers", "customers", "consumers", "callers", "people", "public"];

/// Nouns that follow `public` where the public surface is meant.
pub(crate) const SURFACE_NOUNS: &[&str] =
    &["api", "surface", "interface", "sdk", "client", "library", "lib", "package", "contract", "area"];

/// Words that no new name is, unless it is quoted: they are talk about a name.
pub(crate) const NO_NAMES: &[&str] = list! {
    "something" "anything" "it" "this" "that" "these" "those" "them" "they" "he" "she" "which" "what"
    "whatever" "better" "else" "one" "more" "less" "to" "as" "in" "for" "of" "from" "on" "with" "by" "is" "be"
    "been" "was" "are" "should" "must" "camelcase" "pascalcase" "snake_case" "lowercase" "uppercase" "called"
    "named" "clearer" "shorter" "longer" "simpler" "match"
};

/// What a noun says about the entity beside it. Several kinds where people use one word for several.
pub(crate) fn kinds_of_noun(noun: &str) -> Option<&'static [EntityKind]> {
    use EntityKind as K;
    Some(match noun {
        "operation" | "method" | "function" | "endpoint" | "action" | "api" | "call" | "op" => &[K::Operation],
        "model" | "schema" | "struct" => &[K::Model],
        "class" | "type" | "object" => &[K::Model, K::Enum, K::Union, K::Interface],
        "property" | "field" | "attribute" | "prop" => &[K::Property],
        "member" => &[K::Property, K::EnumMember],
        "enum" | "enumeration" => &[K::Enum, K::Union],
        "union" => &[K::Union],
        "value" | "variant" | "enum-member" | "enum-value" => &[K::EnumMember],
        "scalar" => &[K::Scalar],
        "interface" | "group" | "operation-group" | "subclient" => &[K::Interface],
        "parameter" | "param" | "argument" | "arg" => &[K::Parameter],
        "namespace" => &[K::Namespace],
        _ => return None,
    })
}

/// The nouns of [`kinds_of_noun`], for the vocabulary.
pub(crate) const KIND_NOUNS: &[&str] = list! {
    "operation" "method" "function" "endpoint" "action" "api" "call" "op" "model" "schema" "struct" "class"
    "type" "object" "property" "field" "attribute" "prop" "member" "enum" "enumeration" "union" "value"
    "variant" "scalar" "interface" "group" "subclient" "parameter" "param" "argument" "arg" "namespace"
};

/// A programming language that a word names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NamedLanguage {
    Ours(Language),
    /// One that the project does not customize.
    Foreign,
}

/// The language that a word names.
pub(crate) fn language(word: &str) -> Option<NamedLanguage> {
    Some(match word {
        "python" | "py" | "python3" => NamedLanguage::Ours(Language::Python),
        "java" => NamedLanguage::Ours(Language::Java),
        ".net" | "dotnet" | "c#" | "csharp" | "c-sharp" => NamedLanguage::Ours(Language::Dotnet),
        "javascript" | "js" | "typescript" | "ts" | "node.js" | "nodejs" => NamedLanguage::Ours(Language::Javascript),
        "go" | "golang" => NamedLanguage::Ours(Language::Go),
        "rust" | "ruby" | "swift" | "kotlin" | "php" | "c++" | "cpp" | "f#" | "powershell" => NamedLanguage::Foreign,
        _ => return None,
    })
}

/// The language words that a misspelt word is compared with.
pub(crate) const LANGUAGE_WORDS: &[&str] =
    &["python", "java", "dotnet", "csharp", "javascript", "typescript", "golang", "ruby", "swift", "kotlin"];
