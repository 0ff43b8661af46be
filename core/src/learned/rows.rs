//! The matrix of features: a row for each feature, a column for each block.

use crate::learned::logarithms::Logarithms;
use crate::learned::tables::Tables;

/// Rows that there is space for before the matrix grows.
const EXPECTED: usize = 512;

pub struct Rows<'t> {
    values: Vec<f32>,
    blocks: usize,
    logarithms: &'t Logarithms,
}

impl<'t> Rows<'t> {
    /// Return a matrix without rows.
    pub fn new(blocks: usize, tables: &'t Tables) -> Rows<'t> {
        Rows {
            values: Vec::with_capacity(EXPECTED * blocks),
            blocks,
            logarithms: &tables.logarithms,
        }
    }

    /// Return all rows, one after the other.
    pub fn into_values(self) -> Vec<f32> {
        self.values
    }

    /// Write a row.
    pub fn add(&mut self, value: impl Fn(usize) -> f32) {
        self.values.extend((0..self.blocks).map(value));
    }

    /// Write a row of the logarithms of one plus each value; of negative values that of
    /// their size, negative.
    pub fn add_logs(&mut self, value: impl Fn(usize) -> f32) {
        let logarithms = self.logarithms;
        self.add(|block| logarithms.signed(value(block)));
    }

    /// Write a row of logarithms, in which an `Err` stands for itself.
    pub fn add_logs_or(&mut self, value: impl Fn(usize) -> Result<f32, f32>) {
        let logarithms = self.logarithms;
        self.add(|block| match value(block) {
            Ok(value) => logarithms.signed(value),
            Err(value) => value,
        });
    }

    /// Write rows of zeros; return them all, one after the other.
    pub fn add_zeros(&mut self, rows: usize) -> &mut [f32] {
        let start = self.values.len();
        self.values.resize(start + rows * self.blocks, 0.0);
        &mut self.values[start..]
    }
}

/// Return a part of a whole, where a whole of 0 counts as 1.
pub fn share(part: f32, whole: f32) -> f32 {
    part / whole.max(1.0)
}
