//! Classes of words that license a reading, put it off or judge it.

/// What may stand in front of a clause that asks: persons, wishes, courtesy, and how a sentence is led on.
pub(super) const LICENSING: &[&str] = list! {
    // Persons, and who speaks for them.
    "which" "i" "you" "we" "us" "me" "he" "she" "it" "this" "that" "they" "everybody" "everyone" "all" "both" "someone" "somebody" "anyone"
    "board" "team" "architects" "architect" "reviewers" "reviewer" "review" "feedback" "customers" "users" "people"
    "owners" "committee" "council" "stewards" "folks" "guys" "colleagues" "partners" "developers" "there" "what"
    // What they wish, decide and find.
    "want" "wants" "wanted" "would" "like" "love" "prefer" "need" "needs" "wish" "hope" "expect" "expects" "should"
    "must" "shall" "ought" "have" "has" "will" "can" "could" "may" "let" "let's" "lets" "ask" "asks" "asked" "asking"
    "request" "requests" "requesting" "suggest" "suggests" "suggestion" "propose" "proposes" "proposal" "recommend"
    "recommends" "recommendation" "vote" "voted" "agree" "agreed" "decide" "decided" "decision" "consensus" "insist"
    "require" "requires" "demand" "consider" "mind" "appreciate" "appreciated" "favour" "favor" "plan" "task" "goal"
    "aim" "job" "action" "item" "todo" "idea" "think" "believe" "feel" "find" "concluded" "settled" "chose" "do" "be"
    "is" "are" "was" "been" "great" "good" "nice" "better" "best" "helpful" "useful" "lovely" "cool" "awesome" "ideal"
    "worth" "worthwhile" "sensible" "wise" "appropriate" "happy" "glad" "grateful" "kind" "able" "possible" "time"
    "way" "chance" "sense" "makes" "help" "needed" "required" "necessary" "supposed" "expected" "meant" "i'd" "we'd"
    "i'll" "we'll" "you'd" "we've" "i've" "it's" "it'd" "that's" "what's" "here's" "there's" "gotta" "wanna" "opinion"
    "view" "imo" "imho" "voting" "support" "second" "thing" "things" "change" "changes" "point" "points" "remaining"
    "left" "outstanding" "requested" "follows" "following" "come" "came" "fix" "solution" "answer" "result" "conclusion"
    // How it is led on.
    "goes" "so" "then" "also" "and" "therefore" "thus" "hence" "first" "secondly" "third" "finally" "lastly" "next" "hi"
    "hello" "hey" "dear" "yes" "yep" "yeah" "sure" "indeed" "however" "still" "again" "anyway" "more" "one" "another"
    "last" "former" "latter" "further" "additionally" "moreover" "furthermore" "consequently" "accordingly" "ahead" "go" "free" "forget"
    "back" "1" "remember" "note" "arrange" "style" "convention" "idiom" "term" "wording" "spelling" "guideline" "guidelines" "yesterday" "today" "sync" "call" "session" "meeting" "ensure" "make" "care" "take" "afterwards" "meanwhile" "definitely" "certainly" "clearly" "obviously"
    "strongly" "personally" "ideally" "preferably" "generally" "basically" "quickly" "finally" "urgently" "asap"
    "lot" "much" "tl" "dr" "tldr" "fixme" "to" "of" "for" "in" "on" "with" "by" "as" "from" "at" "about" "your" "their" "his" "her" "its" "these" "those"
    "same" "rest" "other" "others" "spec" "specification" "service" "generated" "code" "public" "surface" "library"
    "package" "sdk" "sdks" "languages" "language" "side" "end" "nit" "minor" "major" "blocking" "naming" "names"
    // What a negation that the reading counts is made with.
    "not" "don't" "doesn't" "does" "did" "didn't" "never" "no" "longer" "shouldn't" "mustn't" "can't" "cannot" "won't"
    "wouldn't" "isn't" "aren't" "dont" "n't" "nobody" "outside" "rid" "two" "three" "four" "five" "six" "neither" "nor" "stop" "avoid"
};

