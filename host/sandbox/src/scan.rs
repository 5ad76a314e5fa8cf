//! What a component would cost to compile and to instantiate, read from its section headers before either happens.
//!
//! A file of a few kilobytes can nest components that instantiate each other twice on every level, which the compiler
//! multiplies out, or hold one function that compiles for minutes. Both are counted here, in one pass and in memory
//! that grows with the number of definitions alone.

use crate::error::{LoadError, Part};
use crate::limits::LoadLimits;
use wasmparser::{
    ComponentAlias, ComponentExternalKind as Kind, ComponentInstance, ComponentOuterAliasKind as Outer,
    ComponentTypeRef, Encoding, Instance, Parser, Payload,
};

/// What one instantiation of a definition makes, everything nested included.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Weight {
    instances: u64,
    memories: u64,
    tables: u64,
    /// Lifted, lowered and built-in functions, for each of which code is generated.
    adapters: u64,
}

impl Weight {
    fn add(&mut self, other: Self) {
        self.instances = self.instances.saturating_add(other.instances);
        self.memories = self.memories.saturating_add(other.memories);
        self.tables = self.tables.saturating_add(other.tables);
        self.adapters = self.adapters.saturating_add(other.adapters);
    }
}

/// A module or component that is being read. What it imports has no weight that could be known.
#[derive(Default)]
struct Frame {
    weight: Weight,
    modules: Vec<Option<Weight>>,
    components: Vec<Option<Weight>>,
    is_module: bool,
}

impl Frame {
    fn index(&mut self, kind: Kind) -> Option<&mut Vec<Option<Weight>>> {
        match kind {
            Kind::Module => Some(&mut self.modules),
            Kind::Component => Some(&mut self.components),
            Kind::Func | Kind::Value | Kind::Type | Kind::Instance => None,
        }
    }
}

/// Refuses a component that is more than `limits` allow.
pub(crate) fn check(bytes: &[u8], limits: &LoadLimits) -> Result<(), LoadError> {
    within(Part::Component, bytes.len() as u64, limits.component_bytes as u64)?;
    if !bytes.starts_with(b"\0asm") {
        return Err(LoadError::Invalid("it does not begin as WebAssembly does".into()));
    }
    let mut frames: Vec<Frame> = Vec::new();
    let mut functions = 0_u64;
    for payload in Parser::new(0).parse_all(bytes) {
        match payload.map_err(invalid)? {
            Payload::Version { encoding, .. } => {
                let weight = Weight { instances: 1, ..Weight::default() };
                frames.push(Frame { weight, is_module: encoding == Encoding::Module, ..Frame::default() });
            }
            Payload::End(_) => {
                let Some(done) = frames.pop() else { continue };
                if let Some(parent) = frames.last_mut() {
                    let definitions = if done.is_module { &mut parent.modules } else { &mut parent.components };
                    definitions.push(Some(done.weight));
                }
            }
            Payload::CodeSectionStart { count, .. } => {
                functions += u64::from(count);
                within(Part::Functions, functions, limits.functions as u64)?;
            }
            Payload::CodeSectionEntry(body) => {
                within(Part::Function, body.range().len() as u64, limits.function_bytes as u64)?;
            }
            payload => {
                let Some((inner, outer)) = frames.split_last_mut() else { continue };
                section(payload, inner, outer)?;
                within(Part::Instances, inner.weight.instances, limits.instances.into())?;
                within(Part::Memories, inner.weight.memories, limits.memories.into())?;
                within(Part::Tables, inner.weight.tables, limits.tables.into())?;
                within(Part::Functions, inner.weight.adapters, limits.functions as u64)?;
            }
        }
    }
    Ok(())
}

/// Counts one section of `frame`, which lies in `outer`.
fn section(payload: Payload<'_>, frame: &mut Frame, outer: &[Frame]) -> Result<(), LoadError> {
    match payload {
        Payload::MemorySection(memories) => frame.weight.memories += u64::from(memories.count()),
        Payload::TableSection(tables) => frame.weight.tables += u64::from(tables.count()),
        Payload::ComponentCanonicalSection(functions) => frame.weight.adapters += u64::from(functions.count()),
        Payload::InstanceSection(instances) => {
            for instance in instances {
                if let Instance::Instantiate { module_index, .. } = instance.map_err(invalid)? {
                    frame.weight.add(known(&frame.modules, module_index)?);
                }
            }
        }
        Payload::ComponentInstanceSection(instances) => {
            for instance in instances {
                if let ComponentInstance::Instantiate { component_index, .. } = instance.map_err(invalid)? {
                    frame.weight.add(known(&frame.components, component_index)?);
                }
            }
        }
        Payload::ComponentImportSection(imports) => {
            for import in imports {
                match import.map_err(invalid)?.ty {
                    ComponentTypeRef::Module(_) => frame.modules.push(None),
                    ComponentTypeRef::Component(_) => frame.components.push(None),
                    _ => {}
                }
            }
        }
        Payload::ComponentExportSection(exports) => {
            // Exporting a definition gives it a second number.
            for export in exports {
                let export = export.map_err(invalid)?;
                if let Some(definitions) = frame.index(export.kind) {
                    let same = definitions.get(export.index as usize).copied().flatten();
                    definitions.push(same);
                }
            }
        }
        Payload::ComponentAliasSection(aliases) => {
            for alias in aliases {
                match alias.map_err(invalid)? {
                    ComponentAlias::InstanceExport { kind, .. } => {
                        if let Some(definitions) = frame.index(kind) {
                            definitions.push(None);
                        }
                    }
                    ComponentAlias::Outer { kind: Outer::CoreModule, count, index } => {
                        let same = at(frame, outer, count).and_then(|frame| frame.modules.get(index as usize).copied());
                        frame.modules.push(same.flatten());
                    }
                    ComponentAlias::Outer { kind: Outer::Component, count, index } => {
                        let same =
                            at(frame, outer, count).and_then(|frame| frame.components.get(index as usize).copied());
                        frame.components.push(same.flatten());
                    }
                    _ => {}
                }
            }
        }
        _ => {}
    }
    Ok(())
}

/// The component `count` levels out.
fn at<'a>(frame: &'a Frame, outer: &'a [Frame], count: u32) -> Option<&'a Frame> {
    match (count as usize).checked_sub(1) {
        None => Some(frame),
        Some(level) => outer.iter().rev().nth(level),
    }
}

fn known(definitions: &[Option<Weight>], index: u32) -> Result<Weight, LoadError> {
    let unknown = || LoadError::Invalid("it instantiates a module or component that is not part of it".into());
    definitions.get(index as usize).copied().flatten().ok_or_else(unknown)
}

fn within(part: Part, found: u64, limit: u64) -> Result<(), LoadError> {
    if found > limit { Err(LoadError::TooLarge { part, found, limit }) } else { Ok(()) }
}

#[expect(clippy::needless_pass_by_value, reason = "the shape that `map_err` takes")]
fn invalid(error: wasmparser::BinaryReaderError) -> LoadError {
    LoadError::Invalid(error.to_string())
}
