//! What a program was granted and what it found out.

use crate::names;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use wasip2::filesystem::preopens;
use wasip2::filesystem::types::{Descriptor, DescriptorStat, ErrorCode, MetadataHashValue};

/// The granted directories, by name, and the path of the canaries on the host.
pub(crate) struct Roots {
    pub(crate) granted: Vec<(String, Descriptor)>,
    /// What a guest should not know: it is told, so that absolute paths can be tried on something that may break.
    pub(crate) outside: String,
}

impl Roots {
    pub(crate) fn of_this_call(outside: String) -> Self {
        let granted = preopens::get_directories().into_iter().map(|(handle, path)| (path, handle)).collect();
        Self { granted, outside }
    }

    /// The grant of that name. A program whose grant is missing is a mistake of its test, so it traps.
    pub(crate) fn get(&self, name: &str) -> &Descriptor {
        let found = self.granted.iter().find(|(path, _)| path.trim_matches('/') == name);
        &found.unwrap_or_else(|| panic!("the test grants no `{name}`")).1
    }
}

/// What each call came to, in order, without repetitions.
#[derive(Default)]
pub(crate) struct Report {
    entries: Vec<[String; 3]>,
    seen: BTreeSet<[String; 3]>,
}

// A path of many kilobytes says no more than its start and its length.
const LONGEST: usize = 300;

impl Report {
    /// Notes one call; whether it succeeded.
    pub(crate) fn note(&mut self, call: &str, path: &str, result: Result<impl Told, ErrorCode>) -> bool {
        let ok = result.is_ok();
        let result = match result {
            Ok(told) => {
                let told = told.told();
                if told.is_empty() { "ok".to_owned() } else { format!("ok: {told}") }
            }
            Err(code) => code.name().to_owned(),
        };
        let path = if path.len() > LONGEST {
            let start: String = path.chars().take(40).collect();
            format!("{start}… ({} bytes)", path.len())
        } else {
            path.to_owned()
        };
        let entry = [call.to_owned(), path, result];
        if self.seen.insert(entry.clone()) {
            self.entries.push(entry);
        }
        ok
    }

    pub(crate) fn into_json(self) -> Vec<Value> {
        let object = |[call, path, result]: [String; 3]| json!({"call": call, "path": path, "result": result});
        self.entries.into_iter().map(object).collect()
    }
}

/// What a successful call gave, as text in which a leak would be seen.
pub(crate) trait Told {
    fn told(self) -> String;
}

impl Told for () {
    fn told(self) -> String {
        String::new()
    }
}

impl Told for String {
    fn told(self) -> String {
        self
    }
}

impl Told for &str {
    fn told(self) -> String {
        self.to_owned()
    }
}

impl Told for bool {
    fn told(self) -> String {
        self.to_string()
    }
}

impl Told for u64 {
    fn told(self) -> String {
        self.to_string()
    }
}

impl Told for (Vec<u8>, bool) {
    fn told(self) -> String {
        String::from_utf8_lossy(&self.0).into_owned()
    }
}

/// Neither times nor sizes: those of the grant itself are legitimate and differ from run to run.
impl Told for DescriptorStat {
    fn told(self) -> String {
        names::kind(self.type_).to_owned()
    }
}

impl Told for MetadataHashValue {
    fn told(self) -> String {
        String::new()
    }
}
