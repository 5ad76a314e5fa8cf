//! `bailiwick.toml`: what a person uses on this machine. The environment goes before it, and flags before that.
//!
//! ```toml
//! model = "openai:gpt-5"
//!
//! [models."openai:gpt-5"]
//! window = 400000              # tokens of a request and its answer
//! output-limit = 32000         # tokens of an answer
//! input-price = "1.25"         # of a million tokens
//! cached-input-price = "0.125" # as `input-price` if left out
//! output-price = "10"
//!
//! [limits]
//! money = "2.50"               # the most that one agent may cost
//! workflow-hours = 168         # a workflow without a step for so long expires
//!
//! [sources."registry.example.com/team"]   # also `files`, or `*` for every source that is not named
//! keys = ["RWQ…"]              # of minisign: what comes from there is signed by one of them, or refused
//!
//! [registries."registry.example.com:5000"]
//! ca = "/etc/ssl/ours.pem"     # certificate authorities that are believed of it, besides those of this machine
//! ```

use crate::exit::{Error, Result};
use bailiwick_agent::Prices;
use bailiwick_agent::file::nearest;
use bailiwick_models::Choice;
use bailiwick_tools::oci::Reference;
use bailiwick_tools::signature::TrustedKeys;
use std::ffi::OsString;
use std::io::Read;
use std::path::{Path, PathBuf};
use toml::{Table, Value};

/// Names the file in place of the one in the person's directory for configurations.
pub(crate) const VARIABLE: &str = "BAILIWICK_CONFIG";

/// A file that a person wrote; anything larger is a mistake.
const LARGEST: u64 = 1 << 20;

const KEYS: [&str; 5] = ["model", "models", "limits", "sources", "registries"];
const MODEL_KEYS: [&str; 5] = ["window", "output-limit", "input-price", "cached-input-price", "output-price"];
const SOURCE_KEYS: [&str; 1] = ["keys"];
const REGISTRY_KEYS: [&str; 1] = ["ca"];
const LIMIT_KEYS: [&str; 2] = ["money", "workflow-hours"];
/// A longer waiting time than a year is refused.
const MOST_HOURS: i64 = 8_760;

/// What the file says; nothing where there is none.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Configuration {
    /// The model where neither a flag nor the environment names one.
    pub(crate) model: Option<String>,
    /// The most that one agent may cost, in millionths of one unit of money.
    pub(crate) money: Option<u64>,
    /// After how many hours without a step a workflow expires.
    pub(crate) workflow_hours: Option<u64>,
    /// By `provider:name`.
    models: Vec<(String, Known)>,
    /// Whose signatures count for other people's tools, by where they come from.
    sources: Vec<(String, Vec<String>)>,
    /// Certificate authorities of registries, by the registry's host.
    authorities: Vec<(String, PathBuf)>,
    /// Where the file is or would be, for messages; empty if it can be nowhere.
    pub(crate) shown: String,
}

/// What is known of a model.
#[derive(Debug, Default, Clone, Copy, PartialEq)]
pub(crate) struct Known {
    /// Tokens of a request and its answer.
    pub(crate) window: Option<u64>,
    /// Tokens of an answer.
    pub(crate) output_limit: Option<u32>,
    pub(crate) prices: Option<Prices>,
}

impl Configuration {
    /// Reads the file that `BAILIWICK_CONFIG` names, or the one in the person's directory, which need not be there.
    pub(crate) fn read() -> Result<Self> {
        let set = |name: &str| std::env::var_os(name).filter(|value: &OsString| !value.is_empty()).map(PathBuf::from);
        let named = set(VARIABLE);
        let usual = || {
            let xdg = set("XDG_CONFIG_HOME").filter(|base| base.is_absolute());
            xdg.or_else(|| Some(set("HOME")?.join(".config"))).map(|base| base.join("bailiwick/bailiwick.toml"))
        };
        match (&named, named.clone().or_else(usual)) {
            (_, None) => Ok(Self::default()),
            (None, Some(path)) if std::fs::symlink_metadata(&path).is_err_and(|error| is_missing(&error)) => {
                Ok(Self { shown: path.display().to_string(), ..Self::default() })
            }
            (_, Some(path)) => Self::parse(&text(&path, named.is_some())?, &path),
        }
    }

