//! `docs/reference/mcp-tools.md`: every tool that the server lists, with a call of it and the answer that it gave.
//!
//! The calls are made, over the stand-in toolchain (`tests/stand-in-toolchain`), and what differs from run to run is
//! written the same way. `BAILIWICK_REWRITE_SNAPSHOTS=1` rewrites the page; read the difference before it is kept.

use bailiwick_tests::{Mcp, World};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

const PAGE: &str = "../docs/reference/mcp-tools.md";
const HEAD: &str = "# MCP tools

Every tool that `bailiwick mcp` lists, with its arguments, a call and the answer. `tests/real/mcp_tools_page.rs` writes this page:
it makes these calls over a *stand-in* for the toolchain of a Python package (`tests/stand-in-toolchain`). Values that
differ from run to run (names of runs, times, the directory) are replaced by fixed ones. To write the page again:
`BAILIWICK_REWRITE_SNAPSHOTS=1 cargo test -p bailiwick-tests --test mcp_tools_page`.

Aliases are accepted and not listed: `azsdk_package_generate` for `azsdk_package_generate_code`, `azsdk_package_build` for
`azsdk_package_build_code`, and `read_file` for `read_text_file`. `bailiwick_request_tool` is listed with `--tool-requests`.

Structured answers also have a short text. Errors are answers with `isError` and one sentence, with a `hint:` line if
there is something to do. Long answers are cut here, at `…`.
";
/// Where everything seems to lie.
const HOME: &str = "/home/you";
/// So many lines of an answer are shown.
const LINES: usize = 60;
/// So many characters of a line.
const WIDTH: usize = 240;

/// One call that is shown.
struct Shown {
    arguments: Value,
    answer: Value,
    asked: Option<String>,
}

/// The tools of one server, and a call of each.
struct Server {
    client: Mcp,
    /// The directory of its world, which is written as another one before anything is cut.
    base: String,
    listed: BTreeMap<String, Value>,
    shown: BTreeMap<String, Vec<Shown>>,
}

impl Server {
    fn start(world: &World, arguments: &[&str]) -> Self {
        let mut client = Mcp::legacy(world.base(), &world.serving(arguments), json!({ "elicitation": {} }));
        let answer = client.request("tools/list", json!({}));
        let tools = answer["result"]["tools"].as_array().unwrap();
        let listed = tools.iter().map(|tool| (tool["name"].as_str().unwrap().to_owned(), tool.clone())).collect();
        let base = world.base().to_str().unwrap().to_owned();
        Self { client, base, listed, shown: BTreeMap::new() }
    }

    /// Calls a tool, and shows that call if it is the first of this tool. A person who is asked says yes.
    fn call(&mut self, tool: &str, arguments: Value) -> Value {
        self.called(tool, arguments, false)
    }

    /// Calls a tool, and shows that call behind those that are shown.
    fn then(&mut self, tool: &str, arguments: Value) -> Value {
        self.called(tool, arguments, true)
    }

    fn called(&mut self, tool: &str, arguments: Value, further: bool) -> Value {
        let base = self.base.clone();
        let home = |text: &str| text.replace(&base, HOME);
        let at_home = |value: &Value| serde_json::from_str::<Value>(&home(&value.to_string())).unwrap();
        let written = at_home(&arguments);
        let params = [("name".to_owned(), json!(tool)), ("arguments".to_owned(), arguments)];
        let id = self.client.begin("tools/call", Value::Object(params.into_iter().collect()));
        let mut asked = None;
        let answer = loop {
            let message = self.client.next_message();
            if message["method"] == "elicitation/create" {
                asked = message["params"]["message"].as_str().map(str::to_owned);
                let content = json!({ "action": "accept", "content": { "approve": true } });
                let yes = json!({ "jsonrpc": "2.0", "id": message["id"], "result": content });
                self.client.send_text(&yes.to_string());
            } else if message.get("method").is_none() && message["id"] == json!(id) {
                break message["result"].clone();
            }
        };
        assert_ne!(answer["isError"], json!(true), "{tool} {written}: {answer:#}");
        let asked = asked.as_deref().map(home);
        let shown = Shown { arguments: written, answer: at_home(&answer), asked };
        let all = self.shown.entry(tool.to_owned()).or_default();
        if all.is_empty() || further {
            all.push(shown);
        }
        answer
    }

