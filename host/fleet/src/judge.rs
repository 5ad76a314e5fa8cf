//! From what a command said about one package to its verdict.

// A child that may have been killed in the middle prints the text.
#![cfg_attr(not(test), warn(clippy::arithmetic_side_effects, clippy::indexing_slicing, clippy::string_slice))]

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::verdict::{Cause, Verdict};

/// How a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(into = "String")]
pub enum Ended {
    /// With this exit code.
    Code(i32),
    /// By a signal.
    Signal(i32),
    /// It was killed because its time was over.
    Deadline,
    /// It was killed because it took more than it may have.
    Limit(&'static str),
}

/// What a job may take too much of.
const LIMITED: [&str; 3] = ["memory", "processes", "disk space"];

impl From<Ended> for String {
    fn from(ended: Ended) -> Self {
        match ended {
            Ended::Code(code) => format!("code {code}"),
            Ended::Signal(signal) => format!("signal {signal}"),
            Ended::Deadline => "deadline".to_owned(),
            Ended::Limit(what) => format!("limit {what}"),
        }
    }
}

impl TryFrom<String> for Ended {
    type Error = String;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        let number = |text: &str| text.parse::<i32>().ok();
        let read = match text.split_once(' ') {
            None if text == "deadline" => Some(Self::Deadline),
            Some(("code", code)) => number(code).map(Self::Code),
            Some(("signal", signal)) => number(signal).map(Self::Signal),
            Some(("limit", what)) => LIMITED.into_iter().find(|known| *known == what).map(Self::Limit),
            _ => None,
        };
        read.ok_or_else(|| format!("`{text}` is not how a command ends"))
    }
}

impl<'de> Deserialize<'de> for Ended {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::try_from(String::deserialize(deserializer)?).map_err(serde::de::Error::custom)
    }
}

/// What a package comes to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Judged {
    /// What became of it.
    pub verdict: Verdict,
    /// One sentence.
    pub message: String,
    /// Why it is not done.
    pub causes: Vec<Cause>,
    /// What a person has to do.
    pub guidance: Vec<String>,
}

/// The most causes and sentences of guidance that are kept of a package.
const MOST: usize = 50;
/// The longest text that is kept, in characters.
const LONGEST: usize = 1_000;

/// Judges a package by what `bailiwick --json package …` printed and how it ended. It is done only where both say so.
#[must_use]
pub fn judge(ended: Ended, printed: &str) -> Judged {
    let said: Option<Value> = serde_json::from_str(printed).ok();
    match (ended, said) {
        (Ended::Deadline, _) => fleet(Verdict::TimedOut, "deadline", "it was not done in its time and was killed"),
        (Ended::Limit(what), _) => {
            fleet(Verdict::Failed, what, &format!("it took more {what} than a job may and was killed"))
        }
        (Ended::Signal(signal), _) => {
            fleet(Verdict::Failed, "signal", &format!("its command was killed by signal {signal}"))
        }
        (Ended::Code(code), Some(said)) => of_answer(code, &said),
        (Ended::Code(code), None) => {
            fleet(Verdict::Failed, "no-answer", &format!("its command ended with {code} and without an answer"))
        }
    }
}

fn fleet(verdict: Verdict, code: &str, message: &str) -> Judged {
    let cause = Cause { tool: "fleet".into(), code: Some(code.into()), message: message.into() };
    Judged { verdict, message: message.into(), causes: vec![cause], guidance: Vec::new() }
}

fn of_answer(code: i32, said: &Value) -> Judged {
    if let Some(error) = said.get("error") {
        let message = text(error, "message");
        let cause = Cause { tool: "bailiwick".into(), code: None, message: message.clone() };
        let guidance = strings(error.get("hint").into_iter());
        return Judged { verdict: Verdict::Failed, message, causes: vec![cause], guidance };
    }
    if said.get("step").is_some() { of_step(code, said) } else { of_response(code, said) }
}

/// A generation, a build or the tests alone.
fn of_step(code: i32, said: &Value) -> Judged {
    let passed = code == 0 && said.get("succeeded") == Some(&Value::Bool(true));
    let errors = said.get("diagnostics").and_then(Value::as_array).into_iter().flatten();
    let causes: Vec<Cause> = errors
        .filter(|one| text(one, "severity") == "error")
        .take(MOST)
        .map(|one| Cause { tool: text(one, "tool"), code: optional(one, "code"), message: text(one, "message") })
        .collect();
    let step = text(said, "step");
    if passed {
        let message = format!("{step} passed");
        return Judged { verdict: Verdict::Succeeded, message, causes: Vec::new(), guidance: Vec::new() };
    }
    let message = causes.first().map_or_else(|| format!("{step} failed"), |first| first.message.clone());
    Judged { verdict: Verdict::Failed, message, causes, guidance: Vec::new() }
}

