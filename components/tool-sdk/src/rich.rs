//! Tools whose answer is more than one text, or that ask before they answer.
//!
//! ```
//! use bailiwick_tool_sdk::rich::{Answer, Asks, Call, Outcome, RichTool};
//! use bailiwick_tool_sdk::{Effects, ToolError, export_rich_tools, input};
//!
//! input! {
//!     /// What `Greet` is given.
//!     pub struct Input {}
//! }
//!
//! /// Greets the user.
//! pub struct Greet;
//!
//! impl RichTool for Greet {
//!     const NAME: &'static str = "Greet";
//!     const DESCRIPTION: &'static str = "Asks for a name and greets.";
//!     const EFFECTS: Effects = Effects::READS;
//!     type Input = Input;
//!
//!     fn call(call: &Call, _: Input) -> Result<Outcome, ToolError> {
//!         let name = call.form("who").and_then(|form| form.accepted()?.get("name")?.as_str().map(str::to_owned));
//!         let Some(name) = name else {
//!             let form = serde_json::json!({"type": "object", "properties": {"name": {"type": "string"}}});
//!             return Ok(Asks::new().form("who", "What is your name?", &form).into());
//!         };
//!         Ok(Answer::text(format!("Hello, {name}!")).into())
//!     }
//! }
//!
//! export_rich_tools!(Greet);
//! ```

use crate::rich_bindings::exports::bailiwick::tool::rich_tools as contract;
use crate::{Effects, Grants, Schema, ToolError};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

pub use crate::rich_bindings::bailiwick::tool::content::{
    Abilities, Block, Body, Completion, Data, Document, Form, Link, Message, Question, Role,
};
pub use crate::rich_bindings::bailiwick::tool::notices::{Level, log, progress};

/// A rich tool: a name, a description, the type of its input, and one function.
pub trait RichTool {
    /// What a model calls it by, `[A-Za-z0-9_-]{1,64}`.
    const NAME: &'static str;
    /// Its name for people.
    const TITLE: Option<&'static str> = None;
    /// One paragraph for a model.
    const DESCRIPTION: &'static str;
    /// What a call can do to what was granted.
    const EFFECTS: Effects;
    /// What it is given; [`input!`](crate::input) declares one.
    type Input: DeserializeOwned + Schema;

    /// The schema of its input, where that of the type does not say enough.
    fn input_schema() -> Value {
        Self::Input::schema()
    }

    /// The schema of its structured answer, if it has one.
    fn output_schema() -> Option<Value> {
        None
    }

    /// Answers one call, or asks. Every call runs in an instance of its own: what is to be remembered until it is called
    /// again goes into [`Asks::state`].
    ///
    /// # Errors
    /// Whatever the caller can react to. A panic is a trap, which is a failure of the tool itself.
    fn call(call: &Call, input: Self::Input) -> Result<Outcome, ToolError>;
}

/// What a tool or a prompt learns of the call beside its input.
#[derive(Debug, Clone)]
pub struct Call {
    /// What the client can be asked for.
    pub can: Abilities,
    /// The client's results by the keys of what was asked, as JSON text.
    pub answers: Vec<(String, String)>,
    /// What was to be remembered. `None` in a first call, and in one of a client that was never asked.
    pub state: Option<String>,
}

/// What a person did with a form.
#[derive(Debug, Clone, Deserialize)]
pub struct Filled {
    /// `accept`, `decline` or `cancel`.
    pub action: String,
    /// What they filled in.
    #[serde(default)]
    pub content: Option<Map<String, Value>>,
}

impl Filled {
    /// What they filled in and sent.
    #[must_use]
    pub fn accepted(&self) -> Option<&Map<String, Value>> {
        self.content.as_ref().filter(|_| self.action == "accept")
    }
}

impl Call {
    pub(crate) fn new(can: Abilities, again: Option<crate::rich_bindings::bailiwick::tool::content::Again>) -> Self {
        match again {
            Some(again) => Self { can, answers: again.answers, state: again.state },
            None => Self { can, answers: Vec::new(), state: None },
        }
    }

    /// The answer to a question, if there is one that can be read so.
    pub fn answer<T: DeserializeOwned>(&self, key: &str) -> Option<T> {
        let (_, text) = self.answers.iter().find(|(name, _)| name == key)?;
        serde_json::from_str(text).ok()
    }

