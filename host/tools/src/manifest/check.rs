//! What the types of a manifest cannot say.

use super::{Because, Limits, Manifest, Network, Provenance, Scheme, Secret, VERSION};
use bailiwick_audit::is_invisible;
use std::collections::BTreeSet;

/// How many of each kind may be asked for. A person reads them all.
const MOST: usize = 32;
/// Characters of a reason.
const REASON: usize = 300;
/// Characters of a description.
const DESCRIPTION: usize = 2000;

/// A key, and what is wrong with its value.
pub(super) struct Wrong {
    pub(super) key: String,
    pub(super) reason: String,
}

type Checked = Result<(), Wrong>;

pub(super) fn check(manifest: &Manifest) -> Checked {
    if manifest.schema != VERSION {
        return wrong("schema", &format!("has to be {VERSION}: this program reads no other form"));
    }
    name("name", &manifest.name)?;
    text("version", &manifest.version, 64)?;
    text("description", &manifest.description, DESCRIPTION)?;
    file("component", &manifest.component)?;
    requests(manifest)?;
    limits(&manifest.limits)?;
    manifest.provenance.as_ref().map_or(Ok(()), provenance)
}

fn requests(manifest: &Manifest) -> Checked {
    few("directories", manifest.directories.len())?;
    few("network", manifest.network.len())?;
    few("environment", manifest.environment.len())?;
    few("secrets", manifest.secrets.len())?;
    let mut seen = BTreeSet::new();
    for (index, directory) in manifest.directories.iter().enumerate() {
        let key = format!("directories[{index}]");
        directory_name(&format!("{key}.name"), &directory.name)?;
        once(&format!("{key}.name"), &mut seen, &directory.name)?;
        reason(&key, &directory.reason)?;
    }
    for (index, network) in manifest.network.iter().enumerate() {
        let key = format!("network[{index}]");
        self::network(&key, network)?;
        if manifest.network[..index].contains(network) {
            return wrong(&key, "asks for the same once more");
        }
    }
    seen.clear();
    for (index, variable) in manifest.environment.iter().enumerate() {
        let key = format!("environment[{index}]");
        variable_name(&format!("{key}.name"), &variable.name)?;
        once(&format!("{key}.name"), &mut seen, &variable.name)?;
        reason(&key, &variable.reason)?;
    }
    seen.clear();
    for (index, secret) in manifest.secrets.iter().enumerate() {
        let key = format!("secrets[{index}]");
        self::secret(&key, secret, manifest)?;
        let place = format!("{} {}", secret.host.to_ascii_lowercase(), secret.header.to_ascii_lowercase());
        if !seen.insert(place) {
            return wrong(&format!("{key}.header"), "is another secret's at this host already");
        }
    }
    because("clocks", manifest.clocks.as_ref())?;
    because("random", manifest.random.as_ref())
}

fn network(key: &str, network: &Network) -> Checked {
    host(&format!("{key}.host"), &network.host)?;
    if network.methods.is_empty() || network.methods.len() > 16 {
        return wrong(&format!("{key}.methods"), "has to name 1 to 16 methods, such as `GET`");
    }
    let mut seen = BTreeSet::new();
    for (index, method) in network.methods.iter().enumerate() {
        let at = format!("{key}.methods[{index}]");
        let plain = !method.is_empty() && method.len() <= 32 && method.bytes().all(|byte| byte.is_ascii_uppercase());
        // CONNECT would make a tunnel, through which no rule sees anything, and TRACE is answered with the request, secrets
        // and all.
        if !plain || matches!(method.as_str(), "CONNECT" | "TRACE") {
            return wrong(&at, "has to be a method in capital letters, and not `CONNECT` or `TRACE`");
        }
        once(&at, &mut seen, method)?;
    }
    if network.port == Some(0) {
        return wrong(&format!("{key}.port"), "has to be a port from 1 to 65535");
    }
    reason(key, &network.reason)
}

fn secret(key: &str, secret: &Secret, manifest: &Manifest) -> Checked {
    name(&format!("{key}.name"), &secret.name)?;
    host(&format!("{key}.host"), &secret.host)?;
    if secret.host.starts_with('*') {
        return wrong(&format!("{key}.host"), "has to be one host: a secret is sent to this host only");
    }
    let same = |network: &&Network| network.host.eq_ignore_ascii_case(&secret.host) && network.scheme == Scheme::Https;
    if !manifest.network.iter().any(|network| same(&network)) {
        return wrong(&format!("{key}.host"), "has to be a host of `[[network]]` too, spoken to over https");
    }
    header(&format!("{key}.header"), &secret.header)?;
    if let Some(prefix) = &secret.prefix
        && (prefix.len() > 32 || !prefix.bytes().all(|byte| matches!(byte, b' '..=b'~')))
    {
        return wrong(&format!("{key}.prefix"), "has to be up to 32 ASCII characters that can be seen, or spaces");
    }
    reason(key, &secret.reason)
}