    fn parse(text: &str, path: &Path) -> Result<Self> {
        let shown = path.display().to_string();
        let wrong = |sentence: String| Error::usage(format!("`{shown}`: {sentence}"));
        let file: Table = text.parse().map_err(|error: toml::de::Error| {
            let at = text.floor_char_boundary(error.span().map_or(0, |span| span.start).min(text.len()));
            let line = text[..at].matches('\n').count() + 1;
            wrong(format!("line {line} is not TOML: {}", error.message().replace('\n', " ")))
                .hint("the file is TOML: `key = \"value\"` lines and `[table]` lines")
        })?;
        Self::of(&file, shown.clone()).map_err(|problem| wrong(problem.sentence).hint(problem.hint))
    }

    fn of(file: &Table, shown: String) -> std::result::Result<Self, Problem> {
        known_keys("", file, &KEYS)?;
        let model = match file.get("model") {
            None => None,
            Some(Value::String(name)) => Some(name.clone()),
            Some(_) => return Err(Problem::wrong("model", "a text, such as `\"openai:gpt-5\"`")),
        };
        let mut models = Vec::new();
        for (name, value) in table("models", file)?.into_iter().flatten() {
            let place = format!("models.\"{}\"", name.escape_debug());
            if name.contains('@') || format!("{name}@http://localhost").parse::<Choice>().is_err() {
                return Err(Problem::wrong(
                    &place,
                    "named as in `--model`, without an address: `[models.\"openai:gpt-5\"]`",
                ));
            }
            let Value::Table(entry) = value else { return Err(Problem::wrong(&place, "a table")) };
            models.push((name.clone(), known(&place, entry)?));
        }
        let (money, workflow_hours) = match table("limits", file)? {
            None => (None, None),
            Some(limits) => {
                known_keys("limits.", limits, &LIMIT_KEYS)?;
                (price("limits.", limits, "money")?, hours("limits.", limits, "workflow-hours")?)
            }
        };
        let sources = sources(file)?;
        let authorities = registries(file)?;
        Ok(Self { model, money, workflow_hours, models, sources, authorities, shown })
    }

    /// Whose signatures count for other people's tools.
    ///
    /// # Errors
    /// A source or a key is not written as one.
    pub(crate) fn trusted_keys(&self) -> Result<TrustedKeys> {
        TrustedKeys::parse(self.sources.clone()).map_err(|error| {
            Error::usage(format!("`{}`: {error}", self.shown)).hint(
                "a source is `files`, a registry such as `registry.example.com/team`, or `*`; a key is the line that \
                 `minisign -G` prints",
            )
        })
    }

    /// The file of certificate authorities that is named for a registry.
    pub(crate) fn authority(&self, reference: &Reference) -> Option<&Path> {
        let named = self.authorities.iter().find(|(host, _)| host == reference.host());
        named.map(|(_, file)| file.as_path())
    }

    /// What is known of a model, wherever it is.
    pub(crate) fn known(&self, choice: &Choice) -> Known {
        let name = choice.to_string();
        self.models.iter().find(|(own, _)| *own == name).map_or_else(Known::default, |(_, known)| *known)
    }
}

fn is_missing(error: &std::io::Error) -> bool {
    matches!(error.kind(), std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory)
}

/// The bytes of a file of certificate authorities that a person named.
///
/// # Errors
/// It is not a regular file, is too large, or cannot be read.
pub(crate) fn authority(path: &Path) -> std::io::Result<Vec<u8>> {
    if !std::fs::metadata(path)?.is_file() {
        return Err(std::io::Error::other("it is not a regular file"));
    }
    let mut pem = Vec::new();
    std::fs::File::open(path)?.take(LARGEST + 1).read_to_end(&mut pem)?;
    if pem.len() as u64 > LARGEST {
        return Err(std::io::Error::other(format!("it is larger than {LARGEST} bytes")));
    }
    Ok(pem)
}

fn text(path: &Path, is_named: bool) -> Result<String> {
    let unreadable = |reason: String| {
        let hint =
            if is_named { format!("correct `{VARIABLE}`, or unset it") } else { "correct it, or remove it".into() };
        Error::usage(format!("the configuration `{}` cannot be read: {reason}", path.display())).hint(hint)
    };
    // Looked at before it is opened: opening a pipe waits for a writer.
    if !std::fs::metadata(path).map_err(|error| unreadable(error.to_string()))?.is_file() {
        return Err(unreadable("it is not a regular file".into()));
    }
    let file = std::fs::File::open(path).map_err(|error| unreadable(error.to_string()))?;
    let mut text = String::new();
    file.take(LARGEST + 1).read_to_string(&mut text).map_err(|error| unreadable(error.to_string()))?;
    if text.len() as u64 > LARGEST {
        return Err(unreadable(format!("it is larger than {LARGEST} bytes")));
    }
    Ok(text)
}

