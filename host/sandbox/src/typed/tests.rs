//! Every value of every type goes to JSON and back, by the converters alone and through a real component.

use super::shape::{Shape, Width};
use super::{answer, arguments, schema};
use crate::schema::Schema;
use crate::{
    Allocation, Audit, CallError, Capabilities, CompileCache, ErrorKind, Grants, HostFailure, Limits, LoadError,
    LoadLimits, Sandbox, SandboxConfig, Tool, TypedTools,
};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::{Config, RngSeed, TestRunner};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::time::Duration;
use wasmtime::component::Val;

const WIDTHS: [Width; 8] =
    [Width::S8, Width::U8, Width::S16, Width::U16, Width::S32, Width::U32, Width::S64, Width::U64];

fn names(letter: &'static str) -> impl Strategy<Value = Vec<String>> {
    (1_usize..5).prop_map(move |count| (0..count).map(|number| format!("{letter}{number}")).collect())
}

/// Types that a component can have today; maps and lists of fixed length are behind a gate of the component model.
fn shapes() -> impl Strategy<Value = Shape> {
    let leaf = prop_oneof![
        Just(Shape::Bool),
        proptest::sample::select(&WIDTHS[..]).prop_map(Shape::Integer),
        Just(Shape::Float32),
        Just(Shape::Float64),
        Just(Shape::Char),
        Just(Shape::Text),
        Just(Shape::Bytes),
        names("e").prop_map(Shape::Enum),
        names("g").prop_map(Shape::Flags),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        let boxed = inner.clone().prop_map(Box::new);
        prop_oneof![
            inner
                .clone()
                .prop_filter("that is bytes", |item| *item != Shape::Integer(Width::U8))
                .prop_map(|item| { Shape::List(Box::new(item)) }),
            vec(inner.clone(), 1..4).prop_map(|items| {
                Shape::Record(items.into_iter().enumerate().map(|(at, item)| (format!("f{at}"), item)).collect())
            }),
            vec(inner.clone(), 1..4).prop_map(Shape::Tuple),
            vec(proptest::option::of(inner.clone()), 1..4).prop_map(|items| {
                Shape::Variant(items.into_iter().enumerate().map(|(at, item)| (format!("c{at}"), item)).collect())
            }),
            boxed.clone().prop_map(Shape::Option),
            (proptest::option::of(boxed.clone()), proptest::option::of(boxed))
                .prop_map(|(ok, error)| Shape::Result(ok, error)),
        ]
    })
}

fn values(shape: &Shape) -> BoxedStrategy<Val> {
    match shape {
        Shape::Bool => any::<bool>().prop_map(Val::Bool).boxed(),
        Shape::Integer(Width::S8) => any::<i8>().prop_map(Val::S8).boxed(),
        Shape::Integer(Width::U8) => any::<u8>().prop_map(Val::U8).boxed(),
        Shape::Integer(Width::S16) => any::<i16>().prop_map(Val::S16).boxed(),
        Shape::Integer(Width::U16) => any::<u16>().prop_map(Val::U16).boxed(),
        Shape::Integer(Width::S32) => any::<i32>().prop_map(Val::S32).boxed(),
        Shape::Integer(Width::U32) => any::<u32>().prop_map(Val::U32).boxed(),
        Shape::Integer(Width::S64) => any::<i64>().prop_map(Val::S64).boxed(),
        Shape::Integer(Width::U64) => any::<u64>().prop_map(Val::U64).boxed(),
        Shape::Float32 => any::<f32>().prop_map(Val::Float32).boxed(),
        Shape::Float64 => any::<f64>().prop_map(Val::Float64).boxed(),
        Shape::Char => any::<char>().prop_map(Val::Char).boxed(),
        Shape::Text => any::<String>().prop_map(Val::String).boxed(),
        Shape::Bytes => {
            vec(any::<u8>(), 0..9).prop_map(|bytes| Val::List(bytes.into_iter().map(Val::U8).collect())).boxed()
        }
        Shape::List(item) => vec(values(item), 0..4).prop_map(Val::List).boxed(),
        Shape::Array(item, length) => vec(values(item), *length).prop_map(Val::FixedLengthList).boxed(),
        Shape::Map(key, value) => vec((values(key), values(value)), 0..1).prop_map(Val::Map).boxed(),
        Shape::Record(fields) => {
            let names: Vec<String> = fields.iter().map(|(name, _)| name.clone()).collect();
            let items: Vec<_> = fields.iter().map(|(_, shape)| values(shape)).collect();
            items.prop_map(move |items| Val::Record(names.iter().cloned().zip(items).collect())).boxed()
        }
        Shape::Tuple(shapes) => shapes.iter().map(values).collect::<Vec<_>>().prop_map(Val::Tuple).boxed(),
        Shape::Variant(cases) => proptest::sample::select(cases.clone())
            .prop_flat_map(|(name, shape)| {
                some(shape.as_ref()).prop_map(move |payload| Val::Variant(name.clone(), payload))
            })
            .boxed(),
        Shape::Enum(names) => proptest::sample::select(names.clone()).prop_map(Val::Enum).boxed(),
        Shape::Flags(names) => {
            let length = names.len();
            proptest::sample::subsequence(names.clone(), 0..=length).prop_map(Val::Flags).boxed()
        }
        Shape::Option(inner) => proptest::option::of(values(inner).prop_map(Box::new)).prop_map(Val::Option).boxed(),
        Shape::Result(ok, error) => prop_oneof![
            some(ok.as_deref()).prop_map(|payload| Val::Result(Ok(payload))),
            some(error.as_deref()).prop_map(|payload| Val::Result(Err(payload))),
        ]
        .boxed(),
    }
}

