//! Holds a decorator with its arguments against the specification, and writes the arguments as TypeSpec.

use super::client_file::stands;
use super::client_layout::{self, WishedParameter};
use super::intents::{Intent, Refusal};
use super::names::{self, key};
use bailiwick_sdk::tasks::{
    AlternateType, ClientEntry, Decoration, Decorator, DocumentationMode, Effect, Entity, EntityKind, Initialization,
    InitializedBy, Language, OperationParameter, OptionValue, Scope, Signature, SpecIndex, Usage,
};

/// The intent to decorate an entity.
pub(crate) fn decorated(
    target: &Entity,
    decoration: &Decoration,
    scope: Option<&Scope>,
    index: &SpecIndex,
    language: Language,
) -> Result<Intent, Refusal> {
    let decorator = decoration.decorator();
    fits(target, decorator)?;
    let languages = super::check::languages(scope, language);
    for one in &languages {
        if let Effect::Without(reason) = decorator.effect(*one) {
            return Err(Refusal::NoEffect { decorator, language: *one, reason });
        }
    }
    let source = source(target, decoration, index)?;
    let intent = |done| Intent::Decorate {
        target: target.clone(),
        decoration: decoration.clone(),
        source: source.clone(),
        done,
    };
    let done = match decoration {
        Decoration::Scope => target.client.is_none(),
        _ => stands(&intent(false), language, index),
    };
    // What the client does not have is not seen by a decorator; some decorators say that it shall not have it.
    let needs_client = !matches!(decorator, Decorator::Scope | Decorator::ParamAlias | Decorator::ClientOption);
    let is_in_client = target.client.is_some() || matches!(target.kind, EntityKind::Namespace | EntityKind::Scalar);
    if needs_client && !done && !is_in_client && languages.contains(&language) {
        return Err(Refusal::NotInClient { target: Box::new(target.clone()) });
    }
    Ok(intent(done))
}

/// The intent to take a decorator off an entity.
pub(crate) fn undecorated(
    target: &Entity,
    decorator: Decorator,
    index: &SpecIndex,
    language: Language,
) -> Result<Intent, Refusal> {
    if matches!(decorator, Decorator::Client | Decorator::OperationGroup) {
        let problem = format!("`@{}` stands in front of a declaration, which goes with it", decorator.name());
        return Err(Refusal::Structure { problem });
    }
    let intent = |done| Intent::Undecorate { target: target.clone(), decorator, done };
    Ok(intent(stands(&intent(false), language, index)))
}

/// Whether the decorator can stand on what the target is.
fn fits(target: &Entity, decorator: Decorator) -> Result<(), Refusal> {
    if decorator.targets().contains(&target.kind) {
        return Ok(());
    }
    let nouns: Vec<&str> = decorator.targets().iter().map(|kind| kind.noun()).collect();
    let problem = format!("it is on a {}, and stands on a {}", target.kind.noun(), nouns.join(", "));
    Err(Refusal::Decoration { decorator, problem, near: Vec::new() })
}

/// The arguments between target and scope.
fn source(target: &Entity, decoration: &Decoration, index: &SpecIndex) -> Result<String, Refusal> {
    let refused =
        |problem: String| Refusal::Decoration { decorator: decoration.decorator(), problem, near: Vec::new() };
    Ok(match decoration {
        Decoration::AlternateType(AlternateType::Named(name)) => named_type(name, index)?,
        Decoration::AlternateType(AlternateType::External(external)) => {
            if target.kind == EntityKind::Property || target.kind == EntityKind::Parameter {
                let problem =
                    "a type of the language takes the place of a whole type; name the type, or a TypeSpec type";
                return Err(refused(problem.into()));
            }
            let fields = [
                ("identity", Some(&external.identity)),
                ("package", external.package.as_ref()),
                ("minVersion", external.min_version.as_ref()),
            ];
            let given: Vec<String> =
                fields.iter().filter_map(|(name, value)| Some(format!("{name}: {}", quoted((*value)?)))).collect();
            format!("{{ {} }}", given.join(", "))
        }
        Decoration::ApiVersion(on) | Decoration::ConvenientApi(on) | Decoration::ProtocolApi(on) => on.to_string(),
        Decoration::ClientDoc(documentation) => {
            if documentation.text.trim().is_empty() {
                return Err(refused("the text is empty".into()));
            }
            let mode = match documentation.mode {
                DocumentationMode::Replace => "DocumentationMode.replace",
                DocumentationMode::Append => "DocumentationMode.append",
            };
            format!("{}, {mode}", quoted(&documentation.text))
        }
        Decoration::ClientInitialization(initialization) => initialization_source(target, initialization, index)?,
        Decoration::ClientNamespace(namespace) => {
            if namespace.is_empty() || !namespace.split('.').all(names::is_identifier) {
                return Err(refused(format!("`{namespace}` is not a namespace: identifiers with dots between them")));
            }
            quoted(namespace)
        }
        Decoration::ClientOption(option) => {
            if !names::is_identifier(&option.name) {
                return Err(refused(format!("`{}` is not the name of an option", option.name)));
            }
            let value = match &option.value {
                OptionValue::Flag(on) => on.to_string(),
                OptionValue::Number(number) => number.to_string(),
                OptionValue::Text(text) => quoted(text),
            };
            format!("{}, {value}", quoted(&option.name))
        }
        Decoration::Override(signature) => signature_source(target, signature, index)?,
        Decoration::ParamAlias(name) => {
            if !names::is_identifier(name) {
                return Err(refused(format!("`{name}` is not an identifier")));
            }
            quoted(name)
        }
        Decoration::Usage(usages) => {
            if usages.is_empty() {
                return Err(refused("it names no usage".into()));
            }
            let word = |usage: &Usage| match usage {
                Usage::Input => "Usage.input",
                Usage::Output => "Usage.output",
                Usage::Json => "Usage.json",
                Usage::Xml => "Usage.xml",
            };
            usages.iter().map(word).collect::<Vec<_>>().join(" | ")
        }
        Decoration::DeserializeEmptyStringAsNull
        | Decoration::FlattenProperty
        | Decoration::ResponseAsBool
        | Decoration::Scope
        | Decoration::UseSystemTextJsonConverter => String::new(),
    })
}

