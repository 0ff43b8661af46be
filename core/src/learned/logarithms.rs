//! Logarithms by short lines (the reference: `elementary.py`): arithmetic alone, so that
//! they are the same on both sides.

use crate::sections::Sections;

pub struct Logarithms {
    /// The logarithm of one plus each of the first whole numbers.
    whole: Vec<f32>,
    /// Where lines begin between a half and one, the logarithm there, and how the line rises.
    lines: Vec<Line>,
    log_of_two: f64,
}

struct Line {
    start: f64,
    log: f64,
    slope: f64,
}

const EXPONENT_SHIFT: u32 = 52;
const EXPONENT_MASK: u64 = 0x7ff;
/// The exponent, as it is stored, of numbers between a half and one.
const OF_HALVES: u64 = 1022;

impl Logarithms {
    /// Return the logarithms of three sections, those of whole numbers, and where lines begin
    /// and their logarithms there, the last one behind the last line.
    pub fn new(sections: &mut Sections) -> Option<Logarithms> {
        let whole = sections.numbers(f32::from_ne_bytes)?;
        let starts = sections.numbers(f64::from_ne_bytes)?;
        let logs = sections.numbers(f64::from_ne_bytes)?;
        let slopes = sections.numbers(f64::from_ne_bytes)?;
        let is_whole = !slopes.is_empty() && starts.len() > slopes.len() && logs.len() > slopes.len();
        let parts = starts.iter().zip(&logs).zip(slopes);
        let lines = parts.map(|((&start, &log), slope)| Line { start, log, slope });
        is_whole.then(|| Logarithms {
            whole,
            lines: lines.collect(),
            log_of_two: -logs[0],
        })
    }

    /// Return the logarithm of one plus the size of a number, with its sign.
    #[inline]
    pub fn signed(&self, number: f32) -> f32 {
        self.of(number.abs()).copysign(number)
    }

    /// Return the logarithm of one plus a number, which is not negative.
    #[inline]
    pub fn of(&self, number: f32) -> f32 {
        let whole = number as usize;
        match self.whole.get(whole) {
            Some(&log) if whole as f32 == number => log,
            _ => self.on_line(1.0 + f64::from(number)) as f32,
        }
    }

    fn on_line(&self, number: f64) -> f64 {
        let bits = number.to_bits();
        let stored = bits >> EXPONENT_SHIFT & EXPONENT_MASK;
        let power = stored as i64 - OF_HALVES as i64;
        let rest_bits = bits & !(EXPONENT_MASK << EXPONENT_SHIFT) | OF_HALVES << EXPONENT_SHIFT;
        let rest = f64::from_bits(rest_bits);
        let at = (rest - 0.5) * (2 * self.lines.len()) as f64;
        let line = &self.lines[(at as usize).min(self.lines.len() - 1)];
        let risen = line.slope * (rest - line.start);
        power as f64 * self.log_of_two + (line.log + risen)
    }
}
