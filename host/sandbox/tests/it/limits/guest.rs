//! A hostile tool in the WebAssembly text format that can call the host's filesystem, and grow and allocate as it
//! likes. The interface is written down as far as these tests use it.

use std::path::Path;

const WIT: &str = r#"
package test:hostile;
world hostile {
    import wasi:filesystem/types@0.2.12;
    import wasi:filesystem/preopens@0.2.12;
    import wasi:random/random@0.2.12;
    export things: interface { resource thing; }
    include bailiwick:tool/tool-component@0.1.0;
}
package wasi:random@0.2.12 {
    interface random {
        get-random-u64: func() -> u64;
    }
}
package wasi:filesystem@0.2.12 {
    interface types {
        type filesize = u64;
        enum descriptor-type {
            unknown, block-device, character-device, directory, fifo, symbolic-link, regular-file, socket,
        }
        flags descriptor-flags {
            read, write, file-integrity-sync, data-integrity-sync, requested-write-sync, mutate-directory,
        }
        flags path-flags { symlink-follow, }
        flags open-flags { create, directory, exclusive, truncate, }
        record directory-entry { %type: descriptor-type, name: string, }
        enum error-code {
            access, would-block, already, bad-descriptor, busy, deadlock, quota, exist, file-too-large,
            illegal-byte-sequence, in-progress, interrupted, invalid, io, is-directory, loop, too-many-links,
            message-size, name-too-long, no-device, no-entry, no-lock, insufficient-memory, insufficient-space,
            not-directory, not-empty, not-recoverable, unsupported, no-tty, no-such-device, overflow, not-permitted,
            pipe, read-only, invalid-seek, text-file-busy, cross-device,
        }
        resource descriptor {
            set-size: func(size: filesize) -> result<_, error-code>;
            read: func(length: filesize, offset: filesize) -> result<tuple<list<u8>, bool>, error-code>;
            write: func(buffer: list<u8>, offset: filesize) -> result<filesize, error-code>;
            read-directory: func() -> result<directory-entry-stream, error-code>;
            create-directory-at: func(path: string) -> result<_, error-code>;
            open-at: func(path-flags: path-flags, path: string, open-flags: open-flags, %flags: descriptor-flags)
                -> result<descriptor, error-code>;
        }
        resource directory-entry-stream {
            read-directory-entry: func() -> result<option<directory-entry>, error-code>;
        }
    }
    interface preopens {
        use types.{descriptor};
        get-directories: func() -> list<tuple<descriptor, string>>;
    }
}
"#;