/// Verbs and nouns by which somebody wishes what stands behind them.
pub(super) const WISHES: &[&str] = list! {
    "want" "wants" "wanted" "would" "like" "love" "prefer" "need" "needs" "wish" "hope" "expect" "expects" "should"
    "must" "shall" "ought" "have" "has" "will" "can" "could" "let" "let's" "lets" "ask" "asks" "asked" "asking"
    "request" "requests" "requesting" "suggest" "suggests" "suggestion" "propose" "proposes" "proposal" "recommend"
    "recommends" "recommendation" "vote" "voted" "agree" "agreed" "decide" "decided" "decision" "consensus" "insist"
    "require" "requires" "demand" "consider" "mind" "appreciate" "appreciated" "favour" "favor" "plan" "task" "goal"
    "aim" "job" "action" "todo" "think" "believe" "feel" "find" "please" "pls" "plz" "kindly" "worth" "time" "to"
    "able" "good" "great" "better" "best" "nice" "i'd" "we'd" "i'll" "we'll" "you'd" "concluded" "settled" "don't"
};

/// What a gerund needs in front of it: `I suggest renaming X`.
pub(super) const GERUND_WISHES: &[&str] = list! {
    "suggest" "suggests" "propose" "proposes" "recommend" "recommends" "consider" "mind" "appreciate" "appreciated"
    "worth" "please" "pls" "kindly" "vote" "voted" "prefer" "favour" "favor" "request" "requests" "requesting" "decided"
    "like" "love" "agreed" "suggestion" "settled" "support" "by" "1"
};

/// Verbs whose object is the change: the first word of a clause that asks.
pub(super) const PREDICATES: &[&str] = list! {
    "rename" "renaming" "respell" "retitle" "relabel" "rebrand" "trade" "exchange" "swap" "substitute" "change" "map" "mapping" "mapped" "changing" "shortening" "expanding" "converting" "simplifying" "lengthening" "call" "calling" "name" "naming"
    "expose" "exposing" "use" "using" "give" "giving" "make" "making" "mark" "marking" "set" "setting" "turn" "turning"
    "switch" "switching" "flip" "flipping" "hide" "hiding" "conceal" "concealing" "unexport" "unexporting" "unhide" "unhiding" "show"
    "showing" "internalize" "remove" "removing" "take" "taking" "drop" "dropping" "pull" "pulling" "keep" "strip"
    "move" "moving" "put" "putting" "hoist" "hoisting" "relocate" "relocating" "place" "placing" "promote" "shift"
    "bring" "lift" "attach" "nest" "spell" "write" "say" "read" "replace" "replacing" "surface" "ship" "shipping" "publish" "adjust"
    "update" "updating" "correct" "expand" "shorten" "alias" "convert" "get" "go" "have" "declare" "exclude" "excluding"
    "omit" "export" "exporting" "prefer" "choose" "pick" "want" "see" "label" "title" "rewrite" "align" "restore" "reinstate" "undo" "revert" "return" "come"
};

