// What types are called, and where they are declared.

import { dirname, relative, sep } from "node:path";

/** What an augment decorator calls a type: the full name, which does not depend on any `using`. */
export function reference(type) {
  switch (type?.kind) {
    case "Namespace":
      return type.namespace && type.namespace.name ? `${reference(type.namespace)}.${type.name}` : type.name;
    case "Operation":
      return member(type.interface ?? type.namespace, type.name);
    case "ModelProperty":
      return member(type.model, type.name);
    case "EnumMember":
      return member(type.enum, type.name);
    case "UnionVariant":
      return member(type.union, type.name);
    case "Model":
    case "Interface":
    case "Enum":
    case "Union":
    case "Scalar":
      return member(type.namespace, type.name);
    default:
      return undefined;
  }
}

function member(parent, name) {
  if (!name || typeof name !== "string") return undefined;
  const before = parent ? reference(parent) : undefined;
  return before ? `${before}.${quoted(name)}` : quoted(name);
}

/** What an augment decorator calls a parameter of an operation, where the compiler knows its name. */
export function parameterReference(operation, name) {
  return `${operation}::parameters.${quoted(name)}`;
}

/**
 * What an augment decorator would call a property that an `alias` declares: `Service.Paging.top` of `alias Paging = { top: int32 }`,
 * also as a part of an intersection. Whether it is that property is for the compiler to say.
 */
export function aliasReference(property, SyntaxKind) {
  let alias = property.node;
  while (alias && alias.kind !== SyntaxKind.AliasStatement) alias = alias.parent;
  if (!alias) return undefined;
  const parts = [property.name];
  for (let symbol = alias.symbol; symbol; symbol = symbol.parent) parts.unshift(symbol.name);
  return parts.map(quoted).join(".");
}

function quoted(name) {
  return /^[\p{ID_Start}_$][\p{ID_Continue}$]*$/u.test(name) ? name : "`" + name.replaceAll("`", "\\`") + "`";
}

/** How places in files are told, for a project in this directory. */
export function places(root, getSourceLocation) {
  /** `spec/<path in the project>` for the project's own files, else the path as seen from the project. */
  function displayPath(path) {
    const inside = relative(root, path);
    if (!inside.startsWith("..")) return inside.startsWith("node_modules" + sep) ? inside : `spec/${inside.split(sep).join("/")}`;
    const library = path.lastIndexOf("node_modules/");
    return library >= 0 ? path.slice(library) : inside;
  }

  /** Whether a file is the project's, or lies in a directory beside it that the project imports from. */
  function isOwn(path) {
    const parts = relative(dirname(root), path).split(sep);
    return parts[0] !== ".." && !parts.includes("node_modules") && !parts.includes(".probe");
  }

  function place(target) {
    const location = target ? getSourceLocation(target, { locateId: true }) : undefined;
    if (!location?.file?.path || location.isSynthetic) return undefined;
    const { line, character } = location.file.getLineAndCharacterOfPosition(location.pos);
    return { path: location.file.path, line: line + 1, column: character + 1 };
  }

  return { displayPath, isOwn, place };
}