/// What is wrong with the file. Values do not stand in it: a key could have been put in a wrong place.
#[derive(Debug)]
struct Problem {
    sentence: String,
    hint: String,
}

impl Problem {
    fn wrong(key: &str, expected: &str) -> Self {
        Self { sentence: format!("`{key}` has to be {expected}"), hint: "correct it; nothing was started".into() }
    }
}

fn known_keys(place: &str, table: &Table, known: &[&str]) -> std::result::Result<(), Problem> {
    let Some(key) = table.keys().find(|key| !known.contains(&key.as_str())) else { return Ok(()) };
    let near = format!("{place}{}", nearest(key, known));
    Err(Problem {
        sentence: format!("`{place}{}` is not a key of this file; did you mean `{near}`", key.escape_debug()),
        hint: format!("write `{near}`, or leave the key out"),
    })
}

fn table<'a>(key: &str, file: &'a Table) -> std::result::Result<Option<&'a Table>, Problem> {
    match file.get(key) {
        None => Ok(None),
        Some(Value::Table(table)) => Ok(Some(table)),
        Some(_) => Err(Problem::wrong(key, "a table")),
    }
}

fn sources(file: &Table) -> std::result::Result<Vec<(String, Vec<String>)>, Problem> {
    let mut sources = Vec::new();
    for (name, value) in table("sources", file)?.into_iter().flatten() {
        let place = format!("sources.\"{}\"", name.escape_debug());
        let Value::Table(entry) = value else { return Err(Problem::wrong(&place, "a table")) };
        known_keys(&format!("{place}."), entry, &SOURCE_KEYS)?;
        let wrong = || Problem::wrong(&format!("{place}.keys"), "a list of public keys of minisign");
        let keys = entry.get("keys").and_then(Value::as_array).ok_or_else(wrong)?;
        let keys = keys
            .iter()
            .map(|key| key.as_str().map(str::to_owned).ok_or_else(wrong))
            .collect::<std::result::Result<_, _>>()?;
        sources.push((name.clone(), keys));
    }
    Ok(sources)
}

fn registries(file: &Table) -> std::result::Result<Vec<(String, PathBuf)>, Problem> {
    let mut authorities = Vec::new();
    for (name, value) in table("registries", file)?.into_iter().flatten() {
        let place = format!("registries.\"{}\"", name.escape_debug());
        // Written as in a reference: another way to write the same host is the same host.
        let host = format!("oci://{name}/a").parse::<Reference>().ok().filter(|one| one.repository() == "a");
        let host =
            host.ok_or_else(|| Problem::wrong(&place, "named by a host, such as `registry.example.com:5000`"))?;
        let Value::Table(entry) = value else { return Err(Problem::wrong(&place, "a table")) };
        known_keys(&format!("{place}."), entry, &REGISTRY_KEYS)?;
        let path = entry.get("ca").and_then(Value::as_str).map(PathBuf::from).filter(|path| path.is_absolute());
        let path = path.ok_or_else(|| Problem::wrong(&format!("{place}.ca"), "the absolute path of a file in PEM"))?;
        authorities.push((host.host().to_owned(), path));
    }
    Ok(authorities)
}

fn known(place: &str, entry: &Table) -> std::result::Result<Known, Problem> {
    let place = format!("{place}.");
    known_keys(&place, entry, &MODEL_KEYS)?;
    let window = tokens(&place, entry, "window")?;
    let output_limit = tokens(&place, entry, "output-limit")?;
    let [input, cached, output] =
        ["input-price", "cached-input-price", "output-price"].map(|key| price(&place, entry, key));
    let prices = match (input?, cached?, output?) {
        (None, None, None) => None,
        // What is in a cache never costs more than what is not.
        (Some(input), cached, Some(output)) => Some(Prices { input, cached_input: cached.unwrap_or(input), output }),
        (None, ..) => {
            return Err(Problem::wrong(&format!("{place}input-price"), "there as well, for there are prices"));
        }
        (.., None) => {
            return Err(Problem::wrong(&format!("{place}output-price"), "there as well, for there are prices"));
        }
    };
    Ok(Known { window: window.map(u64::from), output_limit, prices })
}