/// What a clause that asks may go on with.
pub(super) const GOING_ON: &[&str] = list! {
    "in" "on" "at" "for" "to" "from" "of" "by" "with" "within" "under" "across" "throughout" "inside" "into" "onto"
    "out" "off" "via" "over" "per" "as" "like" "unlike" "than" "because" "since" "so" "and" "or" "but" "where" "while"
    "when" "if" "until" "unless" "once" "before" "after" "which" "that" "whose" "who" "to" "instead" "rather" "too"
    "also" "again" "back" "only" "everywhere" "globally" "throughout" "consistently" "accordingly" "respectively" "now"
    "asap" "today" "soon" "first" "then" "here" "there" "anyway" "please" "alone" "itself" "themselves" "together" "both"
    "all" "each" "it" "them" "this" "is" "are" "would" "should" "must" "will" "we" "i" "you" "they" "same" "similar"
    "according" "following" "due" "given" "considering" "matching" "following" "not" "without" "except" "hence" "thus"
    "therefore" "whereas" "although" "though" "even" "alike" "entirely" "completely" "directly" "properly" "correctly"
    "exactly" "simply" "plainly" "just" "altogether" "permanently" "further" "right" "straight" "away" "well" "plus"
    "minus" "versus" "vs" "i.e" "e.g" "namely" "see" "until" "despite" "regardless" "no" "between" "among" "more" "up"
    "down" "next" "later" "tbd" "sometime" "any" "its" "their" "his" "our" "your" "my" "the" "a" "an" "has" "have"
    "reads" "fits" "sounds" "says" "makes" "explains" "might" "seems" "feels" "longer" "public" "anymore" "publicly"
    "internal" "private" "hidden" "visible" "wished" "wanted" "preferred" "desired" "requested" "what" "name" "names" "naming" "being" "be" "better" "clearer" "always" "never" "suffices" "suffice" "wins"
};

/// Where a client's names are.
pub(super) const SURFACE: &[&str] = list! {
    "sdk" "sdks" "library" "libraries" "client" "clients" "package" "packages" "surface" "api" "apis" "language"
    "languages" "code" "signature" "signatures" "one" "general" "addition" "particular" "fact" "principle" "order" "line"
    "favor" "favour" "place" "places" "full" "case" "both" "all" "total" "short" "return" "turn" "review" "meeting"
    "discussion" "feedback" "call" "comments" "comment" "thread" "mail" "email" "opinion" "view" "light" "response"
    "reply" "request" "requests" "respect" "section" "line" "lines" "item" "items" "row" "behalf" "side" "hand" "board"
    "pr" "change" "this" "that" "it" "these" "those" "them" "client.tsp" "customization" "customizations" "future-proof"
    "public" "generated" "typespec" "signature" "accordance" "keeping" "sync" "common" "contrast" "parallel" "top"
    "root" "level" "namespace" "module" "there" "here" "intellisense" "autocomplete" "docs.rs" "names" "name" "naming"
    "casing" "plural" "singular" "way" "sense" "reference" "regeneration" "snake_case" "camelcase" "pascalcase" "caps"
    "english" "uppercase" "lowercase" "upper" "lower" "words" "word" "file" "list" "table" "summary" "first" "second"
    "them" "itself" "same" "guidelines" "style" "style-guide" "spelling" "our" "my" "your" "their" "his" "her" "its"
    "sync" "standup" "session" "chat" "spirit" "vein" "manner" "fashion" "breath" "today's" "yesterday's" "round" "pass" "step" "go" "ticket" "issue" "question" "average" "practice" "effect"
    "conjunction" "combination" "exchange" "turn" "next" "triage" "workshop" "retro" "planning" "vote" "poll"
};

/// Nouns of a time that has not come.
pub(super) const TIMES: &[&str] = list! {
    "year" "month" "week" "sprint" "quarter" "major" "milestone" "semester" "iteration" "time" "cycle" "breaking"
};

/// `from 3 June`: a date, and no version.
pub(super) const MONTHS: &[&str] = list! {
    "january" "february" "march" "april" "june" "july" "august" "september" "october" "november" "december" "jan" "feb"
    "mar" "apr" "jun" "jul" "aug" "sep" "sept" "oct" "nov" "dec" "may"
};

