//! The raw hostile guest of `tests/hostile-guest` against the sandbox: one test for each of its programs.
//!
//! Whatever a program does, [`World::run`](world::World::run) holds it to this: everything outside of the granted
//! directories is byte for byte as before, and nothing of the outside (content, names, the text of links) appears in
//! what the guest learned. Each test adds what must hold for its own program.

mod crossing;
mod guest;
mod handles;
mod hidden;
mod interpreter;
mod links;
mod metadata;
mod paths;
mod random;
mod readonly;
mod sensitive;
mod special;
mod staged;
mod tree;
mod without_openat2;
mod world;

include!("../../../../../tests/hostile-guest/src/programs.rs");

/// A program without a test of its name does not compile.
macro_rules! assert_tests_exist {
    ($($theme:ident { $($name:ident,)* })*) => {
        $($(
            #[expect(unused_imports, reason = "only says that the test is there")]
            use self::$theme::$name as _;
        )*)*
    };
}

for_each_program!(assert_tests_exist);
