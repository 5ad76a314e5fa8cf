//! Customizations of packages: beside the tools that people use by hand, and as packages and specifications grow.
//!
//! `cargo xtask bench` runs it with the release binary and the installed toolchains; `cargo xtask bench growth` prints the
//! tables of growth alone, `cargo xtask bench commands` what a compiler that stays between commands is worth.

#![expect(clippy::print_stdout, clippy::unwrap_used, reason = "a benchmark prints its table and may stop at once")]

mod growth;
mod measured;
mod overhead;

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    let asked = |name: &str| wanted.is_empty() || wanted.iter().any(|word| name.contains(word.as_str()));
    if asked("overhead") {
        overhead::table();
    }
    if asked("commands") {
        overhead::commands();
    }
    if asked("growth") {
        growth::of_packages();
        growth::of_specifications();
    }
}
