//! The hosts of a manifest as what the sandbox lets a tool ask, with the secrets that a person keeps for it.

use bailiwick_sandbox::http::{HeaderSecret, Http, HttpLimits, Reach, Rule, Scheme, Trust};
use std::sync::Arc;

use super::{Host, Problem, Result};
use crate::manifest::{self, Manifest};
use crate::secrets::Secrets;

/// What the requests of one call may spend. Their time is that of the call.
const LIMITS: HttpLimits =
    HttpLimits { requests: 64, at_once: 8, request_bytes: 4 << 20, response_bytes: 8 << 20, header_bytes: 32 << 10 };

/// What a component imports that asks for hosts, with nothing behind it: no request leaves.
///
/// # Errors
/// A host that cannot be read cannot be approved either.
pub(super) fn closed(manifest: &Manifest) -> Result<Option<Arc<Http>>> {
    manifest.network.iter().try_for_each(|asked| rule(asked).map(drop))?;
    let asks = !manifest.network.is_empty();
    Ok(asks.then(|| Arc::new(Http::new(Vec::new(), Vec::new(), LIMITS, Trust::Platform))))
}

/// What a person approved.
///
/// # Errors
/// A host cannot be read as one, or a secret is not there, or is kept for another host.
pub(super) fn http(host: &dyn Host, manifest: &Manifest) -> Result<Option<Arc<Http>>> {
    if manifest.network.is_empty() {
        return Ok(None);
    }
    let rules = manifest.network.iter().map(rule).collect::<Result<Vec<_>>>()?;
    let secrets = if manifest.secrets.is_empty() { Vec::new() } else { added(host, manifest, &host.secrets()?)? };
    Ok(Some(Arc::new(Http::new(rules, secrets, LIMITS, Trust::Platform))))
}

fn rule(asked: &manifest::Network) -> Result<Rule> {
    let scheme = match asked.scheme {
        manifest::Scheme::Https => Scheme::Https,
        manifest::Scheme::Http => Scheme::Http,
    };
    let reach = if asked.private { Reach::Private } else { Reach::Public };
    Rule::new(scheme, &asked.host, asked.port, asked.methods.iter().map(String::as_str), reach)
        .map_err(|error| Problem::refused(format!("the manifest's `network` cannot be granted: {error}")))
}

fn added(host: &dyn Host, manifest: &Manifest, kept: &Secrets) -> Result<Vec<HeaderSecret>> {
    manifest.secrets.iter().map(|asked| one(host, &manifest.name, asked, kept)).collect()
}

fn one(host: &dyn Host, tool: &str, asked: &manifest::Secret, kept: &Secrets) -> Result<HeaderSecret> {
    let found = kept.get(&asked.name).map_err(|error| {
        let error = Problem::from(&error);
        let message = format!("`{tool}` asks for a secret: {}", error.message);
        let set = format!("`bailiwick tool secret set {} --host {}` asks for it", asked.name, asked.host);
        Problem { message, ..error }.hint(set)
    })?;
    // Whatever was approved: a secret is its host's.
    if !found.host.eq_ignore_ascii_case(&asked.host) {
        return Err(Problem::refused(format!(
            "`{tool}` wants the secret `{}` sent to `{}`, and it is kept for `{}`",
            asked.name, asked.host, found.host
        ))
        .hint(format!("keep it for that host with `bailiwick tool secret set {} --host {}`", asked.name, asked.host)));
    }
    let value = host.secret(&found).map_err(|error| {
        let message = format!("`{tool}` asks for the secret `{}`: {}", asked.name, error.message);
        Problem { message, ..error }
    })?;
    let prefix = asked.prefix.as_deref().unwrap_or_default();
    HeaderSecret::new(&asked.host, &asked.header, prefix, value.expose())
        .map_err(|error| Problem::refused(format!("the secret `{}` cannot be sent: {error}", asked.name)))
}

#[cfg(test)]
mod tests {
    use super::super::ProblemKind;
    use super::super::host::tests::TestHost;
    use super::*;
    use crate::secrets::Kept;

    fn asking(asks: &str) -> Manifest {
        let head = "schema = 1\nname = \"t\"\nversion = \"1\"\ndescription = \"d\"\ncomponent = \"t.wasm\"\n";
        Manifest::parse(&format!("{head}{asks}")).unwrap()
    }

    const HOST: &str = "[[network]]\nhost = \"api.example.com\"\nmethods = [\"GET\"]\nreason = \"r\"\n";
    const SECRET: &str = "[[secrets]]\nname = \"token\"\nhost = \"api.example.com\"\nheader = \"Authorization\"\n\
                          prefix = \"Bearer \"\nreason = \"r\"\n";

    #[test]
    fn tool_that_asks_for_no_host_may_ask_none_and_before_approval_nothing_leaves() {
        let host = TestHost::default();
        assert_eq!(http(&host, &asking("")).unwrap(), None);
        assert_eq!(closed(&asking("")).unwrap(), None);
        assert!(closed(&asking(HOST)).unwrap().unwrap().rules().is_empty());
        let odd = asking(&HOST.replace("api.example.com", "127.1"));
        assert_eq!(closed(&odd).unwrap_err().kind, ProblemKind::Refused);
        let granted = http(&host, &asking(HOST)).unwrap().unwrap();
        assert_eq!(granted.rules()[0].to_string(), "GET https://api.example.com");
        let private = asking(&format!("{HOST}private = true\nport = 8443\nscheme = \"http\"\n"));
        let granted = http(&host, &private).unwrap().unwrap();
        assert_eq!(granted.rules()[0].to_string(), "GET http://api.example.com:8443, also at private addresses");
    }

    #[test]
    fn secret_is_added_for_the_host_that_it_is_kept_for_and_for_no_other() {
        let base = tempfile::tempdir().unwrap();
        let kept = Secrets::at(base.path().join("secrets"));
        let host = TestHost::default();
        let manifest = asking(&format!("{HOST}{SECRET}"));
        let missing = added(&host, &manifest, &kept).unwrap_err();
        assert_eq!(missing.kind, ProblemKind::Usage);
        assert!(missing.hint.unwrap().contains("tool secret set token --host api.example.com"));
        kept.set("token", &Kept::new("other.example.com", "sk-canary").unwrap()).unwrap();
        let refused = added(&host, &manifest, &kept).unwrap_err();
        assert_eq!(refused.kind, ProblemKind::Refused);
        assert!(!refused.message.contains("canary"), "{}", refused.message);
        kept.set("token", &Kept::new("API.example.com", "sk-canary").unwrap()).unwrap();
        assert_eq!(added(&host, &manifest, &kept).unwrap().len(), 1);
        assert_eq!(*host.asked.lock().unwrap(), ["sk-canary"], "the program learns each value that is used");
    }
}
