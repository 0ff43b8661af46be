//! The learned method's blocks and features, on the arrays of a page.
//!
//! `scythe.content.methods.learned` is the reference and has the description: names and
//! order of features, sets of tags, words of roles and all constants come from there
//! (`tables`). Sums are of whole numbers, divisions are those of the reference, and
//! logarithms are its own (`rows`), so that the numbers are the same, bit by bit.

mod counts;
pub mod decision;
pub mod declared;
mod elements;
pub mod features;
pub mod outline;
mod position_rows;
mod roles;
mod rows;
mod structure_rows;
pub mod tables;
mod text_rows;
mod units;
