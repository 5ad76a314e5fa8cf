//! The command line.

use crate::configuration::amount;
use crate::visible::Visible;
use clap::{Args, Parser, Subcommand};
use std::path::PathBuf;

mod authoring;
mod package;
pub(crate) use authoring::{BuildTool, NewTool, TestTool, ToolLanguage};
pub(crate) use package::{Convert, Fix, Init, Show, Update, VersionUpdate};

/// Runs the tools of an AI agent as sandboxed components, and customizes Azure SDK packages from TypeSpec with them.
#[derive(Debug, Parser)]
#[command(name = "bailiwick", version, propagate_version = true, after_help = EXIT_CODES)]
pub(crate) struct Arguments {
    /// Print JSON on stdout.
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// Log to stderr what is done: `error`, `warn`, `info`, `debug` or `trace`, or levels of parts such as
    /// `warn,agent=debug`. `BAILIWICK_LOG` is used if this is left out, else `warn`.
    #[arg(long, global = true, value_name = "LEVEL|FILTER")]
    pub(crate) log: Option<String>,
    /// How log lines look.
    #[arg(long, global = true, value_enum, default_value_t = LogFormat::Text, value_name = "FORMAT")]
    pub(crate) log_format: LogFormat,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// How log lines look.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum LogFormat {
    /// For people.
    Text,
    /// One JSON object a line.
    Json,
}

const EXIT_CODES: &str =
    "Exit codes: 0 done, 1 ended without success, 2 unusable input, 3 refused by policy, 130 interrupted";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Check what this machine has and can enforce.
    Doctor,
    /// Show the main job on a real TypeSpec project, in a temporary directory, without a key.
    Demo(Demo),
    /// Print what TypeSpec decorators can do for a client library, as agents read it.
    Knowledge,
    /// Install the locked toolchains that regeneration and builds need into the cache.
    Setup(Setup),
    /// List, describe and call the sandboxed tools, add others.
    #[command(subcommand)]
    Tool(Tool),
    /// Work on a client library package.
    #[command(subcommand)]
    Package(Package),
    /// Look at runs, approve or revert them.
    #[command(subcommand)]
    Run(Run),
    /// Check and show the log of every tool call.
    #[command(subcommand)]
    Audit(Audit),
    /// Run an agent that is written in a file.
    #[command(subcommand)]
    Agent(Agent),
    /// Serve customizations, runs and the sandboxed tools to an MCP client.
    Mcp(Box<Mcp>),
}

#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct Mcp {
    #[command(subcommand)]
    pub(crate) command: Option<McpCommand>,
    /// A directory that the file tools may use; read-only unless it says `rw`. Without one there are no file tools.
    #[arg(long = "grant", value_name = "NAME=PATH[:ro|:rw]")]
    pub(crate) grants: Vec<String>,
    /// A directory whose packages may be customized, regenerated, built, tested and repaired: the clone of an SDK
    /// repository, and of the specifications. Those of writable grants may be, too; without any no package is touched.
    #[arg(long, value_name = "DIRECTORY")]
    pub(crate) packages: Vec<PathBuf>,
    /// Whose names and inputs the file tools have: the reference file server's (`read_text_file`, `edit_file`, …) or those
    /// of agents (`ReadFile`, `CodePatch`, …).
    #[arg(long, value_name = "NAMES", value_enum, default_value_t = McpFileTools::Reference)]
    pub(crate) file_tools: McpFileTools,
    /// Whether the directories that a client says it is at work in narrow the grants for it. They never widen them.
    #[arg(long, value_name = "HOW", value_enum, default_value_t = McpClientRoots::Narrow)]
    pub(crate) client_roots: McpClientRoots,
    /// Let the file tools write a sensitive place in a writable grant: a name such as `.git`, or one file such as
    /// `.vscode/cspell.json`.
    #[arg(long, value_name = "PLACE")]
    pub(crate) allow_sensitive: Vec<String>,
    /// Let the file tools write in place to files that have other names, which may lie outside the grant.
    #[arg(long)]
    pub(crate) allow_hard_links: bool,
    #[command(flatten)]
    pub(crate) visible: Visible,
    /// Offer a component that was added with `bailiwick tool add`, with those of the granted directories that are named
    /// here, and with none if none is.
    #[arg(long = "tool", value_name = "NAME[=GRANT,…]")]
    pub(crate) tools: Vec<String>,
    /// Offer the tool that lies in this directory, as it is after each `bailiwick tool build`, for whoever writes it. It
    /// is not approved, so it has the granted directories that are named here and nothing else.
    #[arg(long, value_name = "DIRECTORY[=GRANT,…]")]
    pub(crate) develop: Vec<String>,
    /// Let clients ask for further tools. Asking installs and approves nothing: `bailiwick tool requests` shows you what
    /// was asked for, and you decide.
    #[arg(long)]
    pub(crate) tool_requests: bool,
    /// The model that classifies and edits, as for `package customize`.
    #[arg(long, value_name = "MODEL")]
    pub(crate) model: Option<String>,
    /// The most that one agent of a customization may cost, such as `2.50`, at the prices of `bailiwick.toml`.
    #[arg(long, value_name = "AMOUNT", value_parser = amount)]
    pub(crate) max_cost: Option<u64>,
    /// Run builds without confinement where this platform cannot confine them.
    #[arg(long)]
    pub(crate) unconfined_builds: bool,
    /// How long a call waits for a customization, in seconds, before it answers that it is running.
    #[arg(long, value_name = "SECONDS", default_value_t = 40, value_parser = clap::value_parser!(u64).range(0..=3600))]
    pub(crate) answer_within: u64,
    /// Serve over HTTP instead of stdin and stdout, on a free port of this machine unless an address is given.
    #[arg(long, value_name = "ADDRESS", num_args = 0..=1, default_missing_value = "127.0.0.1:0")]
    pub(crate) http: Option<std::net::SocketAddr>,
    /// Serve over HTTP on an address that other machines can reach.
    #[arg(long, requires = "http")]
    pub(crate) allow_remote: bool,
    /// A host name that HTTP requests may name besides `localhost`.
    #[arg(long = "http-host", value_name = "HOST", requires = "http")]
    pub(crate) http_hosts: Vec<String>,
    #[command(flatten)]
    pub(crate) oauth: OAuth,
}

