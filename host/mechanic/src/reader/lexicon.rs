//! Classes of words: what negates, asks, conditions, names a kind or a language. Grammar, and no sentences.

use bailiwick_sdk::tasks::{EntityKind, Language};

pub(super) const FILLERS: &[&str] = list! {
    "the" "a" "an" "please" "pls" "plz" "thanks" "thx" "ty" "kindly" "just" "simply" "now" "also" "our" "my"
    "too" "then" "instead" "here" "there" "well" "plain" "only" "really" "actually" "rather" "either" "again"
    "simple" "directly" "full" "new" "name" "public" "ok" "okay" "imo" "perhaps-not"
};

pub(super) const POLITE: &[&str] = list! {
    "please" "pls" "plz" "kindly" "thanks" "thx" "ty" "plase" "pleas"
};

/// Words that turn a clause round.
pub(super) const NEGATIONS: &[&str] = list! {
    "not" "no" "never" "n't" "cannot" "without" "nobody" "nothing" "none" "neither" "nor" "nowhere" "nope"
    "don't" "doesn't" "didn't" "won't" "wouldn't" "shouldn't" "mustn't" "can't" "couldn't" "isn't" "aren't"
    "wasn't" "weren't" "hasn't" "haven't" "needn't" "dont" "doesnt" "shouldnt" "cant" "wont" "isnt" "mustnt"
    "hardly" "against" "declined" "rejected" "refused" "vetoed" "wontfix" "nah"
};

/// Words of a proposal that is over.
pub(super) const REFUSED: &[&str] = list! {
    "rejected" "declined" "refused" "vetoed" "against" "down" "withdrawn" "dropped" "retracted" "forget" "skip"
};

/// Words that leave a thing as it is.
pub(super) const KEEPING: &[&str] = list! {
    "keep" "keeps" "kept" "keeping" "leave" "leaves" "leaving" "stay" "stays" "staying" "stayed" "remain"
    "remains" "remaining" "unchanged" "untouched" "retain" "retains" "preserve" "preserves"
};

/// Words that approve of a thing as it is.
pub(super) const APPROVING: &[&str] = list! {
    "fine" "ok" "okay" "good" "great" "nice" "alright" "lgtm" "okey" "perfect" "acceptable" "correct"
    "standard" "untouched" "unchanged" "approved"
};

pub(super) const MODALS: &[&str] = list! {
    "should" "must" "shall" "ought" "needs" "need" "has" "have" "will" "would" "could" "can" "wants" "want"
    "wil" "shoud" "shud" "shld" "gotta" "deserves" "wanna" "shouldn't" "mustn't" "can't" "won't" "wouldn't" "couldn't" "shouldnt"
};

/// Modals after which what follows is wished without more words.
pub(super) const OBLIGING: &[&str] = list! {
    "should" "must" "shall" "ought" "needs" "need" "shoud" "shud" "shld" "deserves" "oughta" "shouldn't" "mustn't" "shouldnt"
};

/// How a question or a polite request begins.
pub(super) const POLITE_QUESTIONS: &[&str] = list! {
    "can you" "could you" "would you" "will you" "can we" "could we" "can i" "could i" "may i" "may we"
    "can it" "could it" "can this" "could this" "can that" "could that" "can these" "could these" "can they"
    "could they" "can the" "could the" "would it be possible" "is it possible" "would someone" "could someone"
    "can someone" "would somebody" "could somebody" "can somebody" "any chance" "mind" "would you mind"
    "could u" "can u" "would it be" "is there a way" "is there any way" "would anybody" "may we ask" "might i"
    "might we" "might you" "would anyone" "could anyone" "couldn't we" "can't we"
};

pub(super) const CONDITIONS: &[&str] = list! {
    "if" "unless" "once" "until" "till" "whenever" "provided" "assuming" "depending" "whether" "when" "before"
    "after" "supposing" "as-soon-as" "pending" "subject"
};

