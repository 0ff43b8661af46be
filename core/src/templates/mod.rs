//! Pages as templates see them (the reference: `templates/matching`).

pub mod forms;
mod leaves;
pub mod parts;