/// A text as TypeSpec has it.
pub(crate) fn quoted(text: &str) -> String {
    let text = text.replace('\\', "\\\\").replace('"', "\\\"").replace("${", "\\${");
    format!("\"{}\"", text.replace('\r', "").replace('\n', "\\n"))
}

/// The types of TypeSpec itself that a type can be replaced by.
const BUILT_IN: [&str; 29] = [
    "boolean",
    "bytes",
    "decimal",
    "decimal128",
    "duration",
    "float",
    "float32",
    "float64",
    "int16",
    "int32",
    "int64",
    "int8",
    "integer",
    "numeric",
    "offsetDateTime",
    "plainDate",
    "plainTime",
    "safeint",
    "string",
    "uint16",
    "uint32",
    "uint64",
    "uint8",
    "unixTimestamp32",
    "unknown",
    "url",
    "utcDateTime",
    "eTag",
    "uuid",
];

/// A type by its name: one of TypeSpec, or one of the specification under any of its names.
fn named_type(text: &str, index: &SpecIndex) -> Result<String, Refusal> {
    let (name, list) = text.strip_suffix("[]").map_or((text, ""), |name| (name, "[]"));
    // The last two are Azure's own.
    if BUILT_IN[..BUILT_IN.len() - 2].contains(&name) {
        return Ok(format!("{name}{list}"));
    }
    if BUILT_IN.contains(&name) {
        return Ok(format!("Azure.Core.{name}{list}"));
    }
    let is_type = |entity: &&Entity| {
        entity.kind.is_type() && entity.kind != EntityKind::Interface && !entity.reference.is_empty()
    };
    let types = || index.entities.iter().filter(is_type);
    if let Some(exact) = types().find(|entity| entity.reference == name) {
        return Ok(format!("{}{list}", exact.reference));
    }
    let wanted = key(name);
    let ends = |entity: &&Entity| key(&entity.reference).ends_with(&wanted) && key(&entity.name) == own_key(name);
    let found: Vec<&Entity> = types().filter(ends).collect();
    match found.as_slice() {
        [one] => Ok(format!("{}{list}", one.reference)),
        [] => {
            let near = types().filter(|entity| key(&entity.name).contains(&own_key(name))).take(5).cloned().collect();
            let problem = format!("there is no type `{name}`, neither in the specification nor in TypeSpec");
            Err(Refusal::Decoration { decorator: Decorator::AlternateType, problem, near })
        }
        several => {
            let candidates = several.iter().copied().cloned().collect();
            Err(Refusal::Ambiguous { text: name.to_owned(), candidates })
        }
    }
}

fn own_key(name: &str) -> String {
    key(name.rsplit('.').next().unwrap_or(name))
}

/// The function that makes the signature of the operation's own.
fn signature_source(target: &Entity, signature: &Signature, index: &SpecIndex) -> Result<String, Refusal> {
    let refused =
        |problem: String| Err(Refusal::Decoration { decorator: Decorator::Override, problem, near: Vec::new() });
    let is_own =
        |one: &&Entity| one.kind == EntityKind::Parameter && one.container.as_deref() == Some(&target.reference);
    let declared: Vec<&str> = index.entities.iter().filter(is_own).map(|one| one.name.as_str()).collect();
    let operations = || index.clients.iter().flat_map(|client| &client.operations);
    let parameters = || operations().filter(|one| one.reference == target.reference).flat_map(|one| &one.parameters);
    // A parameter that a template adds is not a declaration, but the client has it.
    let mut own = declared.clone();
    own.extend(parameters().map(|one| one.declared.as_str()).filter(|name| !declared.contains(name)));
    let listed = || own.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    let operation = &target.reference;
    match signature {
        Signature::Reorder(names) => {
            let is_named_once = |name: &&str| names.iter().filter(|one| one == name).count() == 1;
            let is_known = |name: &String| own.contains(&name.as_str());
            // Where the specification has parameters that only a template names, the compiler says what is left out.
            if !declared.iter().all(is_named_once) || !names.iter().all(is_known) {
                return refused(format!("the order has to name each parameter of `{operation}` once: {}", listed()));
            }
            let names: Vec<String> = names.iter().map(|name| quoted(name)).collect();
            Ok(format!("reorderParameters({operation}, #[{}])", names.join(", ")))
        }
        Signature::Remove(name) => {
            if !own.contains(&name.as_str()) {
                return refused(format!("`{operation}` has no parameter `{name}`; it has {}", listed()));
            }
            if parameters().any(|one| one.declared == *name && !one.optional) {
                return refused(format!("`{name}` is required, and the service needs it with every call"));
            }
            Ok(format!("removeParameter({operation}, {})", quoted(name)))
        }
        Signature::ReturnsNothing => Ok(format!("replaceResponseWithVoid({operation})")),
        Signature::ReturnsBytes => Ok(format!("replaceResponseWithBytes({operation})")),
    }
}