/// Doubt in what is said.
pub(super) const DOUBTS: &[&str] = list! {
    "maybe" "perhaps" "might" "undecided" "unsure" "possibly" "probably" "considering" "wondering" "wonder"
    "thinking" "tbd" "dunno" "unclear" "tentatively" "debating" "discuss" "discussing" "unresolved"
    "brainstorm" "brainstorming" "someday" "eventually"
};

/// Words that report what was said, thought or done, and ask for nothing.
pub(super) const REPORTING: &[&str] = list! {
    "suggested" "proposed" "considered" "discussed" "thought" "wondered" "talked" "said" "wrote" "asked"
    "argued" "mentioned" "recommended" "told" "advised" "instructed" "tried" "toyed" "debated" "floated" "pondered" "wanted"
};

/// Words that take back what was said before.
pub(super) const RETRACTIONS: &[&str] = list! {
    "wait" "disregard" "scratch" "never mind" "nevermind" "nvm" "on second thought" "on second thoughts"
    "forget it" "forget that" "forget this" "ignore the above" "ignore that" "ignore this" "ignore my"
    "withdrawn" "i take that back" "i take it back" "correction" "strike that" "cancel that" "my mistake"
    "my bad" "please ignore" "not anymore" "no longer needed" "oops" "retracted" "ignore all"
    "ignore previous" "ignore everything" "i withdraw" "actually no" "was wrong" "were wrong" "i meant"
    "hold on" "ignore me" "obsolete" "superseded" "kidding" "wrong thread" "wrong repo" "wrong ticket" "declined" "rejected" "vetoed"
    "decided against" "no longer necessary" "no longer required" "no longer relevant" "no longer wanted" "better not"
    "not in this one" "not this time" "not now" "let me check" "changed my mind"
    "won't fix" "wont fix" "will not fix" "gave up" "given up" "forget my" "forget what" "forget about" "withdraw it" "withdraw this" "withdraw that" "withdraw my" "scrap what" "scrap that" "scrap this" "scrap the name" "scrap the above"
};

/// Words that put off what was said before.
pub(super) const POSTPONING: &[&str] = list! {
    "not before" "hold off" "wait with" "on hold" "only then" "not yet" "only if" "only when" "only after" "but not"
    "only for" "only in" "but only"
};

/// Words that turn a whole piece round.
pub(super) const REVERSING: &[&str] = list! {
    "not sure" "opinions welcome" "opinions" "thoughts welcome" "up for discussion" "open for discussion" "just an idea"
    "other way round" "other way around" "vice versa" "are swapped" "names crossed" "wrong way round"
};

/// Words that agree to what was proposed before.
pub(super) const AGREEING: &[&str] = list! {
    "agreed" "agree" "sounds good" "go ahead" "please rename" "please do" "do it" "+1" "yes" "yep"
    "works for me" "ok with me" "fine with me" "accepted" "approved" "let's do that" "let's do it" "good idea"
    "makes sense" "perfect" "sure" "+ 1"
};

/// Verbs of giving a name.
pub(super) const RENAMING: &[&str] = list! {
    "rename" "renamed" "renaming" "renames" "change" "changed" "call" "called" "calling" "name" "named"
    "naming" "spell" "spelled" "spelt" "expand" "expanded" "shorten" "shortened" "expose" "exposed" "surface"
    "surfaced" "switch" "have" "turn" "turned" "write" "written" "correct" "corrected" "update" "updated"
    "shortening" "expanding" "changing" "turning" "converting" "simplifying" "lengthening"
    "renam" "renme" "rname" "renmae" "alias" "aliased" "adjust" "adjusted" "replace" "replaced" "make" "made"
    "known" "set" "convert" "like" "want" "get" "read" "align" "go" "move" "rewrite" "prefer" "becomes"
    "become" "goes" "fix" "translate" "respell" "retitle" "relabel" "rebrand" "see" "present" "presented"
    "project" "projected" "label" "labelled" "simplify" "simplified" "lengthen" "reads" "use" "show" "appear"
    "appears" "shown" "propose" "suggest" "ship" "shipped" "publish" "published" "map" "mapped"
};