fn some(shape: Option<&Shape>) -> BoxedStrategy<Option<Box<Val>>> {
    match shape {
        Some(shape) => values(shape).prop_map(|value| Some(Box::new(value))).boxed(),
        None => Just(None).boxed(),
    }
}

fn config(cases: u32) -> Config {
    Config { cases, rng_seed: RngSeed::Fixed(0x7e9), failure_persistence: None, ..Config::default() }
}

fn with_maps() -> impl Strategy<Value = Shape> {
    let boxed = || shapes().prop_map(Box::new);
    prop_oneof![
        3 => shapes(),
        1 => (boxed(), boxed()).prop_map(|(key, value)| Shape::Map(key, value)),
        1 => boxed().prop_map(|value| Shape::Map(Box::new(Shape::Text), value)),
        1 => (boxed(), 0_usize..4).prop_map(|(item, length)| Shape::Array(item, length)),
    ]
}

proptest! {
    #![proptest_config(config(400))]

    #[test]
    fn every_value_comes_back_from_json_and_its_json_fits_the_schema(
        (shape, value) in with_maps().prop_flat_map(|shape| (Just(shape.clone()), values(&shape))),
    ) {
        let written = answer::value(&shape, &value).unwrap();
        let text = written.to_string();
        let fits = Schema::new(&schema::of(&shape)).unwrap().complaints(&written, 1);
        prop_assert!(fits.is_empty(), "{shape}: {text}: {fits:?}");
        let read = arguments::value(&shape, &serde_json::from_str(&text).unwrap());
        prop_assert_eq!(read, Ok(value), "{}: {}", shape, text);
    }

    #[test]
    fn what_is_taken_as_a_value_fits_the_schema(shape in with_maps(), seed in vec(any::<u8>(), 0..24)) {
        let given = anything(&mut seed.iter().copied(), 4);
        if arguments::value(&shape, &given).is_ok() {
            let fits = Schema::new(&schema::of(&shape)).unwrap().complaints(&given, 1);
            prop_assert!(fits.is_empty(), "{shape}: {given}: {fits:?}");
        }
    }
}

/// Some JSON that has to do with the names and kinds of the shapes.
fn anything(bytes: &mut impl Iterator<Item = u8>, depth: usize) -> Value {
    let byte = bytes.next().unwrap_or(0);
    match byte % 14 {
        0 => Value::Null,
        1 => json!(byte % 28 == 1),
        2 => json!(i64::from(byte) - 100),
        3 => json!(f64::from(byte) / 4.0),
        4 => json!(["x", "NaN", "e0", "g1", "c0", "YQ==", "12", "-9", ""][usize::from(byte / 14) % 9]),
        5 => json!(1_u64 << 60),
        6..=8 if depth > 0 => (0..byte % 4).map(|_| anything(bytes, depth - 1)).collect(),
        9 if depth > 0 => json!({ "kind": "c0", "value": anything(bytes, depth - 1) }),
        10 if depth > 0 => {
            json!({ (["ok", "error", "value"][usize::from(byte / 14) % 3]): anything(bytes, depth - 1) })
        }
        11 if depth > 0 => json!({ "f0": anything(bytes, depth - 1) }),
        12 if depth > 0 => json!({ "f0": anything(bytes, depth - 1), "f1": anything(bytes, depth - 1) }),
        _ => json!({ "kind": "c1" }),
    }
}

