//! The loop, seen from outside: a scripted model, tools that write down when they run, paused time.

mod budgets;
mod calls;
mod cancelled;
mod compacted;
mod defined;
mod exits;
mod observed;
mod random;
mod reminded;
mod replayed;
mod resumed;
mod spent;
mod stopped;
mod support;
mod templated;
mod transcript;
