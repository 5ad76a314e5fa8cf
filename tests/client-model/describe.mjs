// From the client generator core's package of one language to plain, stable JSON: what a user of that language's library
// can tell apart. Keys are the service's own names, so that a renamed thing keeps its key and shows a new `name`.

/** @param sdkPackage What `createSdkContext` made for one language. */
export function describe(sdkPackage) {
  const clients = {};
  for (const client of sdkPackage.clients) addClient(clients, client, "");
  return sorted({
    clients,
    models: byService(sdkPackage.models, describeModel),
    enums: byService(sdkPackage.enums, describeEnum),
    unions: byService(sdkPackage.unions, describeUnion),
  });
}

/** Clients by the path of their names in the library, such as `WidgetManagerClient.Widgets`. */
function addClient(clients, client, parent) {
  const path = parent ? `${parent}.${client.name}` : client.name;
  clients[path] = {
    ...named(client),
    namespace: client.namespace,
    apiVersions: client.apiVersions,
    versionsEnum: client.versionsEnum?.values.map((version) => version.value),
    initializedBy: initializedBy(client.clientInitialization.initializedBy),
    parameters: client.clientInitialization.parameters.map(describeParameter),
    methods: byService(client.methods, describeMethod),
    options: decorators(client),
  };
  for (const child of client.children ?? []) addClient(clients, child, path);
}

function initializedBy(flags) {
  const names = { 1: "individually", 2: "parent", 4: "customizeCode" };
  const set = [1, 2, 4].filter((flag) => flags & flag).map((flag) => names[flag]);
  return set.length ? set : ["default"];
}

function describeMethod(method) {
  return {
    ...named(method),
    kind: method.kind,
    access: method.access,
    convenient: method.generateConvenient,
    protocol: method.generateProtocol,
    parameters: method.parameters.map(describeParameter),
    returns: typeName(method.response.type),
    path: method.operation.path,
    verb: method.operation.verb,
    nextLinkVerb: method.pagingMetadata?.nextLinkVerb,
    options: decorators(method),
  };
}

function describeParameter(parameter) {
  return {
    ...named(parameter),
    kind: parameter.kind,
    type: typeName(parameter.type),
    optional: parameter.optional,
    onClient: parameter.onClient,
    apiVersion: parameter.isApiVersionParam,
    default: parameter.clientDefaultValue,
    options: decorators(parameter),
  };
}

function describeModel(model) {
  return {
    ...named(model),
    namespace: model.namespace,
    access: model.access,
    usage: usage(model.usage),
    base: model.baseModel?.name,
    external: external(model),
    properties: Object.fromEntries(model.properties.map((property) => [property.__raw?.name ?? property.name, describeProperty(property, model)])),
    options: decorators(model),
  };
}

function describeProperty(property, model) {
  return {
    ...named(property),
    type: typeName(property.type),
    // A property of a hidden model is hidden whatever it says of itself.
    access: model.access === "internal" ? "internal" : property.access,
    optional: property.optional,
    flatten: property.flatten,
    wire: property.serializationOptions?.json?.name,
    default: property.clientDefaultValue,
    options: decorators(property),
  };
}

function describeEnum(one) {
  return {
    ...named(one),
    namespace: one.namespace,
    access: one.access,
    usage: usage(one.usage),
    external: external(one),
    values: Object.fromEntries(one.values.map((value) => [value.__raw?.name ?? value.name, { ...named(value), value: value.value }])),
    options: decorators(one),
  };
}

function describeUnion(union) {
  return {
    ...named(union),
    namespace: union.namespace,
    access: union.access,
    usage: usage(union.usage),
    external: external(union),
    variants: (union.variantTypes ?? [union.type]).map(typeName),
    options: decorators(union),
  };
}

function named(one) {
  return { name: one.name, exactName: one.isExactName || undefined, doc: one.doc };
}

function external(type) {
  const { identity, package: from, minVersion } = type.external ?? {};
  return identity ? { identity, package: from, minVersion } : undefined;
}

const USAGES = { 2: "input", 4: "output", 16: "jsonMergePatch", 256: "json", 512: "xml", 1024: "exception" };

function usage(flags) {
  return Object.entries(USAGES).filter(([flag]) => flags & Number(flag)).map(([, name]) => name);
}

/** What the client generator core hands on to an emitter as it stands, such as `@clientOption`. */
function decorators(one) {
  const found = (one.decorators ?? []).map((decorator) => ({ decorator: decorator.name, arguments: plain(decorator.arguments) }));
  return found.length ? found : undefined;
}

function plain(given) {
  return Object.fromEntries(
    Object.entries(given ?? {}).map(([name, value]) => [name, value !== null && typeof value === "object" ? (value.name ?? String(value.kind)) : value]),
  );
}

/** A type as a signature would say it. */
function typeName(type) {
  if (!type) return "void";
  switch (type.kind) {
    case "array":
      return `${typeName(type.valueType)}[]`;
    case "dict":
      return `Record<${typeName(type.valueType)}>`;
    case "nullable":
      return `${typeName(type.type)} | null`;
    case "tuple":
      return `[${type.valueTypes.map(typeName).join(", ")}]`;
    case "constant":
      return JSON.stringify(type.value);
    case "enumvalue":
      return `${type.enumType.name}.${type.name}`;
    case "credential":
      return "credential";
    case "endpoint":
      return `endpoint ${type.serverUrl}`;
    case "union":
      return type.name ?? type.variantTypes.map(typeName).join(" | ");
    default:
      return type.name ?? type.kind;
  }
}

/** An object keyed by what the service calls each; two of one name (an overload) are numbered. */
function byService(all, describeOne) {
  const found = {};
  for (const one of all) {
    const id = one.crossLanguageDefinitionId || one.name;
    let key = id;
    for (let number = 2; key in found; number++) key = `${id}#${number}`;
    found[key] = describeOne(one);
  }
  return found;
}

/** Keys in order; lists keep theirs, because the order of parameters is a part of a signature. */
function sorted(value) {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.keys(value)
      .filter((key) => value[key] !== undefined)
      .sort()
      .map((key) => [key, sorted(value[key])]),
  );
}
