//! Choosing the model.

use crate::exit::{Error, Result};
use bailiwick_agent::Backend;
use bailiwick_agent::mechanic::Mechanic;
use std::sync::Arc;

/// The models this build knows. Providers come with their own names.
const MODELS: &[&str] = &["mechanic"];

/// The backend of this name.
pub(crate) fn backend(named: Option<&str>) -> Result<Arc<dyn Backend>> {
    match named {
        None | Some("mechanic") => Ok(Arc::new(Mechanic)),
        Some(model) => {
            Err(Error::usage(format!("there is no model `{model}`"))
                .hint(format!("this build has {}", MODELS.join(", "))))
        }
    }
}
