//! Addresses of this server's own resources.

use bailiwick_runs::RunId;
use std::fmt;

/// The reference of client customizations.
pub const KNOWLEDGE: &str = "bailiwick://knowledge/customizing-client-tsp";

const RUNS: &str = "bailiwick://runs/";

/// What can be read of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Document {
    /// What it did, for people.
    Report,
    /// What it changed.
    Diff,
}

impl Document {
    /// Both of them.
    pub const ALL: [Self; 2] = [Self::Report, Self::Diff];

    /// As addresses have it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Report => "report",
            Self::Diff => "diff",
        }
    }

    /// The type of its text.
    #[must_use]
    pub fn media_type(self) -> &'static str {
        match self {
            Self::Report => "text/markdown",
            Self::Diff => "text/x-diff",
        }
    }
}

/// An address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Address {
    /// The reference.
    Knowledge,
    /// Something of a run, be there such a run or not.
    Run(RunId, Document),
}

impl Address {
    /// Reads an address; `None` for every other text. There is one spelling of each.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        if text == KNOWLEDGE {
            return Some(Self::Knowledge);
        }
        let (run, document) = text.strip_prefix(RUNS)?.split_once('/')?;
        let document = Document::ALL.into_iter().find(|one| one.name() == document)?;
        Some(Self::Run(run.parse().ok()?, document))
    }
}

impl fmt::Display for Address {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Knowledge => formatter.write_str(KNOWLEDGE),
            Self::Run(run, document) => write!(formatter, "{RUNS}{run}/{}", document.name()),
        }
    }
}

/// The form of the addresses of these documents.
#[must_use]
pub fn template(document: Document) -> String {
    format!("{RUNS}{{runId}}/{}", document.name())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_have_one_spelling_and_lead_nowhere_else() {
        let run = "20261120-130405-678-k3m9x2qa";
        for address in [KNOWLEDGE.to_owned(), format!("{RUNS}{run}/report"), format!("{RUNS}{run}/diff")] {
            assert_eq!(Address::parse(&address).unwrap().to_string(), address);
        }
        for other in [
            String::new(),
            RUNS.to_owned(),
            format!("{RUNS}{run}"),
            format!("{RUNS}{run}/"),
            format!("{RUNS}{run}/report/"),
            format!("{RUNS}{run}/../report"),
            format!("{RUNS}{run}/report?x"),
            format!("{RUNS}../report"),
            format!("{RUNS}%2e%2e/report"),
            format!("BAILIWICK://runs/{run}/report"),
            format!("{KNOWLEDGE}.md"),
            "file:///etc/passwd".to_owned(),
        ] {
            assert_eq!(Address::parse(&other), None, "{other}");
        }
    }
}