/// Words that say that a text speaks to tools.
pub(super) const TO_TOOLS: &[&str] = list! {
    "previous instructions" "your instructions" "prior instructions" "above instructions"
    "automated assistants" "system note" "system prompt" "maintenance mode" "developer mode" "you are now"
    "as an ai" "ai assistant" "ai assistants" "ai agents" "all instructions" "new instructions" "to the agent"
    "to the assistant" "all agents" "all assistants" "all bots" "any agent" "<system" "</system" "</request" "as administrator"
    "assistants reading" "agents reading" "bots reading" "models reading" "llms reading" "ai reading" "ais reading" "if you are an ai"
    "i order you" "language model" "admin mode" "note to agents" "note to assistants" "attention agents"
};

/// Verbs of renaming proper: they need no other sign.
pub(super) const RENAME_PROPER: &[&str] = list! {
    "rename" "renamed" "renaming" "renam" "renme" "rname" "renmae" "respell" "retitle" "relabel" "rebrand"
    "renames"
};

pub(super) const HIDING: &[&str] = list! {
    "hide" "hides" "hid" "hidden" "hiding" "internal" "private" "package-private" "packageprivate"
    "non-public" "nonpublic" "unexport" "unexported" "unexporting" "unpublished" "conceal" "concealed"
    "internalize" "internalized" "unexpose" "unexposed" "privately" "internally" "access.internal"
    "underscore-prefixed" "un-publish" "unpublish" "in-house" "@internal" "invisible"
};

/// Words of being seen.
pub(super) const PUBLICITY: &[&str] = list! {
    "public" "visible" "exposed" "expose" "exposes" "exposing" "surface" "surfaced" "shipped"
    "ship" "callable" "accessible" "available" "exported" "export" "discoverable" "autocomplete"
    "intellisense" "reachable" "published" "visibility" "offered" "unhide" "unhidden" "un-hide" "un-hidden" "access.public" "supported"
};

/// Where the public surface is named.
pub(super) const SURFACE: &[&str] = list! {
    "public" "surface" "api" "apis" "autocomplete" "intellisense" "shipped" "listing"
};

/// Words of taking something out of sight, beside a word of being seen.
pub(super) const REMOVING: &[&str] = list! {
    "out" "off" "remove" "removed" "removing" "disappear" "disappears" "drop" "dropped" "pull" "pulled" "take"
    "taken" "leaked" "leaks" "leak" "gone" "vanish" "withdraw" "withdrawn" "strip" "stripped" "excluded"
    "exclude" "away" "omit" "omitted" "eliminate" "rid"
};

pub(super) const MOVING: &[&str] = list! {
    "move" "moved" "moving" "moves" "hoist" "hoisted" "relocate" "relocated" "lift" "lifted" "promote"
    "promoted" "belong" "belongs" "shift" "shifted" "transfer" "pull" "pulled" "put" "reachable" "live"
    "lives" "sit" "sits" "regroup" "place" "placed" "bring" "natural" "home" "nest" "nested" "go" "goes"
    "hang" "hangs" "accessible" "available" "group" "grouped" "park" "parked" "migrate" "elevate" "elevated"
    "reparent" "fits" "callable" "tuck" "return" "offered" "form" "expose" "exposed" "stick" "attach"
};

/// Verbs of moving proper: they need no other sign of a wish.
pub(super) const MOVE_PROPER: &[&str] = list! {
    "move" "moved" "hoist" "hoisted" "relocate" "relocated" "lift" "promote" "promoted" "belong" "belongs"
    "shift" "transfer" "regroup" "put" "pull" "bring" "place" "elevate" "reparent" "nest" "tuck"
};