/// Access tokens of an issuer in place of a fixed token.
#[derive(Debug, Args)]
pub(crate) struct OAuth {
    /// Let in over HTTP whoever shows an access token of this issuer, instead of one fixed token.
    #[arg(long, value_name = "URL", requires = "http")]
    pub(crate) oauth_issuer: Option<String>,
    /// The URL of this server that such tokens are for, if it is not the address that it listens on.
    #[arg(long, value_name = "URL", requires = "oauth_issuer")]
    pub(crate) oauth_audience: Option<String>,
    /// A scope that such a token has to have.
    #[arg(long = "oauth-scope", value_name = "SCOPE", requires = "oauth_issuer")]
    pub(crate) oauth_scopes: Vec<String>,
    /// A subject of the issuer who sees and decides everybody's runs. Others have their own.
    #[arg(long = "oauth-operator", value_name = "SUBJECT", requires = "oauth_issuer")]
    pub(crate) oauth_operators: Vec<String>,
}

/// Whose names and inputs the file tools have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum McpFileTools {
    /// The reference file server's.
    Reference,
    /// Those of agents.
    Native,
}

/// What becomes of a client's roots.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum McpClientRoots {
    /// They narrow the grants.
    Narrow,
    /// They are not asked for.
    Ignore,
}

#[derive(Debug, Subcommand)]
pub(crate) enum McpCommand {
    /// Enter this server into the configuration of an MCP client, and keep everything else there.
    Install(McpInstall),
}

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

