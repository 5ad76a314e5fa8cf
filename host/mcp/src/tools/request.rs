//! `bailiwick_request_tool`: records a client's request for a tool. It never installs, approves or widens anything: when the
//! person at the client says yes, the request waits for their decision on the command line.

use super::{Shared, arguments, schema, structured};
use crate::approval::{Asked, Question, Said};
use crate::call::{Call, Person};
use crate::failure::Failure;
use crate::requests::{Kept, Requests, Stands, Wish};
use crate::tool::{Answer, Definition, Effect, Reach, Tool};
use async_trait::async_trait;
use bailiwick_sandbox::is_invisible;
use rmcp::model::JsonObject;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::{Arc, Mutex, PoisonError};

const NAME: &str = "bailiwick_request_tool";

/// So often a person is asked while this server runs: a model could ask for ever.
const QUESTIONS: usize = 8;

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Arguments {
    /// The tool that is wanted, by its name.
    #[schemars(length(min = 1, max = 200))]
    tool: String,
    /// What it is wanted for, for the person who decides.
    #[schemars(length(min = 1, max = 500))]
    what_for: String,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Requested {
    /// The tool.
    tool: String,
    /// `waits`: a person will decide. `declined`: the person does not want it. `approved`: it was approved before.
    state: &'static str,
    /// The number that it waits under.
    #[serde(skip_serializing_if = "Option::is_none")]
    request: Option<u64>,
}

/// What a person was asked.
#[derive(Default)]
struct Asking {
    questions: usize,
    declined: Vec<String>,
}

pub(super) struct Request {
    definition: Definition,
    shared: Arc<Shared>,
    requests: Arc<dyn Requests>,
    asking: Mutex<Asking>,
}

impl Request {
    pub(super) fn new(shared: Arc<Shared>, requests: Arc<dyn Requests>) -> Self {
        let definition = Definition {
            name: NAME.into(),
            title: "Ask for a tool".into(),
            description: "Asks the person for a tool that is not there. Nothing is installed or approved by asking: \
                the person decides at a command line, and offers the tool when the server is started anew."
                .into(),
            input_schema: schema::of::<Arguments>(),
            output_schema: Some(schema::answer::<Requested>()),
            effect: Effect::Additive { idempotent: true },
            reach: Reach::Local,
        };
        Self { definition, shared, requests, asking: Mutex::default() }
    }

    /// Whether the person may be asked about it once more.
    fn may_ask(&self, tool: &str) -> Result<(), Failure> {
        let mut asking = self.asking.lock().unwrap_or_else(PoisonError::into_inner);
        if asking.declined.iter().any(|declined| declined == tool) {
            return Err(Failure::new(format!("the person declined `{tool}` before")));
        }
        if asking.questions >= QUESTIONS {
            return Err(Failure::new(format!("the person was asked for {QUESTIONS} tools already"))
                .hint("tell the person what is wanted and why; they know what to do"));
        }
        asking.questions += 1;
        Ok(())
    }

    /// The person's word on whether the wish may wait; `None` if they cannot be asked here.
    async fn heard(&self, wish: &Wish, call: &Call) -> Result<Option<Asked>, Failure> {
        if matches!(call.person, Person::OutOfReach) {
            return Ok(None);
        }
        if call.again.state.is_none() && call.again.responses.is_none() {
            self.may_ask(&wish.tool)?;
        }
        let text = format!(
            "The client `{}` asks for the tool `{}`, in its words: {}\n\nYes keeps the request for you and approves \
             nothing: you decide in a terminal, with `bailiwick tool requests`.",
            wish.client, wish.tool, wish.what_for
        );
        let question = Question { text: &text, title: "Keep the request", description: "Whether it waits for you" };
        // The exact call: this tool with these arguments.
        let exactly = format!("{NAME} {:?} {:?}", wish.tool, wish.what_for);
        self.shared.approvals.ask_about(&exactly, &question, call).await.map(Some)
    }
}

#[async_trait]
impl Tool for Request {
    fn definition(&self) -> &Definition {
        &self.definition
    }

    async fn call(&self, given: JsonObject, call: &Call) -> Result<Answer, Failure> {
        let given: Arguments = arguments(given)?;
        let wish = Wish {
            tool: plain(&given.tool, 200),
            what_for: plain(&given.what_for, 500),
            client: plain(&call.client, 64),
        };
        if wish.tool.is_empty() || wish.what_for.is_empty() {
            return Err(Failure::new("`tool` and `whatFor` have to say something that can be read"));
        }
        let tool = wish.tool.clone();
        if self.requests.stands(&tool)? == Stands::Approved {
            let text = format!("`{tool}` is approved; the person offers it with `bailiwick mcp --tool {tool}`");
            return structured(&Requested { tool, state: "approved", request: None }, text);
        }
        match self.heard(&wish, call).await? {
            Some(Asked::Ask(ask)) => return Ok(Answer::Ask(ask)),
            Some(Asked::Answered(Said::No)) => {
                let mut asking = self.asking.lock().unwrap_or_else(PoisonError::into_inner);
                asking.declined.push(tool.clone());
                let text = format!("the person does not want `{tool}`");
                return structured(&Requested { tool, state: "declined", request: None }, text);
            }
            Some(Asked::Answered(Said::Yes)) | None => {}
        }
        match self.requests.keep(&wish)? {
            Kept::Waits(request) => {
                let text = format!("request {request} for `{tool}` waits; a person decides at a command line");
                structured(&Requested { tool, state: "waits", request: Some(request) }, text)
            }
            Kept::TooMany => Err(Failure::new("so many requests wait that no further one is taken")
                .hint("the person answers them with `bailiwick tool requests`")),
        }
    }
}

/// On one line, without characters that a reader does not see, cut at `most` characters.
fn plain(text: &str, most: usize) -> String {
    let spaced = text.chars().map(|c| if matches!(c, '\n' | '\r' | '\t') { ' ' } else { c });
    let seen: String = spaced.filter(|c| !is_invisible(*c)).take(most).collect();
    seen.trim().to_owned()
}
