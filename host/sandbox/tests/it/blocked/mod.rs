//! A file operation that blocks costs its own call and nothing else: the call is given up at its deadline, its thread
//! replaced, counted and capped, while every other call keeps its speed.

mod apart;
mod dead;
mod fuse;
mod special;
