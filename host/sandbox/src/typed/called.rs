//! One function of a component, called with JSON.

use super::found::Function;
use super::shape::Shape;
use super::{answer, arguments};
use crate::bindings::exports::bailiwick::tool::tool::{ErrorKind, ToolError};
use crate::call::Answer;
use crate::state::State;
use serde_json::{Value, json};
use wasmtime::Store;
use wasmtime::component::{Instance, InstancePre, Val};

/// A component and the function of it that is called.
pub(crate) struct Called {
    pub(crate) pre: InstancePre<State>,
    pub(crate) function: Function,
}

impl Called {
    pub(crate) fn instantiate(&self, store: &mut Store<State>) -> wasmtime::Result<Instance> {
        self.pre.instantiate(store)
    }

    /// Calls the function. The inner error is the caller's: arguments that do not fit, or the error that the function
    /// returned.
    pub(crate) fn invoke(
        &self,
        instance: &Instance,
        store: &mut Store<State>,
        input: &str,
    ) -> wasmtime::Result<Result<Answer, ToolError>> {
        let given: Value = serde_json::from_str(input)?;
        let parameters = match arguments::parameters(&self.function.parameters, &given) {
            Ok(parameters) => parameters,
            Err(off) => return Ok(Err(ToolError { kind: ErrorKind::InvalidInput, message: off.to_string() })),
        };
        let function = instance
            .get_func(&mut *store, self.function.index)
            .ok_or_else(|| wasmtime::format_err!("the function is not there"))?;
        let mut results = match self.function.result {
            Some(_) => vec![Val::Bool(false)],
            None => Vec::new(),
        };
        function.call(store, &parameters, &mut results)?;
        Ok(match (&self.function.result, results.first()) {
            (Some(Shape::Result(ok, error)), Some(Val::Result(returned))) => match returned {
                Ok(value) => Ok(self.answered(answer::payload(ok.as_deref(), value.as_deref())?)),
                Err(value) => Err(failed(answer::payload(error.as_deref(), value.as_deref())?)),
            },
            (Some(shape), Some(value)) => Ok(self.answered(answer::value(shape, value)?)),
            _ => Ok(self.answered(Value::Null)),
        })
    }

    /// A record as it is, anything else as the member `result`; as the output schema says.
    fn answered(&self, value: Value) -> Answer {
        let value = match self.function.returned() {
            None => json!({}),
            Some(Shape::Record(_)) => value,
            Some(_) => json!({ "result": value }),
        };
        Answer::Output(value.to_string())
    }
}

/// The error of a function: text as it is, anything else as JSON.
fn failed(value: Value) -> ToolError {
    let message = match value {
        Value::String(text) => text,
        Value::Null => "it failed and did not say why".to_owned(),
        other => other.to_string(),
    };
    ToolError { kind: ErrorKind::Failed, message }
}
