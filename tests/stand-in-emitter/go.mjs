// Go as its emitter would lay it out, over the real azcore.

const BUILT_IN = {
  string: "string",
  url: "string",
  boolean: "bool",
  int8: "int8",
  int16: "int16",
  int32: "int32",
  int64: "int64",
  uint8: "uint8",
  safeint: "int64",
  float32: "float32",
  float64: "float64",
  numeric: "float64",
  float: "float32",
  decimal: "float64",
  bytes: "[]byte",
  utcDateTime: "time.Time",
  offsetDateTime: "time.Time",
  plainDate: "time.Time",
  plainTime: "time.Time",
  duration: "string",
};

const KEYWORDS = new Set(
  ("break case chan const continue default defer else fallthrough for func go goto if import interface map package range return select struct switch " +
    "type var client ctx options").split(" "),
);

export function files(model, options) {
  const name = options["package-name"] ?? "standin";
  const written = [];
  const put = (path, code) => written.push({ path, text: file(name, code.join("\n")) });
  put("zz_models.go", model.models.flatMap(modelCode));
  put("zz_constants.go", model.enums.flatMap(enumCode));
  for (const client of model.clients) for (const each of flat(client, client)) put(`zz_${snake(each.type)}.go`, clientCode(each));
  put("zz_stand_in.go", ["// errStandIn is what every operation ends with.", 'var errStandIn = errors.New("a stand-in emitter wrote this")']);
  return written;
}

/** A client and those beneath it, each with its type's name. */
function flat(client, root) {
  const own = root.name.replace(/Client$/, "");
  const type = client === root ? `${own}Client` : `${own}${pascal(client.name).replace(/Client$/, "")}Client`;
  const children = client.children.map((child) => flat(child, root));
  return [{ ...client, type, children: children.map(([first]) => first.type) }, ...children.flat()];
}

const IMPORTS = {
  context: "context",
  errors: "errors",
  time: "time",
  azcore: "github.com/Azure/azure-sdk-for-go/sdk/azcore",
  runtime: "github.com/Azure/azure-sdk-for-go/sdk/azcore/runtime",
};

function file(name, code) {
  const used = Object.entries(IMPORTS).filter(([short]) => new RegExp(`\\b${short}\\.`).test(code));
  const imports = used.length ? `import (\n${used.map(([, path]) => `\t"${path}"`).join("\n")}\n)\n\n` : "";
  return `\npackage ${name}\n\n${imports}${code}\n`;
}

function modelCode(model) {
  return [
    ...doc(`${typeName(model)} - ${model.doc ?? "a model"}`),
    `type ${typeName(model)} struct {`,
    ...(model.base ? [`\t${model.base}`] : []),
    ...model.properties.flatMap((one) => [
      ...doc(one.doc ?? "").map((line) => `\t${line}`),
      `\t${pascal(one.name)} ${pointer(one.type)} \`json:"${one.wire},omitempty"\``,
      "",
    ]),
    "}",
    "",
  ];
}

function enumCode(one) {
  const name = typeName(one);
  return [
    ...doc(`${name} - ${one.doc ?? "an enumeration"}`),
    `type ${name} string`,
    "",
    "const (",
    ...one.values.map((value) => `\t${name}${pascal(value.name)} ${name} = ${JSON.stringify(value.value)}`),
    ")",
    "",
    `// Possible${name}Values returns the possible values for the ${name} const type.`,
    `func Possible${name}Values() []${name} {`,
    `\treturn []${name}{${one.values.map((value) => name + pascal(value.name)).join(", ")}}`,
    "}",
    "",
  ];
}

function clientCode(client) {
  const { type } = client;
  return [
    ...doc(`${type} - ${client.doc ?? "a client"}`),
    `type ${type} struct {`,
    "\tinternal *azcore.Client",
    "\tendpoint string",
    "}",
    "",
    ...(client.root
      ? [
          `// New${type} creates a new instance of ${type}.`,
          `func New${type}(endpoint string, options *azcore.ClientOptions) (*${type}, error) {`,
          `\tcl, err := azcore.NewClient("standin", "v0.0.0", runtime.PipelineOptions{}, options)`,
          "\tif err != nil {",
          "\t\treturn nil, err",
          "\t}",
          `\treturn &${type}{internal: cl, endpoint: endpoint}, nil`,
          "}",
          "",
        ]
      : []),
    ...client.children.flatMap((child) => [
      `// New${child} creates a new instance of ${child}.`,
      `func (client *${type}) New${child}() *${child} {`,
      `\treturn &${child}{internal: client.internal, endpoint: client.endpoint}`,
      "}",
      "",
    ]),
    ...client.operations.flatMap((one) => operationCode(type, one)),
  ];
}