    /// The tools with their calls, each of which there has to be.
    fn sections(&self) -> Vec<(String, String)> {
        let without: Vec<_> = self.listed.keys().filter(|name| !self.shown.contains_key(*name)).collect();
        assert!(without.is_empty(), "tools without an example in this file: {without:?}");
        let gone: Vec<_> = self.shown.keys().filter(|name| !self.listed.contains_key(*name)).collect();
        assert!(gone.is_empty(), "examples of tools that are not listed: {gone:?}");
        self.listed.iter().map(|(name, tool)| (name.clone(), section(tool, &self.shown[name]))).collect()
    }
}

fn section(tool: &Value, shown: &[Shown]) -> String {
    let mut page = format!("### {}\n\n", tool["name"].as_str().unwrap());
    writeln!(page, "*{}.* {}\n", tool["title"].as_str().unwrap(), tool["description"].as_str().unwrap()).unwrap();
    let hints = &tool["annotations"];
    let hint = |name: &str| hints[name] == json!(true);
    let effect = match (hint("readOnlyHint"), hint("destructiveHint"), hint("idempotentHint")) {
        (true, _, _) => "changes nothing",
        (_, false, _) => "adds and overwrites nothing",
        (_, true, true) => "changes what is there; the same call again changes nothing more",
        (_, true, false) => "changes what is there",
    };
    let reach = if hint("openWorldHint") { "reaches beyond this machine" } else { "stays on this machine" };
    writeln!(page, "It {effect}, and {reach}.\n").unwrap();
    if let Some(properties) = tool["inputSchema"]["properties"].as_object().filter(|all| !all.is_empty()) {
        writeln!(page, "| argument | type | |\n|---|---|---|").unwrap();
        let required = tool["inputSchema"]["required"].as_array().cloned().unwrap_or_default();
        for (name, property) in properties {
            let needed = if required.contains(&json!(name)) { ", required" } else { "" };
            let said = property["description"].as_str().unwrap_or_default().replace('|', "\\|").replace('\n', " ");
            writeln!(page, "| `{name}` | {}{needed} | {said} |", kind(property)).unwrap();
        }
        page.push('\n');
    }
    if let Some(properties) = tool["outputSchema"]["properties"].as_object() {
        let names: Vec<_> = properties.keys().map(|name| format!("`{name}`")).collect();
        writeln!(page, "Its answer is structured: {}.\n", names.join(", ")).unwrap();
    }
    for (place, call) in shown.iter().enumerate() {
        if place > 0 {
            page.push_str("and then\n\n");
        }
        example(&mut page, call);
    }
    page
}

fn example(page: &mut String, shown: &Shown) {
    writeln!(page, "```json\n{:#}\n```\n", shown.arguments).unwrap();
    if let Some(asked) = &shown.asked {
        writeln!(page, "asks the person:\n\n```text\n{}\n```\n", cut(asked)).unwrap();
    }
    let content = &shown.answer["content"];
    let text = content[0]["text"].as_str().map_or_else(|| format!("{content:#}"), str::to_owned);
    match shown.answer.get("structuredContent") {
        Some(value) => {
            writeln!(page, "answers\n\n```json\n{}\n```\n", cut(&format!("{value:#}"))).unwrap();
            writeln!(page, "and as text\n\n```text\n{}\n```\n", cut(&text)).unwrap();
        }
        None => writeln!(page, "answers\n\n```text\n{}\n```\n", cut(&text)).unwrap(),
    }
}

fn kind(property: &Value) -> String {
    if let Some(words) = property["enum"].as_array() {
        return words
            .iter()
            .map(|word| format!("`{}`", word.as_str().unwrap_or_default()))
            .collect::<Vec<_>>()
            .join(", ");
    }
    match &property["type"] {
        Value::String(kind) if kind == "array" => match property["items"]["type"].as_str() {
            Some(items) => format!("list of {items}"),
            None => "list".to_owned(),
        },
        Value::String(kind) => kind.clone(),
        Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" or "),
        _ => "any".to_owned(),
    }
}

