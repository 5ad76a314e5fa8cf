//! What a provider says is cut off at some length; a key in it is taken out before, so that no half of it is left.

use crate::common::{KEY, Reply, StandIn, provider, quick, turn};
use bailiwick_agent::Backend;
use serde_json::json;

#[tokio::test]
async fn key_at_the_place_where_a_message_is_cut_off_is_not_left_in_halves() {
    // One of these places is in the middle of the key, wherever the limit is between 250 and 350 bytes.
    for before in (230..350).step_by(7) {
        let message = json!({"error": {"message": format!("{}{KEY}", "x".repeat(before))}});
        for status in [400, 401, 503] {
            let server = StandIn::serve(vec![Reply::Json(status, &[], message.clone())]).await;
            let (provider, lines) = provider(&format!("openai:m@{}/v1", server.address), quick());
            let error = provider.turn(&turn()).await.unwrap_err();
            let said = format!("{error} {error:?} {:?}", lines.lock().unwrap());
            assert!(!said.contains("sk-c"), "{before}: {said}");
        }
    }
}