/// Types, and what is said of types.
pub(super) const TYPES: &[&str] = list! {
    "string" "str" "int" "integer" "int8" "int16" "int32" "int64" "uint" "uint8" "uint16" "uint32" "uint64" "byte" "short"
    "float32" "float64" "long" "float" "double" "decimal" "bool" "boolean" "bytes" "list" "dict"
    "map" "array" "set" "tuple" "any" "object" "datetime" "timedelta" "datetimeoffset" "utcdatetime" "offsetdatetime" "uuid" "guid"
    "optional" "required" "nullable" "enum" "readonly" "read-only" "writeonly" "deprecated" "async" "keyword" "positional" "iterable"
    "none" "null" "same" "unchanged" "typeddict" "dataclass" "basemodel" "binarydata" "resourceidentifier" "azurelocation" "timespan" "dateonly" "timeonly" "zoneddatetime" "localdate" "bigdecimal"
};

/// Verbs of what is done by hand: features, behaviour, types.
pub(super) const FEATURES: &[&str] = list! {
    "add" "adds" "implement" "support" "return" "returns" "accept" "accepts" "derive" "inherit" "flatten"
    "flattened" "retry" "retries" "poll" "polls" "validate" "throw" "throws" "deprecate" "deprecated"
    "overload" "default" "document" "docs" "sample" "samples" "example" "examples" "split" "merge" "delete"
    "remove" "convert" "cache" "log" "stream" "paginate" "iterator" "iterators" "nullable" "optional"
    "required" "type" "typed" "types" "upgrade" "bump" "migrate" "refactor" "rewrite" "helper" "wrapper"
    "feature" "build" "create" "provide" "extend" "generate" "regenerate" "async" "overloads" "enum"
    "behaviour" "behavior" "tests" "test" "readme" "changelog" "docstring" "docstrings" "comment" "annotate"
    "decimal" "int" "integer" "string" "str" "float" "boolean" "bool" "datetime" "duration" "int64" "int32"
    "union" "constructor" "builder" "polling" "paging" "pageable" "progress" "deserialize" "serialize"
    "serialization" "mutable" "immutable" "sealed" "abstract" "static" "unwrap" "ergonomic" "faster"
    "performance" "timeout" "upload" "download" "callback" "callbacks" "interface" "generic" "generics"
    "guidance" "describe" "explain" "investigate"
};

/// What something holds, written in small letters.
pub(super) const VALUES: &[&str] = &["zero", "true", "false", "null", "none", "empty", "undefined"];

/// Words that cannot be a new name without quotes: what people say things should be.
/// What decorators and attributes that name things are called.
pub(super) const DECORATORS: &[&str] = list! {
    "clientname" "clientlocation" "clientnamespace" "clientinitialization" "operationgroup" "codegenmodel" "codegentype"
    "codegenmember" "codegenclient" "x-ms-client-name"
};

