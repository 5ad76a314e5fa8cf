//! What a client, a person who shares a server, or a text that either sent may try against everybody else.
//!
//! | file | what is tried |
//! |---|---|
//! | `terminal` | text that clears, writes to or lies on a person's terminal, through every command |
//! | `grants` | packages and specifications that no person named, by their paths, by links and by `..` |
//! | `at_work` | runs and steps at work in a grant that the roots of the client close: waited for, cancelled, gone on with |
//! | `replicas` | the same at another replica of the server, forged addresses, and a replica that is killed |
//! | `ownership` | runs and workflows of another subject: seen, waited for, cancelled, reverted, approved, gone on with |

mod at_work;
mod grants;
mod ownership;
mod replicas;
mod terminal;
