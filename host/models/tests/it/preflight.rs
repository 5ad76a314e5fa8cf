//! The question before anything runs: what is certain is an error, everything else goes on, and the key is in nothing.

use std::time::Duration;

use crate::common::{KEY, Reply, StandIn, provider, quick};
use bailiwick_agent::Backend;
use bailiwick_models::PreflightError;
use serde_json::{Value, json};

const DIALECTS: [(&str, &str, &str); 7] = [
    ("openai", "/v1", "GET /v1/models/m "),
    ("openai-responses", "/v1", "GET /v1/models/m "),
    ("openai-compatible", "/v1", "GET /v1/models "),
    ("azure", "", "GET /openai/v1/models "),
    ("anthropic", "/v1", "GET /v1/models/m "),
    ("gemini", "/v1beta", "GET /v1beta/models/m "),
    ("ollama", "", "POST /api/show "),
];

async fn ask(dialect: &str, path: &str, reply: Reply) -> (Result<(), PreflightError>, Option<u64>, StandIn) {
    let server = StandIn::serve(vec![reply]).await;
    let (mut provider, _) = provider(&format!("{dialect}:m@{}{path}", server.address), quick());
    let outcome = provider.preflight().await;
    if let Err(error) = &outcome {
        let said = format!("{error} {error:?} {}", error.hint());
        assert!(!said.contains("canary"), "{said}");
        assert!(said.contains(&server.address), "{said}");
    }
    (outcome, provider.window(), server)
}

#[tokio::test]
async fn one_free_question_with_the_key_in_its_header_is_asked() {
    for (dialect, path, line) in DIALECTS {
        let (outcome, _, server) = ask(dialect, path, Reply::Json(200, &[], json!({}))).await;
        outcome.unwrap();
        let received = server.received().await;
        let [request] = received.as_slice() else { panic!("{dialect}: {} requests", received.len()) };
        assert!(request.head.starts_with(line), "{dialect}: {}", request.head);
        assert_eq!(request.head.contains(KEY), dialect != "ollama", "{dialect}");
        assert!(!request.head.lines().next().unwrap().contains(KEY), "{dialect}");
        let body = if dialect == "ollama" { json!({"model": "m"}) } else { Value::Null };
        assert_eq!(request.body, body, "{dialect}");
    }
}

#[tokio::test]
async fn refused_key_is_named_by_where_it_is_from() {
    let said = json!({"error": {"message": format!("bad key {KEY}")}});
    for (dialect, path, _) in DIALECTS {
        for status in [401, 403] {
            let (outcome, ..) = ask(dialect, path, Reply::Json(status, &[], said.clone())).await;
            let error = outcome.unwrap_err();
            assert!(matches!(error, PreflightError::KeyRefused { .. }), "{dialect}: {error:?}");
            assert!(error.to_string().contains("_API_KEY`"), "{dialect}: {error}");
        }
    }
    let gemini = json!({"error": {"code": 400, "status": "INVALID_ARGUMENT", "message": "API key not valid.", "details": [{"reason": "API_KEY_INVALID"}]}});
    let (outcome, ..) = ask("gemini", "/v1beta", Reply::Json(400, &[], gemini)).await;
    assert!(matches!(outcome, Err(PreflightError::KeyRefused { .. })), "{outcome:?}");
    // A key that is good for answers alone.
    let scope = json!({"error": {"message": "You have insufficient permissions. Missing scopes: api.model.read."}});
    ask("openai", "/v1", Reply::Json(403, &[], scope)).await.0.unwrap();
}

