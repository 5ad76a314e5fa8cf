//! What the official MCP conformance suite asks for by name, as a component.

pub mod asking;
mod media;
pub mod offers;
pub mod plain;
pub mod slow;

use bailiwick_tool_sdk::{export_offers, export_rich_tools, input};

input! {
    /// Nothing.
    pub struct Nothing {}
}

/// The head of a fixture: its name, what it is, and what it is given.
macro_rules! fixture {
    ($(#[$meta:meta])* $type:ident, $name:literal, $input:ty, |$call:ident, $given:ident| $body:expr) => {
        $(#[$meta])*
        pub struct $type;

        impl bailiwick_tool_sdk::rich::RichTool for $type {
            const NAME: &'static str = $name;
            const DESCRIPTION: &'static str = concat!("A fixture of the conformance suite: `", $name, "`.");
            const EFFECTS: bailiwick_tool_sdk::Effects = bailiwick_tool_sdk::Effects::READS;
            type Input = $input;

            fn call(
                $call: &bailiwick_tool_sdk::rich::Call,
                $given: $input,
            ) -> Result<bailiwick_tool_sdk::rich::Outcome, bailiwick_tool_sdk::ToolError> {
                $body
            }
        }
    };
}
pub(crate) use fixture;

export_rich_tools!(
    plain::SimpleText,
    plain::ImageContent,
    plain::AudioContent,
    plain::EmbeddedResource,
    plain::MultipleContentTypes,
    plain::WithLogging,
    plain::LoggingTool,
    plain::ErrorHandling,
    plain::WithProgress,
    plain::JsonSchema,
    plain::CustomHeader,
    plain::Reconnection,
    plain::TriggerToolChange,
    plain::TriggerPromptChange,
    asking::Sampling,
    asking::Elicitation,
    asking::Defaults,
    asking::Enums,
    asking::StreamingElicitation,
    asking::MissingCapability,
    asking::RequiredElicitation,
    asking::RequiredSampling,
    asking::RequiredRoots,
    asking::RequestState,
    asking::TamperedState,
    asking::MultipleInputs,
    asking::MultiRound,
    asking::Capabilities,
    slow::Greet,
    slow::SlowCompute,
    slow::FailingJob,
    slow::ProtocolErrorJob,
    slow::ConfirmDelete,
    slow::MultiInput,
    slow::WithTask,
);
export_offers!(offers::Fixtures);
