//! Requests as they are told, and what they come to.

use serde_json::{Value, json};
use wasip2::http::outgoing_handler;
use wasip2::http::types::{
    ErrorCode, Fields, FutureIncomingResponse, IncomingBody, IncomingResponse, Method, OutgoingBody, OutgoingRequest,
    Scheme,
};
use wasip2::io::streams::StreamError;

/// A piece that is written at once, in bytes: the most that the interface takes.
const PIECE: usize = 4096;

/// Hands all requests over, and then waits for one answer after the other.
pub(crate) fn all(requests: &[Value]) -> Vec<Value> {
    let under_way: Vec<_> = requests.iter().map(|request| (request, begin(request))).collect();
    under_way
        .into_iter()
        .map(|(request, begun)| match begun {
            Ok(Some(future)) => end(request, &future),
            Ok(None) => Value::Null,
            Err(refused) => json!({ "err": refused }),
        })
        .collect()
}

fn end(request: &Value, future: &FutureIncomingResponse) -> Value {
    let answer = match answer(future) {
        Ok(answer) => answer,
        Err(code) => return json!({ "err": name(&code) }),
    };
    let location = answer.headers().get("location").into_iter().next();
    match location.filter(|_| request["follow"] == true) {
        Some(location) => again(&String::from_utf8_lossy(&location)),
        None => told(&answer),
    }
}

/// Follows a redirect.
fn again(location: &str) -> Value {
    let Some((scheme, rest)) = location.split_once("://") else { return json!({ "err": "guest: no address" }) };
    let (authority, path) = rest.split_once('/').unwrap_or((rest, ""));
    all(&[json!({ "scheme": scheme, "authority": authority, "path": format!("/{path}") })]).remove(0)
}

fn text<'a>(request: &'a Value, field: &str, otherwise: &'a str) -> &'a str {
    request[field].as_str().unwrap_or(otherwise)
}

/// Hands one request over. The error is the step that the host refused.
fn begin(request: &Value) -> Result<Option<FutureIncomingResponse>, String> {
    let refused = |step: &'static str| move |()| format!("guest: {step}");
    let fields = Fields::new();
    for header in request["headers"].as_array().into_iter().flatten() {
        let (name, value) = (header[0].as_str().unwrap_or_default(), header[1].as_str().unwrap_or_default());
        fields.append(name, value.as_bytes()).map_err(|error| format!("guest: header {error:?}"))?;
    }
    let outgoing = OutgoingRequest::new(fields);
    let method = match text(request, "method", "GET") {
        "GET" => Method::Get,
        "POST" => Method::Post,
        "PUT" => Method::Put,
        "CONNECT" => Method::Connect,
        "TRACE" => Method::Trace,
        other => Method::Other(other.to_owned()),
    };
    outgoing.set_method(&method).map_err(refused("method"))?;
    let scheme = match text(request, "scheme", "https") {
        "https" => Scheme::Https,
        "http" => Scheme::Http,
        other => Scheme::Other(other.to_owned()),
    };
    outgoing.set_scheme(Some(&scheme)).map_err(refused("scheme"))?;
    outgoing.set_authority(request["authority"].as_str()).map_err(refused("authority"))?;
    outgoing.set_path_with_query(Some(text(request, "path", "/"))).map_err(refused("path"))?;
    let body = match request["body"].as_str() {
        Some(text) => Some((outgoing.body().map_err(refused("body"))?, text)),
        None => None,
    };
    if request["unsent"] == true {
        if let Some((body, text)) = body {
            write(body, text, request)?;
        }
        return Ok(None);
    }
    let future = if request["after"] == true {
        let future = outgoing_handler::handle(outgoing, None).map_err(|code| name(&code))?;
        if let Some((body, text)) = body {
            write(body, text, request)?;
        }
        future
    } else {
        if let Some((body, text)) = body {
            write(body, text, request)?;
        }
        outgoing_handler::handle(outgoing, None).map_err(|code| name(&code))?
    };
    Ok((request["abandon"] != true).then_some(future))
}

fn write(body: OutgoingBody, text: &str, request: &Value) -> Result<(), String> {
    let stream = body.write().map_err(|()| "guest: stream".to_owned())?;
    for _ in 0..request["repeat"].as_u64().unwrap_or(1) {
        for piece in text.as_bytes().chunks(PIECE) {
            match stream.blocking_write_and_flush(piece) {
                Ok(()) => {}
                // The host reads no further. What it says is in the answer.
                Err(StreamError::Closed) => break,
                Err(StreamError::LastOperationFailed(error)) => {
                    return Err(format!("guest: write {}", error.to_debug_string()));
                }
            }
        }
    }
    drop(stream);
    OutgoingBody::finish(body, None).map_err(|code| name(&code))
}

fn answer(future: &FutureIncomingResponse) -> Result<IncomingResponse, ErrorCode> {
    loop {
        match future.get() {
            Some(Ok(answer)) => return answer,
            Some(Err(())) => return Err(ErrorCode::InternalError(Some("taken twice".into()))),
            None => future.subscribe().block(),
        }
    }
}

fn told(answer: &IncomingResponse) -> Value {
    let headers: Vec<_> = answer
        .headers()
        .entries()
        .into_iter()
        .map(|(name, value)| json!([name, String::from_utf8_lossy(&value)]))
        .collect();
    match answer.consume().map(|body| read(&body)) {
        Ok(Ok(bytes)) => {
            json!({ "status": answer.status(), "headers": headers, "body": String::from_utf8_lossy(&bytes) })
        }
        Ok(Err(error)) => json!({ "status": answer.status(), "headers": headers, "err": error }),
        Err(()) => json!({ "err": "guest: consume" }),
    }
}

fn read(body: &IncomingBody) -> Result<Vec<u8>, String> {
    let stream = body.stream().map_err(|()| "guest: stream".to_owned())?;
    let mut all = Vec::new();
    loop {
        match stream.blocking_read(1 << 16) {
            Ok(bytes) => all.extend(bytes),
            Err(StreamError::Closed) => return Ok(all),
            Err(StreamError::LastOperationFailed(error)) => return Err(error.to_debug_string()),
        }
    }
}

/// The name of an error code without what it holds, unless that is a text.
fn name(code: &ErrorCode) -> String {
    if let ErrorCode::HttpResponseContentCoding(Some(text)) | ErrorCode::InternalError(Some(text)) = code {
        return format!("guest: {text}");
    }
    let whole = format!("{code:?}");
    let end = whole.find("::").map_or(0, |at| at + 2);
    whole[end..].split(['(', ' ']).next().unwrap_or_default().to_owned()
}