impl Command {
    /// The command's name, for logs and traces.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Doctor => "doctor",
            Self::Demo(_) => "demo",
            Self::Knowledge => "knowledge",
            Self::Setup(_) => "setup",
            Self::Tool(Tool::List) => "tool list",
            Self::Tool(Tool::Describe { .. }) => "tool describe",
            Self::Tool(Tool::Call(_)) => "tool call",
            Self::Tool(Tool::Add(_)) => "tool add",
            Self::Tool(Tool::Inspect(_)) => "tool inspect",
            Self::Tool(Tool::Approve(_)) => "tool approve",
            Self::Tool(Tool::Update(_)) => "tool update",
            Self::Tool(Tool::Push(_)) => "tool push",
            Self::Tool(Tool::Revoke { .. }) => "tool revoke",
            Self::Tool(Tool::Remove { .. }) => "tool remove",
            Self::Tool(Tool::New(_)) => "tool new",
            Self::Tool(Tool::Build(_)) => "tool build",
            Self::Tool(Tool::Test(_)) => "tool test",
            Self::Tool(Tool::Requests) => "tool requests",
            Self::Tool(Tool::Dismiss { .. }) => "tool dismiss",
            Self::Tool(Tool::Secret(ToolSecret::Set { .. })) => "tool secret set",
            Self::Tool(Tool::Secret(ToolSecret::List)) => "tool secret list",
            Self::Tool(Tool::Secret(ToolSecret::Remove { .. })) => "tool secret remove",
            Self::Tool(Tool::Schema) => "tool schema",
            Self::Package(Package::Customize(_)) => "package customize",
            Self::Package(Package::Workflow(_)) => "package workflow",
            Self::Package(Package::Generate(_)) => "package generate",
            Self::Package(Package::Build(_)) => "package build",
            Self::Package(Package::Test(_)) => "package test",
            Self::Package(Package::Fix(_)) => "package fix",
            Self::Package(Package::Show(_)) => "package show",
            Self::Package(Package::Convert(_)) => "package convert",
            Self::Package(Package::Init(_)) => "package init",
            Self::Package(Package::Update(Update::Changelog(_))) => "package update changelog",
            Self::Package(Package::Update(Update::Version(_))) => "package update version",
            Self::Package(Package::Update(Update::Metadata(_))) => "package update metadata",
            Self::Run(Run::List) => "run list",
            Self::Run(Run::Show { .. }) => "run show",
            Self::Run(Run::Approve { .. }) => "run approve",
            Self::Run(Run::Revert { .. }) => "run revert",
            Self::Run(Run::Report(_)) => "run report",
            Self::Audit(Audit::Verify { .. }) => "audit verify",
            Self::Audit(Audit::Show { .. }) => "audit show",
            Self::Agent(Agent::Run(_)) => "agent run",
            Self::Agent(Agent::List) => "agent list",
            Self::Agent(Agent::Resume(_)) => "agent resume",
            Self::Mcp(mcp) if matches!(mcp.command, Some(McpCommand::Install(_))) => "mcp install",
            Self::Mcp(_) => "mcp",
        }
    }
}

#[derive(Debug, Subcommand)]
pub(crate) enum Agent {
    /// Run an agent: its result is printed as JSON, what it does goes to stderr and on record.
    ///
    /// The file asks for directories and tools; it gets no more than is allowed here. By itself it may read beneath its
    /// own directory, and what its input names beneath the working directory. Everything else, and writing anywhere,
    /// takes a word on the command line.
    Run(Box<AgentRun>),
    /// List the runs that were stopped before their end, newest first, and those that were kept.
    List,
    /// Go on with a run that was killed, interrupted, or got no answer from its model.
    ///
    /// The agent has to be the same: its file, input, schemas, template, tools and directories. What was allowed when it
    /// began is still allowed. A call that wrote when the run was stopped is not made again: the model is told that
    /// nobody knows what came of it.
    Resume(AgentResume),
}

#[derive(Debug, Args)]
pub(crate) struct AgentResume {
    /// The run's id, or an unambiguous beginning of it.
    #[arg(value_name = "RUN")]
    pub(crate) id: String,
    /// The model, in place of the one that the run began with.
    #[arg(long, value_name = "MODEL")]
    pub(crate) model: Option<String>,
    /// Keep the conversation even when the run comes to its end.
    #[arg(long)]
    pub(crate) keep: bool,
}

