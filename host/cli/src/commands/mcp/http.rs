//! The server over HTTP: who is let in, and what connections may cost.

use super::Mcp;
use super::token;
use crate::exit::{Error, Result};
use crate::{output, runtime};
use bailiwick_mcp::Server;
use bailiwick_mcp::http::{self, Admission, ConnectionLimits, HttpLimits, HttpOptions, PATH};
use bailiwick_mcp::oauth::{Guard, OAuthLimits, Resource};
use std::net::SocketAddr;
use std::time::Duration;

pub(super) async fn serve(server: &Server, address: SocketAddr, mcp: &Mcp) -> Result<()> {
    let cannot = |error: std::io::Error| Error::failed(format!("cannot listen on `{address}`: {error}"));
    // Errors in the token or the issuer are reported before the server listens.
    let resource = |url: &str| resource(mcp, url);
    resource("http://127.0.0.1/mcp")?;
    let token = if mcp.oauth.oauth_issuer.is_none() { Some(token::token()?) } else { None };
    let made_up_token = token.as_ref().is_some_and(|token| token.generated);
    let replicas = mcp.replicas.options(address, made_up_token).await?;
    let listener = http::listen(address).await.map_err(cannot)?;
    let url = format!("http://{}{PATH}", listener.local_addr().map_err(cannot)?);
    let mut hosts = mcp.http_hosts.clone();
    if !address.ip().is_unspecified() {
        hosts.push(address.ip().to_string());
    }
    output::progress(&format!("listening on {url}"));
    let admission = match (token, resource(&url)?) {
        (Some(token), _) => {
            if token.generated {
                output::progress(&format!("bearer token: {}", token.token.reveal()));
            }
            Admission::Token(token.token)
        }
        (None, Some(resource)) => {
            hosts.extend(resource.host());
            let guard = Guard::new(resource, oauth_limits()).map_err(Error::failed)?;
            Admission::OAuth(Box::new(guard))
        }
        (None, None) => return Err(Error::usage("there is neither a token nor an issuer")),
    };
    let options =
        HttpOptions { admission, operators: mcp.oauth.oauth_operators.clone(), hosts, limits: limits(), replicas };
    http::serve(server, listener, options, runtime::interrupted())
        .await
        .map_err(|error| Error::failed(format!("clients cannot be served: {error}")))
}

/// This server as its issuer knows it, if it has one. `url` is where it listens.
fn resource(mcp: &Mcp, url: &str) -> Result<Option<Resource>> {
    let oauth = &mcp.oauth;
    let Some(issuer) = &oauth.oauth_issuer else { return Ok(None) };
    let audience = oauth.oauth_audience.as_deref().unwrap_or(url);
    let resource = Resource::new(issuer, audience, oauth.oauth_scopes.clone());
    resource.map(Some).map_err(|error| {
        Error::usage(error.to_string()).hint(
            "`--oauth-issuer` is the issuer as its tokens name it, `--oauth-audience` the URL that clients connect to",
        )
    })
}

fn limits() -> HttpLimits {
    HttpLimits {
        connections: ConnectionLimits {
            most: 512,
            head_within: Duration::from_secs(30),
            head_bytes: 64 * 1024,
            head_lines: 64,
            unread: Duration::from_secs(60),
            last_words: Duration::from_secs(3),
        },
        subjects: 64,
        programs: 8,
        requests: 128,
        sessions: 32,
        session_idle: Duration::from_secs(30 * 60),
        body_within: Duration::from_secs(60),
    }
}

fn oauth_limits() -> OAuthLimits {
    OAuthLimits {
        answer: Duration::from_secs(5),
        document_bytes: 256 * 1024,
        keys: 64,
        keys_valid: Duration::from_secs(60 * 60),
        between_questions: Duration::from_secs(30),
        token_bytes: 16 * 1024,
        skew: Duration::from_secs(60),
    }
}
