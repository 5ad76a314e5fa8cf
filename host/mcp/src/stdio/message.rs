//! The message of a line.
//!
//! rmcp tries one kind of message after the other, of which a call of a tool is nearly the last, on a copy of the whole.
//! Nearly every line is such a call, and large ones are.

use rmcp::model::{
    CallToolRequestMethod, CallToolRequestParams, ClientJsonRpcMessage, ClientRequest, JsonRpcMessage, JsonRpcRequest,
    JsonRpcVersion2_0, Request, RequestId,
};
use serde::de::value::MapAccessDeserializer;
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use std::fmt;
use std::marker::PhantomData;

/// A call of a tool and nothing else: what has one field more is for rmcp to judge.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Call {
    jsonrpc: JsonRpcVersion2_0,
    id: RequestId,
    method: CallToolRequestMethod,
    params: Object<CallToolRequestParams>,
}

/// A `T` that is written as an object: serde would take an array of its fields as well.
struct Object<T>(T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Members<T>(PhantomData<T>);

        impl<'de, T: Deserialize<'de>> Visitor<'de> for Members<T> {
            type Value = Object<T>;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, members: A) -> Result<Object<T>, A::Error> {
                T::deserialize(MapAccessDeserializer::new(members)).map(Object)
            }
        }

        deserializer.deserialize_map(Members(PhantomData))
    }
}

/// Reads a message.
///
/// # Errors
/// Not a JSON-RPC message.
pub(super) fn read(text: &[u8]) -> serde_json::Result<ClientJsonRpcMessage> {
    if let Ok(Object(call)) = serde_json::from_slice::<Object<Call>>(text) {
        return Ok(called(call));
    }
    serde_json::from_slice(text)
}

fn called(call: Call) -> ClientJsonRpcMessage {
    let Call { jsonrpc, id, method, params: Object(mut params) } = call;
    // What rmcp leaves there as well.
    let meta = params.meta.take();
    let mut request = Request::new(params);
    request.method = method;
    if let Some(meta) = meta {
        request.extensions.insert(meta);
    }
    JsonRpcMessage::Request(JsonRpcRequest { jsonrpc, id, request: ClientRequest::CallToolRequest(request) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use proptest::test_runner::RngSeed;
    use rmcp::model::RequestMetaObject;
    use serde_json::{Value, json};

    /// Everything that is known of a message.
    fn known(message: &ClientJsonRpcMessage) -> (Value, String, Option<RequestMetaObject>) {
        let meta = match message {
            JsonRpcMessage::Request(JsonRpcRequest { request: ClientRequest::CallToolRequest(call), .. }) => {
                assert!(call.params.meta.is_none());
                call.extensions.get::<RequestMetaObject>().cloned()
            }
            _ => None,
        };
        (serde_json::to_value(message).unwrap(), format!("{message:?}"), meta)
    }

    fn same(text: &[u8]) -> bool {
        let theirs = serde_json::from_slice::<ClientJsonRpcMessage>(text);
        let ours = read(text);
        match (&ours, &theirs) {
            (Ok(ours), Ok(theirs)) => assert_eq!(known(ours), known(theirs), "{}", String::from_utf8_lossy(text)),
            (Err(_), Err(_)) => {}
            _ => panic!("{}: {ours:?} beside {theirs:?}", String::from_utf8_lossy(text)),
        }
        ours.is_ok()
    }

    #[test]
    fn calls_are_read_as_rmcp_reads_them() {
        for params in [
            json!({ "name": "a" }),
            json!({ "name": "a", "arguments": {} }),
            json!({ "name": "a", "arguments": null, "_meta": null }),
            json!({ "name": "a", "arguments": { "b": [1, 2.5, "\u{e9}", null, { "_meta": 1 }] } }),
            json!({ "name": "a", "_meta": { "progressToken": 7, "x/y": [true] }, "more": 1 }),
            json!({ "name": "a", "_meta": { "progressToken": "t" }, "requestState": "s", "inputResponses": {} }),
            json!({ "name": "a", "task": { "ttl": 1 } }),
        ] {
            for id in [json!(1), json!(-7), json!("x")] {
                let whole = json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params });
                assert!(same(whole.to_string().as_bytes()), "{whole}");
            }
        }
    }

    #[test]
    fn message_that_is_not_a_call_is_judged_by_rmcp() {
        for text in [
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a"},"result":{}}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a"},"more":1}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","name":"b"}}"#,
            r#"{"jsonrpc":"2.0","id":1,"id":2,"method":"tools/call","params":{"name":"a"}}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":5}}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","arguments":5}}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","_meta":5}}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call"}"#,
            r#"{"jsonrpc":"2.0","method":"tools/call","params":{"name":"a"}}"#,
            r#"{"jsonrpc":"1.0","id":1,"method":"tools/call","params":{"name":"a"}}"#,
            r#"{"jsonrpc":"2.0","id":1.5,"method":"tools/call","params":{"name":"a"}}"#,
            r#"{"jsonrpc":"2.0","id":null,"method":"tools/call","params":{"name":"a"}}"#,
            r#"["2.0",1,"tools/call",{"name":"a"}]"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":["a"]}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#,
            r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
            r#"{"jsonrpc":"2.0","id":1,"result":{}}"#,
            "",
        ] {
            same(text.as_bytes());
        }
    }

    fn value() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            any::<f64>().prop_map(Value::from),
            ".{0,8}".prop_map(Value::from),
        ];
        leaf.prop_recursive(3, 16, 4, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                prop::collection::btree_map(
                    prop_oneof![Just("_meta".to_owned()), Just("name".to_owned()), ".{0,4}"],
                    inner,
                    0..4
                )
                .prop_map(|members| members.into_iter().collect()),
            ]
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig { rng_seed: RngSeed::Fixed(6), cases: 512, ..ProptestConfig::default() })]

        #[test]
        fn any_parameters_are_read_as_rmcp_reads_them(id in value(), params in value(), arguments in value(), meta in value()) {
            for params in [params, json!({ "name": "a", "arguments": arguments, "_meta": meta })] {
                same(json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params }).to_string().as_bytes());
            }
        }
    }
}
