//! Components that offer resources and prompts.

use crate::ToolError;
use crate::offer_bindings::exports::bailiwick::tool::{prompts as contract, resources};
use crate::rich::{Asks, Call, Document, Link, Message};

pub use contract::{Argument, Prompt};
pub use resources::Template;

/// What a component offers beside tools. What is not written is not there.
pub trait Offering {
    /// The resources, always in the same order.
    fn resources() -> Vec<Link> {
        Vec::new()
    }

    /// Families of resources.
    fn templates() -> Vec<Template> {
        Vec::new()
    }

    /// What is at an address.
    ///
    /// # Errors
    /// Not found where nothing is.
    fn read(uri: &str) -> Result<Vec<Document>, ToolError> {
        Err(ToolError::not_found(format!("there is no resource `{uri}`")))
    }

    /// The prompts, always in the same order.
    fn prompts() -> Vec<Prompt> {
        Vec::new()
    }

    /// A prompt with its arguments filled in.
    ///
    /// # Errors
    /// Not found for one that is not there, invalid input for arguments that do not fit.
    fn prompt(name: &str, arguments: &[(String, String)], call: &Call) -> Result<Got, ToolError> {
        let _ = (arguments, call);
        Err(ToolError::not_found(format!("there is no prompt `{name}`")))
    }

    /// What an argument of a prompt could be.
    ///
    /// # Errors
    /// Not found for a prompt that is not there.
    fn complete(prompt: &str, argument: &str, value: &str) -> Result<Vec<String>, ToolError> {
        let _ = (prompt, argument, value);
        Ok(Vec::new())
    }
}

/// What a prompt comes to.
#[derive(Debug, Clone)]
pub enum Got {
    /// Messages for a model.
    Messages(Vec<Message>),
    /// Questions; the prompt is asked for again with their answers.
    Asks(Asks),
}

/// Exports an [`Offering`] from this component. A component exports at most one.
#[macro_export]
macro_rules! export_offers {
    ($offering:ty) => {
        // Only in the component: a native build of the same crate is for its tests and exports nothing.
        #[cfg(target_arch = "wasm32")]
        const _: () = {
            use $crate::offer_bindings::exports::bailiwick::tool::{prompts, resources};
            use $crate::offers::Offering;
            use $crate::rich_bindings::bailiwick::tool::content::{Document, Link, ToolError};
            struct Exported;
            impl resources::Guest for Exported {
                fn offered() -> ::std::vec::Vec<Link> {
                    <$offering as Offering>::resources()
                }
                fn templates() -> ::std::vec::Vec<resources::Template> {
                    <$offering as Offering>::templates()
                }
                fn read(uri: ::std::string::String) -> ::std::result::Result<::std::vec::Vec<Document>, ToolError> {
                    <$offering as Offering>::read(&uri).map_err(::std::convert::Into::into)
                }
            }
            impl prompts::Guest for Exported {
                fn offered() -> ::std::vec::Vec<prompts::Prompt> {
                    <$offering as Offering>::prompts()
                }
                fn get(call: prompts::Call) -> ::std::result::Result<prompts::Outcome, ToolError> {
                    $crate::private::get::<$offering>(call)
                }
                fn complete(
                    prompt: ::std::string::String,
                    argument: ::std::string::String,
                    value: ::std::string::String,
                ) -> ::std::result::Result<::std::vec::Vec<::std::string::String>, ToolError> {
                    <$offering as Offering>::complete(&prompt, &argument, &value).map_err(::std::convert::Into::into)
                }
            }
    $crate::offer_bindings::export!(Exported with_types_in $crate::offer_bindings);
        };
    };
}

/// `get` of the contract for `T`.
pub fn get<T: Offering>(call: contract::Call) -> Result<contract::Outcome, contract::ToolError> {
    let got = T::prompt(&call.prompt, &call.arguments, &Call::new(call.can, call.again))?;
    Ok(match got {
        Got::Messages(messages) => contract::Outcome::Got(contract::Got { description: None, messages }),
        Got::Asks(asks) => contract::Outcome::Asks(asks.into_contract()),
    })
}
