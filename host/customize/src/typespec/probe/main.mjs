// Prints what a TypeSpec project declares and how one language's client sees it, as one JSON object.
//
//   node probe.mjs --root <project dir> --entry <file> [--client <client.tsp>] --language <scope token>
//                  [--emitter <package whose options in tspconfig.yaml apply>] [--output <file instead of standard output>]
//                  [--requests <pipe>]
//
// With `--requests` it stays: each line `{"number": n, "request": {"entry": <file>, "output": <file>}}` of the pipe is a
// question about the project as its files are then, and `answered n` is printed when the answer is in the file. Every
// answer is that of a program started for it: nothing is kept but the modules. One that fails ends the program.
//
// `--root` needs a `node_modules` beside or above it with the compiler and the client generator core in it; both
// are loaded from there, so that the probe runs the very versions that generate. Nothing is emitted. A specification
// with errors is an answer (they stand in `diagnostics`) and exit code 0; only a probe that could not run exits with 1.

import { createReadStream, existsSync, realpathSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { collectClients, collectHeld, collectUses, collectViews } from "./clients.mjs";
import { collectCustomizations, findScript, text } from "./customizations.mjs";
import { collectBases, collectEntities, collectNameless } from "./entities.mjs";
import { places } from "./names.mjs";

const SCHEMA = 3;

const { values: options } = parseArgs({
  options: {
    root: { type: "string" },
    entry: { type: "string" },
    client: { type: "string" },
    language: { type: "string" },
    emitter: { type: "string" },
    output: { type: "string" },
    requests: { type: "string" },
  },
});
for (const name of ["root", options.requests ? "requests" : "entry", "language"]) {
  if (!options[name]) fail(`\`--${name}\` is missing`);
}

// The compiler resolves links before it names a file, so the root must be resolved as well to be recognised.
const root = realpathSync(options.root);
const client = options.client ? resolve(root, options.client) : undefined;

const load = createRequire(pathToFileURL(join(root, "probe.cjs")));
const importFrom = async (name) => import(pathToFileURL(load.resolve(name)).href);
let compiler, ast, tcgc;
try {
  compiler = await importFrom("@typespec/compiler");
  // Beside the main entry: compilers before 1.15 export neither this to `require` nor their package file.
  ast = await import(pathToFileURL(join(dirname(load.resolve("@typespec/compiler")), "ast/index.js")).href);
  tcgc = await importFrom("@azure-tools/typespec-client-generator-core");
} catch (error) {
  fail(`the TypeSpec libraries cannot be loaded: ${error.message}`);
}
const { NodeHost, compile, getSourceLocation, resolveCompilerOptions } = compiler;
const { SyntaxKind } = ast;
const { displayPath, isOwn, place } = places(root, getSourceLocation);

try {
  if (options.requests) {
    for await (const line of createInterface({ input: createReadStream(options.requests) })) {
      const { number, request } = JSON.parse(line);
      await answer(request.entry, request.output);
      await print(`answered ${number}`);
    }
  } else {
    await answer(options.entry, options.output);
  }
} catch (error) {
  fail(error.stack ?? String(error));
}

async function answer(entry, output) {
  const text = JSON.stringify(await probe(resolve(root, entry)));
  if (output) writeFileSync(output, text);
  else await print(text);
}

/** Written in one piece and awaited: `process.exit` would cut a pipe short. */
function print(line) {
  return new Promise((done) => process.stdout.write(line + "\n", done));
}

function fail(message) {
  process.stderr.write(`probe: ${message}\n`);
  process.exit(1);
}

async function probe(entry) {
  const configFile = join(root, "tspconfig.yaml");
  const [resolved, configDiagnostics] = await resolveCompilerOptions(NodeHost, {
    cwd: root,
    entrypoint: entry,
    ...(existsSync(configFile) ? { configPath: configFile } : {}),
  });
  // Linting is advice about the service and costs a third of the time; emitting is not a probe's business.
  const program = await compile(NodeHost, entry, {
    ...resolved,
    emit: [],
    noEmit: true,
    linterRuleSet: undefined,
  });
  const diagnostics = [...configDiagnostics, ...program.diagnostics];

  const views = new Map();
  let clients = [];
  let uses = {};
  let held = {};
  // Said before references are looked up: one that the compiler does not know counts as an error of the program.
  const compiles = !program.hasError();
  if (compiles) {
    const known = new Set(program.diagnostics);
    const context = {
      program,
      emitterOutputDir: root,
      perf: program.perf,
      options: resolved.options?.[options.emitter] ?? {},
    };
    try {
      const sdk = await tcgc.createSdkContext(context, `@azure-tools/typespec-${options.language}`);
      collectViews(sdk, views);
      const clientFile = client && existsSync(client) ? realpathSync(client) : undefined;
      clients = collectClients(sdk, (type) => clientFile !== undefined && place(type)?.path === clientFile);
      uses = collectUses(sdk);
      held = collectHeld(sdk, uses);
      diagnostics.push(...sdk.diagnostics.filter((one) => !known.has(one)));
    } catch (error) {
      diagnostics.push({ severity: "error", code: "client-model", message: String(error.message ?? error) });
    }
  }

  const entities = collectEntities({ program, compiler, SyntaxKind, places: { displayPath, isOwn, place } }, views, clients);
  const script = client ? findScript(program, client) : undefined;
  return {
    schema: SCHEMA,
    namespaces: entities.filter((entity) => entity.kind === "namespace").map((entity) => entity.reference),
    entities,
    clients,
    // Groups of operations became clients in the version that moves operations of declared ones.
    locatesDeclared: typeof tcgc.listSubClients === "function",
    uses,
    held,
    bases: compiles ? collectBases(program, entities) : {},
    nameless: !compiles ? [] : collectNameless({ program, getDiscriminator: compiler.getDiscriminator }, entities),
    customizations: script ? collectCustomizations({ program, SyntaxKind }, script) : [],
    imports: script ? script.statements.filter((s) => s.kind === SyntaxKind.ImportStatement).map((s) => s.path.value) : [],
    usings: script ? script.usings.map((using) => text(script, using.name)) : [],
    diagnostics: unique(diagnostics.map(describeDiagnostic)),
  };
}

function describeDiagnostic(diagnostic) {
  const target = diagnostic.target;
  const at = target && typeof target !== "symbol" ? place(target) : undefined;
  return {
    severity: diagnostic.severity,
    file: at ? displayPath(at.path) : null,
    line: at?.line ?? null,
    column: at?.column ?? null,
    code: diagnostic.code ?? null,
    message: diagnostic.message,
    symbol: null,
    tool: "tsp",
  };
}

function unique(all) {
  const seen = new Set();
  return all.filter((one) => {
    const key = JSON.stringify(one);
    return seen.has(key) ? false : seen.add(key);
  });
}
