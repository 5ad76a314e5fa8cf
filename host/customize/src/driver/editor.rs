//! Who carries out what is understood: the same each time, without a provider.

use std::sync::Arc;

use bailiwick_agent::Backend;
use bailiwick_sdk::tasks::{AskedDirective, Classification, DirectiveError, Language, SpecIndex};

/// Looks up what directives name. The languages are the package's own and those that may change beside it.
pub type ResolveDirectives =
    fn(&[AskedDirective], &SpecIndex, Language, &[Language]) -> Result<Classification, DirectiveError>;

/// Carries out directives.
#[derive(Clone)]
pub struct Editor {
    /// Edits `client.tsp` from typed directives.
    pub backend: Arc<dyn Backend>,
    /// Finds what directives name.
    pub resolve: ResolveDirectives,
}