function operationCode(type, one) {
  const paged = one.kind.endsWith("paging");
  const long = one.kind.startsWith("lro");
  const plain = pascal(one.name);
  const method = (verb) => (one.access === "internal" ? lower(verb + plain) : verb + plain);
  const [options, response] = [`${type}${plain}Options`, `${type}${plain}Response`];
  const required = one.parameters.filter((parameter) => !parameter.optional);
  const given = required.map((parameter) => `${argument(parameter.name)} ${value(parameter.type)}`);
  const item = one.returns;
  const declared = [
    `// ${options} contains the optional parameters for the ${type}.${plain} method.`,
    `type ${options} struct {`,
    ...one.parameters.filter((parameter) => parameter.optional).map((parameter) => `\t${pascal(parameter.name)} ${pointer(parameter.type)}`),
    "}",
    "",
    `// ${response} contains the response from method ${type}.${plain}.`,
    `type ${response} struct {`,
    ...(item ? [item.kind === "model" ? `\t${item.name}` : `\tValue ${value(item)}`] : []),
    "}",
    "",
  ];
  const head = doc(`${method(paged ? "New" : long ? "Begin" : "")}${paged ? "Pager" : ""} - ${one.doc ?? "an operation"}`);
  if (paged) {
    return [
      ...declared,
      ...head,
      `func (client *${type}) ${method("New")}Pager(${[...given, `options *${options}`].join(", ")}) *runtime.Pager[${response}] {`,
      `\treturn runtime.NewPager(runtime.PagingHandler[${response}]{`,
      `\t\tMore: func(${response}) bool { return false },`,
      `\t\tFetcher: func(context.Context, *${response}) (${response}, error) { return ${response}{}, errStandIn },`,
      "\t})",
      "}",
      "",
    ];
  }
  const parameters = ["ctx context.Context", ...given, `options *${options}`].join(", ");
  return [
    ...declared,
    ...head,
    long
      ? `func (client *${type}) ${method("Begin")}(${parameters}) (*runtime.Poller[${response}], error) {`
      : `func (client *${type}) ${method("")}(${parameters}) (${response}, error) {`,
    long ? "\treturn nil, errStandIn" : `\treturn ${response}{}, errStandIn`,
    "}",
    "",
  ];
}

function value(type) {
  switch (type.kind) {
    case "model":
    case "enum":
      return pascal(type.name);
    case "array":
      return `[]${pointer(type.of)}`;
    case "dictionary":
      return `map[string]${pointer(type.of)}`;
    default:
      return BUILT_IN[type.kind] ?? "any";
  }
}

/** What may be absent is a pointer, and in Go's Azure packages everything may be. */
function pointer(type) {
  const written = value(type);
  return /^(\[\]|map\[|any$)/.test(written) ? written : `*${written}`;
}

const typeName = (one) => (one.access === "internal" ? lower(pascal(one.name)) : pascal(one.name));
const lower = (name) => name.replace(/^[A-Z]/, (first) => first.toLowerCase());
const snake = (name) => name.replace(/([a-z0-9])([A-Z])/g, "$1_$2").toLowerCase();
const doc = (text) => (text ? [`// ${text.replace(/\s+/g, " ")}`] : []);

/** Initials stay capitals at the end of a word, as Go writes them. */
const pascal = (name) =>
  name
    .replace(/^[a-z]/, (first) => first.toUpperCase())
    .replace(/[^A-Za-z0-9]+(.)?/g, (_, next) => (next ?? "").toUpperCase())
    .replace(/Id(s?)(?![a-z])/g, "ID$1");

function argument(name) {
  const written = lower(pascal(name)).replace(/^ID/, "id");
  return KEYWORDS.has(written) ? `${written}Param` : written;
}
