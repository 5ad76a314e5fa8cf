//! From a core module to a component, and what the component imports.

use anyhow::{Context, Result, bail};
use std::fs;
use std::path::Path;
use wit_component::{ComponentEncoder, DecodedWasm};

/// What a guest may import. The host grants notices to added components alone, so a built-in tool that imported them
/// would not be loaded.
const ALLOWED: [&str; 2] = ["wasi:filesystem/", "bailiwick:tool/notices@"];

/// What the guest that asks the network imports beyond that. It is for tests: a built-in tool asks nobody.
const ALLOWED_TO_ASK: [&str; 2] = ["wasi:http/", "wasi:io/"];

/// The one guest that may import it.
const ASKS: &str = "hostile_net_guest";

/// The one guest that may import everything: it tries what of WASI is inert.
const TRIES_ALL: &str = "hostile_wasi_guest";

/// A component that was checked.
pub(crate) struct Built {
    /// Its binary form.
    pub(crate) bytes: Vec<u8>,
    /// The interfaces it imports.
    pub(crate) imports: Vec<String>,
}

/// Makes a component of the core module at `path`.
///
/// # Errors
/// When it is none, or when it imports more than `wasi:filesystem`: the host would refuse to load it.
pub(crate) fn from_module(path: &Path) -> Result<Built> {
    let module = fs::read(path).with_context(|| format!("cannot read `{}`", path.display()))?;
    let bytes = ComponentEncoder::default().module(&module)?.validate(true).encode()?;
    let DecodedWasm::Component(resolve, world) = wit_component::decode(&bytes)? else {
        bail!("what was encoded is a package of WIT");
    };
    // An interface that is imported for the names of its types alone, as `stat` does for a time of `wasi:clocks`, has
    // nothing that can be called and so is no authority; a resource could be, and is told.
    let types_only = |name: &str| {
        let mut named = resolve.interfaces.iter().filter(|(id, _)| resolve.id_of(*id).as_deref() == Some(name));
        named.next().is_some_and(|(_, interface)| {
            interface.functions.is_empty()
                && interface.types.values().all(|id| resolve.types[*id].kind.as_str() != "resource")
        })
    };
    let imports: Vec<String> = resolve.worlds[world]
        .imports
        .keys()
        .map(|interface| resolve.name_world_key(interface))
        .filter(|name| !types_only(name))
        .collect();
    let all = path.file_stem().is_some_and(|name| name == TRIES_ALL);
    let asks = path.file_stem().is_some_and(|name| name == ASKS);
    let allowed = || ALLOWED.iter().chain(ALLOWED_TO_ASK.iter().filter(|_| asks));
    if !all && let Some(other) = imports.iter().find(|import| !allowed().any(|allowed| import.starts_with(allowed))) {
        bail!("it imports `{other}`, and a guest may import `wasi:filesystem` and `bailiwick:tool/notices` only");
    }
    Ok(Built { bytes, imports })
}
