//! What is logged: a level for all parts of this program, or one for each.

use std::str::FromStr;
use tracing::level_filters::LevelFilter;
use tracing_subscriber::filter::Targets;

/// The parts of this program that log, which are its crates without their common prefix.
const PARTS: [&str; 9] = ["agent", "audit", "cli", "customize", "mcp", "models", "process", "runs", "sandbox"];

/// Libraries log too, and what they log may hold keys and contents: a filter lets only this program's own parts through.
#[derive(Debug, PartialEq)]
pub(super) struct Filter {
    pub(super) targets: Targets,
}

/// Why a text is not a filter.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum FilterError {
    Empty,
    Level(String),
    Part(String),
}

impl std::fmt::Display for FilterError {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Empty => formatter.write_str("it names no level"),
            Self::Level(level) => {
                write!(formatter, "`{}` is not one of off, error, warn, info, debug, trace", level.escape_debug())
            }
            Self::Part(part) => {
                write!(
                    formatter,
                    "`{}` is not a part of this program; there are {}",
                    part.escape_debug(),
                    PARTS.join(", ")
                )
            }
        }
    }
}

impl Filter {
    /// The default filter: what a person has to know and no other output says.
    pub(super) fn usual() -> Self {
        Self { targets: everything(Targets::new(), LevelFilter::WARN) }
    }
}

impl FromStr for Filter {
    type Err = FilterError;

    /// `LEVEL`, or `PART=LEVEL` and at most one `LEVEL` for the other parts, between commas; later ones win.
    fn from_str(text: &str) -> Result<Self, FilterError> {
        if text.trim().is_empty() {
            return Err(FilterError::Empty);
        }
        let mut filter = Self::usual();
        for directive in text.split(',').map(str::trim) {
            filter.targets = match directive.split_once('=') {
                None => everything(filter.targets, level(directive)?),
                Some((part, wanted)) => filter.targets.with_target(target(part.trim())?, level(wanted.trim())?),
            };
        }
        Ok(filter)
    }
}

/// Every target of this program begins so; the command's own is just this.
fn everything(targets: Targets, level: LevelFilter) -> Targets {
    targets.with_target("bailiwick", level)
}

fn target(part: &str) -> Result<String, FilterError> {
    match PARTS.iter().find(|known| part == **known || part.strip_prefix("bailiwick_") == Some(known)) {
        // The binary's modules have no prefix to tell them from the other crates but the path's own mark.
        Some(&"cli") => Ok("bailiwick::".to_owned()),
        Some(known) => Ok(format!("bailiwick_{known}")),
        None => Err(FilterError::Part(part.to_owned())),
    }
}

fn level(text: &str) -> Result<LevelFilter, FilterError> {
    let known = match text.to_ascii_lowercase().as_str() {
        "off" => LevelFilter::OFF,
        "error" => LevelFilter::ERROR,
        "warn" => LevelFilter::WARN,
        "info" => LevelFilter::INFO,
        "debug" => LevelFilter::DEBUG,
        "trace" => LevelFilter::TRACE,
        _ => return Err(FilterError::Level(text.to_owned())),
    };
    Ok(known)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tracing::Level;

    fn enables(filter: &str, target: &str, level: Level) -> bool {
        filter.parse::<Filter>().unwrap().targets.would_enable(target, &level)
    }

    #[test]
    fn level_holds_for_every_part_and_a_part_may_have_its_own() {
        assert!(enables("info", "bailiwick_agent::driver", Level::INFO));
        assert!(!enables("info", "bailiwick_agent::driver", Level::DEBUG));
        assert!(enables("INFO", "bailiwick::logging", Level::INFO));
        let mixed = "error, agent=debug,bailiwick_runs=off";
        assert!(enables(mixed, "bailiwick_agent::driver", Level::DEBUG));
        assert!(enables(mixed, "bailiwick_sandbox", Level::ERROR));
        assert!(!enables(mixed, "bailiwick_sandbox", Level::WARN));
        assert!(!enables(mixed, "bailiwick_runs", Level::ERROR));
        assert!(enables("agent=debug", "bailiwick_sandbox", Level::WARN), "the others stay as they are");
        assert!(!enables("cli=trace", "bailiwick_agent", Level::INFO));
        assert!(enables("cli=trace", "bailiwick::commands", Level::TRACE));
    }

    #[test]
    fn libraries_are_never_logged_for_what_they_log_may_hold_keys() {
        for library in ["hyper::proto", "reqwest", "wasmtime", "h2"] {
            assert!(!enables("trace", library, Level::ERROR), "{library}");
        }
        assert_eq!("hyper=trace".parse::<Filter>(), Err(FilterError::Part("hyper".into())));
    }

    #[test]
    fn text_that_is_not_a_filter_is_refused_by_its_wrong_part() {
        for (text, error) in [
            ("", FilterError::Empty),
            ("loud", FilterError::Level("loud".into())),
            ("info,", FilterError::Level(String::new())),
            ("agent", FilterError::Level("agent".into())),
            ("agent=", FilterError::Level(String::new())),
            ("=info", FilterError::Part(String::new())),
            ("agents=info", FilterError::Part("agents".into())),
            ("agent=info=debug", FilterError::Level("info=debug".into())),
            ("[span]=info", FilterError::Part("[span]".into())),
        ] {
            assert_eq!(text.parse::<Filter>(), Err(error), "{text:?}");
        }
    }
}
