//! A collector: takes OTLP over HTTP as the published protocol buffers describe it.

use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::common::v1::any_value::Value;
use opentelemetry_proto::tonic::common::v1::{AnyValue, KeyValue};
use opentelemetry_proto::tonic::trace::v1::span::SpanKind;
use opentelemetry_proto::tonic::trace::v1::status::StatusCode;
use prost::Message as _;
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

/// One request as it came.
#[derive(Debug)]
pub(super) struct Request {
    pub(super) path: String,
    pub(super) authorization: String,
    pub(super) service: String,
    pub(super) body: Vec<u8>,
    pub(super) spans: Vec<Span>,
}

/// One span. Ids are hexadecimal; a span without a parent has an empty one.
#[derive(Debug)]
pub(super) struct Span {
    pub(super) name: String,
    pub(super) kind: String,
    pub(super) trace: String,
    pub(super) id: String,
    pub(super) parent: String,
    pub(super) failed: bool,
    attributes: BTreeMap<String, String>,
}

impl Span {
    #[track_caller]
    pub(super) fn attribute(&self, key: &str) -> &str {
        self.attributes.get(key).unwrap_or_else(|| panic!("no `{key}` in {self:#?}"))
    }

    pub(super) fn has(&self, key: &str) -> bool {
        self.attributes.contains_key(key)
    }
}

pub(super) struct Collector {
    address: SocketAddr,
    requests: Arc<Mutex<Vec<Request>>>,
}

impl Collector {
    pub(super) fn start() -> Self {
        Self::answering(200)
    }

    /// One that answers every request with this status.
    pub(super) fn answering(status: u16) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let requests = Arc::new(Mutex::new(Vec::new()));
        let taken = requests.clone();
        // Ends with the tests.
        std::thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                serve(stream, status, &taken);
            }
        });
        Self { address, requests }
    }

    pub(super) fn address(&self) -> String {
        format!("http://{}", self.address)
    }

    /// What came so far. The command waits for its answers, so it is everything once it has ended.
    pub(super) fn requests(&self) -> Vec<Request> {
        std::mem::take(&mut self.requests.lock().unwrap())
    }
}

fn serve(mut stream: TcpStream, status: u16, taken: &Mutex<Vec<Request>>) {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let mut line = String::new();
    if reader.read_line(&mut line).unwrap_or(0) == 0 {
        return;
    }
    let path = line.split(' ').nth(1).unwrap_or_default().to_owned();
    let (mut length, mut authorization, mut kind) = (0, String::new(), String::new());
    loop {
        line.clear();
        reader.read_line(&mut line).unwrap();
        let Some((name, value)) = line.trim().split_once(':') else { break };
        match name.to_ascii_lowercase().as_str() {
            "content-length" => length = value.trim().parse().unwrap(),
            "content-type" => value.trim().clone_into(&mut kind),
            "authorization" => value.trim().clone_into(&mut authorization),
            _ => {}
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).unwrap();
    assert_eq!(kind, "application/x-protobuf");
    taken.lock().unwrap().push(request(path, authorization, body));
    let answer = format!("HTTP/1.1 {status} X\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
    let _ = stream.write_all(answer.as_bytes());
}

fn request(path: String, authorization: String, body: Vec<u8>) -> Request {
    let sent = ExportTraceServiceRequest::decode(body.as_slice()).unwrap();
    let mut request = Request { path, authorization, service: String::new(), body, spans: Vec::new() };
    for resource in sent.resource_spans {
        let attributes = attributes(resource.resource.unwrap_or_default().attributes);
        request.service = attributes.get("service.name").cloned().unwrap_or_default();
        for span in resource.scope_spans.into_iter().flat_map(|scope| scope.spans) {
            request.spans.push(Span {
                kind: SpanKind::try_from(span.kind).unwrap().as_str_name().trim_start_matches("SPAN_KIND_").to_owned(),
                failed: span.status.is_some_and(|status| status.code == StatusCode::Error as i32),
                name: span.name,
                trace: hex(&span.trace_id),
                id: hex(&span.span_id),
                parent: hex(&span.parent_span_id),
                attributes: self::attributes(span.attributes),
            });
        }
    }
    request
}

fn attributes(list: Vec<KeyValue>) -> BTreeMap<String, String> {
    list.into_iter().map(|KeyValue { key, value, .. }| (key, text(value))).collect()
}

fn text(value: Option<AnyValue>) -> String {
    match value.and_then(|value| value.value) {
        Some(Value::StringValue(text)) => text,
        Some(Value::IntValue(number)) => number.to_string(),
        Some(Value::BoolValue(truth)) => truth.to_string(),
        other => format!("{other:?}"),
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
