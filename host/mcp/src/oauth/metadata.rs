//! Where clients learn who gives out tokens for this server (RFC 9728), and the challenges that lead there (RFC 6750).

use super::settings::Resource;
use super::token::Refused;
use reqwest::Url;
use serde_json::{Value, json};

/// The beginning of the path of the document, after which the path of the resource follows.
pub const WELL_KNOWN: &str = "/.well-known/oauth-protected-resource";

/// The document.
#[must_use]
pub fn document(resource: &Resource) -> Value {
    let mut document = json!({
        "resource": resource.audience,
        "authorization_servers": [resource.issuer],
        "bearer_methods_supported": ["header"],
        "resource_name": "bailiwick",
    });
    if !resource.scopes.is_empty() {
        document["scopes_supported"] = json!(resource.scopes);
    }
    document
}

/// Where the document is, as clients reach it.
#[must_use]
pub fn place(resource: &Resource) -> String {
    let Ok(mut url) = Url::parse(&resource.audience) else { return String::new() };
    let path = url.path().trim_end_matches('/').to_owned();
    url.set_path(&format!("{WELL_KNOWN}{path}"));
    url.into()
}

/// What a refused request is told in `WWW-Authenticate`.
#[must_use]
pub fn challenge(resource: &Resource, refused: Option<&Refused>) -> String {
    let mut parts = Vec::new();
    match refused {
        Some(Refused::Scope) => parts.push("error=\"insufficient_scope\"".to_owned()),
        Some(refused) => {
            parts.push("error=\"invalid_token\"".to_owned());
            // These are words of ours, in which nothing of the token stands.
            parts.push(format!("error_description=\"{refused}\""));
        }
        None => {}
    }
    if !resource.scopes.is_empty() {
        parts.push(format!("scope=\"{}\"", resource.scopes.join(" ")));
    }
    parts.push(format!("resource_metadata=\"{}\"", place(resource)));
    format!("Bearer {}", parts.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn document_stands_between_host_and_path_of_the_resource() {
        for (audience, expected) in [
            ("https://mcp.example/mcp", "https://mcp.example/.well-known/oauth-protected-resource/mcp"),
            ("https://mcp.example", "https://mcp.example/.well-known/oauth-protected-resource"),
            ("http://127.0.0.1:81/a/mcp/", "http://127.0.0.1:81/.well-known/oauth-protected-resource/a/mcp"),
        ] {
            let resource = Resource::new("https://login.example", audience, Vec::new()).unwrap();
            assert_eq!(place(&resource), expected);
            assert_eq!(document(&resource)["resource"], audience, "exactly as tokens name it");
        }
    }

    #[test]
    fn challenge_names_the_document_the_scopes_and_the_error() {
        let scopes = vec!["read".into(), "run".into()];
        let resource = Resource::new("https://login.example", "https://mcp.example/mcp", scopes).unwrap();
        let metadata = "resource_metadata=\"https://mcp.example/.well-known/oauth-protected-resource/mcp\"";
        assert_eq!(challenge(&resource, None), format!("Bearer scope=\"read run\", {metadata}"));
        let missing = challenge(&resource, Some(&Refused::Scope));
        assert_eq!(missing, format!("Bearer error=\"insufficient_scope\", scope=\"read run\", {metadata}"));
        assert!(challenge(&resource, Some(&Refused::Expired)).starts_with("Bearer error=\"invalid_token\", "));
    }
}
