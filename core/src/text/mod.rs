//! What is read of the texts and attributes of a page: what a reader sees, how long it is,
//! which words it has (the reference: `scythe.tree`).

mod automaton;
pub mod class_names;
pub mod counts;
pub mod hidden;
pub mod junk;
pub mod lower;
pub mod plain;
pub mod repeats;
pub mod tables;
pub mod threads;
pub mod visible;
pub mod words;