fn tokens(place: &str, entry: &Table, key: &str) -> std::result::Result<Option<u32>, Problem> {
    let Some(value) = entry.get(key) else { return Ok(None) };
    let number = value.as_integer().and_then(|number| u32::try_from(number).ok()).filter(|number| *number > 0);
    number.map(Some).ok_or_else(|| Problem::wrong(&format!("{place}{key}"), "a whole number of tokens, at least 1"))
}

fn hours(place: &str, entry: &Table, key: &str) -> std::result::Result<Option<u64>, Problem> {
    let Some(value) = entry.get(key) else { return Ok(None) };
    let number = value.as_integer().filter(|number| (1..=MOST_HOURS).contains(number)).and_then(|n| n.try_into().ok());
    let expected = format!("a whole number of hours, 1 to {MOST_HOURS}");
    number.map(Some).ok_or_else(|| Problem::wrong(&format!("{place}{key}"), &expected))
}

fn price(place: &str, entry: &Table, key: &str) -> std::result::Result<Option<u64>, Problem> {
    let text = match entry.get(key) {
        None => return Ok(None),
        Some(Value::String(text)) => text.clone(),
        Some(Value::Integer(number)) => number.to_string(),
        // The shortest text that stands for it, which is the one that was written.
        Some(Value::Float(number)) => number.to_string(),
        Some(_) => String::new(),
    };
    match amount(&text) {
        Ok(millionths) => Ok(Some(millionths)),
        Err(expected) => Err(Problem::wrong(&format!("{place}{key}"), expected)),
    }
}

