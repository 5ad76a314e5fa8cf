// TypeScript as its emitter would lay it out, over the real libraries of Azure. Like that emitter it writes into
// `generated/` where the package has such a directory, because customized copies stand in `src/` then.

import { existsSync } from "node:fs";
import { join } from "node:path";

const BUILT_IN = {
  string: "string",
  url: "string",
  boolean: "boolean",
  bytes: "Uint8Array",
  utcDateTime: "Date",
  offsetDateTime: "string",
  plainDate: "Date",
  plainTime: "string",
  duration: "string",
};
const NUMBERS = /^(u?int(8|16|32|64)|safeint|integer|float(32|64)?|numeric|decimal(128)?)$/;

export function files(model, _options, output) {
  const sources = existsSync(join(output, "generated")) ? "generated" : "src";
  const written = [];
  const put = (path, code) => written.push({ path: `${sources}/${path}`, text: `\n${code.join("\n")}\n` });
  const names = model.models.map((one) => one.name);
  const open = model.enums.filter((one) => !one.fixed);
  put("models/models.ts", [...model.models.flatMap(modelCode), ...model.enums.flatMap(enumCode)]);
  put("models/index.ts", [
    ...exported("export type", [...names, ...model.enums.map((one) => one.name)], "./models.js"),
    ...exported("export", open.map((one) => `Known${one.name}`), "./models.js"),
  ]);
  for (const root of model.clients) {
    const groups = [root, ...root.children.flatMap(flat)].filter((one) => one.operations.length > 0);
    for (const group of groups) put(`api/${camel(group.name)}/operations.ts`, operationsCode(group, names, model.enums));
    put(`${camel(className(root))}.ts`, rootCode(root, groups));
  }
  put("index.ts", [
    ...exported("export type", [...names, ...model.enums.map((one) => one.name)], "./models/index.js"),
    ...exported("export", open.map((one) => `Known${one.name}`), "./models/index.js"),
    ...model.clients.flatMap((root) => exported("export", [className(root)], `./${camel(className(root))}.js`)),
  ]);
  return written;
}

const flat = (client) => [client, ...client.children.flatMap(flat)];
const className = (client) => (/Client$/.test(client.name) ? client.name : `${client.name}Client`);

function exported(verb, names, from) {
  return names.length ? [`${verb} {`, ...[...names].sort().map((name) => `  ${name},`), `} from "${from}";`] : [];
}

function modelCode(model) {
  return [
    ...doc(model.doc),
    `export interface ${model.name}${model.base ? ` extends ${model.base}` : ""} {`,
    ...model.properties.flatMap((one) => [...doc(one.doc).map((line) => `  ${line}`), `  ${key(one.name)}${one.optional ? "?" : ""}: ${typeName(one.type)};`]),
    "}",
    "",
  ];
}

function enumCode(one) {
  if (one.fixed) return [...doc(one.doc), `export type ${one.name} = ${one.values.map((value) => JSON.stringify(value.value)).join(" | ")};`, ""];
  return [
    ...doc(`Known values of {@link ${one.name}} that the service accepts.`),
    `export enum Known${one.name} {`,
    ...one.values.flatMap((value) => [...doc(value.doc).map((line) => `  ${line}`), `  ${pascal(value.name)} = ${JSON.stringify(value.value)},`]),
    "}",
    "",
    ...doc(one.doc),
    `export type ${one.name} = string;`,
    "",
  ];
}

function operationsCode(group, models, enums) {
  const code = group.operations.flatMap((one) => operationCode(group, one));
  const text = code.join("\n");
  const used = [...models, ...enums.map((one) => one.name)].filter((name) => new RegExp(`\\b${name}\\b`).test(text)).sort();
  return [
    'import type { Client, OperationOptions } from "@azure-rest/core-client";',
    ...(/PollerLike/.test(text) ? ['import type { OperationState, PollerLike } from "@azure/core-lro";'] : []),
    ...(/PagedAsyncIterableIterator/.test(text) ? ['import type { PagedAsyncIterableIterator } from "@azure/core-paging";'] : []),
    ...(used.length ? [`import type { ${used.join(", ")} } from "../../models/models.js";`] : []),
    "",
    ...code,
  ];
}