/// Words of a judgement, whatever stands beside them.
pub(in crate::reader) const JUDGED: &[&str] = list! {
    "rejected" "declined" "vetoed" "withdrawn" "postponed" "deferred" "parked" "abandoned" "obsolete" "superseded"
    "undecided" "pending" "tbd" "debating" "debated" "disagree" "disagrees" "disagreed" "objects" "opposed" "kidding"
    "joking" "unresolved" "unsure" "opinions" "wdyt" "thoughts" "premature" "brainstorming" "overruled" "shelved"
    "cancelled" "canceled" "scrapped" "wontfix" "blocked" "awaiting" "draft" "joke" "jk" "lol" "disputed" "contested"
    "moot" "suppressed" "dismissed" "hypothetical" "experiment" "tbc" "wip" "blocker" "stalled" "retracted" "discussing" "outvoted" "denied"
    "nonsense" "rubbish" "pointless" "overkill" "reverted" "revoked" "refused" "scrap" "discard" "discarded" "dropped" "nay"
    "withdrew" "dismiss" "icebox" "tentative" "candidates" "follow-ups" "followups" "counterproductive" "misunderstood"
    "misunderstanding" "unapproved" "disapproved" "undone" "backed-out" "silly" "jest" "haha" "unfounded" "mistaken"
    "disregard" "abandon" "overthinking" "bikeshedding" "reconsider" "skeptical" "sceptical" "hesitant" "reluctant"
};

/// The same in several words.
pub(super) const JUDGED_PHRASES: &[&str] = list! {
    "turned down" "turned this down" "turned it down" "turned that down" "off the table" "decided against" "voted against"
    "changed my mind" "change of plans" "up for debate" "up for discussion" "under discussion" "in discussion" "on hold"
    "only an idea" "just an idea" "only a thought" "just a thought" "only a suggestion" "only a proposal" "only a draft"
    "said no" "says no" "say no" "voted no" "do nothing" "waits for" "waits on" "waits until" "wait for" "wait until" "wait till" "waiting for" "hold off"
    "needs a decision" "needs discussion" "needs approval" "needs sign-off" "needs agreement"
    "needs a discussion" "needs more thought" "needs to be discussed" "needs to be decided" "needs to be agreed"
    "to be discussed" "to be decided" "to be confirmed" "to be agreed" "still open" "is open" "remains open"
    "won't fix" "wont fix" "will not fix" "closing this" "closing as" "fixed in" "fixed by" "done in" "merged in"
    "landed in" "blocked by" "duplicate of" "addressed in" "implemented in" "already fixed" "already done" "now fixed" "yet to" "or not" "or rather not" "better not" "rather not" "maybe not" "perhaps not" "not in this" "not for this"
    "not this time" "not now" "not today" "forget it" "forget that" "forget about" "never mind" "leave it" "leave that"
    "keep it as" "no action" "no-go" "wrong ticket" "wrong thread" "wrong repo" "last year's" "won't happen"
    "will not happen" "not going to" "we won't" "let's not" "ignore this" "ignore that"
    "ignore it" "ignore the" "what do you think" "your call" "up to you" "we'll see" "no consensus" "no decision" "no agreement" "needs to sign" "has to sign" "must sign" "has to agree" "have to agree" "must agree"
    "has to approve" "must approve" "needs to approve" "have to approve" "needs to agree" "has to decide" "must decide"
    "have to decide" "to discuss" "to decide" "revert this" "undo this" "not happening" "thinking about" "thinking out" "let me ask" "i'll ask" "think about it" "think about that" "free to ignore" "pick one" "choose one" "suppress it" "suppress this" "suppress that" "not really" "on the list for"
    "rolled back" "roll back" "roll this back" "taken out again" "taken back" "took it back"
    "backed out" "leave as" "leave everything" "leave all" "leave both" "leave them" "leave the package"
    "leave the names" "leave things" "it stays as" "this stays as" "that stays as" "all stays as" "by design" "false positive"
    "false positives" "won't do" "wont do" "will not do" "wouldn't do" "too much" "don't think" "do not think" "doesn't think" "not a good"
    "no good" "bad idea" "not convinced" "i doubt" "we doubt" "not sure" "not happy" "good point" "fair point" "without success" "closed without"
    "without a change" "without changes" "left the company" "close it" "close this" "be closed" "i thought" "not applied"
    "not merged" "not be merged" "won't be merged" "feel free" "accepted risk" "accept the risk" "not part of" "moved to the"
    "not necessary" "not needed" "not worth" "not required" "no need" "doesn't need" "more harm" "not our" "none of our"
    "not an issue" "not a problem" "isn't a problem" "no problem with" "no issue" "no longer needed" "no longer wanted" "no longer relevant" "no longer necessary" "no longer applies"
    "on second thought" "second thoughts" "think twice" "let's wait" "let us wait" "let's see" "let's keep" "let's leave" "let's skip"
    "let's drop" "let's forget" "i disagree" "we disagree" "can't agree" "cannot agree" "i object" "i'd object" "i'd leave" "i'd keep" "i would leave" "i would keep" "i'd rather"
    "don't do anything" "do not do anything" "not for production" "warnings are accepted" "i'll talk to" "we'll talk to"
    "was wrong" "were wrong" "is wrong" "am wrong" "are wrong" "fine as" "good as"
    "ok as" "okay as" "good enough" "live with" "works for us" "makes no sense" "make no sense" "doesn't make sense" "no sense"
    "would break" "breaks too" "too risky" "too late" "too early" "too expensive" "next major" "next release" "next sprint" "next version" "next time"
    "what else" "i reverted" "we reverted" "not agreed" "not accepted" "not approved" "not decided"
};

