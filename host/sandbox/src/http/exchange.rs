//! One request and its answer, carried out by the host. The component gets the answer whole: only then can a secret
//! that a host repeats be taken out, wherever in it the secret stands.

use super::connect::{ConnectError, connect};
use super::ledger::Ledger;
use super::policy::{OutgoingRequest, Target, belongs_to_the_connection, check};
use super::secret::HeaderSecret;
use super::{Http, HttpLimits};
use crate::denial::DenialReason;
use bytes::Bytes;
use http::{HeaderMap, HeaderValue, Method, Request, Response, StatusCode, header};
use http_body_util::{BodyExt as _, Full};
use hyper::body::Incoming;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::Semaphore;
use wasmtime_wasi_http::io::TokioIo;
use wasmtime_wasi_http::{Error, RequestOptions, WasiBody};

/// What hyper asks for at least to read header lines into.
const LEAST_BUFFER: usize = 8192;

/// A request that was let pass.
pub(super) struct Admitted {
    target: Target,
    /// For the record.
    shown: String,
}

/// Header lines of an answer.
const MOST_HEADERS: usize = 128;

/// What the requests of one call share.
pub(super) struct Exchanges {
    pub(super) http: Arc<Http>,
    pub(super) ledger: Ledger,
    pub(super) places: Semaphore,
    /// When the call is over, and with it every request.
    pub(super) ends: Instant,
}

impl Exchanges {
    /// Judges a request before anything is done for it.
    pub(super) fn admit(&self, request: &Request<WasiBody>) -> Result<Admitted, Error> {
        let asked =
            OutgoingRequest { method: request.method().as_str(), address: request.uri(), headers: request.headers() };
        let refused = |reason: DenialReason| {
            self.ledger.denies(&asked.shown(), reason);
            Error::HttpRequestDenied
        };
        let target = check(&self.http.rules, &self.http.secrets, &asked).map_err(refused)?;
        if !self.ledger.begins(&self.http.limits) {
            self.ledger.denies(&asked.shown(), DenialReason::Budget);
            return Err(Error::ConnectionLimitReached);
        }
        Ok(Admitted { target, shown: asked.shown() })
    }

    /// Carries a request out. It takes no longer than the call.
    pub(super) async fn carry_out(
        &self,
        admitted: Admitted,
        request: Request<WasiBody>,
        options: Option<RequestOptions>,
    ) -> Result<Response<WasiBody>, Error> {
        let left = self.ends.saturating_duration_since(Instant::now());
        tokio::time::timeout(left, self.answered(admitted, request, options.unwrap_or_default()))
            .await
            .unwrap_or(Err(Error::HttpResponseTimeout))
    }

    async fn answered(
        &self,
        Admitted { target, shown }: Admitted,
        request: Request<WasiBody>,
        options: RequestOptions,
    ) -> Result<Response<WasiBody>, Error> {
        let (parts, body) = request.into_parts();
        let limits = &self.http.limits;
        let body = self.collected(body).await?;
        let _place = self.places.acquire().await.map_err(|_| Error::ConnectionLimitReached)?;
        let connection = within(options.connect_timeout, connect(&self.http, &target)).await;
        let connection = match connection.ok_or(Error::ConnectionTimeout)? {
            Ok(connection) => connection,
            Err(ConnectError::Prohibited) => {
                self.ledger.denies(&shown, DenialReason::Address);
                return Err(Error::DestinationIpProhibited);
            }
            Err(ConnectError::Failed(error)) => return Err(error),
        };
        let (mut sender, driver) = hyper::client::conn::http1::Builder::new()
            .max_buf_size(limits.header_bytes.max(LEAST_BUFFER))
            .max_headers(MOST_HEADERS)
            .handshake(TokioIo::new(connection))
            .await?;
        // Ends with this future: the connection is not used again.
        let _driver = wasmtime_wasi::runtime::spawn(driver);
        let request = outgoing(&target, parts.method, &parts.uri, parts.headers, body)?;
        let answer = within(options.first_byte_timeout, sender.send_request(request)).await;
        let answer = answer.ok_or(Error::ConnectionReadTimeout)?.map_err(too_long)?;
        self.incoming(answer, &target, options.between_bytes_timeout).await
    }

    /// The body that the component writes, to its end.
    async fn collected(&self, mut body: WasiBody) -> Result<Bytes, Error> {
        let mut collected = Vec::new();
        while let Some(frame) = body.frame().await {
            // Trailers stay here: hardly a server reads them, and some take them for headers.
            let Ok(data) = frame?.into_data() else { continue };
            if !self.ledger.sends(data.len(), &self.http.limits) {
                return Err(Error::HttpRequestBodySize(Some(self.http.limits.request_bytes as u64)));
            }
            collected.extend_from_slice(&data);
        }
        Ok(collected.into())
    }