function operationCode(group, one) {
  const options = optionsName(group, one);
  const required = one.parameters.filter((parameter) => !parameter.optional);
  return [
    ...doc(`Optional parameters of ${one.name}.`),
    `export interface ${options} extends OperationOptions {`,
    ...one.parameters.filter((parameter) => parameter.optional).map((parameter) => `  ${key(parameter.name)}?: ${typeName(parameter.type)};`),
    "}",
    "",
    ...doc(one.doc),
    `export function ${one.name}(`,
    "  _context: Client,",
    ...required.map((parameter) => `  _${parameter.name}: ${typeName(parameter.type)},`),
    `  _options: ${options} = {},`,
    `): ${returned(one)} {`,
    '  throw new Error("a stand-in emitter wrote this");',
    "}",
    "",
  ];
}

/** The class, with the operations of the groups as their members; what is internal is left out of it. */
function rootCode(root, groups) {
  const api = (group) => `${camel(group.name)}Api`;
  return [
    'import { getClient, type Client, type ClientOptions } from "@azure-rest/core-client";',
    ...groups.map((group) => `import * as ${api(group)} from "./api/${camel(group.name)}/operations.js";`),
    "",
    ...doc(root.doc),
    `export class ${className(root)} {`,
    "  private readonly _client: Client;",
    "",
    "  constructor(endpoint: string, options: ClientOptions = {}) {",
    "    this._client = getClient(endpoint, options);",
    "  }",
    ...groups.flatMap((group) => [
      "",
      ...doc(group.doc).map((line) => `  ${line}`),
      `  readonly ${camel(group.name)} = {`,
      ...group.operations
        .filter((one) => one.access !== "internal")
        .map((one) => {
          const required = one.parameters.filter((parameter) => !parameter.optional);
          const given = [...required.map((parameter) => `${parameter.name}: ${apiType(api(group), one, parameter)}`), `options?: ${api(group)}.${optionsName(group, one)}`];
          const passed = ["this._client", ...required.map((parameter) => parameter.name), "options"];
          return `    ${one.name}: (${given.join(", ")}) => ${api(group)}.${one.name}(${passed.join(", ")}),`;
        }),
      "  };",
    ]),
    "}",
  ];
}

/** The type of a parameter without naming models: that of the function it is passed to. */
const apiType = (api, one, parameter) =>
  `Parameters<typeof ${api}.${one.name}>[${1 + one.parameters.filter((each) => !each.optional).indexOf(parameter)}]`;

const optionsName = (group, one) => `${pascal(group.name)}${pascal(one.name)}OptionalParams`;

function returned(one) {
  const item = one.returns ? typeName(one.returns) : "void";
  if (one.kind.endsWith("paging")) return `PagedAsyncIterableIterator<${one.returns?.kind === "array" ? typeName(one.returns.of) : item}>`;
  return one.kind.startsWith("lro") ? `PollerLike<OperationState<${item}>, ${item}>` : `Promise<${item}>`;
}

function typeName(type) {
  switch (type.kind) {
    case "model":
    case "enum":
      return type.name;
    case "array":
      return /^[\w.]+$/.test(typeName(type.of)) ? `${typeName(type.of)}[]` : `(${typeName(type.of)})[]`;
    case "dictionary":
      return `Record<string, ${typeName(type.of)}>`;
    default:
      return NUMBERS.test(type.kind) ? "number" : (BUILT_IN[type.kind] ?? "unknown");
  }
}

const key = (name) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name));
const pascal = (name) => name.replace(/^[a-z]/, (first) => first.toUpperCase()).replace(/[^A-Za-z0-9]+(.)?/g, (_, next) => (next ?? "").toUpperCase());
const camel = (name) => name.replace(/^[A-Z]/, (first) => first.toLowerCase());
const doc = (text) => (text ? [`/** ${text.replace(/\s+/g, " ").replace(/\*\//g, "* /")} */`] : []);