fn cut(text: &str) -> String {
    let lines: Vec<_> = text.trim_end().lines().collect();
    let mut kept: Vec<String> = lines.iter().take(LINES).map(|line| narrow(line)).collect();
    if lines.len() > LINES {
        kept.push("…".into());
    }
    // Nothing in an answer ends the block it stands in.
    kept.join("\n").replace("```", "'''")
}

fn narrow(line: &str) -> String {
    match line.char_indices().nth(WIDTH) {
        Some((place, _)) => format!("{}…", &line[..place]),
        None => line.to_owned(),
    }
}

/// What differs from run to run, written the same way: the directory, names of runs, times, durations and digests.
fn settled(text: &str, base: &Path) -> String {
    let text = text.replace(base.to_str().unwrap(), HOME);
    // A server shortens paths that its client did not name.
    let text = text.replace(&format!("<temp>/{}", base.file_name().unwrap().to_str().unwrap()), HOME);
    let mut names: Vec<String> = Vec::new();
    let mut written = String::new();
    let mut rest = text.as_str();
    while let Some(character) = rest.chars().next() {
        let boundary = !written.ends_with(|before: char| before.is_ascii_alphanumeric());
        let length = if boundary { run_name(rest) } else { 0 };
        if length > 0 {
            let name = rest[..length].to_owned();
            let place = names.iter().position(|known| *known == name).unwrap_or_else(|| {
                names.push(name);
                names.len() - 1
            });
            write!(written, "20261001-120000-000-example{}", place + 1).unwrap();
            rest = &rest[length..];
        } else if boundary && shaped(rest, WORKFLOW) > 0 {
            written.push_str("workflow-0123456789abcdef0123456789abcdef");
            rest = &rest[WORKFLOW.len()..];
        } else if boundary && time(rest) > 0 {
            written.push_str("2026-10-01T12:00:00Z");
            rest = &rest[time(rest)..];
        } else {
            written.push(character);
            rest = &rest[character.len_utf8()..];
        }
    }
    written.lines().map(timeless).collect::<Vec<_>>().join("\n") + "\n"
}

/// The shape of a workflow's name.
const WORKFLOW: &str = "workflow-HHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHH";

/// The length of `20261120-130405-678-k3m9x2qa` at the beginning, else 0.
fn run_name(text: &str) -> usize {
    shaped(text, "DDDDDDDD-DDDDDD-DDD-AAAAAAAA")
}

/// The length of `2026-11-20T13:04:05Z`, with or without parts of a second, at the beginning, else 0.
fn time(text: &str) -> usize {
    let length = shaped(text, "DDDD-DD-DDTDD:DD:DD");
    if length == 0 {
        return 0;
    }
    let rest = &text[length..];
    let parts = rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len());
    if rest[parts..].starts_with('Z') { length + parts + 1 } else { 0 }
}

/// `D` stands for a digit, `A` for a letter or a digit, `H` for a hexadecimal digit, and everything else for itself.
fn shaped(text: &str, shape: &str) -> usize {
    let fits = |(found, wanted): (u8, u8)| match wanted {
        b'D' => found.is_ascii_digit(),
        b'A' => found.is_ascii_lowercase() || found.is_ascii_digit(),
        b'H' => found.is_ascii_hexdigit(),
        other => found == other,
    };
    let long_enough = text.len() >= shape.len();
    if long_enough && text.bytes().zip(shape.bytes()).all(fits) { shape.len() } else { 0 }
}

/// A line of JSON whose member is a time that passed.
fn timeless(line: &str) -> String {
    const MEMBERS: [&str; 4] = ["\"toolTimeMs\": ", "\"durationMs\": ", "\"seconds\": ", "\"elapsedMs\": "];
    match MEMBERS.iter().find_map(|member| line.find(member).map(|place| place + member.len())) {
        Some(place) => {
            let end =
                line[place..].find(|c: char| !c.is_ascii_digit() && c != '.').map_or(line.len(), |end| place + end);
            format!("{}0{}", &line[..place], &line[end..])
        }
        None => passed(line, " ms"),
    }
}

/// Numbers before this unit do not count.
fn passed(line: &str, unit: &str) -> String {
    let mut written = String::new();
    let mut rest = line;
    while let Some(place) = rest.find(unit) {
        let number = rest[..place].trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
        written.push_str(number);
        written.push_str(if number.len() < place { "0" } else { "" });
        written.push_str(unit);
        rest = &rest[place + unit.len()..];
    }
    written + rest
}

