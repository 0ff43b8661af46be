//! Where records repeat on a page (the reference: `sections`).

pub mod candidates;
pub mod classes;
pub mod comparisons;
pub mod elements;
pub mod shapes;