pub(super) const NEVER_NAMES: &[&str] = list! {
    "clientname" "clientlocation"
    "let" "lets" "let's" "goes" "make" "makes" "say" "says" "give" "take" "keep" "drop" "add" "put" "move" "hide"
    "public" "internal" "hidden" "private" "optional" "required" "nullable" "removed" "deleted" "deprecated"
    "fixed" "changed" "consistent" "shorter" "longer" "clearer" "better" "renamed" "moved" "called" "named"
    "done" "exposed" "visible" "shipped" "able" "possible" "nice" "great" "good" "best" "easier" "string"
    "int" "decimal" "float" "integer" "boolean" "available" "reachable" "more" "less" "the" "a" "an" "that"
    "this" "it" "them" "these" "those" "there" "here" "in" "on" "at" "to" "of" "as" "is" "are" "was" "be"
    "been" "by" "for" "from" "with" "not" "no" "so" "too" "very" "what" "which" "whatever" "something"
    "anything" "everything" "nothing" "one" "ones" "same" "both" "all" "each" "any" "some" "other" "others"
    "another" "people" "users" "customers" "customer-facing" "us" "we" "you" "they" "i" "he" "she" "please"
    "python" "java" "net" ".net" "c#" "csharp" "dotnet" "javascript" "js" "typescript" "ts" "go" "golang"
    "and" "or" "but" "if" "when" "because" "since" "until" "before" "after" "only" "also" "just" "like"
    "spelled" "spelt" "written" "expanded" "shortened" "aligned" "kept" "left" "unchanged" "untouched" "split"
    "flattened" "typed" "camelcase" "pascalcase" "snake_case" "full" "plural" "singular" "upper" "lower" "out"
    "case" "casing" "avoid" "avoided" "used" "use" "preferred" "accepted" "rejected" "part" "consistency"
    "surfaced" "reverted" "restored" "back" "again" "now" "today" "instead" "lowercase" "uppercase" "async"
    "sync" "static" "final" "abstract" "sealed" "exported" "unexported" "mandatory" "correct" "wrong" "fine"
    "okay" "ok" "enough" "needed" "wanted" "clear" "obvious" "readable" "understandable" "descriptive"
    "specific" "generic" "idiomatic" "natural" "spelling" "documented" "tested" "supported" "my" "our" "your"
    "their" "its" "his" "her" "me" "who" "how" "why" "where" "while" "once" "then" "than" "will" "would"
    "should" "could" "must" "can" "may" "might" "shall" "do" "does" "did" "have" "has" "had" "into" "onto"
    "under" "over" "between" "names" "name" "thing" "things" "way" "ways" "place" "places" "service" "wire"
    "json" "rest" "api" "sdk" "client" "class" "model" "property" "parameter" "method" "operation" "enum"
    "field" "rid" "happy" "glad" "sure" "careful" "confused" "confusing" "misleading" "understood" "known"
    "met" "gone" "ourselves" "themselves" "myself" "yourself" "yourselves" "itself" "human-readable" "self-explanatory" "unambiguous" "meaningful" "internal-only" "hidden-only"
    "callable" "accessible" "resolved" "addressed" "considered" "discussed" "reviewed" "merged" "released"
    "blocked" "checked" "verified" "converted" "treated" "handled" "returned" "passed" "sent" "set" "get"
    "given" "made" "found" "seen" "shown" "read" "review" "comment" "comments" "request" "change" "changes"
    "rename" "renames" "anyone" "someone" "somebody" "everybody" "everyone" "nobody" "most" "least" "first"
    "second" "third" "last" "next" "previous" "well" "much" "many" "few" "little" "kind" "sort" "example"
    "instance" "level" "list" "page" "conceivable" "acceptable" "allowed" "welcome" "helpful" "useful"
    "proper" "appropriate" "active" "inactive" "closed" "open" "pending" "approved" "declined" "fyi" "thanks"
    "thank" "hello" "hi" "dear" "cheers" "regards" "sorry" "note" "suggestion" "reminder" "question" "agreed"
    "ditto" "likewise" "idea" "option" "long" "short" "big" "small" "high" "low" "true" "false" "null" "none"
    "yes" "maybe" "ga" "asap" "eod" "rc" "wdyt" "imho" "tbd" "fwiw" "afaik" "btw"
};

/// Verbs of renaming in other languages.
pub(super) const RENAMING_ELSEWHERE: &[&str] = list! {
    "umbenennen" "umbenannt" "renommer" "renommez" "renombrar" "renombra" "renombre" "renomear" "rinominare" "rinomina" "hernoemen"
};

/// Words that turn a clause round in other languages.
pub(super) const NEGATIONS_ELSEWHERE: &[&str] = list! {
    "nicht" "nie" "niemals" "kein" "keine" "ne" "pas" "jamais" "nunca" "jamás" "não" "non" "niet" "wenn" "falls" "si" "warum" "pourquoi"
};