/// The client of an entity, if it is one.
fn client_of<'a>(target: &Entity, index: &'a SpecIndex) -> Option<&'a ClientEntry> {
    index.clients.iter().find(|client| client.reference.as_deref() == Some(&target.reference))
}

fn initialization_source(
    target: &Entity,
    initialization: &Initialization,
    index: &SpecIndex,
) -> Result<String, Refusal> {
    let refused = |problem: String| {
        Err(Refusal::Decoration { decorator: Decorator::ClientInitialization, problem, near: Vec::new() })
    };
    let Some(client) = client_of(target, index) else {
        return refused(format!("`{}` is not a client of the library", target.reference));
    };
    let by = &initialization.initialized_by;
    if client.parent.is_none() && by.contains(&InitializedBy::Parent) {
        return refused(format!("`{}` has no parent that could create it", client.name));
    }
    if client.parent.is_some() && by.as_slice() == [InitializedBy::Individually] {
        return refused(format!("`{}` can always be created by its parent; use `individually|parent`", client.name));
    }
    let mut fields = Vec::new();
    if let Some(options) = options_of(target, initialization, index)? {
        fields.push(format!("parameters: {}", options.reference));
    }
    if !by.is_empty() {
        let word = |one: &InitializedBy| match one {
            InitializedBy::Individually => "InitializedBy.individually",
            InitializedBy::Parent => "InitializedBy.parent",
            InitializedBy::CustomizeCode => "InitializedBy.customizeCode",
        };
        fields.push(format!("initializedBy: {}", by.iter().map(word).collect::<Vec<_>>().join(" | ")));
    }
    if fields.is_empty() {
        return refused("it says neither parameters nor who creates the client".into());
    }
    Ok(format!("{{ {} }}", fields.join(", ")))
}

/// The model of what a client is created with.
pub(crate) struct Options {
    pub(crate) namespace: String,
    pub(crate) name: String,
    pub(crate) reference: String,
    pub(crate) parameters: Vec<client_layout::PlannedParameter>,
}

/// The model that a client's parameters are declared in; `None` where it has none.
pub(crate) fn options_of(
    target: &Entity,
    initialization: &Initialization,
    index: &SpecIndex,
) -> Result<Option<Options>, Refusal> {
    let Some(client) = client_of(target, index).filter(|_| !initialization.parameters.is_empty()) else {
        return Ok(None);
    };
    // A root client has the operations of its groups as well.
    let below = |one: &&ClientEntry| {
        one.name == client.name || (client.parent.is_none() && one.parent.as_deref() == Some(&client.name))
    };
    let members: Vec<_> = index.clients.iter().filter(below).flat_map(|one| &one.operations).collect();
    let parameters = initialization.parameters.iter().map(|one| {
        let wished = WishedParameter { declared: one.declared.clone(), name: one.name.clone() };
        // Operations without it stay as they are.
        let has = |own: &OperationParameter| key(&own.declared) == key(&one.declared) && own.place != "body";
        let having: Vec<_> = members.iter().copied().filter(|member| member.parameters.iter().any(has)).collect();
        client_layout::parameter(&client.name, &wished, if having.is_empty() { &members } else { &having })
    });
    let parameters = parameters.collect::<Result<_, _>>()?;
    let name = format!("{}Options", names::pascal(&client.name));
    // What an earlier edit declared is what the decorator names.
    let is_declared = |namespace: &&str| {
        let reference = format!("{namespace}.{name}");
        index.entities.iter().any(|one| one.kind == EntityKind::Model && one.reference == reference)
    };
    let namespace = match Some(client_layout::NAMESPACE).filter(is_declared) {
        Some(namespace) => namespace.to_owned(),
        None => client_layout::namespace(index, &service_of(&target.reference, index)),
    };
    let reference = format!("{namespace}.{name}");
    Ok(Some(Options { namespace, name, reference, parameters }))
}

fn service_of(reference: &str, index: &SpecIndex) -> String {
    let inside = |name: &&String| reference == *name || reference.starts_with(&format!("{name}."));
    index.namespaces.iter().filter(inside).max_by_key(|name| name.len()).cloned().unwrap_or_default()
}
