//! Which backend a model's name stands for.

use crate::exit::{Error, Result};
use bailiwick_agent::Backend;
use bailiwick_agent::mechanic::Mechanic;
use std::sync::Arc;

/// The backend of this name.
pub(crate) fn backend(model: &str) -> Result<Arc<dyn Backend>> {
    match model {
        "mechanic" => Ok(Arc::new(Mechanic)),
        _ => Err(Error::usage(format!("there is no model `{}`", model.escape_debug())).hint("this build has mechanic")),
    }
}
