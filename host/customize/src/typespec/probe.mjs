// Prints what a TypeSpec project declares and how one language's client sees it, as one JSON object.
//
//   node probe.mjs --root <project dir> --entry <file> [--client <client.tsp>] --language <scope token>
//                  [--emitter <package whose options in tspconfig.yaml apply>] [--output <file instead of standard output>]
//
// `--root` needs a `node_modules` beside or above it with the compiler and the client generator core in it; both
// are loaded from there, so that the probe runs the very versions that generate. Nothing is emitted. A specification
// with errors is an answer (they stand in `diagnostics`) and exit code 0; only a probe that could not run exits with 1.

import { existsSync, realpathSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative, resolve, sep } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";

const SCHEMA = 1;

const { values: options } = parseArgs({
  options: {
    root: { type: "string" },
    entry: { type: "string" },
    client: { type: "string" },
    language: { type: "string" },
    emitter: { type: "string" },
    output: { type: "string" },
  },
});
for (const name of ["root", "entry", "language"]) {
  if (!options[name]) fail(`\`--${name}\` is missing`);
}

// The compiler resolves links before it names a file, so the root must be resolved as well to be recognised.
const root = realpathSync(options.root);
const entry = resolve(root, options.entry);
const client = options.client ? resolve(root, options.client) : undefined;

const load = createRequire(pathToFileURL(join(root, "probe.cjs")));
const importFrom = async (name) => import(pathToFileURL(load.resolve(name)).href);
let compiler, ast, tcgc;
try {
  compiler = await importFrom("@typespec/compiler");
  ast = await import(pathToFileURL(join(dirname(load.resolve("@typespec/compiler/package.json")), "dist/src/ast/index.js")).href);
  tcgc = await importFrom("@azure-tools/typespec-client-generator-core");
} catch (error) {
  fail(`the TypeSpec libraries cannot be loaded: ${error.message}`);
}
const { NodeHost, compile, getSourceLocation, isTemplateDeclaration, resolveCompilerOptions } = compiler;
const { SyntaxKind } = ast;

try {
  const answer = JSON.stringify(await probe());
  if (options.output) writeFileSync(options.output, answer);
  // Written in one piece and awaited: `process.exit` would cut a pipe short.
  else await new Promise((done) => process.stdout.write(answer + "\n", done));
} catch (error) {
  fail(error.stack ?? String(error));
}

function fail(message) {
  process.stderr.write(`probe: ${message}\n`);
  process.exit(1);
}

async function probe() {
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
  if (!program.hasError()) {
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
      diagnostics.push(...sdk.diagnostics.filter((one) => !known.has(one)));
    } catch (error) {
      diagnostics.push({ severity: "error", code: "client-model", message: String(error.message ?? error) });
    }
  }

  const entities = collectEntities(program, views);
  const script = client ? findScript(program, client) : undefined;
  return {
    schema: SCHEMA,
    namespaces: entities.filter((entity) => entity.kind === "namespace").map((entity) => entity.reference),
    entities,
    customizations: script ? collectCustomizations(program, script) : [],
    imports: script ? script.statements.filter((s) => s.kind === SyntaxKind.ImportStatement).map((s) => s.path.value) : [],
    usings: script ? script.usings.map((using) => text(script, using.name)) : [],
    diagnostics: unique(diagnostics.map(describeDiagnostic)),
  };
}

// ---- names and places ----

/** What an augment decorator calls a type: the full name, which does not depend on any `using`. */
function reference(type) {
  switch (type?.kind) {
    case "Namespace":
      return type.namespace && type.namespace.name ? `${reference(type.namespace)}.${type.name}` : type.name;
    case "Operation":
      return join2(type.interface ?? type.namespace, type.name);
    case "ModelProperty":
      return join2(type.model, type.name);
    case "EnumMember":
      return join2(type.enum, type.name);
    case "UnionVariant":
      return join2(type.union, type.name);
    case "Model":
    case "Interface":
    case "Enum":
    case "Union":
    case "Scalar":
      return join2(type.namespace, type.name);
    default:
      return undefined;
  }
}

function join2(parent, name) {
  if (!name || typeof name !== "string") return undefined;
  const before = parent ? reference(parent) : undefined;
  return before ? `${before}.${quoted(name)}` : quoted(name);
}

function quoted(name) {
  return /^[\p{ID_Start}_$][\p{ID_Continue}$]*$/u.test(name) ? name : "`" + name.replaceAll("`", "\\`") + "`";
}