/// A directory of files for the file tools.
fn files(world: &World) {
    let docs = world.base().join("docs");
    std::fs::create_dir_all(docs.join("guide")).unwrap();
    std::fs::write(docs.join("a.txt"), "one\ntwo\nthree\n").unwrap();
    std::fs::write(docs.join("guide/start.md"), "# Start\n\nRead this first.\n").unwrap();
    // The smallest image there is.
    let dot = b"GIF89a\x01\0\x01\0\0\0\0!\xf9\x04\x01\0\0\0\0,\0\0\0\0\x01\0\x01\0\0\x02\0;";
    std::fs::write(docs.join("dot.gif"), dot).unwrap();
    std::fs::create_dir_all(docs.join(".vscode")).unwrap();
    std::fs::write(docs.join(".vscode/cspell.json"), "{\n  // ours\n  \"words\": [\n    \"bailiwick\"\n  ]\n}\n")
        .unwrap();
}

/// The reference file server's tools, in a directory that may be written.
fn reference(server: &mut Server) {
    server.call("list_allowed_directories", json!({}));
    server.call("read_text_file", json!({ "path": "docs/a.txt", "head": 2 }));
    server.call("read_multiple_files", json!({ "paths": ["docs/a.txt", "docs/none.txt"] }));
    server.call("read_media_file", json!({ "path": "docs/dot.gif" }));
    server.call("list_directory", json!({ "path": "docs" }));
    server.call("list_directory_with_sizes", json!({ "path": "docs", "sortBy": "size" }));
    server.call("directory_tree", json!({ "path": "docs" }));
    server.call("search_files", json!({ "path": "docs", "pattern": "**/*.md" }));
    server.call("get_file_info", json!({ "path": "docs/a.txt" }));
    server.call("create_directory", json!({ "path": "docs/notes" }));
    server.call("write_file", json!({ "path": "docs/notes/b.txt", "content": "four\n" }));
    let edits = json!([{ "oldText": "two", "newText": "2" }]);
    server.call("edit_file", json!({ "path": "docs/a.txt", "edits": edits, "dryRun": true }));
    server.call("move_file", json!({ "source": "docs/notes/b.txt", "destination": "docs/notes/c.txt" }));
}

/// The tools that agents have, in a directory that may be written.
fn native(server: &mut Server) {
    server.call("ReadFile", json!({ "filePath": "docs/a.txt", "startLine": 2 }));
    server.call("ListFiles", json!({ "path": "docs", "recursive": true }));
    server.call("WriteFile", json!({ "filePath": "docs/b.txt", "content": "four\n" }));
    server.call("CodePatch", json!({ "filePath": "docs/a.txt", "oldContent": "two", "newContent": "2" }));
    server.call("UpdateCspellWords", json!({ "words": ["regenerate"] }));
}

/// A call in repositories of its own.
fn elsewhere(server: &mut Server, other: &World, tool: &str, arguments: impl Fn(&Path) -> Value) {
    let mut apart = Server::start(other, &["--answer-within", "600"]);
    apart.call(tool, arguments(&other.package()));
    server.shown.insert(tool.to_owned(), apart.shown.remove(tool).unwrap());
}

