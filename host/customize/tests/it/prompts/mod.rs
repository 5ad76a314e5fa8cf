//! The prompts that come with the program: complete, enforced and rendered to the letter.

mod embedded;
mod samples;
mod snapshots;
