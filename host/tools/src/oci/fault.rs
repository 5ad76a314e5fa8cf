//! What a connection that failed failed of, in words for a person.

use super::error::OciError;
use super::registry::Limits;
use hyper_util::client::proxy::matcher::Matcher;
use reqwest::Url;
use rustls::{CertificateError, InvalidMessage};
use std::error::Error;

/// What happened to a request to a registry. Addresses are left out, since one may hold a token.
pub(super) fn told(host: &str, local: bool, error: reqwest::Error, limits: &Limits) -> OciError {
    let host = host.to_owned();
    // A registry on this machine is asked without one.
    let proxy = if local { None } else { error.url().and_then(proxy) };
    let through = proxy.map(|proxy| format!(" through the proxy `{proxy}`")).unwrap_or_default();
    if error.is_timeout() {
        return OciError::TooSlow { host, through, idle: limits.idle.as_secs(), deadline: limits.deadline.as_secs() };
    }
    let cause = causes(&error).find_map(|cause| cause.downcast_ref::<rustls::Error>());
    let reason = match cause {
        Some(rustls::Error::InvalidCertificate(why)) => {
            return OciError::Certificate { host, reason: certificate(why) };
        }
        Some(rustls::Error::InvalidMessage(InvalidMessage::InvalidContentType)) => {
            "what answers does not speak TLS".to_owned()
        }
        _ => tunnel(&error).unwrap_or_else(|| chain(error)),
    };
    OciError::Unreachable { host, through, reason }
}

/// An error of a connection with its causes, without the address.
pub(super) fn chain(error: reqwest::Error) -> String {
    let error = error.without_url();
    let mut text = error.to_string();
    for cause in causes(&error).skip(1) {
        let more = cause.to_string();
        if !text.contains(&more) {
            text = format!("{text}: {more}");
        }
    }
    text
}

/// The proxy that a request to this address goes through, without the password that may be in its own.
fn proxy(url: &Url) -> Option<String> {
    let proxy = Matcher::from_system().intercept(&url.as_str().parse().ok()?)?;
    let address = proxy.uri();
    let port = address.port_u16().map(|port| format!(":{port}")).unwrap_or_default();
    Some(format!("{}://{}{port}", address.scheme_str().unwrap_or("http"), address.host()?))
}

/// What a proxy said that would not connect. Its kinds are not public, and their words are.
fn tunnel(error: &reqwest::Error) -> Option<String> {
    let said = causes(error).map(ToString::to_string).find(|text| text.starts_with("tunnel error: "))?;
    Some(match said.trim_start_matches("tunnel error: ") {
        "unsuccessful" => "the proxy refuses to connect there".to_owned(),
        "proxy authorization required" => "the proxy wants to know who asks".to_owned(),
        "unexpected end of file" => "the proxy ends the connection".to_owned(),
        other => format!("the proxy makes no connection: {other}"),
    })
}

fn certificate(why: &CertificateError) -> String {
    match why {
        CertificateError::UnknownIssuer => "no authority that is known here issued it".to_owned(),
        CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => {
            "it is for another host".to_owned()
        }
        CertificateError::Expired | CertificateError::ExpiredContext { .. } => "it has expired".to_owned(),
        CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. } => "it is not valid yet".to_owned(),
        CertificateError::Revoked => "it was revoked".to_owned(),
        other => other.to_string(),
    }
}

/// An error and what is behind it. An error of the system does not name what it wraps as its cause, but only the cause
/// of that.
fn causes<'a>(error: &'a (dyn Error + 'static)) -> impl Iterator<Item = &'a (dyn Error + 'static)> {
    std::iter::successors(Some(error), |error| {
        let error: &'a (dyn Error + 'static) = *error;
        let wrapped = error.downcast_ref::<std::io::Error>().and_then(std::io::Error::get_ref);
        wrapped.map(|inner| inner as &(dyn Error + 'static)).or_else(|| error.source())
    })
}