/// A customization or a repair.
fn of_response(code: i32, said: &Value) -> Judged {
    let outcome = text(said, "outcome");
    let message = text(said, "message");
    if code == 0 && outcome == "success" && said.get("success") == Some(&Value::Bool(true)) {
        let patched = said.get("codePatches").and_then(Value::as_array).is_some_and(|all| !all.is_empty());
        let verdict = if patched { Verdict::Repaired } else { Verdict::Succeeded };
        return Judged { verdict, message, causes: Vec::new(), guidance: Vec::new() };
    }
    let all = |value: Option<&Value>| value.and_then(Value::as_array).cloned().unwrap_or_default();
    let guidance: Vec<String> = all(said.get("manualGuidance"))
        .iter()
        .take(MOST)
        .map(|one| clipped(&format!("{}: {}", text(one, "issue"), text(one, "approach"))))
        .collect();
    let errors = all(said.get("buildResult").and_then(|build| build.get("errorMessages")));
    let mut causes: Vec<Cause> = errors.iter().filter_map(Value::as_str).take(MOST).map(built).collect();
    if causes.is_empty() {
        let code = optional(said, "errorCode");
        causes.push(Cause { tool: "bailiwick".into(), code, message: message.clone() });
    }
    let verdict = if guidance.is_empty() { Verdict::Failed } else { Verdict::Guidance };
    Judged { verdict, message, causes, guidance }
}

/// `path:line: error [code] message`.
fn built(line: &str) -> Cause {
    let rest = line.split_once(": error").map_or(line, |(_, rest)| rest).trim_start_matches(':').trim();
    let coded = rest.strip_prefix('[').and_then(|rest| rest.split_once("] "));
    let (code, message) = coded.map_or((None, rest), |(code, message)| (Some(code.to_owned()), message));
    Cause { tool: "build".into(), code, message: clipped(message) }
}

fn text(value: &Value, name: &str) -> String {
    clipped(value.get(name).and_then(Value::as_str).unwrap_or_default())
}

fn optional(value: &Value, name: &str) -> Option<String> {
    Some(text(value, name)).filter(|text| !text.is_empty())
}

fn strings<'a>(values: impl Iterator<Item = &'a Value>) -> Vec<String> {
    values.filter_map(Value::as_str).map(clipped).collect()
}

/// One line of a bounded length.
fn clipped(text: &str) -> String {
    let line: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= LONGEST { line } else { line.chars().take(LONGEST).chain(['…']).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    fn of(ended: Ended, said: &Value) -> Verdict {
        judge(ended, &said.to_string()).verdict
    }

    #[test]
    fn package_is_done_only_where_exit_code_and_answer_say_so() {
        let step = |succeeded| json!({ "step": "generate", "succeeded": succeeded, "diagnostics": [] });
        assert_eq!(of(Ended::Code(0), &step(true)), Verdict::Succeeded);
        let response = |outcome: &str, success, patches: Value| json!({ "outcome": outcome, "success": success, "message": "m", "codePatches": patches, "manualGuidance": [] });
        assert_eq!(of(Ended::Code(0), &response("success", true, json!([]))), Verdict::Succeeded);
        assert_eq!(of(Ended::Code(0), &response("success", true, json!([{}]))), Verdict::Repaired);
        for (ended, said) in [
            (Ended::Code(1), step(true)),
            (Ended::Code(0), step(false)),
            (Ended::Signal(9), step(true)),
            (Ended::Code(0), json!({ "step": "generate", "succeeded": "true" })),
            (Ended::Code(1), response("success", true, json!([]))),
            (Ended::Code(0), response("success", false, json!([]))),
            (Ended::Code(0), response("partial", true, json!([]))),
            (Ended::Code(0), json!({ "error": { "message": "no" } })),
            (Ended::Code(0), json!({})),
            (Ended::Code(0), json!(null)),
            (Ended::Limit("memory"), step(true)),
        ] {
            assert_eq!(of(ended, &said), Verdict::Failed, "{ended:?} {said}");
        }
        assert_eq!(judge(Ended::Code(0), "{\"step\":").verdict, Verdict::Failed);
        assert_eq!(of(Ended::Deadline, &step(true)), Verdict::TimedOut);
    }

    #[test]
    fn guidance_and_the_errors_of_the_last_build_are_kept() {
        let said = json!({
            "outcome": "failure", "success": false, "message": "it does not build", "errorCode": "buildFailed",
            "codePatches": [], "manualGuidance": [{ "issue": "a", "approach": "do b" }],
            "buildResult": { "success": false, "errorMessages": ["sdk/a.py:3: error [attr-defined] no `x`", "odd"] },
        });
        let judged = judge(Ended::Code(1), &said.to_string());
        assert_eq!((judged.verdict, &judged.guidance[..]), (Verdict::Guidance, &["a: do b".to_owned()][..]));
        assert_eq!(judged.causes[0].code.as_deref(), Some("attr-defined"));
        assert_eq!((judged.causes[0].message.as_str(), judged.causes[1].message.as_str()), ("no `x`", "odd"));
    }

    proptest! {
        #[test]
        fn no_text_is_a_success_by_itself(text in "\\PC{0,200}", code in 1_i32..200) {
            prop_assert!(!judge(Ended::Code(code), &text).verdict.is_done());
        }
    }
}
