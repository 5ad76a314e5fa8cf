// What the project declares.

import { aliasReference, parameterReference, reference } from "./names.mjs";

/** The declarations of the project, each with how the client sees it. */
export function collectEntities({ program, compiler, SyntaxKind, places: { displayPath, isOwn, place } }, views, clients) {
  const { getKeyName, isKey, isTemplateDeclaration } = compiler;
  const entities = [];
  const called = parametersOf(clients);

  const put = (kind, name, full, container, at, type, reach) => {
    const spreadFrom = namedSources(type);
    entities.push({
      kind,
      name,
      reference: full,
      container: container ?? null,
      file: displayPath(at.path),
      line: at.line,
      client: views.get(full) ?? null,
      ...(reach ? { reach } : {}),
      ...(spreadFrom.length > 0 ? { spreadFrom } : {}),
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
    return at && full ? put(kind, type.name, full, container, at, type) : undefined;
  };

  // A type of a library that the client has: common types are renamed for one language as the project's own are.
  const addFromLibrary = (kind, type, container) => {
    const full = reference(type);
    const at = views.has(full) ? place(type) : undefined;
    if (at && !isOwn(at.path)) put(kind, type.name, full, container, at);
  };

  // An operation that an interface inherits from a library is declared there; it is named where the interface stands.
  const visitOperation = (operation, container, holder) => {
    if (isTemplateDeclaration(operation)) return;
    if (holder && !program.resolveTypeReference(reference(operation) ?? "")[0]) holder = undefined;
    const at = add("operation", operation, container, holder);
    if (!at) return;
    const owner = reference(operation);
    for (const parameter of operation.parameters.properties.values()) {
      const full = parameterReference(owner, parameter.name);
      if (program.resolveTypeReference(full)[0]) {
        put("parameter", parameter.name, full, owner, nearest(parameter, at), parameter);
      } else if (called.has(full)) {
        // One that a template puts in has no name that a decorator could use: the compiler decides.
        const reach = reachOf(parameter);
        put("parameter", parameter.name, full, owner, reach === "template" ? at : nearest(parameter, at), parameter, reach);
      }
    }
  };

  const isOf = (type) => isOwn(place(type)?.path ?? "node_modules");

  /** The properties with a reference that a property or parameter is made from, the nearest first. */
  const namedSources = (type) => {
    const found = [];
    for (let one = type && madeFrom(type); one; one = madeFrom(one)) {
      const full = one.model?.name ? reference(one) : aliasReference(one, SyntaxKind);
      if (full && isOf(one) && program.resolveTypeReference(full)[0] === one) found.push(full);
    }
    return found;
  };

  /** What a property is spread from; for the name of a resource in a path the key of that resource, with its decorators. */
  const madeFrom = (property) => property.sourceProperty ?? keyOf(property);

  const keyOf = (parameter) => {
    const marked = parameter.decorators?.find((one) => one.decorator.name === "$resourceTypeForKeyParam");
    for (let model = marked?.args[0]?.value; model?.kind === "Model"; model = model.baseModel) {
      const key = [...model.properties.values()].find((one) => isKey(program, one));
      if (key) return key !== parameter && getKeyName(program, key) === parameter.name ? key : undefined;
    }
    return undefined;
  };

  /** What a decorator names to reach a parameter whose own reference the compiler does not know. */
  const reachOf = (parameter) => {
    const [property] = namedSources(parameter);
    if (property) return { property };
    let last = parameter;
    while (madeFrom(last)) last = madeFrom(last);
    return isOf(last) && isOf(last.model) ? "declaration" : "template";
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
      if (isTemplateDeclaration(one)) continue;
      const at = add("interface", one, full);
      if (!at) continue;
      for (const operation of one.operations.values()) visitOperation(operation, reference(one), at);
    }
    for (const model of namespace.models.values()) {
      if (isTemplateDeclaration(model)) continue;
      const at = add("model", model, full);
      if (!at) addFromLibrary("model", model, full);
      if (!at) continue;
      for (const property of model.properties.values()) add("property", property, reference(model), at);
    }
    for (const one of namespace.enums.values()) {
      const at = add("enum", one, full);
      if (!at) addFromLibrary("enum", one, full);
      if (!at) continue;
      for (const member of one.members.values()) add("enumMember", member, reference(one), at);
    }
    for (const union of namespace.unions.values()) {
      if (isTemplateDeclaration(union)) continue;
      const at = add("union", union, full);
      if (!at) addFromLibrary("union", union, full);
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

/** References of the parameters that operations of the clients have, under the operation of the service as well. */
function parametersOf(clients) {
  const found = new Set();
  for (const operation of clients.flatMap((client) => client.operations)) {
    for (const { declared } of operation.parameters) {
      for (const owner of [operation.reference, operation.source]) found.add(parameterReference(owner, declared));
    }
  }
  return found;
}

/** The base of each model that was collected and has one, by their references. */
export function collectBases(program, entities) {
  const bases = {};
  for (const entity of entities.filter((one) => one.kind === "model")) {
    const [model] = program.resolveTypeReference(entity.reference);
    const base = model?.kind === "Model" && model.baseModel ? reference(model.baseModel) : undefined;
    if (base) bases[entity.reference] = base;
  }
  return bases;
}

/** What clients have under a name and the project declares without one: discriminators and variants that are values. */
export function collectNameless({ program, getDiscriminator }, entities) {
  const nameless = [];
  for (const { kind, reference: holder } of entities) {
    if (kind !== "model" && kind !== "union") continue;
    const [type] = program.resolveTypeReference(holder);
    if (type?.kind === "Model") {
      const name = getDiscriminator(program, type)?.propertyName;
      if (name && !type.properties.has(name)) nameless.push({ holder, name, form: "discriminator" });
    } else if (type?.kind === "Union") {
      for (const variant of type.variants.values()) {
        const value = variant.type?.kind === "String" ? variant.type.value : undefined;
        if (typeof variant.name !== "string" && value) nameless.push({ holder, name: value, form: "variant" });
      }
    }
  }
  return nameless;
}

/** All syntax nodes that declare a namespace; the type itself keeps only the last. */
function declarations(namespace) {
  return namespace.node?.symbol?.declarations ?? namespace.decorators?.map((d) => d.node).filter(Boolean) ?? [];
}