fn limits() -> Limits {
    Limits {
        memory_bytes: 32 << 20,
        table_elements: 1_000,
        deadline: Duration::from_secs(10),
        input_bytes: 1 << 20,
        output_bytes: 4 << 20,
        handles: 16,
        directory_entries: 10,
        written_bytes: 10,
    }
}

fn sandbox() -> Sandbox {
    Sandbox::new(SandboxConfig {
        allocation: Allocation::OnDemand,
        workers: 1,
        waiting: 8,
        most_stuck: 1,
        largest_memory: 32 << 20,
        cache: CompileCache::Off,
        load: LoadLimits {
            component_bytes: 1 << 20,
            functions: 1_000,
            function_bytes: 64 << 10,
            instances: 8,
            memories: 1,
            tables: 4,
            description_bytes: 16 << 10,
            schema_bytes: 64 << 10,
            deadline: Duration::from_secs(60),
            at_once: 1,
            threads: 1,
            most_stuck: 1,
        },
        audit: Audit::Off,
        describe: limits(),
    })
    .unwrap()
}

/// Declares the named types of a shape in WIT, and says what it is called.
fn wit(shape: &Shape, declared: &mut Vec<String>) -> String {
    let mut declare = |text: String| {
        let name = format!("t{}", declared.len());
        declared.push(text.replacen("NAME", &name, 1));
        name
    };
    match shape {
        Shape::Enum(names) => declare(format!("enum NAME {{ {} }}", names.join(", "))),
        Shape::Flags(names) => declare(format!("flags NAME {{ {} }}", names.join(", "))),
        Shape::Record(fields) => {
            let fields: Vec<_> =
                fields.iter().map(|(name, inner)| format!("{name}: {}", wit(inner, declared))).collect();
            let name = format!("t{}", declared.len());
            declared.push(format!("record {name} {{ {} }}", fields.join(", ")));
            name
        }
        Shape::Variant(cases) => {
            let cases: Vec<_> = cases
                .iter()
                .map(|(name, inner)| match inner {
                    Some(inner) => format!("{name}({})", wit(inner, declared)),
                    None => name.clone(),
                })
                .collect();
            let name = format!("t{}", declared.len());
            declared.push(format!("variant {name} {{ {} }}", cases.join(", ")));
            name
        }
        Shape::List(item) => format!("list<{}>", wit(item, declared)),
        Shape::Tuple(items) => {
            let items: Vec<_> = items.iter().map(|item| wit(item, declared)).collect();
            format!("tuple<{}>", items.join(", "))
        }
        Shape::Option(inner) => format!("option<{}>", wit(inner, declared)),
        Shape::Result(ok, error) => match (ok, error) {
            (None, None) => "result".into(),
            (Some(ok), None) => format!("result<{}>", wit(ok, declared)),
            (None, Some(error)) => format!("result<_, {}>", wit(error, declared)),
            (Some(ok), Some(error)) => {
                let ok = wit(ok, declared);
                format!("result<{ok}, {}>", wit(error, declared))
            }
        },
        plain => plain.to_string(),
    }
}

/// A component of a core module with these functions, for an interface `t:t/api` in WIT.
fn component(interface: &str, functions: &str) -> Vec<u8> {
    let text = format!(
        r#"(module
            (memory (export "memory") 256)
            (global $at (mut i32) (i32.const 1024))
            (func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32)
                (local $place i32)
                (local.set $place (i32.and
                    (i32.sub (i32.add (global.get $at) (local.get 2)) (i32.const 1))
                    (i32.sub (i32.const 0) (local.get 2))))
                (global.set $at (i32.add (local.get $place) (local.get 3)))
                (local.get $place))
            {functions})"#
    );
    let mut module = wat::parse_str(text).unwrap();
    let mut resolve = wit_parser::Resolve::default();
    let source = format!("package t:t;\ninterface api {{\n{interface}\n}}\nworld w {{ export api; }}\n");
    let package = resolve.push_str("t.wit", &source).unwrap_or_else(|error| panic!("{error:?}: {source}"));
    let world = resolve.select_world(&[package], Some("w")).unwrap();
    let utf8 = wit_component::StringEncoding::UTF8;
    wit_component::embed_component_metadata(&mut module, &resolve, world, utf8, false).unwrap();
    wit_component::ComponentEncoder::default().validate(true).module(&module).unwrap().encode().unwrap()
}

