// Drives a server with the TypeScript SDKs' clients: one scenario, given as JSON in the only argument; prints what came of
// it. It is run where the clients are installed.

import { readFileSync, readdirSync } from "node:fs";

const given = JSON.parse(process.argv[2]);
const asked = [];

/** A client of the second SDK: `legacy` is what it does when nobody says anything, `auto` looks for 2026-07-28 first. */
async function second() {
  const { Client, StreamableHTTPClientTransport } = await import("@modelcontextprotocol/client");
  const { StdioClientTransport } = await import("@modelcontextprotocol/client/stdio");
  const options = { capabilities: capabilities() };
  if (given.mode === "auto") options.versionNegotiation = { mode: "auto" };
  const client = new Client({ name: "tests", version: "1" }, options);
  if (given.answer) client.setRequestHandler("elicitation/create", elicit);
  await client.connect(transport(StdioClientTransport, StreamableHTTPClientTransport));
  const call = (name, args, options) => client.callTool({ name, arguments: args }, options);
  return { client, call, protocol: () => client.getNegotiatedProtocolVersion() };
}

/** A client of the first SDK, which knows 2025-11-25 at most. */
async function first() {
  const { Client } = await import("@modelcontextprotocol/sdk/client/index.js");
  const { StdioClientTransport } = await import("@modelcontextprotocol/sdk/client/stdio.js");
  const { StreamableHTTPClientTransport } = await import("@modelcontextprotocol/sdk/client/streamableHttp.js");
  const { CallToolResultSchema, ElicitRequestSchema } = await import("@modelcontextprotocol/sdk/types.js");
  const client = new Client({ name: "tests", version: "1" }, { capabilities: capabilities() });
  if (given.answer) client.setRequestHandler(ElicitRequestSchema, elicit);
  const made = transport(StdioClientTransport, StreamableHTTPClientTransport);
  await client.connect(made);
  const call = (name, args, options) => client.callTool({ name, arguments: args }, CallToolResultSchema, options);
  return { client, call, protocol: () => made.protocolVersion ?? made._protocolVersion ?? null };
}

function capabilities() {
  return given.answer ? { elicitation: {} } : {};
}

function transport(Stdio, Http) {
  if (!given.url) return new Stdio({ command: given.command, args: given.args, env: given.env, stderr: "inherit" });
  return new Http(new URL(given.url), { requestInit: { headers: { Authorization: `Bearer ${given.token}` } } });
}

async function elicit(request) {
  asked.push(request.params.message);
  const [action, approve] = given.answer;
  return action === "accept" ? { action, content: { approve } } : { action };
}

function shown(result) {
  const text = result.content.filter((part) => part.type === "text").map((part) => part.text).join("");
  return { text, structured: result.structuredContent ?? null, isError: result.isError ?? false };
}

/** Lists, has a package customized with progress, and has the person approve. */
async function customized({ client, call, protocol }) {
  // From the list the client knows the output schemas, and checks every structured answer against them from here on.
  const { tools } = await client.listTools();
  const progress = [];
  const options = { timeout: 300_000, onprogress: ({ progress: step, message }) => progress.push([step, message]) };
  const wrong = shown(await call("azsdk_run_show", { runId: "none" }));
  const answers = [await call("azsdk_package_customize_code", given.arguments, options)];
  while (answers.at(-1).structuredContent?.status === "running") {
    const { runId } = answers.at(-1).structuredContent;
    answers.push(await call("azsdk_run_wait", { runId, seconds: 2 }, options));
  }
  const { runId } = answers.at(-1).structuredContent ?? {};
  const approved = shown(await call("azsdk_run_approve", { runId }));
  return { protocol: protocol(), tools: tools.map((tool) => tool.name), wrong, progress, answers: answers.map(shown), approved };
}

/** Takes the call back when its progress says `at`, then looks until no run is at work. */
async function cancelled({ call }) {
  const controller = new AbortController();
  const progress = [];
  const onprogress = ({ message }) => {
    progress.push(message);
    if (message.includes(given.at)) controller.abort("second thoughts");
  };
  const options = { timeout: 300_000, signal: controller.signal, onprogress };
  const failed = await call("azsdk_package_customize_code", given.arguments, options).then(() => null, (error) => `${error}`);
  let runs;
  do {
    await new Promise((done) => setTimeout(done, 100));
    runs = (await call("azsdk_run_list", {})).structuredContent.runs;
  } while (runs.some((run) => run.status === "running"));
  return { failed, progress, runs, left: descendants(process.pid).slice(1) };
}

/** The processes beneath this one, the server first: without those that have ended. */
function descendants(of) {
  const children = new Map();
  for (const number of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      const [state, parent] = readFileSync(`/proc/${number}/stat`, "utf8").split(") ").at(-1).split(" ");
      if (state !== "Z") children.set(parent, [...(children.get(parent) ?? []), number]);
    } catch {
      // It has ended meanwhile.
    }
  }
  const beneath = (parent) => (children.get(`${parent}`) ?? []).flatMap((child) => [child, ...beneath(child)]);
  return beneath(of);
}

const connected = await (given.sdk === "first" ? first() : second());
const outcome = await { customized, cancelled }[given.scenario](connected);
process.stdout.write(`${JSON.stringify({ outcome, asked })}\n`, () => process.exit(0));
