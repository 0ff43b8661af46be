//! The learned method's blocks and features, on the arrays of a page.
//!
//! `scythe.content.methods.learned` is the reference and has the description: names and
//! order of features, sets of tags, words of roles and all constants come from there
//! (`tables`). Sums are of whole numbers or in one order, divisions are those of the reference,
//! and so are logarithms (`logarithms`), so that the numbers are the same, bit by bit.

mod counts;
pub mod decision;
pub mod declared;
mod elements;
pub mod features;
mod logarithms;
pub mod method;
pub mod outline;
mod position_rows;
pub mod prediction;
mod roles;
mod rows;
mod structure_rows;
pub mod tables;
mod text_rows;
mod units;
