//! What `wasi:http` works on during one call. The types of the interface are wasmtime's; where a request goes, and
//! whether, is decided here.

use super::Http;
use super::exchange::Exchanges;
use super::ledger::Ledger;
use super::policy::belongs_to_the_connection;
use crate::cost::Cost;
use crate::denial::Denial;
use http::{HeaderName, Request, Response};
use std::io;
use std::sync::Arc;
use std::time::Instant;
use tokio::sync::Semaphore;
use wasmtime::component::ResourceTable;
use wasmtime_wasi_http::p2::bindings::http::types::ErrorCode;
use wasmtime_wasi_http::{
    Error, ForbiddenHeaderFilter, RequestOptions, WasiBody, WasiHttpCtx, WasiHttpCtxView, WasiHttpHooks,
};

/// Pieces of a body that are taken before its request is handed over: some languages write all of it first.
const WRITTEN_AHEAD: usize = 64;

/// The largest of these pieces, in bytes.
const PIECE: usize = 16 << 10;

/// The requests of one call.
pub(crate) struct Requests {
    context: WasiHttpCtx,
    sender: Sender,
}

/// `None` for a component that may ask for nothing: it cannot import the interface, and if it could, nothing would
/// leave.
struct Sender(Option<Arc<Exchanges>>);

impl Requests {
    /// For one call that is over at `ends`.
    pub(crate) fn new(http: Option<&Arc<Http>>, ends: Instant) -> Self {
        let mut context = WasiHttpCtx::new();
        if let Some(http) = http {
            context.set_field_size_limit(http.limits.header_bytes);
        }
        let exchanges = http.map(|http| {
            let places = Semaphore::new(http.limits.at_once.min(Semaphore::MAX_PERMITS));
            Arc::new(Exchanges { http: http.clone(), ledger: Ledger::default(), places, ends })
        });
        Self { context, sender: Sender(exchanges) }
    }

    /// What the bindings of `wasi:http` ask for.
    pub(crate) fn view<'a>(&'a mut self, table: &'a mut ResourceTable) -> WasiHttpCtxView<'a> {
        WasiHttpCtxView { hooks: &mut self.sender, table, ctx: &mut self.context }
    }

    /// Adds what was spent to the cost of the call, and the refused requests to its refused attempts.
    pub(crate) fn settle(&self, cost: &mut Cost, denials: &mut Vec<Denial>) {
        if let Some(exchanges) = &self.sender.0 {
            exchanges.ledger.settle(cost, denials);
        }
    }

    /// The text without the secrets that were given for the requests, however it came by them.
    pub(crate) fn scrub(&self, text: String) -> String {
        use bailiwick_audit::Scrub as _;
        match &self.sender.0 {
            Some(exchanges) if !exchanges.http.secrets.is_empty() => exchanges.http.known.scrub(text),
            Some(_) | None => text,
        }
    }
}

type Driven = Box<dyn Future<Output = Result<(), Error>> + Send>;

impl WasiHttpHooks for Sender {
    fn is_forbidden_header(&mut self, name: &HeaderName) -> bool {
        belongs_to_the_connection(name)
    }

    fn forbidden_header_filter(&mut self) -> ForbiddenHeaderFilter {
        Arc::new(belongs_to_the_connection)
    }

    fn set_host_header(&mut self) -> bool {
        // The host's own is put in where the request leaves.
        false
    }

    fn send_request(
        &mut self,
        request: Request<WasiBody>,
        options: Option<RequestOptions>,
        _: Driven,
    ) -> Box<dyn Future<Output = Result<(Response<WasiBody>, Driven), Error>> + Send> {
        let Some(exchanges) = self.0.clone() else { return Box::new(async { Err(Error::HttpRequestDenied) }) };
        // Judged at once, so that it is on record even if the component does not wait.
        let admitted = match exchanges.admit(&request) {
            Ok(admitted) => admitted,
            Err(error) => return Box::new(async { Err(error) }),
        };
        Box::new(async move {
            let answer = exchanges.carry_out(admitted, request, options).await?;
            Ok((answer, Box::new(async { Ok(()) }) as Driven))
        })
    }

    fn p2_outgoing_body_buffer_chunks(&mut self) -> usize {
        WRITTEN_AHEAD
    }

    fn p2_outgoing_body_chunk_size(&mut self) -> usize {
        PIECE
    }

    // What goes wrong is told to the component and not to the log of this process.
    fn p2_error_from_hyper(&mut self, error: &hyper::Error) -> ErrorCode {
        if error.is_incomplete_message() { ErrorCode::HttpResponseIncomplete } else { ErrorCode::HttpProtocolError }
    }

    fn p2_error_from_connect(&mut self, error: &io::Error) -> ErrorCode {
        match error.kind() {
            io::ErrorKind::ConnectionRefused => ErrorCode::ConnectionRefused,
            io::ErrorKind::TimedOut => ErrorCode::ConnectionTimeout,
            io::ErrorKind::HostUnreachable | io::ErrorKind::NetworkUnreachable => ErrorCode::DestinationIpUnroutable,
            _ => ErrorCode::DestinationUnavailable,
        }
    }

    fn p2_error_from_tls(&mut self, error: &io::Error) -> ErrorCode {
        let certificate = error
            .get_ref()
            .and_then(|inner| inner.downcast_ref::<rustls::Error>())
            .is_some_and(|error| matches!(error, rustls::Error::InvalidCertificate(_)));
        if certificate { ErrorCode::TlsCertificateError } else { ErrorCode::TlsProtocolError }
    }
}
