//! Reads requests from standard input, one JSON object a line, and prints what was understood of each.

use std::collections::HashMap;
use std::io::{BufRead as _, Write as _};

use bailiwick_mechanic::read::understand;
use bailiwick_sdk::tasks::{Language, SpecIndex};

fn main() {
    let mut indexes: HashMap<String, SpecIndex> = HashMap::new();
    for line in std::io::stdin().lock().lines() {
        let case: serde_json::Value = serde_json::from_str(&line.expect("a line")).expect("JSON");
        let text = |name: &str| case[name].as_str().unwrap_or_default().to_owned();
        let index = indexes.entry(text("index")).or_insert_with(|| {
            serde_json::from_slice(&std::fs::read(text("index")).expect("an index")).expect("an index")
        });
        let language = Language::from_scope_token(&text("language")).expect("a language");
        let found = understand(&text("request"), language, index);
        let actions: Vec<serde_json::Value> = found
            .actions
            .iter()
            .map(|one| {
                let mut value = serde_json::to_value(&one.change).expect("JSON");
                if let Some(scope) = &one.scope {
                    value["scope"] = scope.argument().unwrap_or_else(|| "all".into()).into();
                }
                value["basis"] = one.basis.clone().into();
                value
            })
            .collect();
        let guidance: Vec<serde_json::Value> =
            found.guidance.iter().map(|one| serde_json::to_value(one).expect("JSON")).collect();
        let outcome = if !actions.is_empty() {
            "planned"
        } else if !guidance.is_empty() {
            "guidance"
        } else {
            "nothing"
        };
        let answer = serde_json::json!({
            "id": case["id"],
            "outcome": outcome,
            "actions": actions,
            "background": found.background,
            "guidance": guidance,
        });
        writeln!(std::io::stdout().lock(), "{answer}").expect("standard output");
    }
}
