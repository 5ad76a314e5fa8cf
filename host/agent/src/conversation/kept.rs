//! A conversation on disk: without the secrets that are known, and brought back to life without them.

use std::borrow::Cow;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::{Conversation, SlotState, Step};
use crate::backend::TurnRequest;
use crate::definition::Definition;
use crate::toolbox::{ToolFailure, kind};
use crate::transcript::{self, REDACTED, Scrub};

impl Conversation {
    /// The state as JSON for keeping, every text of it scrubbed. [`Definition::resume`] brings it back.
    ///
    /// # Errors
    /// When it cannot be serialised.
    pub fn kept(&self, scrub: &dyn Scrub) -> serde_json::Result<Value> {
        Ok(transcript::scrubbed(serde_json::to_value(self)?, scrub))
    }

    /// Gives the definition's own texts to a conversation that was kept, and tells the model of calls that cannot be run
    /// any more because a secret in them was not kept.
    pub(crate) fn put_back(&mut self, definition: &Definition) {
        let TurnRequest { instructions, task, tools, .. } = definition.request().clone();
        (self.request.instructions, self.request.task, self.request.tools) = (instructions, task, tools);
        let Step::Calls(slots) = &mut self.step else { return };
        let mut lost = false;
        for slot in slots.iter_mut().filter(|slot| matches!(slot.state, SlotState::Ready(_) | SlotState::Exit)) {
            if slot.call.arguments.to_string().contains(REDACTED) {
                let message = "the program was stopped before this call, which held a secret that is not kept, so it was \
                               not run";
                slot.fail(&ToolFailure::new(kind::NOT_KEPT, message));
                lost = true;
            }
        }
        if lost {
            // On record is what the model is sent; the transcript of this stretch begins later.
            self.settle(definition, &mut Vec::new());
        }
    }
}

/// What of a request never changes, as it is kept.
pub(crate) fn definition<'a>(request: &'a TurnRequest, scrub: Option<&dyn Scrub>) -> Cow<'a, TurnRequest> {
    match scrub {
        None => Cow::Borrowed(request),
        // A secret that is the name of a field leaves nothing that can be read; then nothing fits, and it is refused.
        Some(scrub) => through(request, scrub).map_or(Cow::Borrowed(request), Cow::Owned),
    }
}

fn through<T: Serialize + DeserializeOwned>(value: &T, scrub: &dyn Scrub) -> Option<T> {
    serde_json::from_value(transcript::scrubbed(serde_json::to_value(value).ok()?, scrub)).ok()
}
