//! `--rename`, `--hide`, `--show`, `--move`, `--directives` and `--scope`: what to do, without words in between.

use super::text;
use crate::exit::{Error, Result};
use bailiwick_customize::directives::{AskedAction, AskedDirective, DirectiveError, Language, Scope};
use clap::Args;

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
        ];
        let mut asked = Vec::new();
        for (action, values) in options {
            for value in values {
                let one = AskedDirective::from_option(action, value).map_err(|error| failure(&error))?;
                asked.push(AskedDirective { scope: scope.clone(), ..one });
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