#[derive(Debug, Args)]
pub(crate) struct AgentRun {
    /// The agent file.
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Which directory the agent gets under a name it asks for; `:rw` allows it to write there, `:ro` does not.
    #[arg(long = "grant", value_name = "NAME=PATH[:ro|:rw]")]
    pub(crate) grants: Vec<String>,
    /// Allow the agent to write in every directory where it asks to.
    #[arg(long)]
    pub(crate) yes: bool,
    /// Allow the agent to write a sensitive place that it asks for, such as `.vscode/cspell.json`.
    #[arg(long, value_name = "PLACE")]
    pub(crate) allow_sensitive: Vec<String>,
    #[command(flatten)]
    pub(crate) visible: Visible,
    /// The input: JSON text, @FILE, or - for stdin.
    #[arg(long, value_name = "JSON|@FILE|-", allow_hyphen_values = true)]
    pub(crate) input: Option<String>,
    /// The input as text, @FILE, or - for stdin: the list of its lines. For the output of another program.
    #[arg(long, value_name = "TEXT|@FILE|-", allow_hyphen_values = true, conflicts_with = "input")]
    pub(crate) input_lines: Option<String>,
    /// The model, in place of the one that the file names; `script:FILE` follows written steps and is no model.
    #[arg(long, value_name = "MODEL")]
    pub(crate) model: Option<String>,
    /// The most that the agent may cost, such as `0.50`, at the prices of `bailiwick.toml`.
    #[arg(long, value_name = "AMOUNT", value_parser = amount)]
    pub(crate) max_cost: Option<u64>,
    /// Keep the conversation with the model in a new file, which only you can read. Secrets are taken out as far as
    /// they are known.
    #[arg(long, value_name = "FILE")]
    pub(crate) record: Option<PathBuf>,
    /// Answer from a recorded conversation instead of a model, without a network, and fail if anything else is sent.
    #[arg(long, value_name = "FILE", conflicts_with = "model")]
    pub(crate) replay: Option<PathBuf>,
    /// Keep the state of the conversation even when the run comes to its end.
    #[arg(long)]
    pub(crate) keep: bool,
    /// Print what the agent would get, and run nothing.
    #[arg(long)]
    pub(crate) dry_run: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Demo {
    /// Keep the two repositories and print where they are.
    #[arg(long)]
    pub(crate) keep: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Setup {
    /// Also approve and install the emitter that the SDK repository of this package names.
    #[arg(long, value_name = "DIR", conflicts_with = "emitter_package")]
    pub(crate) package_path: Option<PathBuf>,
    /// Also install what `tool build` makes components of Python and JavaScript with.
    #[arg(long)]
    pub(crate) tool_builders: bool,
    /// Also approve and install the emitter that this file names, such as `eng/emitter-package.json` of an SDK repository.
    /// What is approved here no other command asks about.
    #[arg(long, value_name = "FILE")]
    pub(crate) emitter_package: Option<PathBuf>,
    /// Install without confinement where this platform cannot confine installers.
    #[arg(long)]
    pub(crate) unconfined_builds: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Tool {
    /// List the tools.
    List,
    /// Show what a tool does, takes and answers.
    Describe {
        /// Its name.
        name: String,
    },
    /// Call a tool on granted directories.
    Call(Call),
    /// Add a tool from a component file, from a `tool.toml` or the directory of one, or from a registry. It is checked, copied and pinned
    /// by its digest. What its manifest asks for it gets when you have approved it, and no more.
    #[command(
        after_help = "Example:\n  bailiwick tool add ./word-count.wasm\n  bailiwick mcp --grant notes=. --tool WordCount=notes"
    )]
    Add(AddTool),
    /// Show what a tool is and asks for, what of it is granted, and what is worth a second look.
    Inspect(InspectTool),
    /// Decide about a tool, or about its update: shows all that it asks for and asks you.
    #[command(
        after_help = "Example:\n  bailiwick tool approve changelog --grant repo=.\n\nWithout a terminal nobody can be asked. A script that installs what a person looked at before says so with\n`--reviewed DIGEST`, the digest that `bailiwick tool inspect` printed for them."
    )]
    Approve(ApproveTool),
    /// Put another component in the place of an added one. It shows what differs; where that has to be approved, the old
    /// one stays in use until then.
    Update(UpdateTool),
    /// Push a tool to a registry, with its `tool.toml` and the signature beside it.
    #[command(
        after_help = "Examples:\n  bailiwick tool push . oci://registry.example.com/team/changelog:1.2\n  bailiwick tool push --signature tool.toml.minisig oci://registry.example.com/team/changelog:1.2"
    )]
    Push(PushTool),
    /// Take an approval back: the tool stays and is not used.
    Revoke {
        /// What it was added as.
        name: String,
    },
    /// Take an added tool away.
    Remove {
        /// What it was added as.
        name: String,
    },
    /// Begin a tool of your own: a project that builds and whose cases pass.
    #[command(after_help = "Example:\n  bailiwick tool new word-count --lang rust\n  bailiwick tool test word-count")]
    New(NewTool),
    /// Build the component of a tool, and write its digest into `tool.toml`.
    Build(BuildTool),
    /// Build a tool, then run its cases, `tests/*.toml`, in the sandbox and on temporary directories.
    Test(TestTool),
    /// List what clients asked you to add or approve.
    Requests,
    /// Forget a request of a client.
    Dismiss {
        /// Its number in `bailiwick tool requests`.
        request: u64,
    },
    /// Keep secrets for the requests of tools: the host sends them, and no tool sees one.
    #[command(subcommand)]
    Secret(ToolSecret),
    /// Print the JSON Schema of `tool.toml`.
    Schema,
}

