//! `--rename`, `--hide`, `--usage`, `--directives`, `--scope` and their like: what to do, without words in between.

use super::text;
use crate::exit::{Error, Result};
use bailiwick_customize::directives::{AskedAction, AskedDirective, Decorator, DirectiveError, Language, Scope};
use clap::Args;

/// The options that give directives.
pub(crate) const OPTIONS: [&str; 13] = [
    "rename",
    "hide",
    "show",
    "moved",
    "exclude",
    "usage",
    "namespace",
    "retype",
    "convenient",
    "protocol",
    "decorate",
    "undecorate",
    "directives",
];

/// What to do, as directives. A target is a TypeSpec name, whole or in part, or the name in the package's language.
#[derive(Debug, Args)]
pub(crate) struct Directives {
    /// Give the target another name in the client; its own name in the specification takes a rename back. Repeatable, as
    /// the others are.
    #[arg(long, value_name = "TARGET=NAME")]
    rename: Vec<String>,
    /// Take the target out of the public surface.
    #[arg(long, value_name = "TARGET")]
    hide: Vec<String>,
    /// Make the target public again.
    #[arg(long, value_name = "TARGET")]
    show: Vec<String>,
    /// Move an operation to an interface's group, to the client, or to a new group.
    #[arg(long = "move", value_name = "TARGET=CLIENT")]
    moved: Vec<String>,
    /// Take the target out of the client altogether, or with `--undecorate scope:TARGET` back into it.
    #[arg(long, value_name = "TARGET")]
    exclude: Vec<String>,
    /// Say what a type serves for beside what operations make of it: `input`, `output`, `json`, `xml`, several with `|`.
    #[arg(long, value_name = "TARGET=USAGE")]
    usage: Vec<String>,
    /// Put a type or a client into another namespace of the library.
    #[arg(long, value_name = "TARGET=NAMESPACE")]
    namespace: Vec<String>,
    /// Give a property, a parameter or a type another type in the client.
    #[arg(long = "type", value_name = "TARGET=TYPE")]
    retype: Vec<String>,
    /// Say whether an operation has methods with the models of the service: `on` or `off`.
    #[arg(long, value_name = "TARGET=on|off")]
    convenient: Vec<String>,
    /// Say whether an operation has methods with raw requests and responses: `on` or `off`.
    #[arg(long, value_name = "TARGET=on|off")]
    protocol: Vec<String>,
    /// Write any other decorator of the client generator core, such as `clientDoc:Widget=A thing.`.
    #[arg(long, value_name = "DECORATOR:TARGET=VALUE")]
    decorate: Vec<String>,
    /// Take a decorator of `client.tsp` away, so that the client has what the specification says.
    #[arg(long, value_name = "DECORATOR:TARGET")]
    undecorate: Vec<String>,
    /// Directives as a JSON list, as text, @FILE, or - for stdin: what `--dry-run --json` prints, whole or its `actions`.
    #[arg(long, value_name = "JSON|@FILE|-")]
    directives: Option<String>,
    /// The languages whose clients may change: `python,csharp`, `!java` or `all`. The package's language alone if this is
    /// left out. A directive given as an option is for all of them.
    #[arg(long, value_name = "LANGUAGES")]
    scope: Option<String>,
}

impl Directives {
    /// The directives, and the languages that may change.
    pub(crate) fn read(&self) -> Result<(Vec<AskedDirective>, Vec<Language>)> {
        let scope = self.scope.as_deref().map(Scope::parse).transpose().map_err(|error| failure(&error))?;
        let options = [
            (AskedAction::Rename, &self.rename),
            (AskedAction::Hide, &self.hide),
            (AskedAction::Show, &self.show),
            (AskedAction::Move, &self.moved),
            (AskedAction::Decorate, &self.decorate),
            (AskedAction::Undecorate, &self.undecorate),
        ];
        let decorators = [
            ("--exclude", Decorator::Scope, &self.exclude),
            ("--usage", Decorator::Usage, &self.usage),
            ("--namespace", Decorator::ClientNamespace, &self.namespace),
            ("--type", Decorator::AlternateType, &self.retype),
            ("--convenient", Decorator::ConvenientApi, &self.convenient),
            ("--protocol", Decorator::ProtocolApi, &self.protocol),
        ];
        let mut asked = Vec::new();
        for (action, values) in options {
            for value in values {
                let one = AskedDirective::from_option(action, value).map_err(|error| failure(&error))?;
                asked.push(AskedDirective { scope: scope.clone(), ..one });
            }
        }
        for (option, decorator, values) in decorators {
            for value in values {
                let one = AskedDirective::from_decorator_option(option, decorator, value);
                asked.push(AskedDirective { scope: scope.clone(), ..one.map_err(|error| failure(&error))? });
            }
        }
        if let Some(argument) = &self.directives {
            let text = text::read("list of directives", argument)?;
            let listed = AskedDirective::read_list(&text).map_err(|error| failure(&error))?;
            if listed.is_empty() {
                return Err(Error::usage("the list of directives is empty"));
            }
            asked.extend(listed);
        }
        Ok((asked, scope.map_or_else(Vec::new, |scope| scope.languages())))
    }
}

fn failure(error: &DirectiveError) -> Error {
    let usage = Error::usage(error.to_string());
    match error.hint() {
        Some(hint) => usage.hint(hint),
        None => usage,
    }
}