/// An amount of money in millionths of its unit: `2.50` is 2,500,000.
///
/// # Errors
/// With what it has to be.
pub(crate) fn amount(text: &str) -> std::result::Result<u64, &'static str> {
    const EXPECTED: &str = "an amount, such as `2.50`, with at most six digits after the point";
    let (whole, part) = text.split_once('.').unwrap_or((text, "0"));
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if !digits(whole) || !digits(part) || part.len() > 6 {
        return Err(EXPECTED);
    }
    let whole: u64 = whole.parse().map_err(|_| EXPECTED)?;
    let part: u64 = format!("{part:0<6}").parse().map_err(|_| EXPECTED)?;
    whole.checked_mul(1_000_000).and_then(|whole| whole.checked_add(part)).ok_or(EXPECTED)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Configuration> {
        Configuration::parse(text, Path::new("/home/b.toml"))
    }

    #[test]
    fn amounts_are_exact_and_nonsense_is_refused() {
        let cases = [("2.50", 2_500_000), ("0.000001", 1), ("10", 10_000_000), ("0", 0), ("0.1", 100_000)];
        for (text, millionths) in cases {
            assert_eq!(amount(text), Ok(millionths), "{text}");
        }
        for text in
            ["", ".", "1.", ".5", "-1", "+1", "1e3", "1,5", "0.0000001", "99999999999999999999", "18446744073710", "2 "]
        {
            assert!(amount(text).is_err(), "{text}");
        }
    }

    #[test]
    fn file_says_model_window_limits_and_prices() {
        let text = r#"
            model = "openai:gpt-5"
            [models."openai:gpt-5"]
            window = 400_000
            output-limit = 32_000
            input-price = "1.25"
            cached-input-price = 0.125
            output-price = 10
            [models."ollama:qwen3:8b"]
            input-price = 0
            output-price = 0
            [limits]
            money = "2.50"
            workflow-hours = 24
        "#;
        let file = parse(text).unwrap();
        assert_eq!((file.model.as_deref(), file.money), (Some("openai:gpt-5"), Some(2_500_000)));
        assert_eq!(file.workflow_hours, Some(24));
        let known = file.known(&"openai:gpt-5@http://localhost:1/v1".parse().unwrap());
        assert_eq!((known.window, known.output_limit), (Some(400_000), Some(32_000)));
        assert_eq!(known.prices, Some(Prices { input: 1_250_000, cached_input: 125_000, output: 10_000_000 }));
        assert_eq!(file.known(&"ollama:qwen3:8b".parse().unwrap()).prices, Some(Prices::FREE));
        assert_eq!(file.known(&"ollama:other".parse().unwrap()), Known::default());
        assert_eq!(parse("").unwrap(), Configuration { shown: "/home/b.toml".into(), ..Configuration::default() });
    }

    #[test]
    fn mistake_is_named_with_its_place_and_what_would_be_right() {
        let cases = [
            ("modle = \"x\"", "`modle` is not a key of this file; did you mean `model`"),
            ("model = 1", "`model` has to be"),
            ("\n\nmodel = \n", "line 3 is not TOML"),
            ("[limits]\nmony = 1", "did you mean `limits.money`"),
            ("[limits]\nmoney = \"lots\"", "`limits.money` has to be an amount"),
            ("[limits]\nmoney = -1", "`limits.money` has to be an amount"),
            ("[limits]\nworkflow-hours = 0", "`limits.workflow-hours` has to be a whole number of hours"),
            ("[limits]\nworkflow-hours = 9999", "`limits.workflow-hours` has to be a whole number of hours"),
            ("models = 1", "`models` has to be a table"),
            ("[models.\"openai:m\"]\nwindo = 1", "did you mean `models.\"openai:m\".window`"),
            ("[models.\"openai:m\"]\nwindow = 0", "`models.\"openai:m\".window` has to be a whole number"),
            ("[models.\"openai:m\"]\ninput-price = 1", "`models.\"openai:m\".output-price` has to be there"),
            ("[models.\"openai:m\"]\noutput-price = 1", "`models.\"openai:m\".input-price` has to be there"),
            ("[sources.files]", "`sources.\"files\".keys` has to be a list"),
            ("[sources.files]\nkeys = \"RW\"", "`sources.\"files\".keys` has to be a list"),
            ("[sources.files]\nkeys = [1]", "`sources.\"files\".keys` has to be a list"),
            ("[sources.files]\nkey = []", "did you mean `sources.\"files\".keys`"),
            ("[source.files]\nkeys = []", "did you mean `sources`"),
            ("[registries.\"r.example.com\"]", "`registries.\"r.example.com\".ca` has to be the absolute path"),
            (
                "[registries.\"r.example.com\"]\nca = \"a.pem\"",
                "`registries.\"r.example.com\".ca` has to be the absolute",
            ),
            ("[registries.\"r.example.com\"]\ncas = \"/a\"", "did you mean `registries.\"r.example.com\".ca`"),
            ("[registries.\"r.example.com/team\"]\nca = \"/a\"", "has to be named by a host"),
            ("[registries]\nfiles = 1", "`registries.\"files\"` has to be a"),
            ("[models.\"gpt-5\"]", "`models.\"gpt-5\"` has to be named"),
            ("[models.\"openai:m@http://h/\"]", "has to be named"),
        ];
        for (text, part) in cases {
            let error = parse(text).unwrap_err();
            assert!(error.message.starts_with("`/home/b.toml`: ") && error.message.contains(part), "{text}: {error:?}");
            assert!(error.hint.is_some(), "{text}");
        }
    }

    /// An invalid key must not turn the demand for signatures off.
    #[test]
    fn source_with_invalid_keys_is_an_error_and_not_a_source_without_keys() {
        for text in
            ["[sources.files]\nkeys = []", "[sources.files]\nkeys = [\"x\"]", "[sources.\"a b\"]\nkeys = [\"x\"]"]
        {
            let error = parse(text).unwrap().trusted_keys().unwrap_err();
            assert!(error.message.starts_with("`/home/b.toml`: ") && error.hint.is_some(), "{error:?}");
        }
        assert!(parse("").unwrap().trusted_keys().is_ok());
    }

    #[test]
    fn value_in_a_wrong_place_is_not_repeated() {
        for text in ["key = \"canary\"", "model = [\"canary\"]", "[limits]\nmoney = \"canary\"", "model = canary"] {
            assert!(!format!("{:?}", parse(text).unwrap_err()).contains("canary"), "{text}");
        }
    }
}

#[cfg(test)]
mod fuzzing {
    use bailiwick_fuzz::Target;

    use super::*;

    #[test]
    fn configurations() {
        const WORDS: &[&str] = &[
            "model = \"openai:gpt-5\"\n",
            "[models.\"openai:gpt-5\"]\n",
            "[limits]\n",
            "[tools]\n",
            "[keys]\n",
            "[a.b]\n",
            "[[a]]\n",
            "= 1e999\n",
            "= 9223372036854775807\n",
            "= -1\n",
            "\"\"\"",
            "a.b.c = ",
            "{a={",
            "é",
        ];
        Target { name: "configurations", words: WORDS }.run_text(|text| {
            if let Err(error) = Configuration::parse(text, Path::new("/c/bailiwick.toml")) {
                assert!(!error.message.contains('\n'), "{}", error.message);
            }
        });
    }
}
