//! A compiler that stays between commands.
//!
//! A *standby* is a process of this program that a command starts and leaves behind. It starts one
//! [resident compiler](super::Residents), confined as in a command, and answers questions about one specification for one
//! package and one language on a Unix socket in the runtime directory of the user.
//!
//! - What it may read is told to it over a socket pair that only its starter has. A question names nothing but the key of
//!   all that and the text of `client.tsp`, so that nothing can have it read anything else.
//! - The key is the digest of the subject, of the compiler and of this very program: another version finds no socket.
//! - It ends after ten minutes without a question, and soon after its socket, its program or its specification is gone.
//!   Removing the socket is how it is ended.
//! - Anything odd is no answer: a command asks once, and then starts a compiler of its own. One that says nothing for
//!   fifteen seconds, such as one that was stopped, loses its place.

mod ask;
mod desk;
mod place;
mod program;
mod serve;
#[cfg(test)]
mod tests;
mod wire;

use std::time::Duration;

use bailiwick_base::text::hex;
use bailiwick_sdk::tasks::Language;
use bailiwick_toolchains::{Compiler, Emitter, Node};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::probe::ProbeRequest;
use super::spec_project::SpecProject;

pub use ask::Standby;
pub use place::Place;
use program::Program;
pub use serve::stand_by;

/// The first argument by which a binary knows that it was started as a standby.
pub const STANDBY_ARGUMENT: &str = "__standby";

/// How long the other side may take to say or to read what it has no reason to wait with.
const PROMPT: Duration = Duration::from_secs(10);

/// How long one that is asked may say nothing, such as one that was stopped. One that works says so
/// each second, and a machine may be busy.
const SILENCE: Duration = Duration::from_secs(15);

/// All that a standby may be asked about.
#[derive(Debug, Serialize, Deserialize)]
struct Subject {
    project: SpecProject,
    options: String,
    language: Language,
    node: Node,
    emitter: Emitter,
}

impl Subject {
    fn of(request: &ProbeRequest<'_>, compiler: Compiler<'_>) -> Self {
        Self {
            project: request.project.clone(),
            options: request.emitter.to_owned(),
            language: request.language,
            node: compiler.node.clone(),
            emitter: compiler.emitter.clone(),
        }
    }

    /// Names this subject as `program` sees it.
    fn key(&self, program: &Program) -> std::io::Result<String> {
        let mut digest = Sha256::new();
        digest.update(serde_json::to_vec(&(program, self))?);
        Ok(hex(&digest.finalize()))
    }
}

/// One question.
#[derive(Debug, Serialize, Deserialize)]
struct Question {
    key: String,
    /// Text to take instead of the project's `client.tsp`.
    client: Option<String>,
}
