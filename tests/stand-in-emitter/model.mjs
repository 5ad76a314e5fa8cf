// The client model of one language, reduced to what a writer needs.
//
// { clients: [client], models: [model], enums: [enumeration] }
// client      { name, doc, root, path, operations, children }   path: names from the root client down
// operation   { name, doc, access, parameters: [{ name, doc, type, optional }], returns, kind }
//             returns: a type or undefined; kind: "basic", "paging", "lro", "lropaging"
// model       { name, doc, access, base, properties: [{ name, wire, doc, type, optional }] }
// enumeration { name, doc, access, fixed, values: [{ name, value, doc }] }
// type        { kind, name?, of? }: kind is "string", "boolean", "int32", "float64", "utcDateTime", … for what the
//             model core has built in, "model" and "enum" with a name, "array" and "dictionary" with `of`, else "unknown"

/** Headers that a person would not write an argument for. */
const LEFT_OUT = new Set(["accept", "contentType", "clientRequestId", "repeatabilityRequestId", "repeatabilityFirstSent"]);

export function read(sdk) {
  const { clients, models, enums } = sdk.sdkPackage;
  return {
    clients: clients.map((one) => client(one, [])),
    models: models.filter(isOwn).map((one) => ({
      name: one.name,
      doc: one.doc,
      access: one.access,
      base: one.baseModel?.name,
      properties: one.properties.map((property) => ({
        name: property.name,
        wire: property.serializedName ?? property.name,
        doc: property.doc,
        type: type(property.type),
        optional: property.optional,
      })),
    })),
    enums: enums.filter(isOwn).map((one) => ({
      name: one.name,
      doc: one.doc,
      access: one.access,
      fixed: one.isFixed,
      values: one.values.map(({ name, value, doc }) => ({ name, value, doc })),
    })),
  };
}

/** Of the service itself: what comes from the libraries of Azure is in the language's own library. */
function isOwn(one) {
  return !/^(Azure\.Core|TypeSpec)\b/.test(one.crossLanguageDefinitionId) && !one.crossLanguageDefinitionId.endsWith(".Versions");
}

function client(one, above) {
  const path = [...above, one.name];
  return {
    name: one.name,
    doc: one.doc,
    root: above.length === 0,
    path,
    operations: one.methods.filter((method) => method.kind !== "clientaccessor").map(operation),
    children: (one.children ?? []).map((child) => client(child, path)),
  };
}

function operation(method) {
  return {
    name: method.name,
    doc: method.doc,
    access: method.access,
    kind: method.kind,
    parameters: method.parameters
      .filter((one) => one.type.kind !== "constant" && !one.onClient && !LEFT_OUT.has(one.name) && !/^if[A-Z]/.test(one.name))
      .map((one) => ({ name: one.name, doc: one.doc, type: type(one.type), optional: one.optional })),
    returns: method.response.type && type(method.response.type),
  };
}

function type(one) {
  switch (one.kind) {
    case "nullable":
      return type(one.type);
    case "array":
      return { kind: "array", of: type(one.valueType) };
    case "dict":
      return { kind: "dictionary", of: type(one.valueType) };
    case "constant":
      return type(one.valueType);
    case "model":
    case "enum":
      return isOwn(one) ? { kind: one.kind, name: one.name } : { kind: "unknown" };
    case "union":
    case "tuple":
    case "credential":
    case "endpoint":
      return { kind: "unknown" };
    default:
      return { kind: one.kind };
  }
}
