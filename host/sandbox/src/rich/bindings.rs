//! Generated from `wit/`: what a rich component can export and import.

wasmtime::component::bindgen!({
    path: "wit",
    world: "everything",
    imports: { default: trappable },
    additional_derives: [PartialEq],
});
