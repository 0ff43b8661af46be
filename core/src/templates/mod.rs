//! Pages as templates see them (the reference: `templates/matching`).

pub mod forms;
pub mod hashes;
mod leaves;
pub mod parts;