/// What every guest has. Functions that stand for host calls are named by them; `$root` is the first grant, `$file`
/// and `$make` open `file.txt` in it, and `$say` answers `{"n":"<two digits>"}`.
const PREAMBLE: &str = r#"
    (import "wasi:filesystem/preopens@0.2.12" "get-directories" (func $directories (param i32)))
    (import "wasi:filesystem/types@0.2.12" "[method]descriptor.open-at"
        (func $open (param i32 i32 i32 i32 i32 i32 i32)))
    (import "wasi:filesystem/types@0.2.12" "[method]descriptor.read-directory" (func $list (param i32 i32)))
    (import "wasi:filesystem/types@0.2.12" "[method]descriptor.create-directory-at"
        (func $mkdir (param i32 i32 i32 i32)))
    (import "wasi:filesystem/types@0.2.12" "[method]descriptor.write" (func $write (param i32 i32 i32 i64 i32)))
    (import "wasi:filesystem/types@0.2.12" "[method]descriptor.read" (func $read (param i32 i64 i64 i32)))
    (import "wasi:filesystem/types@0.2.12" "[method]descriptor.set-size" (func $resize (param i32 i64 i32)))
    (import "wasi:filesystem/types@0.2.12" "[resource-drop]descriptor" (func $drop (param i32)))
    (import "wasi:filesystem/types@0.2.12" "[resource-drop]directory-entry-stream" (func $drop_stream (param i32)))
    (import "[export]things" "[resource-new]thing" (func $thing (param i32) (result i32)))
    (memory (export "memory") 2)
    (table $table 1 funcref)
    (global $free (mut i32) (i32.const 8192))
    (data (i32.const 256) "Hostile")
    (data (i32.const 300) "{\"type\":\"object\"}")
    (data (i32.const 400) "{\"n\":\"00\"}")
    (data (i32.const 420) "file.txt")
    (data (i32.const 16) "\00\01\00\00\07\00\00\00\00\01\00\00\07\00\00\00\2c\01\00\00\11\00\00\00\2c\01\00\00\11\00\00\00\01")
    (data (i32.const 128) "\00\00\00\00\2c\01\00\00\11\00\00\00")
    (func $root (result i32)
        (call $directories (i32.const 1024))
        (i32.load (i32.load (i32.const 1024))))
    (func $file (param $root i32) (result i32)
        (call $open (local.get $root) (i32.const 1) (i32.const 420) (i32.const 8) (i32.const 0) (i32.const 1)
            (i32.const 1032))
        (if (i32.load8_u (i32.const 1032)) (then unreachable))
        (i32.load (i32.const 1036)))
    (func $make (param $root i32) (result i32)
        (call $open (local.get $root) (i32.const 1) (i32.const 420) (i32.const 8) (i32.const 1) (i32.const 2)
            (i32.const 1032))
        (if (i32.load8_u (i32.const 1032)) (then unreachable))
        (i32.load (i32.const 1036)))
    (func $say (param $n i32) (result i32)
        (i32.store8 (i32.const 406) (i32.add (i32.const 48) (i32.div_u (local.get $n) (i32.const 10))))
        (i32.store8 (i32.const 407) (i32.add (i32.const 48) (i32.rem_u (local.get $n) (i32.const 10))))
        (i32.store (i32.const 132) (i32.const 400))
        (i32.store (i32.const 136) (i32.const 10))
        (i32.const 128))
"#;

const REALLOC: &str = "
    (local $at i32)
    (local.set $at (i32.and (i32.add (global.get $free) (i32.const 15)) (i32.const -16)))
    (global.set $free (i32.add (local.get $at) (local.get 3)))
    (local.get $at)";

/// A tool in parts, each a function body.
pub(crate) struct Guest<'a> {
    pub(crate) describe: &'a str,
    pub(crate) invoke: &'a str,
    pub(crate) realloc: &'a str,
    pub(crate) post_return: &'a str,
    /// Further fields of the module.
    pub(crate) more: &'a str,
    /// Further imports.
    pub(crate) imports: &'a str,
}

impl<'a> Guest<'a> {
    /// A tool that describes itself and has this body of `invoke`, which may use `$in` and `$len` and leaves the
    /// address of a `result<string, tool-error>` on the stack.
    pub(crate) fn new(invoke: &'a str) -> Self {
        Self { describe: "(i32.const 16)", invoke, realloc: REALLOC, post_return: "", more: "", imports: "" }
    }

    /// The tool as a component.
    pub(crate) fn component(&self) -> Vec<u8> {
        let Self { describe, invoke, realloc, post_return, more, imports } = self;
        let text = format!(
            r#"(module {imports} {PREAMBLE}
                (func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32) {realloc})
                (func (export "bailiwick:tool/tool@0.1.0#describe") (result i32) {describe})
                (func (export "cabi_post_bailiwick:tool/tool@0.1.0#invoke") (param i32) {post_return})
                (func $invoke (export "bailiwick:tool/tool@0.1.0#invoke") (param $in i32) (param $len i32) (result i32)
                    (local $a i32) (local $b i32)
                    {invoke})
                {more})"#
        );
        let mut module = wat::parse_str(text).unwrap();
        let mut resolve = wit_parser::Resolve::default();
        resolve.push_path(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../wit")).unwrap();
        let package = resolve.push_str("hostile.wit", WIT).unwrap();
        let world = resolve.select_world(&[package], Some("hostile")).unwrap();
        let utf8 = wit_component::StringEncoding::UTF8;
        wit_component::embed_component_metadata(&mut module, &resolve, world, utf8, false).unwrap();
        wit_component::ComponentEncoder::default().validate(true).module(&module).unwrap().encode().unwrap()
    }
}