/// Headers that say where a request goes and how it is framed are the host's.
fn header(key: &str, header: &str) -> Checked {
    const FRAMING: [&str; 10] = [
        "connection",
        "content-length",
        "expect",
        "host",
        "keep-alive",
        "proxy-connection",
        "te",
        "trailer",
        "transfer-encoding",
        "upgrade",
    ];
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
    if header.is_empty() || header.len() > 64 || !header.bytes().all(plain) {
        return wrong(key, "has to be the name of a header: up to 64 letters, digits and `-`");
    }
    if FRAMING.iter().any(|framing| header.eq_ignore_ascii_case(framing)) {
        return wrong(key, "has to be a header that only carries data");
    }
    Ok(())
}

/// What could be a host; which addresses it may have is judged when it is spoken to.
fn host(key: &str, host: &str) -> Checked {
    let bare = host.strip_prefix("*.").unwrap_or(host);
    let address = bare == host && bare.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).is_some_and(ip_6);
    let label = |label: &str| {
        let plain = label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
        plain && (1..=63).contains(&label.len()) && !label.starts_with('-') && !label.ends_with('-')
    };
    if address || (!bare.is_empty() && host.len() <= 253 && bare.split('.').all(label)) {
        // `*.com` would be half of the world.
        if bare != host && !bare.contains('.') {
            return wrong(key, "has to have two names at least behind `*.`");
        }
        return Ok(());
    }
    wrong(
        key,
        "has to be a host such as `api.example.com` or `*.example.com`, in ASCII and without scheme, port or path",
    )
}

fn ip_6(text: &str) -> bool {
    text.parse::<std::net::Ipv6Addr>().is_ok()
}

fn limits(limits: &Limits) -> Checked {
    let all = [
        ("memory-mib", limits.memory_mib, 4096),
        ("deadline-seconds", limits.deadline_seconds, 3600),
        ("input-kib", limits.input_kib, 1 << 20),
        ("output-kib", limits.output_kib, 1 << 20),
        ("written-mib", limits.written_mib, 1 << 16),
        ("open-files", limits.open_files, 1 << 20),
    ];
    for (key, value, most) in all {
        if value.is_some_and(|value| value == 0 || value > most) {
            return wrong(&format!("limits.{key}"), &format!("has to be from 1 to {most}"));
        }
    }
    Ok(())
}

fn provenance(provenance: &Provenance) -> Checked {
    let Provenance { source, revision, license, authors } = provenance;
    for (key, value) in [("source", source), ("revision", revision), ("license", license)] {
        if let Some(value) = value {
            text(&format!("provenance.{key}"), value, 500)?;
        }
    }
    few("provenance.authors", authors.len())?;
    authors
        .iter()
        .enumerate()
        .try_for_each(|(index, author)| text(&format!("provenance.authors[{index}]"), author, 200))
}

fn because(key: &str, because: Option<&Because>) -> Checked {
    because.map_or(Ok(()), |because| reason(key, &because.reason))
}

fn reason(key: &str, reason: &str) -> Checked {
    text(&format!("{key}.reason"), reason, REASON)
}

/// One line that shows all that it holds.
fn text(key: &str, text: &str, most: usize) -> Checked {
    if text.trim().is_empty() {
        return wrong(key, "has to say something");
    }
    if text.chars().count() > most {
        return wrong(key, &format!("has to be up to {most} characters"));
    }
    match text.chars().find(|character| is_invisible(*character)) {
        Some(unseen) => wrong(
            key,
            &format!("has to be one line of visible characters, and `{}` is not visible", unseen.escape_unicode()),
        ),
        None => Ok(()),
    }
}

fn name(key: &str, name: &str) -> Checked {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    if name.is_empty() || name.len() > 64 || !name.bytes().all(plain) {
        return wrong(key, "has to be up to 64 letters, digits, `-` and `_`");
    }
    Ok(())
}

/// As the sandbox names grants.
fn directory_name(key: &str, name: &str) -> Checked {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    if name.is_empty() || name.len() > 64 || name.starts_with('.') || !name.bytes().all(plain) {
        return wrong(key, "has to be up to 64 letters, digits, `-`, `_` and `.`, and not begin with `.`");
    }
    Ok(())
}

/// A file beside the manifest and nowhere else.
fn file(key: &str, name: &str) -> Checked {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    if name.is_empty() || name.len() > 128 || name.starts_with('.') || !name.bytes().all(plain) {
        return wrong(key, "has to be the name of a file beside the manifest: letters, digits, `-`, `_` and `.`");
    }
    Ok(())
}

fn variable_name(key: &str, name: &str) -> Checked {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    if name.is_empty() || name.len() > 128 || name.as_bytes()[0].is_ascii_digit() || !name.bytes().all(plain) {
        return wrong(key, "has to be the name of an environment variable: letters, digits and `_`");
    }
    Ok(())
}

fn once(key: &str, seen: &mut BTreeSet<String>, name: &str) -> Checked {
    if seen.insert(name.to_owned()) { Ok(()) } else { wrong(key, "is there twice") }
}

fn few(key: &str, count: usize) -> Checked {
    if count > MOST { wrong(key, &format!("has to be {MOST} at most, and there are {count}")) } else { Ok(()) }
}

fn wrong(key: &str, reason: &str) -> Checked {
    Err(Wrong { key: key.to_owned(), reason: reason.to_owned() })
}
