//! The hostile programs, one file a theme.

mod crossing;
mod handles;
mod links;
mod metadata;
mod paths;
mod readonly;
mod sensitive;
mod special;
mod staged;

use crate::report::{Report, Roots};

macro_rules! dispatch {
    ($($theme:ident { $($name:ident,)* })*) => {
        /// Runs the program of that name; whether there is one.
        pub(crate) fn run(program: &str, roots: &Roots, report: &mut Report) -> bool {
            match program {
                $($(stringify!($name) => $theme::$name(roots, report),)*)*
                _ => return false,
            }
            true
        }
    };
}

for_each_program!(dispatch);
