//! What code of a package tries while it is built and tested, over the real toolchains. That code may come from an agent, so
//! what it reaches outside its package, and a success that it only claims, is a fault of this program.
//!
//! | file | what the code does |
//! |---|---|
//! | `forging` | ends, replaces or impersonates what judges it |
//! | `lacking` | nothing: what is said where the system lacks a means against it |
//! | `leaving` | leaves processes and objects behind; changes processes outside; sends datagrams out |
//! | `looked_at` | nothing: it lies where the build might not look |
//! | `reading` | reads hidden files of its repository |

mod forging;
mod lacking;
mod leaving;
mod looked_at;
mod reading;
