//! What a component may import, and what stands behind what it imports.

use crate::http::Http;
use std::sync::Arc;

/// What a component was granted beyond the files of each call. The host links exactly this; what of it is inert does
/// nothing, and says so.
///
/// Files are always there, over the grants of each call. Everything else is off in [`Capabilities::files`], from which
/// the others are made with the fields they change:
/// `Capabilities { clocks: Clocks::System, ..Capabilities::whole_wasi() }`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Capabilities {
    /// How it may list directories.
    pub directories: Directories,
    /// Whether it may say how far it is.
    pub notices: Speech,
    /// How much of WASI 0.2 it may import.
    pub wasi: Wasi,
    /// What its clocks show.
    pub clocks: Clocks,
    /// Where its random bytes come from.
    pub random: Random,
    /// The environment variables it sees, name and value. Never those of this process.
    pub environment: Vec<(String, String)>,
    /// What it may ask of the network; without it there is no `wasi:http`.
    pub http: Option<Arc<Http>>,
}

/// How a component may list directories. What it learns is the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Directories {
    /// Name by name, by `wasi:filesystem`.
    Streamed,
    /// Also whole, by `bailiwick:built-in/directories`, which is for built-in tools: it changes together with them.
    Whole,
}

/// Whether a component may import `bailiwick:tool/notices`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Speech {
    /// It may not.
    Silent,
    /// Progress and log lines of a rich component, within the bounds of each call.
    Notices,
}

/// How much of WASI 0.2 a component may import.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wasi {
    /// `wasi:filesystem`, and what another field grants by itself: clocks, random bytes, an environment.
    Files,
    /// All that a command may import. What no other field grants is inert: no arguments, an empty environment, input
    /// that has ended, output that goes nowhere, refused sockets and names, an exit that ends the call.
    Whole,
}

/// What the clocks of a component show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Clocks {
    /// The same moment all the time.
    Still,
    /// The time of this machine.
    System,
}

/// Where the random bytes of a component come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Random {
    /// A sequence that is the same for every call.
    Fixed,
    /// The system.
    System,
}

impl Capabilities {
    /// Files and nothing else: no clocks, environment, standard streams or sockets.
    #[must_use]
    pub fn files() -> Self {
        Self {
            directories: Directories::Streamed,
            notices: Speech::Silent,
            wasi: Wasi::Files,
            clocks: Clocks::Still,
            random: Random::Fixed,
            environment: Vec::new(),
            http: None,
        }
    }

    /// Files, as the tools of [`builtin`](crate::builtin) import them: directories can also be listed whole.
    #[must_use]
    pub fn built_in() -> Self {
        Self { directories: Directories::Whole, ..Self::files() }
    }

    /// [`Capabilities::files`], and progress and log lines of a rich component.
    #[must_use]
    pub fn files_and_notices() -> Self {
        Self { notices: Speech::Notices, ..Self::files() }
    }

    /// [`Capabilities::files`], and the rest of WASI 0.2 inertly: for components of language toolchains that import all
    /// of it whether they use it or not.
    #[must_use]
    pub fn whole_wasi() -> Self {
        Self { wasi: Wasi::Whole, ..Self::files() }
    }

    /// Whether this host has what an import such as `wasi:filesystem/types@0.2.12` names for components of other authors,
    /// granted or not.
    #[must_use]
    pub fn knows(import: &str) -> bool {
        Part::of(import).is_some_and(|part| part != Part::Directories)
    }

    /// Whether an import is of WASI 0.3.
    pub(crate) fn is_later_wasi(import: &str) -> bool {
        import.starts_with("wasi:") && import.split_once('@').is_some_and(|(_, version)| version.starts_with("0.3."))
    }

    /// The same imports with nothing behind them but files: clocks that stand, a fixed sequence for random bytes, an empty
    /// environment.
    pub(crate) fn inert(&self) -> Self {
        Self { clocks: Clocks::Still, random: Random::Fixed, environment: Vec::new(), ..self.clone() }
    }

    /// Whether an import, such as `wasi:filesystem/types@0.2.12`, is granted.
    pub(crate) fn grants(&self, import: &str) -> bool {
        Part::of(import).is_some_and(|part| self.parts().contains(&part))
    }

    /// What is linked for it, sorted.
    pub(crate) fn parts(&self) -> Vec<Part> {
        let whole = self.wasi == Wasi::Whole;
        let clocks = whole || self.clocks == Clocks::System;
        let each = [
            (Part::Files, true),
            (Part::Directories, self.directories == Directories::Whole),
            (Part::Notices, self.notices == Speech::Notices),
            // A clock can be waited for, and so can an answer.
            (Part::Io, clocks || self.http.is_some()),
            (Part::Clocks, clocks),
            (Part::Random, whole || self.random == Random::System),
            (Part::Environment, whole || !self.environment.is_empty()),
            (Part::Rest, whole),
            (Part::Http, self.http.is_some()),
        ];
        each.into_iter().filter_map(|(part, granted)| granted.then_some(part)).collect()
    }
}

/// A part of what the host can link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    /// `wasi:filesystem`.
    Files,
    /// `bailiwick:built-in/directories`.
    Directories,
    /// `bailiwick:tool/notices`.
    Notices,
    /// `wasi:io`.
    Io,
    /// `wasi:clocks`.
    Clocks,
    /// `wasi:random`.
    Random,
    /// `wasi:cli/environment`.
    Environment,
    /// `wasi:http`, outgoing.
    Http,
    /// What of `wasi:cli` and `wasi:sockets` is always inert.
    Rest,
}

impl Part {
    /// Where an import belongs; `None` for what the host does not have.
    fn of(import: &str) -> Option<Self> {
        let (name, version) = import.split_once('@').map_or((import, None), |(name, version)| (name, Some(version)));
        // Another version is another interface.
        if name.starts_with("wasi:") && version.is_some_and(|version| !version.starts_with("0.2.")) {
            return None;
        }
        Some(match name {
            "wasi:filesystem/types" | "wasi:filesystem/preopens" => Self::Files,
            "bailiwick:built-in/directories" => Self::Directories,
            "bailiwick:tool/notices" => Self::Notices,
            "wasi:io/error" | "wasi:io/poll" | "wasi:io/streams" => Self::Io,
            "wasi:clocks/monotonic-clock" | "wasi:clocks/wall-clock" => Self::Clocks,
            "wasi:random/random" | "wasi:random/insecure" | "wasi:random/insecure-seed" => Self::Random,
            "wasi:cli/environment" => Self::Environment,
            "wasi:http/types" | "wasi:http/outgoing-handler" => Self::Http,
            "wasi:cli/exit"
            | "wasi:cli/stdin"
            | "wasi:cli/stdout"
            | "wasi:cli/stderr"
            | "wasi:cli/terminal-input"
            | "wasi:cli/terminal-output"
            | "wasi:cli/terminal-stdin"
            | "wasi:cli/terminal-stdout"
            | "wasi:cli/terminal-stderr"
            | "wasi:sockets/network"
            | "wasi:sockets/instance-network"
            | "wasi:sockets/ip-name-lookup"
            | "wasi:sockets/tcp"
            | "wasi:sockets/tcp-create-socket"
            | "wasi:sockets/udp"
            | "wasi:sockets/udp-create-socket" => Self::Rest,
            _ => return None,
        })
    }
}
