//! `bailiwick mcp install`: this server in the configuration of an MCP client.

mod file;
mod place;

use super::cli_host;
use super::offered::Wanted;

use crate::exit::{Code, Error, Result};
use crate::grant_argument::GrantArgument;
use crate::installation::{Installation, Start};
use crate::output;
use crate::visible::Visible;
use bailiwick_sandbox::HardLinks;
use clap::Args;
use file::Change;
use place::Place;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

#[derive(Debug, Args)]
pub(crate) struct McpInstall {
    /// Whose configuration it is.
    #[arg(long, value_enum)]
    pub(crate) client: McpClient,
    /// A directory that the file tools may use; read-only unless it says `rw`.
    #[arg(long = "grant", value_name = "NAME=PATH[:ro|:rw]")]
    pub(crate) grants: Vec<String>,
    /// A directory whose packages may be worked on: the clone of an SDK repository, or of the specifications.
    #[arg(long, value_name = "DIRECTORY")]
    pub(crate) packages: Vec<PathBuf>,
    /// Let the file tools write a sensitive place in a writable grant: a name such as `.git`, or one file such as
    /// `.vscode/cspell.json`.
    #[arg(long, value_name = "PLACE")]
    pub(crate) allow_sensitive: Vec<String>,
    #[command(flatten)]
    pub(crate) visible: Visible,
    /// Offer an added component, with the grants that are named for it; may be given several times.
    #[arg(long = "tool", value_name = "NAME[=GRANT,…]")]
    pub(crate) tools: Vec<String>,
    /// The model that classifies and edits, as for `package customize`.
    #[arg(long, value_name = "MODEL")]
    pub(crate) model: Option<String>,
    /// The configuration of this project instead of the person's own. Claude Desktop has none of projects.
    #[arg(long, value_name = "DIRECTORY")]
    pub(crate) project: Option<PathBuf>,
    /// What the server is called there.
    #[arg(long, value_name = "NAME", default_value = "bailiwick")]
    pub(crate) name: String,
    /// Print the file as it would be, and write nothing.
    #[arg(long)]
    pub(crate) print: bool,
}

/// The clients whose configuration is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum McpClient {
    /// Visual Studio Code.
    Vscode,
    /// Claude Desktop.
    Claude,
    /// GitHub Copilot CLI.
    Copilot,
    /// Cursor.
    Cursor,
}

/// So often a file that changed meanwhile is edited anew.
const MOST_TRIES: usize = 100;

pub(super) fn execute(install: &McpInstall, as_json: bool) -> Result<Code> {
    if install.name.is_empty() || !install.name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_')) {
        return Err(Error::usage(format!("`--name` is `{}`", install.name))
            .hint("use letters, digits, `-` and `_`, as clients do"));
    }
    let place = Place::of(install.client, install.project.as_deref())?;
    let entry = place.entry(&Installation::current()?.start()?, &arguments(install)?);
    let within = install.project.as_deref();
    let mut edited = file::edit(&place.path, within, place.servers, &install.name, &entry)?;
    if install.print {
        output::line(edited.text.trim_end());
        return Ok(Code::Done);
    }
    let mut tries = 0;
    while edited.change != Change::Nothing && !edited.write()? {
        tries += 1;
        if tries == MOST_TRIES {
            return Err(Error::failed(format!("`{}` changes all the time", place.path.display()))
                .hint("close the program that writes to it"));
        }
        edited = file::edit(&place.path, within, place.servers, &install.name, &entry)?;
    }
    let path = place.path.display();
    if as_json {
        output::json(
            &json!({ "path": place.path, "server": install.name, "change": edited.change.word(), "kept": edited.kept }),
        );
    } else {
        output::line(&match edited.change {
            Change::Nothing => format!("`{path}` has `{}` already", install.name),
            change => {
                format!("{} `{}` in `{path}`; restart the client, or reload its servers", change.word(), install.name)
            }
        });
        if !edited.kept.is_empty() {
            output::line(&format!(
                "what else the entry has stays, and decides, too, what is started: {}",
                listed(&edited.kept)
            ));
        }
    }
    Ok(Code::Done)
}

fn listed(names: &[String]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

/// The arguments of the server, with grants as absolute paths.
fn arguments(install: &McpInstall) -> Result<Vec<String>> {
    // What the server would refuse is refused now, where a person reads it.
    let grants =
        super::super::tool::grants(&install.grants, &install.allow_sensitive, HardLinks::Refused, &install.visible)?;
    Wanted { tools: install.tools.clone(), ..Wanted::default() }.found(&grants)?;
    let mut arguments = vec!["mcp".to_owned()];
    for mut grant in GrantArgument::all(&install.grants)? {
        // Clients start servers in directories of their own.
        grant.path = whole("--grant", &grant.path)?.into();
        arguments.extend(["--grant".to_owned(), grant.to_string()]);
    }
    cli_host::packages(&grants, &install.packages)?;
    for directory in &install.packages {
        arguments.extend(["--packages".to_owned(), whole("--packages", directory)?]);
    }
    for place in &install.allow_sensitive {
        arguments.extend(["--allow-sensitive".to_owned(), place.clone()]);
    }
    arguments.extend(install.visible.arguments());
    for tool in &install.tools {
        arguments.extend(["--tool".to_owned(), tool.clone()]);
    }
    if let Some(model) = &install.model {
        arguments.extend(["--model".to_owned(), model.clone()]);
    }
    Ok(arguments)
}

/// The whole path of a directory.
fn whole(option: &str, path: &Path) -> Result<String> {
    let shown = path.display();
    let path = std::path::absolute(path)
        .map_err(|error| Error::usage(format!("the directory `{shown}` of `{option}` cannot be used: {error}")))?;
    let path = path.into_os_string().into_string();
    path.map_err(|path| {
        Error::usage(format!("the directory `{}` of `{option}` is not UTF-8", Path::new(&path).display()))
            .hint("configurations of clients are text; give the directory another name")
    })
}

impl Place {
    /// The entry as this client writes it.
    fn entry(&self, start: &Start, arguments: &[String]) -> Value {
        let arguments: Vec<&String> = start.arguments.iter().chain(arguments).collect();
        let mut entry = json!({ "command": start.command, "args": arguments });
        if let Some(kind) = self.kind {
            entry["type"] = json!(kind);
        }
        if self.lists_tools {
            entry["tools"] = json!(["*"]);
        }
        entry
    }
}
