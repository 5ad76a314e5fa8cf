//! Says on stderr what an agent does.

use crate::output;
use async_trait::async_trait;
use bailiwick_agent::{ToolReply, ToolSpec, Toolbox};
use bailiwick_audit::printable;
use serde_json::Value;

/// A toolbox that tells of every call.
pub(super) struct WithProgress<T>(pub(super) T);

#[async_trait]
impl<T: Toolbox> Toolbox for WithProgress<T> {
    fn specs(&self) -> Vec<ToolSpec> {
        self.0.specs()
    }

    async fn call(&self, name: &str, arguments: &Value) -> ToolReply {
        let reply = self.0.call(name, arguments).await;
        let what = ["filePath", "path"].iter().find_map(|key| arguments[*key].as_str()).unwrap_or_default();
        let what: String = what.chars().take(120).collect();
        let end = match &reply.outcome {
            Ok(_) => String::new(),
            Err(failure) => format!(": {} ({})", failure.message, failure.kind),
        };
        output::progress(&printable(&format!("  {name} {what}{end}")));
        reply
    }
}
