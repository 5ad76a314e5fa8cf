//! The functions that a component exports, and what they are called as tools.

use super::schema;
use super::shape::{Reader, Shape, Unfit};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use wasmtime::Engine;
use wasmtime::component::types::{ComponentFunc, ComponentItem};
use wasmtime::component::{Component, ComponentExportIndex};

/// A function that can be offered as a tool.
#[derive(Clone)]
pub(crate) struct Function {
    /// As a tool: `[A-Za-z0-9_-]{1,64}`.
    pub(crate) name: String,
    /// Where it stands in WIT: `docs:adder/add@0.1.0#add`, or its bare name.
    pub(crate) path: String,
    pub(crate) parameters: Vec<(String, Shape)>,
    pub(crate) result: Option<Shape>,
    pub(crate) index: ComponentExportIndex,
}

/// One that cannot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Skipped {
    pub(crate) path: String,
    pub(crate) reason: Unfit,
}

/// Of the name of a tool, in characters.
const LONGEST_NAME: usize = 64;

/// More functions than this make a library, not a tool.
const MOST: usize = 64;

/// All functions of a component, sorted by the name of the tool; those that JSON cannot call; and whether there are
/// more than are offered.
pub(crate) fn functions(engine: &Engine, component: &Component) -> (Vec<Function>, Vec<Skipped>, bool) {
    let (mut found, mut skipped) = (Vec::new(), Vec::new());
    let mut take = |instance: Option<(&str, &ComponentExportIndex)>, name: &str, function: &ComponentFunc| {
        let path = instance.map_or(name.to_owned(), |(interface, _)| format!("{interface}#{name}"));
        let Some(index) = component.get_export_index(instance.map(|(_, index)| index), name) else { return };
        let read = if is_entry(&path) { Err(Unfit::Entry) } else { shapes(function) };
        match read {
            Ok((parameters, result)) => found.push(Function { name: String::new(), path, parameters, result, index }),
            Err(reason) => skipped.push(Skipped { path, reason }),
        }
    };
    for (name, export) in component.component_type().exports(engine) {
        match &export.ty {
            ComponentItem::ComponentFunc(function) => take(None, name, function),
            ComponentItem::ComponentInstance(instance) => {
                let Some(index) = component.get_export_index(None, name) else { continue };
                for (inner, export) in instance.exports(engine) {
                    if let ComponentItem::ComponentFunc(function) = &export.ty {
                        take(Some((name, &index)), inner, function);
                    }
                }
            }
            _ => {}
        }
    }
    let names = tool_names(&found.iter().map(|function| function.path.as_str()).collect::<Vec<_>>());
    for (function, name) in found.iter_mut().zip(names) {
        function.name = name;
    }
    found.sort_by(|left, right| left.name.cmp(&right.name));
    let more = found.len() > MOST;
    found.truncate(MOST);
    (found, skipped, more)
}

/// Whether the function is where a program or a server begins, and not one that answers.
fn is_entry(path: &str) -> bool {
    ["wasi:cli/run@", "wasi:http/incoming-handler@", "wasi:http/handler@"].iter().any(|entry| path.starts_with(entry))
}

type Shapes = (Vec<(String, Shape)>, Option<Shape>);

fn shapes(function: &ComponentFunc) -> Result<Shapes, Unfit> {
    let mut reader = Reader::default();
    let parameters = function.params().map(|(name, ty)| Ok((name.to_owned(), reader.read(&ty)?)));
    let parameters = parameters.collect::<Result<Vec<_>, Unfit>>()?;
    let result = function.results().next().map(|ty| reader.read(&ty)).transpose()?;
    Ok((parameters, result))
}

/// For each path the shortest name that no other has: its own, that with its interface, or all of it.
pub(crate) fn tool_names(paths: &[&str]) -> Vec<String> {
    let candidates: Vec<[String; 3]> = paths.iter().map(|path| names(path)).collect();
    let mut chosen = vec![String::new(); paths.len()];
    let mut taken: BTreeSet<String> = BTreeSet::new();
    for level in 0..3 {
        let mut count: BTreeMap<&str, usize> = BTreeMap::new();
        for candidate in &candidates {
            *count.entry(&candidate[level]).or_default() += 1;
        }
        for (chosen, candidate) in chosen.iter_mut().zip(&candidates) {
            let name = &candidate[level];
            let fits = count[name.as_str()] == 1 && name.len() <= LONGEST_NAME && !taken.contains(name);
            if chosen.is_empty() && fits {
                chosen.clone_from(name);
                taken.insert(name.clone());
            }
        }
    }
    // What is left is told apart by a number.
    for (chosen, candidate) in chosen.iter_mut().zip(&candidates) {
        let start: String = candidate[0].chars().take(LONGEST_NAME - 4).collect();
        let mut number = 1;
        while chosen.is_empty() {
            let name = format!("{start}-{number}");
            if taken.insert(name.clone()) {
                *chosen = name;
            }
            number += 1;
        }
    }
    chosen
}

/// `docs:adder/add@0.1.0#add` is `add`, `add_add` and `docs_adder_add_add`.
fn names(path: &str) -> [String; 3] {
    let tidy = |text: &str| -> String {
        let allowed = |letter: char| if letter.is_ascii_alphanumeric() || letter == '-' { letter } else { '_' };
        text.chars().map(allowed).collect()
    };
    let Some((interface, function)) = path.split_once('#') else {
        return [tidy(path), tidy(path), tidy(path)];
    };
    // A function that belongs to a resource and needs none: `[static]counter.largest`.
    let function = function.strip_prefix("[static]").unwrap_or(function);
    let package = interface.split('@').next().unwrap_or(interface);
    let last = package.rsplit('/').next().unwrap_or(package);
    [tidy(function), format!("{}_{}", tidy(last), tidy(function)), format!("{}_{}", tidy(package), tidy(function))]
}

impl Function {
    /// How WIT writes it, for a model: the types say what a name alone does not.
    pub(crate) fn signature(&self) -> String {
        let parameters: Vec<_> = self.parameters.iter().map(|(name, shape)| format!("{name}: {shape}")).collect();
        let result = self.result.as_ref().map_or(String::new(), |shape| format!(" -> {shape}"));
        format!("{}: func({}){result}", self.path, parameters.join(", "))
    }

    /// The schema of its arguments.
    pub(crate) fn input_schema(&self) -> Value {
        schema::object(&self.parameters)
    }

    /// The schema of its answer: a record as it is, anything else as the member `result`.
    pub(crate) fn output_schema(&self) -> Value {
        match self.returned() {
            None => json!({ "type": "object", "additionalProperties": false }),
            Some(record @ Shape::Record(_)) => schema::of(record),
            Some(shape) => json!({
                "type": "object",
                "properties": { "result": schema::of(shape) },
                "required": ["result"],
                "additionalProperties": false,
            }),
        }
    }

    /// What it returns when it does not fail.
    pub(crate) fn returned(&self) -> Option<&Shape> {
        match self.result.as_ref()? {
            Shape::Result(ok, _) => ok.as_deref(),
            other => Some(other),
        }
    }
}