    /// The answer, whole and without secrets.
    async fn incoming(
        &self,
        answer: Response<Incoming>,
        target: &Target,
        between_bytes: Option<Duration>,
    ) -> Result<Response<WasiBody>, Error> {
        let limits = &self.http.limits;
        let (mut parts, mut body) = answer.into_parts();
        if parts.status == StatusCode::SWITCHING_PROTOCOLS {
            return Err(Error::HttpUpgradeFailed);
        }
        if length(&parts.headers) > limits.header_bytes {
            return Err(Error::HttpResponseHeaderSectionSize(u32::try_from(limits.header_bytes).ok()));
        }
        readable(target, &parts.headers)?;
        let mut collected = Vec::new();
        while let Some(frame) = within(between_bytes, body.frame()).await.ok_or(Error::ConnectionReadTimeout)? {
            let Ok(data) = frame.map_err(|_| Error::HttpResponseIncomplete)?.into_data() else { continue };
            if !self.ledger.receives(data.len(), limits) {
                return Err(too_much(limits));
            }
            collected.extend_from_slice(&data);
        }
        // Every secret of the component, not only those of this host: two hosts can know the same one.
        if !self.http.secrets.is_empty() {
            let came = collected.len();
            collected = self.http.known.scrub_bytes(collected);
            scrub_headers(&self.http, &mut parts.headers);
            if collected.len() != came {
                // As long as it is now. An answer to HEAD has no body, and keeps what it says of one.
                parts.headers.insert(header::CONTENT_LENGTH, collected.len().into());
            }
        }
        let whole = Full::new(Bytes::from(collected)).map_err(|never| match never {}).boxed_unsync();
        Ok(Response::from_parts(parts, whole))
    }
}

/// The request as it goes out: for the host that was judged, whatever else the component wrote.
fn outgoing(
    target: &Target,
    method: Method,
    address: &http::Uri,
    mut headers: HeaderMap,
    body: Bytes,
) -> Result<Request<Full<Bytes>>, Error> {
    // Origin form: an absolute one in its place can name another host.
    let path = address.path_and_query().map_or("/", |path| path.as_str());
    let path = if path.starts_with('?') { format!("/{path}") } else { path.to_owned() };
    let uri = http::Uri::builder().path_and_query(path).build().map_err(|_| Error::HttpRequestUriInvalid)?;
    let mut host = target.host.to_string();
    if target.port != target.scheme.port() {
        host.push_str(&format!(":{}", target.port));
    }
    // The judge refused a request that has one; this is where it would matter.
    let own: Vec<_> = headers.keys().filter(|name| belongs_to_the_connection(name)).cloned().collect();
    for name in own {
        headers.remove(name);
    }
    headers.insert(header::HOST, HeaderValue::from_str(&host).map_err(|_| Error::HttpRequestUriInvalid)?);
    // That of the body as it is; the component's was held against it while it was written.
    headers.remove(header::CONTENT_LENGTH);
    for secret in &target.secrets {
        let (name, value) = secret.header();
        headers.insert(name, value.clone());
    }
    if !target.secrets.is_empty() {
        // In a compressed answer a secret would not be found.
        headers.insert(header::ACCEPT_ENCODING, HeaderValue::from_static("identity"));
    }
    let mut request = Request::new(Full::new(body));
    *request.method_mut() = method;
    *request.uri_mut() = uri;
    *request.headers_mut() = headers;
    Ok(request)
}

/// Refuses an answer to a request with a secret that the host could not look through.
fn readable(target: &Target, headers: &HeaderMap) -> Result<(), Error> {
    let plain = |value: &HeaderValue| value.as_bytes().eq_ignore_ascii_case(b"identity");
    if target.secrets.is_empty() || headers.get_all(header::CONTENT_ENCODING).iter().all(plain) {
        return Ok(());
    }
    // Which encoding it is, is not told: a host can write the secret there.
    Err(Error::HttpResponseContentCoding(None))
}

fn scrub_headers(http: &Http, headers: &mut HeaderMap) {
    let scrubbed = std::mem::take(headers).into_iter().scan(None, |last, (name, value)| {
        // The further values of a name come without it.
        if name.is_some() {
            last.clone_from(&name);
        }
        Some((last.clone(), value))
    });
    for (name, value) in scrubbed {
        let Some(name) = name else { continue };
        if http.secrets.iter().any(|secret: &HeaderSecret| secret.is_in_lower_case(name.as_str())) {
            continue;
        }
        // What is left of a header's value is one.
        if let Ok(value) = HeaderValue::from_bytes(&http.known.scrub_bytes(value.as_bytes().to_vec())) {
            headers.append(name, value);
        }
    }
}

fn length(headers: &HeaderMap) -> usize {
    headers.iter().map(|(name, value)| name.as_str().len() + value.len() + 4).sum()
}

fn too_much(limits: &HttpLimits) -> Error {
    Error::HttpResponseBodySize(Some(limits.response_bytes as u64))
}

fn too_long(error: hyper::Error) -> Error {
    if error.is_parse_too_large() { Error::HttpResponseHeaderSectionSize(None) } else { Error::Hyper(error) }
}

async fn within<T>(limit: Option<Duration>, work: impl Future<Output = T>) -> Option<T> {
    match limit {
        Some(limit) => tokio::time::timeout(limit, work).await.ok(),
        None => Some(work.await),
    }
}