/// A customization from its beginning to a person's decision, its steps on their own, and the coordinator.
fn packages(server: &mut Server, world: &World) {
    let package = json!({ "packagePath": world.package() });
    server.call("azsdk_package_build_code", package.clone());
    server.call("azsdk_package_generate_code", package);
    let run = |answer: &Value| json!({ "runId": answer["structuredContent"]["runId"] });

    let request = "rename the model AnalyzeResult to WidgetAnalysis in the Python SDK";
    let customize = json!({ "packagePath": world.package(), "customizationRequest": request });
    let first = server.call("azsdk_package_customize_code", customize.clone());
    server.call("azsdk_run_wait", run(&first));
    server.call("azsdk_run_list", json!({ "limit": 1 }));
    server.call("azsdk_run_show", run(&first));
    server.call("azsdk_run_revert", run(&first));
    let second = server.call("azsdk_package_customize_code", customize);
    server.call("azsdk_run_approve", run(&second));
    world.git("azure-rest-api-specs", &["checkout", "-q", "--", "."]);
    world.git(world.sdk().repository(), &["checkout", "-q", "--", "."]);

    let begin = json!({
        "request": "AnalyzeResult is to be called WidgetAnalysis in Python",
        "requestType": "user_request",
        "packagePath": world.package(),
    });
    let workflow = "azsdk_sdk_customization_workflow";
    let begun = server.call(workflow, begin);
    let report = |result: Value| json!({ "workflowId": begun["structuredContent"]["workflow_id"], "result": result });
    server.then(workflow, report(json!({ "type": "classification", "tspApplicable": true })));
    let rename = "\n@@clientName(AnalyzeResult, \"WidgetAnalysis\", \"python\");\n";
    std::fs::write(world.project().join("client.tsp"), world.client() + rename).unwrap();
    let applied = json!({ "type": "tsp_fix_applied", "description": "renamed AnalyzeResult for Python" });
    // What was written by hand still uses the old name.
    let failed = server.then(workflow, report(applied));
    assert_eq!(failed["structuredContent"]["phase"], "Classify", "{failed:#}");
    let told = server.then(workflow, report(json!({ "type": "classification", "tspApplicable": false })));
    let repair = &told["structuredContent"]["run_tool"];
    let repaired = server.call(repair["name"].as_str().unwrap(), repair["arguments"].clone());
    let applied = json!({ "type": "sdk_fix_applied", "description": repaired["content"][0]["text"] });
    let ended = server.then(workflow, report(applied));
    assert_eq!(ended["structuredContent"]["status"], "success", "{ended:#}");
    // Where the tests are run, nothing stands in for their runner.
    elsewhere(server, &World::new(), "azsdk_package_run_tests", |place| json!({ "packagePath": place }));

    // One that hangs, to be cancelled.
    let hanging = World::standing_in();
    hanging.stand_in_fails(&json!({ "hangs": "generate" }));
    // A run that has not begun yet has a provisional name.
    let mut busy = Server::start(&hanging, &["--answer-within", "2"]);
    let running = busy.call("azsdk_package_generate_code", json!({ "packagePath": hanging.package() }));
    busy.call("azsdk_run_cancel", run(&running));
    server.shown.insert("azsdk_run_cancel".into(), busy.shown.remove("azsdk_run_cancel").unwrap());
}

#[test]
fn page_has_every_tool_with_a_call_and_its_answer() {
    let world = World::standing_in();
    files(&world);
    let granted = ["--grant", "docs=docs:rw", "--allow-sensitive", ".vscode/cspell.json", "--answer-within", "600"];
    let mut server = Server::start(&world, &[&granted[..], &["--tool-requests"]].concat());
    reference(&mut server);
    packages(&mut server, &world);
    let wish = json!({ "tool": "spell-check", "whatFor": "to find spelling mistakes in the samples" });
    server.call("bailiwick_request_tool", wish);
    let is_file_tool = |name: &str| !name.starts_with("azsdk_") && !name.starts_with("bailiwick_");
    let (files, packages): (Vec<_>, Vec<_>) = server.sections().into_iter().partition(|(name, _)| is_file_tool(name));
    let mut server = Server::start(&world, &[&granted[..], &["--file-tools", "native"]].concat());
    server.listed.retain(|name, _| !name.starts_with("azsdk_"));
    native(&mut server);
    let mut page = HEAD.to_owned();
    for (title, sections) in
        [("Packages and runs", packages), ("Files", files), ("Files, with `--file-tools native`", server.sections())]
    {
        write!(page, "\n## {title}\n\n").unwrap();
        for (_, section) in sections {
            page.push_str(&section);
        }
    }
    let page = settled(&page, world.base());
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(PAGE);
    if std::env::var_os("BAILIWICK_REWRITE_SNAPSHOTS").is_some() {
        std::fs::write(&file, &page).unwrap();
    }
    let written = std::fs::read_to_string(&file).unwrap_or_default();
    let differing = page.lines().zip(written.lines()).find(|(now, before)| now != before);
    assert!(
        page == written,
        "set BAILIWICK_REWRITE_SNAPSHOTS=1 to write the page anew; the first difference: {differing:#?}, {} and {} lines",
        page.lines().count(),
        written.lines().count()
    );
}