/// A component that gives back what it is given. Seventeen numbers more and a parameter is passed in memory, where a
/// result is too and in the same form: giving back the address gives back the value, whatever its type is.
fn echo(shape: &Shape) -> Vec<u8> {
    let mut declared = Vec::new();
    let name = wit(shape, &mut declared);
    let all = format!("tuple<{}, {name}>", ["u8"; 17].join(", "));
    let mut interface = declared.join("\n");
    write!(interface, "\necho: func(it: {all}) -> {all};").unwrap();
    component(&interface, r#"(func (export "t:t/api#echo") (param i32) (result i32) (local.get 0))"#)
}

fn load(sandbox: &Sandbox, bytes: &[u8]) -> Result<TypedTools, LoadError> {
    block_on(sandbox.load_typed(bytes, &Capabilities::files()))
}

fn block_on<F: Future>(future: F) -> F::Output {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(future)
}

fn call(sandbox: &Sandbox, tool: &Tool, input: &Value) -> Result<Value, CallError> {
    let report = block_on(sandbox.call(tool, &Grants::none(), &input.to_string(), &limits()));
    report.outcome.map(|text| serde_json::from_str(&text).unwrap())
}

#[test]
fn values_of_random_types_go_through_a_real_component_unchanged() {
    let sandbox = sandbox();
    let mut runner = TestRunner::new(config(1));
    for _ in 0..60 {
        let shape = shapes().new_tree(&mut runner).unwrap().current();
        let tools = load(&sandbox, &echo(&shape)).unwrap().tools;
        let [tool] = &*tools else { panic!("{tools:?}") };
        assert_eq!(tool.descriptor().name, "echo");
        for _ in 0..6 {
            let value = values(&shape).new_tree(&mut runner).unwrap().current();
            let mut items = vec![json!(7); 17];
            items.push(answer::value(&shape, &value).unwrap());
            let said = call(&sandbox, tool, &json!({ "it": items })).unwrap_or_else(|error| panic!("{shape}: {error}"));
            assert_eq!(said, json!({ "result": items }), "{shape}");
        }
    }
}

#[test]
fn functions_are_tools_with_names_schemas_and_errors_of_their_own() {
    let sandbox = sandbox();
    let interface = "resource handle;
        record point { x: s32, y: s32, label: option<string> }
        add: func(a: u32, b: u32) -> u32;
        half: func(number: u32) -> result<u32, string>;
        open: func() -> handle;
        origin: func() -> point;
        quiet: func();";
    let functions = r#"
        (func (export "t:t/api#add") (param i32 i32) (result i32) (i32.add (local.get 0) (local.get 1)))
        (func (export "t:t/api#half") (param i32) (result i32)
            (i32.store (i32.const 0) (i32.const 0))
            (i32.store (i32.const 4) (i32.div_u (local.get 0) (i32.const 2)))
            (if (i32.and (local.get 0) (i32.const 1)) (then
                (i32.store (i32.const 0) (i32.const 1))
                (i32.store (i32.const 4) (i32.const 64))
                (i32.store (i32.const 8) (i32.const 3))))
            (i32.const 0))
        (data (i32.const 64) "odd")
        (func (export "t:t/api#open") (result i32) (i32.const 0))
        (func (export "t:t/api#origin") (result i32) (i32.const 512))
        (func (export "t:t/api#quiet"))"#;
    let loaded = load(&sandbox, &component(interface, functions)).unwrap();
    let names: Vec<_> = loaded.tools.iter().map(|tool| tool.descriptor().name.as_str()).collect();
    assert_eq!(names, ["add", "half", "origin", "quiet"]);
    let [(path, reason)] = &*loaded.skipped else { panic!("{:?}", loaded.skipped) };
    assert_eq!((path.as_str(), loaded.more), ("t:t/api#open", false));
    assert!(reason.contains("resource"), "{reason}");
    let tool = |name: &str| loaded.tools.iter().find(|tool| tool.descriptor().name == name).unwrap();
    let described = tool("half").descriptor();
    assert_eq!(described.description, "Calls `t:t/api#half: func(number: u32) -> result<u32, string>`.");
    assert_eq!(described.input_schema["properties"]["number"]["maximum"], u32::MAX);
    assert_eq!(call(&sandbox, tool("add"), &json!({ "a": 2, "b": 3 })), Ok(json!({ "result": 5 })));
    assert_eq!(call(&sandbox, tool("half"), &json!({ "number": 8 })), Ok(json!({ "result": 4 })));
    assert_eq!(call(&sandbox, tool("origin"), &json!({})), Ok(json!({ "x": 0, "y": 0 })));
    assert_eq!(call(&sandbox, tool("quiet"), &json!({})), Ok(json!({})));
    let error = call(&sandbox, tool("half"), &json!({ "number": 7 })).unwrap_err();
    assert!(matches!(&error, CallError::Tool(error) if error.kind == ErrorKind::Failed && error.message == "odd"));
    for off in [json!({}), json!({ "number": -1 }), json!({ "number": 1, "more": 2 }), json!([1])] {
        let error = call(&sandbox, tool("half"), &off).unwrap_err();
        assert!(matches!(&error, CallError::Tool(error) if error.kind == ErrorKind::InvalidInput), "{off}: {error}");
    }
}

#[test]
fn functions_of_one_name_are_told_apart_and_never_shadow_each_other() {
    let path = |path: &str| super::found::tool_names(&[path, "a:b/other#run", "a:b/api#walk"]);
    assert_eq!(path("a:b/api@1.0.0#run"), ["api_run", "other_run", "walk"]);
    assert_eq!(path("c:d/other#run"), ["c_d_other_run", "a_b_other_run", "walk"]);
    assert_eq!(path("api_walk"), ["api_walk", "run", "walk"]);
    assert_eq!(path("walk"), ["walk", "run", "api_walk"]);
    assert_eq!(super::found::tool_names(&["a", "a"]), ["a-1", "a-2"]);
    assert_eq!(super::found::tool_names(&["a:b/api#[static]counter.largest"]), ["counter_largest"]);
    let long = format!("a:b/{}#run", "x".repeat(80));
    assert_eq!(path(&long), ["run-1", "other_run", "walk"]);
}

#[test]
fn component_without_functions_offers_nothing() {
    let sandbox = sandbox();
    let nothing = load(&sandbox, &wat::parse_str("(component)").unwrap()).map(|_| ()).unwrap_err();
    assert!(matches!(nothing, LoadError::NothingOffered), "{nothing}");
}

#[test]
fn component_that_cannot_be_called_says_which_function_and_why() {
    let sandbox = sandbox();
    let resource = r#"(component
        (type $thing (resource (rep i32)))
        (export $exported "thing" (type $thing))
        (core func $drop (canon resource.drop $thing))
        (func $close (param "it" (own $exported)) (canon lift (core func $drop)))
        (export "close" (func $close)))"#;
    let program = r#"(component
        (core module $m (func (export "run") (result i32) (i32.const 0)))
        (core instance $i (instantiate $m))
        (func $run (result (result)) (canon lift (core func $i "run")))
        (instance $entry (export "run" (func $run)))
        (export "wasi:cli/run@0.2.6" (instance $entry)))"#;
    for (text, place, why) in [(resource, "close", "resource"), (program, "wasi:cli/run@0.2.6#run", "a program")] {
        let refused = load(&sandbox, &wat::parse_str(text).unwrap()).map(|_| ()).unwrap_err();
        let LoadError::NothingCallable { functions: 1, path, reason } = &refused else { panic!("{refused}") };
        assert!(path == place && reason.contains(why), "{refused}");
    }
}

#[test]
fn answer_that_is_too_large_is_stopped_before_the_host_holds_it() {
    let sandbox = sandbox();
    // A list of a million bytes is thirty million in the host.
    let functions = r#"(func (export "t:t/api#much") (result i32)
        (i32.store (i32.const 0) (i32.const 1024)) (i32.store (i32.const 4) (i32.const 15000000)) (i32.const 0))"#;
    let loaded = load(&sandbox, &component("much: func() -> list<u8>;", functions)).unwrap();
    let error = call(&sandbox, &loaded.tools[0], &json!({})).unwrap_err();
    assert!(matches!(error, CallError::Host(HostFailure::Output { .. })), "{error}");
}