#[tokio::test]
async fn unknown_model_is_an_error_only_if_the_provider_says_so_itself() {
    let unknown = [
        ("openai", "/v1", json!({"error": {"code": "model_not_found", "message": "The model `m` does not exist"}})),
        ("openai-responses", "/v1", json!({"error": {"code": "model_not_found", "message": "no"}})),
        ("anthropic", "/v1", json!({"type": "error", "error": {"type": "not_found_error", "message": "model: m"}})),
        (
            "gemini",
            "/v1beta",
            json!({"error": {"code": 404, "status": "NOT_FOUND", "message": "models/m is not found"}}),
        ),
        ("ollama", "", json!({"error": "model 'm' not found"})),
    ];
    for (dialect, path, body) in unknown {
        let (outcome, ..) = ask(dialect, path, Reply::Json(404, &[], body)).await;
        assert!(matches!(outcome, Err(PreflightError::UnknownModel { .. })), "{dialect}: {outcome:?}");
    }
    // The right form without a word about the model: the question is not known there.
    let nameless = [
        ("anthropic", "/v1", json!({"type": "error", "error": {"type": "not_found_error", "message": "Not Found"}})),
        ("gemini", "/v1beta", json!({"error": {"code": 404, "status": "NOT_FOUND", "message": "Not Found"}})),
        ("ollama", "", json!({"error": "not found"})),
    ];
    for (dialect, path, body) in nameless {
        ask(dialect, path, Reply::Json(404, &[], body)).await.0.unwrap();
    }
    // A server of another kind.
    let elsewhere = json!({"error": {"code": 404, "message": "File Not Found", "type": "not_found_error"}});
    for (dialect, path, _) in DIALECTS {
        ask(dialect, path, Reply::Json(404, &[], elsewhere.clone())).await.0.unwrap();
        ask(dialect, path, Reply::Raw("HTTP/1.1 404 X\r\ncontent-length: 2\r\n\r\nno".into())).await.0.unwrap();
    }
}

#[tokio::test]
async fn any_other_answer_goes_on() {
    for (dialect, path, _) in DIALECTS {
        for status in [301, 400, 405, 429, 500, 503] {
            ask(dialect, path, Reply::Json(status, &[], json!({"error": {"message": "m"}}))).await.0.unwrap();
        }
        let odd = [
            "",
            "HTTP/1.1 200 OK\r\ncontent-length: 50\r\n\r\nhalf",
            "HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nnull",
        ];
        for raw in odd {
            ask(dialect, path, Reply::Raw(raw.into())).await.0.unwrap();
        }
        let endless = Reply::Endless("HTTP/1.1 200 OK\r\n\r\n".into(), "x".repeat(8000));
        tokio::time::timeout(Duration::from_secs(30), ask(dialect, path, endless)).await.unwrap().0.unwrap();
    }
}

#[tokio::test]
async fn endpoint_that_is_not_there_is_named_without_its_path() {
    for (dialect, _, _) in DIALECTS {
        let (mut provider, _) = provider(&format!("{dialect}:m@http://127.0.0.1:1/secret-path/v1"), quick());
        let error = provider.preflight().await.unwrap_err();
        assert!(matches!(error, PreflightError::Unreachable { .. }), "{dialect}: {error:?}");
        let said = format!("{error} {}", error.hint());
        assert!(said.contains("`http://127.0.0.1:1`") && !said.contains("secret-path"), "{dialect}: {said}");
    }
}

#[tokio::test]
async fn window_that_the_endpoint_says_is_used_unless_one_is_given() {
    let cases = [
        ("gemini", "/v1beta", json!({"inputTokenLimit": 1000, "outputTokenLimit": 10}), Some(1000)),
        ("ollama", "", json!({"model_info": {"general.x": 1, "qwen3.context_length": 2000}}), Some(2000)),
        (
            "ollama",
            "",
            json!({"parameters": "stop  x\nnum_ctx    3000\n", "model_info": {"q.context_length": 9}}),
            Some(3000),
        ),
        ("openai-compatible", "/v1", json!({"data": [{"id": "other", "meta": {"n_ctx": 4000}}]}), Some(4000)),
        (
            "openai-compatible",
            "/v1",
            json!({"data": [{"id": "a", "max_model_len": 1}, {"id": "m", "max_model_len": 5000}]}),
            Some(5000),
        ),
        (
            "openai-compatible",
            "/v1",
            json!({"data": [{"id": "a", "max_model_len": 1}, {"id": "b", "max_model_len": 2}]}),
            None,
        ),
        ("openai", "/v1", json!({"id": "m"}), None),
    ];
    for (dialect, path, body, window) in cases {
        let (outcome, found, _) = ask(dialect, path, Reply::Json(200, &[], body.clone())).await;
        outcome.unwrap();
        assert_eq!(found, window, "{dialect}");
        let server = StandIn::serve(vec![Reply::Json(200, &[], body)]).await;
        let given = provider(&format!("{dialect}:m@{}{path}", server.address), quick()).0;
        let mut given = given.with_window(77);
        given.preflight().await.unwrap();
        assert_eq!(given.window(), Some(77), "{dialect}");
    }
}
