//! Requests of the protocol with invalid parameters. rmcp parses them as custom requests and would answer that the method
//! does not exist.

use rmcp::model::{CustomRequest, ErrorCode, ErrorData};
use serde_json::Value;

/// Members of parameters.
type Members = &'static [(&'static str, Kind, Need)];

/// The methods that a server may have, with the members of their parameters whose kind is known: what a client got
/// wrong is mostly one of these.
const METHODS: [(&str, Members); 18] = {
    use Kind::{Object, Text};
    use Need::{May, Must};
    [
        (
            "initialize",
            &[("protocolVersion", Text, Must), ("capabilities", Object, Must), ("clientInfo", Object, Must)],
        ),
        ("ping", &[]),
        ("server/discover", &[]),
        ("tools/list", &[("cursor", Text, May)]),
        (
            "tools/call",
            &[
                ("name", Text, Must),
                ("arguments", Object, May),
                ("requestState", Text, May),
                ("inputResponses", Object, May),
            ],
        ),
        ("resources/list", &[("cursor", Text, May)]),
        ("resources/templates/list", &[("cursor", Text, May)]),
        ("resources/read", &[("uri", Text, Must)]),
        ("resources/subscribe", &[("uri", Text, Must)]),
        ("resources/unsubscribe", &[("uri", Text, Must)]),
        ("subscriptions/listen", &[]),
        ("prompts/list", &[("cursor", Text, May)]),
        ("prompts/get", &[("name", Text, Must), ("arguments", Object, May)]),
        ("completion/complete", &[("ref", Object, Must), ("argument", Object, Must)]),
        ("tasks/get", &[("taskId", Text, Must)]),
        ("tasks/update", &[("taskId", Text, Must), ("inputResponses", Object, May)]),
        ("tasks/cancel", &[("taskId", Text, Must)]),
        ("logging/setLevel", &[("level", Text, Must)]),
    ]
};

#[derive(Clone, Copy)]
enum Kind {
    Text,
    Object,
}

#[derive(Clone, Copy, PartialEq)]
enum Need {
    Must,
    May,
}

/// Methods that ended with 2025-11-25. Whatever is sent to them later, they are not there.
const ENDED: [&str; 5] = ["initialize", "ping", "resources/subscribe", "resources/unsubscribe", "logging/setLevel"];

/// Which methods a request may call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Era {
    /// Those up to 2025-11-25.
    Sessions,
    /// Those from 2026-07-28 on.
    Requests,
}

/// What such a request is answered.
pub(crate) fn error(request: &CustomRequest, era: Era) -> ErrorData {
    let method = request.method.as_str();
    let ended = era == Era::Requests && ENDED.contains(&method);
    let Some((_, members)) = METHODS.iter().find(|(name, _)| *name == method && !ended) else {
        let name: String = method.chars().take(100).collect();
        return ErrorData::new(ErrorCode::METHOD_NOT_FOUND, name, None);
    };
    let wrong = match &request.params {
        None => wrong(members, &Value::Object(serde_json::Map::new())),
        Some(Value::Object(_)) => request.params.as_ref().and_then(|params| wrong(members, params)),
        Some(_) => Some("`params` is not an object".to_owned()),
    };
    let wrong = wrong.unwrap_or_else(|| "they are not what the protocol has".to_owned());
    ErrorData::invalid_params(format!("the parameters of `{method}` do not fit: {wrong}"), None)
}

fn wrong(members: &[(&str, Kind, Need)], params: &Value) -> Option<String> {
    members.iter().find_map(|(name, kind, need)| match (params.get(name), kind) {
        (None, _) if *need == Need::Must => Some(format!("`{name}` is missing")),
        (None, _) => None,
        (Some(value), Kind::Text) if !value.is_string() => Some(format!("`{name}` is not a string")),
        (Some(value), Kind::Object) if !value.is_object() => Some(format!("`{name}` is not an object")),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn parameters_that_do_not_fit_are_named_and_other_methods_are_not_found() {
        for (method, params, code, about) in [
            ("tools/call", json!({ "name": "a", "arguments": 5 }), -32602, "`arguments` is not an object"),
            ("tools/call", json!({ "name": "a", "arguments": [] }), -32602, "`arguments` is not an object"),
            ("tools/call", json!({ "arguments": {} }), -32602, "`name` is missing"),
            ("tools/call", json!({ "name": 3 }), -32602, "`name` is not a string"),
            ("tools/call", json!([1]), -32602, "`params` is not an object"),
            ("tools/list", json!({ "cursor": 4 }), -32602, "`cursor` is not a string"),
            ("tools/frobnicate", json!({}), -32601, "tools/frobnicate"),
            ("Tools/call", json!({}), -32601, "Tools/call"),
        ] {
            let error = error(&CustomRequest::new(method, Some(params.clone())), Era::Sessions);
            assert_eq!(error.code.0, code, "{method} {params}");
            assert!(error.message.contains(about), "{method} {params}: {}", error.message);
        }
    }

    #[test]
    fn methods_that_ended_are_not_found_whatever_is_sent_to_them() {
        for method in ENDED {
            let request = CustomRequest::new(method, Some(json!({ "uri": 5 })));
            assert_eq!(error(&request, Era::Requests).code, ErrorCode::METHOD_NOT_FOUND, "{method}");
            assert_eq!(error(&request, Era::Sessions).code, ErrorCode::INVALID_PARAMS, "{method}");
        }
    }
}
