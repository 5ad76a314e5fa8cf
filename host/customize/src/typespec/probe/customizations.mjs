// What `client.tsp` holds.

import { existsSync, realpathSync } from "node:fs";
import { aliasReference, reference } from "./names.mjs";

/** The parsed file of this path. */
export function findScript(program, path) {
  const wanted = existsSync(path) ? realpathSync(path) : path;
  for (const [file, script] of program.sourceFiles) if (file === path || file === wanted) return script;
  return undefined;
}

/** The source of a node. */
export function text(script, node) {
  return script.file.text.slice(node.pos, node.end).trim();
}

/** The decorators in `client.tsp`, with what each stands on. */
export function collectCustomizations({ program, SyntaxKind }, script) {
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
        add("augment", node, text(script, node.target), resolveTarget({ program, SyntaxKind }, node.targetType) ?? text(script, node.targetType), node.arguments);
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
function resolveTarget({ program, SyntaxKind }, node) {
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
      const type = program.checker.getTypeForNode(one);
      const declaredByAlias = type.kind === "ModelProperty" && !type.model?.name;
      return declaredByAlias ? aliasReference(type, SyntaxKind) : reference(type);
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
