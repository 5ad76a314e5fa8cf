//! What an update would change, in words that a person can decide by.

use crate::manifest::{Access, Authority, Because, Manifest, Network, Scheme, Secret};
use crate::store::Release;

/// One thing that is asked for, on one line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wish {
    /// Of which kind, such as `directory`.
    pub kind: &'static str,
    /// What, such as `repo, to read`.
    pub what: String,
    /// Why, in the author's words.
    pub reason: String,
}

/// All that is asked for, line by line, in the manifest's order.
#[must_use]
pub fn wishes(authority: &Authority) -> Vec<Wish> {
    let Authority { directories, network, environment, secrets, clocks, random, limits } = authority;
    let mut all = Vec::new();
    for directory in directories {
        let access = match directory.access {
            Access::Read => "to read",
            Access::Write => "to read and write",
        };
        all.push(wish("directory", format!("{}, {access}", directory.name), &directory.reason));
    }
    all.extend(network.iter().map(|one| wish("network", reach(one), &one.reason)));
    all.extend(environment.iter().map(|one| wish("environment", one.name.clone(), &one.reason)));
    all.extend(secrets.iter().map(|one| wish("secret", sent(one), &one.reason)));
    let because = |kind, what: &str, because: &Option<Because>| {
        because.as_ref().map(|because| wish(kind, what.to_owned(), &because.reason))
    };
    all.extend(because("clocks", "the time", clocks));
    all.extend(because("random", "random bytes", random));
    let limits = [
        ("memory", limits.memory_mib, "MiB"),
        ("deadline", limits.deadline_seconds, "s"),
        ("input", limits.input_kib, "KiB"),
        ("output", limits.output_kib, "KiB"),
        ("written", limits.written_mib, "MiB"),
        ("open files", limits.open_files, ""),
    ];
    for (what, value, unit) in limits {
        let value = value.map(|value| format!("{what} {value} {unit}").trim_end().to_owned());
        all.extend(value.map(|what| wish("limit", what, "")));
    }
    all
}

fn wish(kind: &'static str, what: String, reason: &str) -> Wish {
    Wish { kind, what, reason: reason.to_owned() }
}

fn reach(network: &Network) -> String {
    let (scheme, usual) = match network.scheme {
        Scheme::Https => ("https", 443),
        Scheme::Http => ("http", 80),
    };
    let port = network.port.filter(|port| *port != usual).map(|port| format!(":{port}")).unwrap_or_default();
    let private = if network.private { ", private addresses too" } else { "" };
    let open = if network.scheme == Scheme::Http { ", unencrypted" } else { "" };
    format!("{scheme}://{}{port}, {}{open}{private}", network.host, network.methods.join(" "))
}

fn sent(secret: &Secret) -> String {
    format!("{}, sent to {} as `{}`", secret.name, secret.host, secret.header)
}

/// What differs between two releases, line by line: `+` is asked for in addition, `-` not any more. Empty where nothing
/// does that an approval is about.
#[must_use]
pub fn differences(old: &Release, new: &Release) -> Vec<String> {
    let mut lines = Vec::new();
    if old.digest != new.digest {
        lines.push(format!("- component sha256 {}", old.digest.hex()));
        lines.push(format!("+ component sha256 {}", new.digest.hex()));
    }
    let authority = |release: &Release| release.manifest.as_ref().map(Manifest::authority).unwrap_or_default();
    let (before, after) = (wishes(&authority(old)), wishes(&authority(new)));
    lines.extend(before.iter().filter(|wish| !after.contains(wish)).map(|wish| format!("- {}", wish.line())));
    lines.extend(after.iter().filter(|wish| !before.contains(wish)).map(|wish| format!("+ {}", wish.line())));
    for (gone, tool) in old
        .tools
        .iter()
        .filter(|tool| !new.tools.contains(tool))
        .map(|tool| ("-", tool))
        .chain(new.tools.iter().filter(|tool| !old.tools.contains(tool)).map(|tool| ("+", tool)))
    {
        lines.push(format!("{gone} tool {tool}"));
    }
    let said = |release: &Release| release.manifest.as_ref().map(|manifest| manifest.description.clone());
    let (before, after) = (said(old), said(new));
    if before != after {
        lines.extend(before.map(|text| format!("- description {text}")));
        lines.extend(after.map(|text| format!("+ description {text}")));
    }
    lines
}

impl Wish {
    /// On one line.
    #[must_use]
    pub fn line(&self) -> String {
        let because = if self.reason.is_empty() { String::new() } else { format!(": {}", self.reason) };
        format!("{} {}{because}", self.kind, self.what)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::digest::Digest;
    use crate::store::Source;

    fn release(asks: &str) -> Release {
        let text =
            format!("schema = 1\nname = \"t\"\nversion = \"1\"\ndescription = \"d\"\ncomponent = \"t.wasm\"\n{asks}");
        Release {
            digest: Digest::of(b"c"),
            tools: vec!["t".into()],
            manifest: Some(Manifest::parse(&text).unwrap()),
            words: Some(Digest::of(b"w")),
            source: Source::Unknown,
        }
    }

    #[test]
    fn what_is_asked_for_in_addition_and_not_any_more_is_told_apart() {
        let old =
            release("[[directories]]\nname = \"repo\"\naccess = \"read\"\nreason = \"r\"\n[clocks]\nreason = \"c\"");
        let new = release(
            "[[directories]]\nname = \"repo\"\naccess = \"write\"\nreason = \"r\"\n[[network]]\nhost = \"a.example\"\n\
             methods = [\"GET\", \"PUT\"]\nscheme = \"http\"\nprivate = true\nport = 8080\nreason = \"n\"\n[limits]\nmemory-mib = 9",
        );
        assert_eq!(
            differences(&old, &new),
            [
                "- directory repo, to read: r",
                "- clocks the time: c",
                "+ directory repo, to read and write: r",
                "+ network http://a.example:8080, GET PUT, unencrypted, private addresses too: n",
                "+ limit memory 9 MiB",
            ]
        );
        assert!(differences(&old, &old).is_empty());
        let mut other = old.clone();
        other.digest = Digest::of(b"other");
        other.tools = vec!["u".into()];
        assert_eq!(differences(&old, &other).len(), 4);
    }
}
