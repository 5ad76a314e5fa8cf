// How the client of one language sees the project: clients, operation groups, operations, types, and their names.

import { parameterReference, reference } from "./names.mjs";

/** The client generator core works on a copy of the types made for one service version: names are what both share. */
export function collectViews(sdk, views) {
  const put = (type, name, access) => {
    const full = reference(type);
    if (full && name) views.set(full, { name, access: access ?? "public" });
  };

  const visitClient = (one) => {
    put(made(one), one.name, "public");
    for (const method of one.methods) {
      if (!method.__raw) continue;
      put(method.__raw, method.name, method.access);
      const owner = reference(method.__raw);
      for (const parameter of method.parameters) {
        const name = parameter.__raw?.name;
        if (owner && name) views.set(parameterReference(owner, name), { name: parameter.name, access: parameter.access ?? "public" });
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

/** How many operations are named for one type: enough for a person to see why it is public. */
const NAMED_USES = 8;

/**
 * The public operations that take or return each type, also as a part of another type. Such a type is public whatever
 * its own `@access` says.
 */
export function collectUses(sdk) {
  const uses = {};
  const visitClient = (one) => {
    for (const method of one.methods) {
      const operation = reference(method.__raw);
      if (!operation || method.access === "internal") continue;
      for (const type of reachable([...method.parameters.map((parameter) => parameter.type), method.response?.type])) {
        const full = reference(type.__raw);
        if (!full) continue;
        const named = (uses[full] ??= []);
        if (named.length < NAMED_USES && !named.includes(operation)) named.push(operation);
      }
    }
    for (const child of one.children ?? []) visitClient(child);
  };
  for (const one of sdk.sdkPackage.clients) visitClient(one);
  return uses;
}

/**
 * The properties of public models that have a type which no public operation takes or returns. It is public as they are,
 * whatever its own `@access` says.
 */
export function collectHeld(sdk, uses) {
  const held = {};
  for (const model of sdk.sdkPackage.models) {
    if (model.access === "internal") continue;
    for (const property of model.properties) {
      const holder = reference(property.__raw);
      if (!holder || property.access === "internal") continue;
      for (const type of around(property.type)) {
        const full = reference(type.__raw);
        if (!full || uses[full]) continue;
        const named = (held[full] ??= []);
        if (named.length < NAMED_USES && !named.includes(holder)) named.push(holder);
      }
    }
  }
  return held;
}

/** A type without what is around it: lists, dictionaries, and what may be null. */
function around(type) {
  const found = new Set();
  const open = [type];
  while (open.length > 0) {
    const one = open.pop();
    if (!one || found.has(one)) continue;
    found.add(one);
    if (one.kind !== "model") open.push(one.type, one.valueType, one.enumType, ...(one.variantTypes ?? []));
  }
  return found;
}

/** These types and all that they are made of. */
function reachable(types) {
  const found = new Set();
  const open = [...types];
  while (open.length > 0) {
    const type = open.pop();
    if (!type || found.has(type)) continue;
    found.add(type);
    open.push(type.type, type.valueType, type.enumType, type.baseModel, type.additionalProperties);
    open.push(...(type.variantTypes ?? []), ...Object.values(type.discriminatedSubtypes ?? {}));
    open.push(...(type.properties ?? []).map((property) => property.type));
  }
  return found;
}

/** What a client is made of. A group that only a `@clientLocation` names is made of nothing. */
function made(one) {
  return one.__raw.type ?? (one.parent ? undefined : one.__raw.services?.[0]);
}

/**
 * The clients and operation groups of the language, parents first. `isClientFile` tells whether a type is declared in
 * `client.tsp`: an operation that a client there refers to (`get is Widgets.getWidget`) is the service's all the same.
 */
export function collectClients(sdk, isClientFile) {
  const found = [];
  const visit = (one, parent) => {
    found.push({
      name: one.name,
      parent,
      reference: reference(made(one)) ?? null,
      // Endpoint, credential and version are every client's.
      initialization: one.clientInitialization.parameters
        .filter((parameter) => parameter.kind === "method" && !parameter.isApiVersionParam)
        .map((parameter) => parameter.name),
      operations: one.methods.filter((method) => reference(method.__raw)).map((method) => operation(method, isClientFile)),
    });
    for (const child of one.children ?? []) visit(child, one.name);
  };
  for (const one of sdk.sdkPackage.clients) visit(one, null);
  return found;
}

function operation(method, isClientFile) {
  let declared = method.__raw;
  while (isClientFile(declared) && declared.sourceOperation) declared = declared.sourceOperation;
  const places = new Map((method.operation?.parameters ?? []).map((parameter) => [parameter.name, parameter.kind]));
  return {
    name: method.name,
    access: method.access ?? "public",
    reference: reference(method.__raw),
    source: reference(declared) ?? reference(method.__raw),
    parameters: method.parameters
      .filter((parameter) => parameter.__raw?.name)
      .map((parameter) => ({
        name: parameter.name,
        declared: parameter.__raw.name,
        place: places.get(parameter.name) ?? "body",
        type: typeReference(parameter.__raw.type) ?? null,
        optional: parameter.optional,
      })),
  };
}

/** A type as `client.tsp` can name it; nothing for arrays and types without a name. */
function typeReference(type) {
  const named = ["Scalar", "Model", "Enum", "Union"].includes(type?.kind) && !type.templateMapper;
  if (!named || !type.name || type.name === "Array" || type.name === "Record") return undefined;
  return reference(type)?.replace(/^TypeSpec\./, "");
}
