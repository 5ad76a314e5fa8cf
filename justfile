# What a person types. Each recipe is one call of `cargo xtask`, which does its own set-up.

# List the recipes
default:
    @just --list

# Build the tools that run in the sandbox
guests *arguments:
    cargo xtask guests {{arguments}}

# Build everything and install the locked toolchains
setup:
    cargo xtask setup

# Show the main job on a real TypeSpec project
demo *arguments:
    cargo xtask demo {{arguments}}

# Run every test
test *arguments:
    cargo xtask test {{arguments}}

# Run the tests that need no toolchains
quick:
    cargo xtask test --quick

# Print what things cost
bench *arguments:
    cargo xtask bench {{arguments}}

# Check the links of the pages and build the book
book:
    cargo xtask book

# Check the formatting, the book and clippy
lint:
    cargo xtask lint

# What continuous integration runs
ci:
    cargo xtask ci
