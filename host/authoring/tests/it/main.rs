//! The tests of projects of tools over their public interface.

mod examples;