/** `spec/<path in the project>` for the project's own files, else the path as seen from the project. */
function displayPath(path) {
  const inside = relative(root, path);
  if (!inside.startsWith("..")) return inside.startsWith("node_modules" + sep) ? inside : `spec/${inside.split(sep).join("/")}`;
  const library = path.lastIndexOf("node_modules/");
  return library >= 0 ? path.slice(library) : inside;
}

function isOwn(path) {
  const inside = relative(root, path);
  return !inside.startsWith("..") && !inside.split(sep).includes("node_modules");
}

function place(target) {
  const location = target ? getSourceLocation(target, { locateId: true }) : undefined;
  if (!location?.file?.path || location.isSynthetic) return undefined;
  const { line, character } = location.file.getLineAndCharacterOfPosition(location.pos);
  return { path: location.file.path, line: line + 1, column: character + 1 };
}

// ---- entities ----

function collectEntities(program, views) {
  const entities = [];

  const put = (kind, name, full, container, at) => {
    entities.push({
      kind,
      name,
      reference: full,
      container: container ?? null,
      file: displayPath(at.path),
      line: at.line,
      client: views.get(full) ?? null,
    });
    return at;
  };

  // A property that was spread in from a library is declared there; the line that helps is the model's.
  const nearest = (type, fallback) => {
    const own = place(type);
    return own && isOwn(own.path) ? own : fallback;
  };

  const add = (kind, type, container, fallback) => {
    const at = nearest(type, fallback);
    const full = reference(type);
    return at && full ? put(kind, type.name, full, container, at) : undefined;
  };

  const visitOperation = (operation, container) => {
    if (isTemplateDeclaration(operation)) return;
    const at = add("operation", operation, container);
    if (!at) return;
    const owner = reference(operation);
    for (const parameter of operation.parameters.properties.values()) {
      const full = `${owner}::parameters.${quoted(parameter.name)}`;
      // A parameter that a template's decorator puts in has no name that a decorator could use: the compiler decides.
      if (program.resolveTypeReference(full)[0]) put("parameter", parameter.name, full, owner, nearest(parameter, at));
    }
  };

  const visitNamespace = (namespace) => {
    const full = reference(namespace);
    // `TypeSpec.*` and the libraries are large and hold nothing of the project's.
    const declared = declarations(namespace).map(place).find((at) => at && isOwn(at.path));
    if (declared && full) {
      put("namespace", namespace.name, full, namespace.namespace?.name ? reference(namespace.namespace) : null, declared);
    }
    for (const operation of namespace.operations.values()) visitOperation(operation, full);
    for (const one of namespace.interfaces.values()) {
      if (isTemplateDeclaration(one) || !add("interface", one, full)) continue;
      for (const operation of one.operations.values()) visitOperation(operation, reference(one));
    }
    for (const model of namespace.models.values()) {
      if (isTemplateDeclaration(model)) continue;
      const at = add("model", model, full);
      if (!at) continue;
      for (const property of model.properties.values()) add("property", property, reference(model), at);
    }
    for (const one of namespace.enums.values()) {
      const at = add("enum", one, full);
      if (!at) continue;
      for (const member of one.members.values()) add("enumMember", member, reference(one), at);
    }
    for (const union of namespace.unions.values()) {
      if (isTemplateDeclaration(union)) continue;
      const at = add("union", union, full);
      if (!at) continue;
      for (const variant of union.variants.values()) {
        if (typeof variant.name === "string") add("enumMember", variant, reference(union), at);
      }
    }
    for (const scalar of namespace.scalars.values()) {
      if (!isTemplateDeclaration(scalar)) add("scalar", scalar, full);
    }
    for (const child of namespace.namespaces.values()) visitNamespace(child);
  };

  visitNamespace(program.getGlobalNamespaceType());
  return entities;
}

/** All syntax nodes that declare a namespace; the type itself keeps only the last. */
function declarations(namespace) {
  return namespace.node?.symbol?.declarations ?? namespace.decorators?.map((d) => d.node).filter(Boolean) ?? [];
}