/// What is done with a secret.
#[derive(Debug, Subcommand)]
pub(crate) enum ToolSecret {
    /// Keep a secret, typed unseen or read from stdin, in place of what was kept under its name.
    #[command(
        after_help = "Examples:\n  bailiwick tool secret set api-token --host api.example.com\n  bailiwick tool secret set api-token --host api.example.com < token.txt\n  bailiwick tool secret set api-token --host api.example.com --command 'secret-tool lookup service example'"
    )]
    Set {
        /// The name that manifests ask for it by.
        name: String,
        /// The one host that it may be sent to, whatever a tool asks for.
        #[arg(long)]
        host: String,
        /// Keep no value, but the command that prints it, such as a keyring's. It is run whenever a tool with this
        /// secret is used, without a shell; the first line that it prints counts.
        #[arg(long, value_name = "COMMAND")]
        command: Option<String>,
    },
    /// List their names and hosts.
    List,
    /// Forget one.
    Remove {
        /// Its name.
        name: String,
    },
}

#[derive(Debug, Args)]
pub(crate) struct AddTool {
    /// The component, its `tool.toml`, the directory of one, or an artifact of a registry.
    #[arg(value_name = "FILE|oci://…")]
    pub(crate) file: PathBuf,
    /// What it is called here; the name in its manifest, or that of its only tool, if this is left out.
    #[arg(long, value_name = "NAME")]
    pub(crate) name: Option<String>,
    #[command(flatten)]
    pub(crate) registry: RegistryUse,
}

#[derive(Debug, Args)]
pub(crate) struct InspectTool {
    /// What it was added as, or a component file, a `tool.toml`, the directory of one, or an artifact of a registry.
    #[arg(value_name = "NAME|FILE|oci://…")]
    pub(crate) tool: String,
    #[command(flatten)]
    pub(crate) registry: RegistryUse,
}

#[derive(Debug, Args)]
pub(crate) struct UpdateTool {
    /// What it was added as.
    pub(crate) name: String,
    /// The component, its `tool.toml`, the directory of one, or an artifact of a registry; what its reference stands for
    /// today if this is left out.
    #[arg(value_name = "FILE|oci://…")]
    pub(crate) file: Option<PathBuf>,
    /// Also go back, to an older version or to a component that was used before.
    #[arg(long)]
    pub(crate) older: bool,
    #[command(flatten)]
    pub(crate) registry: RegistryUse,
}

#[derive(Debug, Args)]
pub(crate) struct PushTool {
    /// The component, its `tool.toml`, or the directory of one; with `--signature` the signature.
    #[arg(value_name = "FILE")]
    pub(crate) tool: PathBuf,
    /// Where to: a tag of a repository.
    #[arg(value_name = "oci://…")]
    pub(crate) reference: String,
    /// Push nothing but FILE, a signature of minisign's that was made later, for the artifact that is there.
    #[arg(long)]
    pub(crate) signature: bool,
    /// Speak to the registry without encryption, also where it is not on this machine.
    #[arg(long)]
    pub(crate) plain_http: bool,
}

