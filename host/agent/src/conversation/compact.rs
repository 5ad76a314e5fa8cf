//! Keeps a conversation within the model's window: the oldest output of tools is left out first, and visibly.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::Conversation;
use crate::definition::Definition;
use crate::message::{Message, ToolResult, Usage};
use crate::transcript::Entry;

/// What a token takes at least, as long as the model has not said how many it counted. Text takes more, so that this
/// errs on the side of leaving out too early.
const BYTES_OF_A_TOKEN: u64 = 3;

/// The name of the only field of an output that was left out.
const LEFT_OUT: &str = "leftOut";

/// How many tokens the model counted in a request of so many bytes.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Measured {
    bytes: u64,
    tokens: u64,
}

impl Conversation {
    /// Takes in what the model counted in the request that it answered.
    pub(super) fn measure(&mut self, definition: &Definition, usage: Usage) {
        if definition.window().is_some() && usage.input_tokens > 0 {
            self.measured = Some(Measured { bytes: self.bytes(), tokens: usage.input_tokens });
        }
    }

    /// Leaves out old output when the next request would take more than four fifths of the window, until it takes no
    /// more than three: leaving out a little at every turn would make the provider's cache useless. The last results
    /// and errors stay. A request that is still too long is for the model to refuse, since the count is an estimate.
    pub(super) fn compact(&mut self, definition: &Definition, entries: &mut Vec<Entry>) {
        let Some(window) = definition.window() else { return };
        let mut bytes = self.bytes();
        if self.tokens(bytes) <= window / 5 * 4 {
            return;
        }
        let is_results = |message: &Message| matches!(message, Message::ToolResults(_));
        let Some(last) = self.request.messages.iter().rposition(is_results) else { return };
        let (mut results, mut left_out) = (0, 0);
        for index in 0..last {
            for place in 0.. {
                if self.tokens(bytes) <= window / 5 * 3 {
                    break;
                }
                let Message::ToolResults(list) = &mut self.request.messages[index] else { break };
                let Some(result) = list.get_mut(place) else { break };
                if let Some((before, after)) = leave_out(result) {
                    (results, left_out, bytes) = (results + 1, left_out + before, bytes - (before - after));
                }
            }
        }
        if results > 0 {
            entries.push(Entry::Compacted { results, bytes: left_out, window });
        }
    }

    fn bytes(&self) -> u64 {
        serde_json::to_vec(&self.request).map_or(0, |text| text.len() as u64)
    }

    fn tokens(&self, bytes: u64) -> u64 {
        match self.measured {
            Some(Measured { bytes: known, tokens }) if known > 0 => {
                let tokens = u128::from(bytes) * u128::from(tokens) / u128::from(known);
                u64::try_from(tokens).unwrap_or(u64::MAX)
            }
            _ => bytes / BYTES_OF_A_TOKEN,
        }
    }
}

/// Puts a remark in the place of an output that is longer than the remark. Returns the bytes before and after.
fn leave_out(result: &mut ToolResult) -> Option<(u64, u64)> {
    if result.is_error || result.content.as_object().is_some_and(|fields| fields.contains_key(LEFT_OUT)) {
        return None;
    }
    let size = |value: &Value| value.to_string().len() as u64;
    let before = size(&result.content);
    let remark = format!(
        "{before} bytes of output were left out to keep the conversation within the model's window; call `{}` again if \
         they are needed",
        result.name
    );
    let remark = json!({ LEFT_OUT: remark });
    let after = size(&remark);
    (after < before).then(|| {
        result.content = remark;
        (before, after)
    })
}
