// Prints the client model of a TypeSpec project for each language, as the client generator core makes it for emitters.
//
//   node main.mjs --root <project dir> --entry <file> --languages <token,…> --variants <file> --output <file>
//
// A tool of the tests: the product has its own probe. Nothing is emitted, so that one compilation serves every language.
// `--root` needs a `node_modules` beside or above it with the compiler and the client generator core in it.
//
// A file of variants holds [{ name, files: { <path>: text } }]: each is compiled with those texts in place of the
// project's. The answer is { <name>: { models: { <token>: model }, diagnostics: { <token>: [line, …] } } }. A project
// with errors is an answer, with no models; exit code 1 is a tool that could not run.

import { existsSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { describe } from "./describe.mjs";

/** The emitter of each language: its options in `tspconfig.yaml` apply, and its name tells the core the scope. */
const EMITTERS = {
  csharp: { options: "@azure-typespec/http-client-csharp", name: "@azure-typespec/http-client-csharp" },
  go: { options: "@azure-tools/typespec-go", name: "@azure-tools/typespec-go" },
  java: { options: "@azure-tools/typespec-java", name: "@azure-tools/typespec-java" },
  javascript: { options: "@azure-tools/typespec-ts", name: "@azure-tools/typespec-ts" },
  python: { options: "@typespec/http-client-python", name: "@azure-tools/typespec-python" },
};
/** Decorators that some emitter asks the core to hand on as they stand, because the core has no field for them. */
const HANDED_ON = ["deserializeEmptyStringAsNull", "useSystemTextJsonConverter"].map((name) => `Azure\\.ClientGenerator\\.Core\\.@${name}`);

const { values: given } = parseArgs({
  options: {
    root: { type: "string" },
    entry: { type: "string" },
    languages: { type: "string" },
    output: { type: "string" },
    variants: { type: "string" },
  },
});
// The compiler resolves links before it names a file.
const root = realpathSync(given.root);
const entry = resolve(root, given.entry);
const languages = given.languages.split(",");

const load = createRequire(pathToFileURL(join(root, "main.cjs")));
const importFrom = (name) => import(pathToFileURL(load.resolve(name)).href);
const { NodeHost, compile, formatDiagnostic, resolveCompilerOptions } = await importFrom("@typespec/compiler");
const { createSdkContext } = await importFrom("@azure-tools/typespec-client-generator-core");

let previous;
const answer = {};
for (const { name, files } of JSON.parse(readFileSync(given.variants, "utf8"))) answer[name] = await modelsOf(files);
writeFileSync(given.output, JSON.stringify(answer));

async function modelsOf(files) {
  const host = overlaid(files);
  const config = join(root, "tspconfig.yaml");
  const [resolved, problems] = await resolveCompilerOptions(host, {
    cwd: root,
    entrypoint: entry,
    ...(existsSync(config) ? { configPath: config } : {}),
  });
  const options = { ...resolved, emit: [], noEmit: true, linterRuleSet: undefined };
  // What did not change since the last variant is not parsed again.
  const program = await compile(host, entry, options, previous);
  previous = program;
  const compiled = [...problems, ...program.diagnostics];
  const answer = { models: {}, diagnostics: {} };
  for (const language of languages) {
    const { options: of, name } = EMITTERS[language];
    const context = { program, emitterOutputDir: root, perf: program.perf, options: resolved.options?.[of] ?? {} };
    const found = [...compiled];
    if (!program.hasError()) {
      const sdk = await createSdkContext(context, name, { additionalDecorators: HANDED_ON });
      answer.models[language] = describe(sdk.sdkPackage);
      found.push(...sdk.diagnostics.filter((one) => !compiled.includes(one)));
    }
    answer.diagnostics[language] = [...new Set(found.map((one) => formatDiagnostic(one).replaceAll(`${root}/`, "")))];
  }
  return answer;
}

/** The machine's files, with these texts in their place. */
function overlaid(files) {
  const texts = new Map(Object.entries(files).map(([path, text]) => [resolve(root, path), text]));
  if (!texts.size) return NodeHost;
  return {
    ...NodeHost,
    readFile: async (path) => {
      const text = texts.get(path);
      if (text === undefined) return NodeHost.readFile(path);
      return { ...(await NodeHost.readFile(entry)), path, text };
    },
    stat: async (path) => (texts.has(path) ? { isFile: () => true, isDirectory: () => false } : NodeHost.stat(path)),
  };
}
