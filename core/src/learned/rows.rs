//! The matrix of features: a row for each feature, a column for each block.
//!
//! Logarithms of small whole numbers stand in a table that the reference made. Another
//! library would round others otherwise than the reference's: where it does, the number
//! itself is written, and the reference is told where.

use crate::learned::tables::Tables;

pub struct Rows<'r> {
    values: &'r mut [f32],
    blocks: usize,
    next: usize,
    logs: &'r [f32],
    computes_logs: bool,
    /// Where numbers stand whose logarithm is to be taken.
    pub left: Vec<u32>,
}

impl<'r> Rows<'r> {
    pub fn new(values: &'r mut [f32], blocks: usize, tables: &'r Tables) -> Rows<'r> {
        Rows {
            values,
            blocks,
            next: 0,
            logs: &tables.logs,
            computes_logs: tables.computes_logs,
            left: Vec::new(),
        }
    }

    /// Return how many rows were written.
    pub fn written(&self) -> usize {
        self.next / self.blocks
    }

    /// Write a row.
    pub fn add(&mut self, value: impl Fn(usize) -> f32) {
        for (block, place) in self.next_row().iter_mut().enumerate() {
            *place = value(block);
        }
    }

    /// Write a row of the logarithms of one plus each value; of negative values that of
    /// their size, negative.
    pub fn add_logs(&mut self, value: impl Fn(usize) -> f32) {
        self.add_logs_or(|block| Ok(value(block)));
    }

    /// Write a row of logarithms, in which an `Err` stands for itself.
    pub fn add_logs_or(&mut self, value: impl Fn(usize) -> Result<f32, f32>) {
        let start = self.next;
        let logs = self.logs;
        let computes_logs = self.computes_logs;
        let mut left = std::mem::take(&mut self.left);
        for (block, place) in self.next_row().iter_mut().enumerate() {
            *place = match value(block) {
                Err(value) => value,
                Ok(value) => {
                    let whole = value.abs() as u32;
                    match logs.get(whole as usize) {
                        Some(log) if whole as f32 == value.abs() => log.copysign(value),
                        _ if computes_logs => value.abs().ln_1p().copysign(value),
                        _ => {
                            left.push((start + block) as u32);
                            value
                        }
                    }
                }
            };
        }
        self.left = left;
    }

    /// Write rows of zeros; return them all, one after the other.
    pub fn add_zeros(&mut self, rows: usize) -> &mut [f32] {
        let start = self.next;
        self.next += rows * self.blocks;
        let zeros = &mut self.values[start..self.next];
        zeros.fill(0.0);
        zeros
    }

    fn next_row(&mut self) -> &mut [f32] {
        let start = self.next;
        self.next += self.blocks;
        &mut self.values[start..self.next]
    }
}

/// Return a part of a whole, where a whole of 0 counts as 1.
pub fn share(part: f32, whole: f32) -> f32 {
    part / whole.max(1.0)
}
