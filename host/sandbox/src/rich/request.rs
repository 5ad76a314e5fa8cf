//! Requests to a rich component, and its responses.

use super::check;
use super::component::RichTool;
use super::exports::{prompts, resources, rich_tools};
use super::notice::{Notices, Speaker};
use super::{Again, Block, Body, Document, Link, Message, Question};
use crate::error::{CallError, HostFailure};
use crate::limits::Limits;

/// One request.
pub(crate) struct RichRequest {
    pub(crate) what: What,
    pub(crate) notices: Option<Notices>,
}

pub(crate) enum What {
    Describe,
    /// A call whose input was checked.
    Call(rich_tools::Call, RichTool),
    Resources,
    Templates,
    Read(String),
    Prompts,
    Get(prompts::Call),
    Complete {
        prompt: String,
        argument: String,
        value: String,
    },
}

/// One answer.
#[derive(Debug)]
pub(crate) enum RichResponse {
    Described(Vec<rich_tools::Descriptor>),
    Called(rich_tools::Outcome),
    Resources(Vec<Link>),
    Templates(Vec<resources::Template>),
    Read(Vec<Document>),
    Prompts(Vec<prompts::Prompt>),
    Got(prompts::Outcome),
    Completed(Vec<String>),
}

impl RichRequest {
    /// Whether it is only asked what it has.
    pub(crate) fn describes(&self) -> bool {
        matches!(self.what, What::Describe)
    }

    pub(crate) fn notices(&self) -> Option<Speaker> {
        self.notices.clone().map(Speaker::new)
    }

    /// Bytes that the guest is handed.
    pub(crate) fn bytes(&self) -> usize {
        let again = |again: &Option<Again>| {
            again.as_ref().map_or(0, |again| {
                let answers: usize = again.answers.iter().map(|(key, answer)| key.len() + answer.len()).sum();
                answers + again.state.as_deref().map_or(0, str::len)
            })
        };
        match &self.what {
            What::Describe | What::Resources | What::Templates | What::Prompts => 0,
            What::Call(call, _) => call.input.len() + again(&call.again),
            What::Read(uri) => uri.len(),
            What::Get(call) => {
                let given: usize = call.arguments.iter().map(|(name, value)| name.len() + value.len()).sum();
                given + again(&call.again)
            }
            What::Complete { prompt, argument, value } => prompt.len() + argument.len() + value.len(),
        }
    }

    /// What the guest said, made fit to leave the sandbox.
    pub(crate) fn checked(&self, said: RichResponse, limits: &Limits) -> Result<RichResponse, CallError> {
        if said.bytes() > limits.output_bytes {
            return Err(HostFailure::Output { limit: limits.output_bytes }.into());
        }
        let tool = match &self.what {
            What::Call(_, tool) => Some(tool),
            _ => None,
        };
        check::said(said, tool).map_err(|reason| HostFailure::OffSchema(reason).into())
    }
}

impl RichResponse {
    /// Bytes of all that was said.
    pub(crate) fn bytes(&self) -> usize {
        match self {
            Self::Described(tools) => tools
                .iter()
                .map(|tool| {
                    let texts = [&tool.name, &tool.description, &tool.input_schema];
                    texts.iter().map(|text| text.len()).sum::<usize>()
                        + optional(&tool.title)
                        + optional(&tool.output_schema)
                })
                .sum(),
            Self::Called(rich_tools::Outcome::Answered(answer)) => {
                answer.content.iter().map(block).sum::<usize>() + optional(&answer.structured)
            }
            Self::Called(rich_tools::Outcome::Asks(asks)) | Self::Got(prompts::Outcome::Asks(asks)) => {
                let questions = asks.questions.iter().map(|(key, question)| {
                    key.len()
                        + match question {
                            Question::Form(form) => form.message.len() + form.schema.len(),
                            Question::Completion(completion) => {
                                messages(&completion.messages) + optional(&completion.system_prompt)
                            }
                            Question::Roots => 0,
                        }
                });
                questions.sum::<usize>() + optional(&asks.state)
            }
            Self::Resources(links) => links.iter().map(link).sum(),
            Self::Templates(templates) => templates
                .iter()
                .map(|template| {
                    template.uri_template.len()
                        + template.name.len()
                        + optional(&template.title)
                        + optional(&template.description)
                        + optional(&template.mime_type)
                })
                .sum(),
            Self::Read(resources) => resources.iter().map(resource).sum(),
            Self::Prompts(prompts) => prompts
                .iter()
                .map(|prompt| {
                    let arguments = prompt.arguments.iter();
                    prompt.name.len()
                        + optional(&prompt.title)
                        + optional(&prompt.description)
                        + arguments.map(|one| one.name.len() + optional(&one.description)).sum::<usize>()
                })
                .sum(),
            Self::Got(prompts::Outcome::Got(got)) => optional(&got.description) + messages(&got.messages),
            Self::Completed(values) => values.iter().map(String::len).sum(),
        }
    }
}

fn optional(text: &Option<String>) -> usize {
    text.as_deref().map_or(0, str::len)
}

fn messages(messages: &[Message]) -> usize {
    messages.iter().map(|message| block(&message.content)).sum()
}

fn block(one: &Block) -> usize {
    match one {
        Block::Text(text) => text.len(),
        Block::Image(data) | Block::Audio(data) => data.mime_type.len() + data.bytes.len(),
        Block::Embedded(embedded) => resource(embedded),
        Block::Link(one) => link(one),
    }
}

fn resource(one: &Document) -> usize {
    let body = match &one.body {
        Body::Text(text) => text.len(),
        Body::Bytes(bytes) => bytes.len(),
    };
    one.uri.len() + optional(&one.mime_type) + body
}

fn link(one: &Link) -> usize {
    one.uri.len() + one.name.len() + optional(&one.title) + optional(&one.description) + optional(&one.mime_type)
}
