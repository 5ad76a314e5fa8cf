//! Eight attacks of an added tool on the person who runs it, each tried through the commands and through the
//! MCP server. No toolchain is needed, and no network.
//!
//! | file | what the tool does |
//! |---|---|
//! | `asks` | asks for more than its manifest; is exchanged for another one behind its name |
//! | `floods` | says, prints and answers without end |
//! | `reaches` | tries another tool's directory; tries the network by name and by address |
//! | `says` | hides instructions in its description; lies in its schemas; never ends describing itself; takes another's name |

mod asks;
mod floods;
mod liar;
mod machine;
mod reaches;
mod says;