pub(super) const KIND_NOUNS: &[(&[&str], &[EntityKind])] = &[
    (
        list! {
            "property" "properties" "field" "fields" "attribute" "attributes" "getter" "accessor" "prop" "props"
            "attr" "member-variable" "column" "flag"
        },
        &[EntityKind::Property],
    ),
    (
        list! {
            "operation" "operations" "method" "methods" "op" "ops" "function" "functions" "endpoint" "endpoints"
            "verb" "action" "api" "pager" "lro" "poller"
        },
        &[EntityKind::Operation],
    ),
    (
        &["parameter", "parameters", "param", "params", "argument", "arguments", "arg", "args", "keyword", "kwarg"],
        &[EntityKind::Parameter],
    ),
    (
        &["class", "classes", "type", "types"],
        &[
            EntityKind::Model,
            EntityKind::Enum,
            EntityKind::Union,
            EntityKind::Interface,
            // The class of the client.
            EntityKind::Namespace,
        ],
    ),
    (
        &["model", "models", "struct", "record", "interface", "interfaces", "dto", "object"],
        &[EntityKind::Model, EntityKind::Enum, EntityKind::Union, EntityKind::Interface],
    ),
    (&["enum", "enums", "enumeration", "union"], &[EntityKind::Enum, EntityKind::Union]),
    (
        &["value", "values", "member", "members", "constant", "constants", "literal", "variant", "state"],
        &[EntityKind::EnumMember, EntityKind::Property],
    ),
    (&["group", "groups", "subclient", "sub-client", "clients"], &[EntityKind::Interface, EntityKind::Namespace]),
    (&["client"], &[EntityKind::Interface, EntityKind::Namespace]),
];

/// The kinds that a noun names.
pub(super) fn kinds_of(noun: &str) -> Option<&'static [EntityKind]> {
    KIND_NOUNS.iter().find(|(nouns, _)| nouns.contains(&noun)).map(|(_, kinds)| *kinds)
}

/// The language that a word names.
pub(super) fn language(word: &str) -> Option<Language> {
    Some(match word.trim_end_matches("'s").trim_end_matches("-only") {
        "python" | "py" | "pyhton" | "pyton" | "phyton" | "pythonic" | "pypi" | "pyhton3" | "python3" => {
            Language::Python
        }
        "java" | "jvm" => Language::Java,
        ".net" | "net" | "dotnet" | "c#" | "csharp" | "c-sharp" | "cs" => Language::Dotnet,
        "javascript"
        | "js"
        | "typescript"
        | "ts"
        | "node"
        | "node.js"
        | "js/ts"
        | "ts/js"
        | "javascript/typescript" => Language::Javascript,
        "go" | "golang" => Language::Go,
        _ => return None,
    })
}

/// What the service sends and the specification says, as against the client.
pub(super) const WIRE: &[&str] = list! {
    "wire" "json" "rest" "service" "contract" "payload" "swagger" "openapi" "spec" "specification" "protocol"
    "http" "server" "backend" "serialized" "on-the-wire" "docs" "documentation" "portal" "tsp" "typespec"
};

/// Adjectives of a name that the client does not decide.
pub(super) const ON_THE_WIRE: &[&str] = list! {
    "json" "wire" "rest" "http" "payload" "swagger" "openapi" "backend" "serialized" "on-the-wire" "database"
};

/// Where the names of the client are not: files, texts, other programs, the wire.
pub(super) const ELSEWHERE: &[&str] = list! {
    "sample" "samples" "demo" "test" "tests" "docs" "documentation" "readme" "changelog" "fork" "wiki" "branch" "prototype" "mock"
    "portal" "cli" "aio" "docstring" "docstrings" "swagger" "wire" "rest" "spec" "specification" "openapi" "json" "payload"
    "backend"
};

/// Fields of a ticket that say how its wish stands.
pub(super) const STANDINGS: &[&str] = list! {
    "status" "state" "resolved" "closed" "resolution" "outcome" "decision" "verdict" "result" "conclusion"
};

/// What such a field says where the wish stands.
pub(super) const STANDING_OPEN: &[&str] = list! {
    "open" "new" "accepted" "approved" "agreed" "confirmed" "ready" "todo" "go" "yes" "ok" "active" "reopened" "progress"
};

/// Verbs of doing as others do.
pub(super) const FOLLOWING: &[&str] = &["align", "follow", "mirror", "match"];

/// Other languages as a whole.
pub(super) const OTHERS: &[&str] = list! {
    "other" "others" "rest" "remaining" "else"
};
