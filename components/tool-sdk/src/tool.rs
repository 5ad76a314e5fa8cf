//! What a tool is and how a component exports it.

use crate::bindings::exports::bailiwick::tool::tool as contract;
use crate::{Effects, Grants, Output, Schema, ToolError};
use serde::de::DeserializeOwned;

/// A tool: a name, a description, the types of its input and output, and one function.
pub trait Tool {
    /// What a model calls it by, `[A-Za-z0-9_-]{1,64}`.
    const NAME: &'static str;
    /// One paragraph for a model.
    const DESCRIPTION: &'static str;
    /// What a call can do to what was granted.
    const EFFECTS: Effects;
    /// What it is given; [`input!`](crate::input) declares one.
    type Input: DeserializeOwned + Schema;
    /// What it answers; [`output!`](crate::output) declares one.
    type Output: Output;

    /// Answers one call. Every call runs in an instance of its own, so nothing is remembered.
    ///
    /// # Errors
    /// Whatever the caller can react to. A panic is a trap, which is a failure of the tool itself.
    fn call(grants: &Grants, input: Self::Input) -> Result<Self::Output, ToolError>;
}

/// Exports a [`Tool`] from this component. A component exports exactly one.
#[macro_export]
macro_rules! export_tool {
    ($tool:ty) => {
        // Only in the component: a native build of the same crate is for its tests and exports nothing.
        #[cfg(target_arch = "wasm32")]
        const _: () = {
            struct Exported;
            impl $crate::bindings::exports::bailiwick::tool::tool::Guest for Exported {
                fn describe() -> $crate::bindings::exports::bailiwick::tool::tool::Descriptor {
                    $crate::private::describe::<$tool>()
                }
                fn invoke(
                    input: ::std::string::String,
                ) -> ::std::result::Result<
                    ::std::string::String,
                    $crate::bindings::exports::bailiwick::tool::tool::ToolError,
                > {
                    $crate::private::invoke::<$tool>(&input)
                }
            }
    $crate::bindings::export!(Exported with_types_in $crate::bindings);
        };
    };
}

/// `describe` of the contract for `T`.
pub fn describe<T: Tool>() -> contract::Descriptor {
    contract::Descriptor {
        name: T::NAME.to_owned(),
        description: T::DESCRIPTION.to_owned(),
        input_schema: T::Input::schema().to_string(),
        output_schema: T::Output::schema().to_string(),
        effects: T::EFFECTS,
    }
}

/// `invoke` of the contract for `T`.
pub fn invoke<T: Tool>(input: &str) -> Result<String, contract::ToolError> {
    let input = serde_json::from_str(input)
        .map_err(|error| ToolError::invalid_input(format!("the input of {} is not as described: {error}", T::NAME)))?;
    let output = T::call(&Grants::of_this_call(), input)?;
    Ok(output.to_json())
}