/// How a registry is used.
#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct RegistryUse {
    /// Load nothing: use what was loaded before, and what `tools.lock` says a tag stands for.
    #[arg(long)]
    pub(crate) offline: bool,
    /// Speak to the registry without encryption, also where it is not on this machine.
    #[arg(long)]
    pub(crate) plain_http: bool,
    /// Whether a tag is asked about again that `tools.lock` knows; `update` says so.
    #[arg(skip)]
    pub(crate) anew: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ApproveTool {
    /// What it was added as.
    pub(crate) name: String,
    /// Which directory is meant by a name that the tool asks for, once and for all. Without it each use says so.
    #[arg(long = "grant", value_name = "NAME=PATH")]
    pub(crate) grants: Vec<String>,
    /// Approve without being asked. Only at a terminal, where what is approved is shown.
    #[arg(long, conflicts_with = "reviewed")]
    pub(crate) yes: bool,
    /// Approve without a terminal what a person reviewed: refused if it is not what this digest was printed for.
    #[arg(long, value_name = "DIGEST")]
    pub(crate) reviewed: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct Call {
    /// The tool's name.
    pub(crate) name: String,
    /// A directory the tool may use, as NAME=PATH, NAME=PATH:ro or NAME=PATH:rw; read-only unless it says `rw`.
    #[arg(long = "grant", value_name = "NAME=PATH[:ro|:rw]")]
    pub(crate) grants: Vec<String>,
    /// Let the tool write a sensitive place in a writable grant: a name such as `.git`, or one file such as
    /// `.vscode/cspell.json`.
    #[arg(long, value_name = "PLACE")]
    pub(crate) allow_sensitive: Vec<String>,
    /// Let the tool write in place to files that have other names, which may lie outside the grant.
    #[arg(long)]
    pub(crate) allow_hard_links: bool,
    #[command(flatten)]
    pub(crate) visible: Visible,
    /// The input: JSON text, @FILE, or - for stdin.
    #[arg(long, value_name = "JSON|@FILE|-", allow_hyphen_values = true)]
    pub(crate) input: String,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Package {
    /// Customize a package: TypeSpec first, then its customization code if the build asks for it.
    Customize(Customize),
    /// Have your own agent classify and edit, step by step: this checks each edit, regenerates, builds and says what is
    /// next.
    Workflow(Workflow),
    /// Regenerate a package from its TypeSpec project.
    #[command(after_help = "Example:\n  bailiwick package generate --package-path sdk/widget/azure-widget")]
    Generate(Target),
    /// Build a package the way a customization validates it: by the repository's own build script if it configures one
    /// in `eng/swagger_to_sdk_config.json`, else by the language's default.
    #[command(after_help = "Example:\n  bailiwick package build --package-path sdk/widget/azure-widget --json")]
    Build(Target),
    /// Run the tests of a package, on a copy of it and without a network.
    #[command(after_help = "Example:\n  bailiwick package test --package-path sdk/widget/azure-widget")]
    Test(Target),
    /// Repair customization code for which the package no longer builds, and nothing else.
    Fix(Fix),
    /// Show what a package is generated from and how it is built, and start nothing.
    Show(Show),
    /// Make a new package from a TypeSpec project.
    Init(Init),
    /// Make a TypeSpec project from an OpenAPI description.
    Convert(Convert),
    /// Run one of the update scripts that the SDK repository configures.
    #[command(subcommand)]
    Update(Update),
}

#[derive(Debug, Args)]
pub(crate) struct Workflow {
    /// What is to be mended, to start a workflow: the output of a build or a wish, as text, @FILE, or - for stdin.
    #[arg(long, value_name = "TEXT|@FILE|-", allow_hyphen_values = true, requires = "package_path")]
    pub(crate) request: Option<String>,
    /// What the request is.
    #[arg(long, value_name = "build_error|user_request", default_value = "build_error")]
    pub(crate) request_type: String,
    /// The package directory, which holds `tsp-location.yaml`.
    #[arg(long, value_name = "DIR", requires = "request")]
    pub(crate) package_path: Option<PathBuf>,
    /// The TypeSpec project, if not the one that `tsp-location.yaml` leads to.
    #[arg(long, value_name = "DIR", requires = "request")]
    pub(crate) typespec_path: Option<PathBuf>,
    /// How many times a build may fail before the workflow does.
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub(crate) max_iterations: u8,
    /// The workflow to go on with; alone it says again what is expected.
    #[arg(long, value_name = "ID", conflicts_with = "request", required_unless_present = "request")]
    pub(crate) workflow_id: Option<String>,
    /// What came of the last step, as JSON text, @FILE, or - for stdin.
    #[arg(long, value_name = "JSON|@FILE|-", requires = "workflow_id", allow_hyphen_values = true)]
    pub(crate) result: Option<String>,
    /// Have the customization code repaired, where the workflow waits for it.
    #[arg(long, requires = "workflow_id", conflicts_with = "result")]
    pub(crate) fix: bool,
    /// Give the workflow up; what was edited stays until its run is reverted or approved.
    #[arg(long, requires = "workflow_id", conflicts_with_all = ["result", "fix"])]
    pub(crate) abandon: bool,
    /// Run builds and emitters without confinement, where this system cannot confine them.
    #[arg(long)]
    pub(crate) unconfined_builds: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Target {
    /// The package directory, which holds `tsp-location.yaml`.
    #[arg(long, value_name = "DIR")]
    pub(crate) package_path: PathBuf,
    /// The TypeSpec project; found through `tsp-location.yaml` and a local clone of the specifications if left out.
    #[arg(long, value_name = "DIR")]
    pub(crate) typespec_project_path: Option<PathBuf>,
    /// Run builds without confinement where this platform cannot confine them.
    #[arg(long)]
    pub(crate) unconfined_builds: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Customize {
    #[command(flatten)]
    pub(crate) target: Target,
    /// What to do: a sentence, a build log or review comments; @FILE reads a file, - reads stdin.
    #[arg(long, value_name = "TEXT|@FILE|-", allow_hyphen_values = true)]
    pub(crate) customization_request: String,
    /// What may be edited: `All`, `SpecInputs` (no customization code) or `CustomCode` (no TypeSpec).
    #[arg(long, default_value = "All", value_name = "SCOPE")]
    pub(crate) edit_scope: String,
    /// The model that classifies and edits: `mechanic` is built in, offline, without a key; `openai:NAME`,
    /// `openai-responses:NAME`, `azure:DEPLOYMENT`, `anthropic:NAME`, `gemini:NAME`, `ollama:NAME` and
    /// `openai-compatible:NAME@URL` are providers, whose keys come from the environment or `BAILIWICK_KEY_FILE`.
    /// `BAILIWICK_MODEL` is used if this is left out, then `model` of `bailiwick.toml`, else `mechanic`.
    #[arg(long, value_name = "MODEL")]
    pub(crate) model: Option<String>,
    /// The most that one agent may cost, such as `2.50`, at the prices of `bailiwick.toml`. A customization has up to
    /// three kinds of agents, each of which may be asked more than once.
    #[arg(long, value_name = "AMOUNT", value_parser = amount, conflicts_with = "replay")]
    pub(crate) max_cost: Option<u64>,
    /// Keep the conversation with the model in a new file, which only you can read. Secrets are taken out as far as
    /// they are known: the values of environment variables named like keys.
    #[arg(long, value_name = "FILE")]
    pub(crate) record: Option<PathBuf>,
    /// Answer from a recorded conversation instead of a model, without a network, and fail if anything else is sent.
    #[arg(long, value_name = "FILE", conflicts_with = "model")]
    pub(crate) replay: Option<PathBuf>,
    /// Keep what was changed when the run fails, instead of reverting it.
    #[arg(long)]
    pub(crate) keep_on_failure: bool,
    /// Let a model other than `mechanic` work although `CI` is set. A person should look at what it changes.
    #[arg(long)]
    pub(crate) allow_model_in_ci: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Run {
    /// List runs, newest first.
    List,
    /// Show a run: what was asked, what happened, what changed.
    Show {
        /// Its id, or an unambiguous beginning of it.
        id: String,
    },
    /// Accept what a run changed and close it.
    Approve {
        /// Its id, or an unambiguous beginning of it.
        id: String,
    },
    /// Put both repositories back to what they were before the run.
    Revert {
        /// Its id, or an unambiguous beginning of it.
        id: String,
    },
    /// Write what a run did as one HTML page, or as Markdown for a pull request.
    ///
    /// The page needs nothing but itself. Whatever requests, specifications, builds and models said is text in it and
    /// nothing else. `--json` prints the same as data.
    Report(Report),
}

#[derive(Debug, Args)]
pub(crate) struct Report {
    /// Its id, or an unambiguous beginning of it.
    pub(crate) id: String,
    /// How it is written.
    #[arg(long, value_enum, default_value_t = ReportFormat::Html, value_name = "FORMAT")]
    pub(crate) format: ReportFormat,
    /// The file to write, in place of stdout. A file that is there is replaced as a whole.
    #[arg(long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

/// How a report is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum ReportFormat {
    /// One self-contained page.
    Html,
    /// For the description of a pull request.
    Markdown,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Audit {
    /// Check that no line was altered, removed, reordered or added.
    ///
    /// Whoever has your own rights can write the whole log anew. Only a hash that was kept elsewhere shows that.
    Verify {
        /// The hash of a line, kept elsewhere, that has to be in the log: the head that an earlier check printed.
        #[arg(long, value_name = "HASH")]
        head: Option<String>,
    },
    /// Show the calls, oldest first. Does not check the log.
    Show {
        /// Only those of this run; a beginning of its id is enough.
        #[arg(long, value_name = "RUN")]
        run: Option<String>,
        /// Only the last so many of them.
        #[arg(long, value_name = "N")]
        last: Option<u64>,
    },
}