/// Adverbs by which a change is not one that stays.
pub(super) const PASSING: &[&str] = list! {
    "temporarily" "provisionally" "experimentally" "tentatively" "locally" "hypothetically" "optionally" "conditionally"
    "initially" "theoretically" "secretly"
};

/// What a negation beside it leaves open: `not agreed`, `not sure`, `not yet`.
pub(super) const SETTLING: &[&str] = list! {
    "agree" "agreed" "agrees" "approve" "approved" "approves" "decide" "decided" "settled" "confirm" "confirmed"
    "convinced" "sure" "ready" "final" "certain" "discussed" "wanted" "accepted" "signed" "yet" "happen" "happening"
    "so" "worth" "urgent-before" "going" "unanimous" "concluded" "resolved"
};

/// How a tale or an order to others is told.
pub(super) const TOLD: &[&str] = list! {
    "said" "says" "wrote" "writes" "claims" "claimed" "reads" "history" "formerly" "previously"
    "earlier" "archive" "archived" "draft" "example" "examples" "instance" "e.g" "hypothetically" "hypothetical"
    "idea" "ideas" "brainstorming" "joke" "reminder" "experiment" "backlog" "someday" "wishlist" "alternatives" "options" "option" "alternative"
    "comparison" "understanding" "inventory" "glossary"
};

/// Those whose wish counts only where they are said to wish it.
pub(super) const OTHERS: &[&str] = list! {
    "they" "customers" "users" "people" "everyone" "everybody" "team" "board" "reviewers" "developers" "folks"
    "colleagues" "someone" "somebody" "partners" "owners" "guys"
};

/// Verbs of somebody else's wish.
pub(super) const WISHED: &[&str] = list! {
    "want" "wants" "wanted" "ask" "asks" "asked" "need" "needs" "like" "love" "prefer" "prefers" "expect" "expects"
    "request" "requests" "requested" "require" "requires" "demand" "demands" "agreed" "decided" "voted" "suggest"
    "suggests" "propose" "proposes" "recommend" "recommends" "insist" "insists" "settled" "concluded" "chose" "wish"
};

/// How somebody's opinion is told. What they say begins behind it.
pub(super) const OPINIONS: &[&str] = list! {
    "thinks" "believes" "feels" "finds" "says" "said" "claims" "argues" "reckons" "guesses" "assumes" "thought"
    "believed" "argued" "hopes" "wishes" "suggests" "proposes" "recommends" "insists"
};
