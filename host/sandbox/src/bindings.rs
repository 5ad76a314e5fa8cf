//! Generated from `wit/`: the contract as Rust types.

wasmtime::component::bindgen!({
    path: "wit",
    world: "tool-component",
});