    /// What a person did with a form.
    #[must_use]
    pub fn form(&self, key: &str) -> Option<Filled> {
        self.answer(key)
    }

    /// What the host granted to this call.
    #[must_use]
    pub fn grants(&self) -> Grants {
        Grants::of_this_call()
    }
}

/// What a call comes to.
#[derive(Debug, Clone)]
pub enum Outcome {
    /// An answer.
    Answered(Answer),
    /// Questions; the call is made again with their answers.
    Asks(Asks),
}

impl From<Answer> for Outcome {
    fn from(answer: Answer) -> Self {
        Self::Answered(answer)
    }
}

impl From<Asks> for Outcome {
    fn from(asks: Asks) -> Self {
        Self::Asks(asks)
    }
}

/// An answer in parts.
#[derive(Debug, Clone, Default)]
pub struct Answer {
    /// The parts.
    pub content: Vec<Block>,
    /// A value that fits the output schema.
    pub structured: Option<Value>,
    /// Whether the parts say why there is no answer.
    pub is_error: bool,
}

impl Answer {
    /// These parts.
    #[must_use]
    pub fn blocks(content: Vec<Block>) -> Self {
        Self { content, ..Self::default() }
    }

    /// One text.
    pub fn text(text: impl Into<String>) -> Self {
        Self::blocks(vec![Block::Text(text.into())])
    }

    /// With a structured part.
    #[must_use]
    pub fn structured(self, value: Value) -> Self {
        Self { structured: Some(value), ..self }
    }

    /// Saying why there is no answer.
    #[must_use]
    pub fn error(self) -> Self {
        Self { is_error: true, ..self }
    }
}

/// Questions to the client.
#[derive(Debug, Clone, Default)]
pub struct Asks {
    /// By a key each.
    pub questions: Vec<(String, Question)>,
    /// What is to be remembered. The client can read it.
    pub state: Option<String>,
}

impl Asks {
    /// None yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Shows a person a form; `schema` is that of an object of plain fields.
    #[must_use]
    pub fn form(self, key: &str, message: &str, schema: &Value) -> Self {
        self.question(key, Question::Form(Form { message: message.to_owned(), schema: schema.to_string() }))
    }

    /// Has the client's model answer one message.
    #[must_use]
    pub fn completion(self, key: &str, prompt: &str, max_tokens: u32) -> Self {
        let messages = vec![Message { role: Role::User, content: Block::Text(prompt.to_owned()) }];
        self.question(key, Question::Completion(Completion { messages, system_prompt: None, max_tokens }))
    }

    /// Asks for the directories that the client works in.
    #[must_use]
    pub fn roots(self, key: &str) -> Self {
        self.question(key, Question::Roots)
    }

    /// Remembers this.
    #[must_use]
    pub fn remember(self, state: impl Into<String>) -> Self {
        Self { state: Some(state.into()), ..self }
    }

    fn question(mut self, key: &str, question: Question) -> Self {
        self.questions.push((key.to_owned(), question));
        self
    }

    pub(crate) fn into_contract(self) -> crate::rich_bindings::bailiwick::tool::content::Asks {
        crate::rich_bindings::bailiwick::tool::content::Asks { questions: self.questions, state: self.state }
    }
}

/// Exports [`RichTool`]s from this component.
#[macro_export]
macro_rules! export_rich_tools {
    ($($tool:ty),+ $(,)?) => {
        // Only in the component: a native build of the same crate is for its tests and exports nothing.
        #[cfg(target_arch = "wasm32")]
        const _: () = {
            struct Exported;
            impl $crate::rich_bindings::exports::bailiwick::tool::rich_tools::Guest for Exported {
                fn describe() -> ::std::vec::Vec<
                    $crate::rich_bindings::exports::bailiwick::tool::rich_tools::Descriptor,
                > {
                    ::std::vec![$($crate::private::describe_rich::<$tool>()),+]
                }
                fn invoke(
                    call: $crate::rich_bindings::exports::bailiwick::tool::rich_tools::Call,
                ) -> ::std::result::Result<
                    $crate::rich_bindings::exports::bailiwick::tool::rich_tools::Outcome,
                    $crate::rich_bindings::bailiwick::tool::content::ToolError,
                > {
                    $(if call.tool == <$tool as $crate::rich::RichTool>::NAME {
                        return $crate::private::invoke_rich::<$tool>(call);
                    })+
                    ::std::result::Result::Err($crate::private::no_such_tool(&call.tool))
                }
            }
            $crate::rich_bindings::export!(Exported with_types_in $crate::rich_bindings);
        };
    };
}