/** The client generator core works on a copy of the types made for one service version: names are what both share. */
function collectViews(sdk, views) {
  const put = (type, name, access) => {
    const full = reference(type);
    if (full && name) views.set(full, { name, access: access ?? "public" });
  };

  const visitClient = (one) => {
    const raw = one.__raw;
    put(raw.type ?? raw.services?.[0], one.name, "public");
    for (const method of one.methods) {
      if (!method.__raw) continue;
      put(method.__raw, method.name, method.access);
      const owner = reference(method.__raw);
      for (const parameter of method.parameters) {
        const name = parameter.__raw?.name;
        if (owner && name) views.set(`${owner}::parameters.${quoted(name)}`, { name: parameter.name, access: parameter.access ?? "public" });
      }
    }
    for (const child of one.children ?? []) visitClient(child);
  };
  for (const one of sdk.sdkPackage.clients) visitClient(one);

  for (const model of sdk.sdkPackage.models) {
    put(model.__raw, model.name, model.access);
    // A property's own access says nothing where its model is hidden.
    for (const property of model.properties) put(property.__raw, property.name, model.access === "internal" ? "internal" : property.access);
  }
  for (const one of sdk.sdkPackage.enums) {
    put(one.__raw, one.name, one.access);
    for (const member of one.values) put(member.__raw, member.name, one.access);
  }
  for (const union of sdk.sdkPackage.unions) {
    if (union.kind === "union" || union.kind === "nullable") put(union.__raw, union.name, union.access);
  }
}

// ---- client.tsp ----

function findScript(program, path) {
  const wanted = existsSync(path) ? realpathSync(path) : path;
  for (const [file, script] of program.sourceFiles) if (file === path || file === wanted) return script;
  return undefined;
}

function text(script, node) {
  return script.file.text.slice(node.pos, node.end).trim();
}

function collectCustomizations(program, script) {
  const found = [];
  const scopes = scopePositions(program);

  const add = (form, node, name, target, args) => {
    const short = name.split(".").at(-1);
    const index = scopes.get(short);
    const scope = index === undefined ? undefined : args[index];
    const { line } = script.file.getLineAndCharacterOfPosition(node.pos);
    found.push({
      decorator: short,
      target,
      arguments: args.filter((argument) => argument !== scope).map((argument) => text(script, argument)),
      scope: scope ? (scope.kind === SyntaxKind.StringLiteral ? scope.value : text(script, scope)) : null,
      line: line + 1,
      form,
    });
  };

  const visit = (statements) => {
    for (const node of statements) {
      if (node.kind === SyntaxKind.AugmentDecoratorStatement) {
        add("augment", node, text(script, node.target), resolveTarget(program, node.targetType) ?? text(script, node.targetType), node.arguments);
        continue;
      }
      for (const decorator of node.decorators ?? []) {
        add("declaration", decorator, text(script, decorator.target), declaredName(program, script, node), decorator.arguments);
      }
      // `namespace A { … }` and `namespace A.B;` both nest; a blockless one holds the statements that follow it.
      let inner = node.statements;
      while (inner && !Array.isArray(inner)) inner = inner.statements;
      if (inner) visit(inner);
      // What a declaration holds may be decorated as well: operations, properties, members, variants.
      for (const inside of [node.operations, node.properties, node.members, node.options]) if (inside) visit(inside);
    }
  };
  visit(script.statements);
  return found;
}

/** Where the scope stands among a decorator's arguments, taken from its declaration: `@@clientLocation(op, "Other")` has none. */
function scopePositions(program) {
  const positions = new Map();
  const core = program.getGlobalNamespaceType().namespaces.get("Azure")?.namespaces.get("ClientGenerator")?.namespaces.get("Core");
  const visit = (namespace) => {
    for (const [name, declaration] of namespace?.decoratorDeclarations ?? []) {
      const index = declaration.parameters.findIndex((parameter) => parameter.name === "scope");
      if (index >= 0) positions.set(name.replace(/^@/, ""), index);
    }
    for (const child of namespace?.namespaces.values() ?? []) visit(child);
  };
  visit(core);
  return positions;
}

/** The type an augment decorator stands on. `a.b::parameters.c` keeps its text behind the operation's full name. */
function resolveTarget(program, node) {
  const target = node.target ?? node;
  const chain = [];
  let operation = target;
  while (operation?.kind === SyntaxKind.MemberExpression) {
    chain.unshift(operation);
    operation = operation.base;
  }
  const meta = chain.findIndex((member) => member.selector === "::");
  const resolved = (one) => {
    try {
      return reference(program.checker.getTypeForNode(one));
    } catch {
      return undefined;
    }
  };
  if (meta < 0) return resolved(node);
  const owner = resolved(chain[meta].base);
  return owner && chain.slice(meta).reduce((name, member) => `${name}${member.selector}${member.id.sv}`, owner);
}

function declaredName(program, script, node) {
  try {
    const full = reference(program.checker.getTypeForNode(node));
    if (full) return full;
  } catch {
    // A declaration that does not check has its name all the same.
  }
  return node.id ? text(script, node.id) : "";
}

// ---- diagnostics ----

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