/// The descriptor of the contract for `T`.
pub fn describe<T: RichTool>() -> contract::Descriptor {
    contract::Descriptor {
        name: T::NAME.to_owned(),
        title: T::TITLE.map(str::to_owned),
        description: T::DESCRIPTION.to_owned(),
        input_schema: T::input_schema().to_string(),
        output_schema: T::output_schema().map(|schema| schema.to_string()),
        effects: contract::Effects::from_bits_truncate(T::EFFECTS.bits()),
    }
}

/// `invoke` of the contract for `T`.
pub fn invoke<T: RichTool>(call: contract::Call) -> Result<contract::Outcome, contract::ToolError> {
    let input = serde_json::from_str(&call.input)
        .map_err(|error| ToolError::invalid_input(format!("the input of {} is not as described: {error}", T::NAME)))?;
    Ok(match T::call(&Call::new(call.can, call.again), input)? {
        Outcome::Answered(answer) => contract::Outcome::Answered(contract::Answer {
            content: answer.content,
            structured: answer.structured.map(|value| value.to_string()),
            is_error: answer.is_error,
        }),
        Outcome::Asks(asks) => contract::Outcome::Asks(asks.into_contract()),
    })
}

/// The host calls no tool that was not described.
pub fn no_such_tool(name: &str) -> contract::ToolError {
    ToolError::invalid_input(format!("there is no tool `{name}`")).into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rich_bindings::bailiwick::tool::content;

    /// What `Greet` is given.
    #[derive(Deserialize)]
    struct Input {
        greeting: String,
    }

    impl Schema for Input {
        fn schema() -> Value {
            serde_json::json!({ "type": "object", "properties": { "greeting": { "type": "string" } } })
        }
    }

    /// Greets the person who answers.
    struct Greet;

    impl RichTool for Greet {
        const NAME: &'static str = "Greet";
        const DESCRIPTION: &'static str = "Asks for a name and greets.";
        const EFFECTS: Effects = Effects::READS.union(Effects::IDEMPOTENT);
        type Input = Input;

        fn call(call: &Call, input: Input) -> Result<Outcome, ToolError> {
            let name = call.form("who").and_then(|form| form.accepted()?.get("name")?.as_str().map(str::to_owned));
            let form = serde_json::json!({ "type": "object" });
            Ok(match name {
                Some(name) => Answer::text(format!("{}, {name}", input.greeting)).into(),
                None => Asks::new().form("who", "Who?", &form).remember("asked").into(),
            })
        }
    }

    fn greet(input: &str, again: Option<content::Again>) -> Result<contract::Outcome, contract::ToolError> {
        let can = Abilities::FORMS;
        invoke::<Greet>(contract::Call { tool: "Greet".into(), input: input.into(), can, again })
    }

    #[test]
    fn tool_asks_and_answers_when_it_is_called_again() {
        let given = r#"{"greeting":"Hello"}"#;
        let Ok(contract::Outcome::Asks(asks)) = greet(given, None) else { panic!("it asks first") };
        assert_eq!((asks.questions.len(), asks.state.as_deref()), (1, Some("asked")));
        let declined = content::Again { answers: vec![("who".into(), r#"{"action":"decline"}"#.into())], state: None };
        assert!(matches!(greet(given, Some(declined)), Ok(contract::Outcome::Asks(_))));
        let filled = r#"{"action":"accept","content":{"name":"Ada"}}"#.to_owned();
        let again = content::Again { answers: vec![("who".into(), filled)], state: asks.state };
        let Ok(contract::Outcome::Answered(answer)) = greet(given, Some(again)) else { panic!("it answers") };
        assert!(matches!(&answer.content[..], [Block::Text(text)] if text == "Hello, Ada"));
    }

    #[test]
    fn input_that_is_not_as_described_is_an_error_of_the_caller() {
        let Err(error) = greet("{}", None) else { panic!("a greeting is missing") };
        assert!(matches!(error.kind, content::ErrorKind::InvalidInput), "{error:?}");
        let said = describe::<Greet>();
        assert_eq!(said.effects, contract::Effects::READS | contract::Effects::IDEMPOTENT);
    }
}
