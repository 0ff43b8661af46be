//! Features of the text of each block (the reference: `text_features.py`).

use crate::learned::counts::Counts;
use crate::hashing::Numbering;
use crate::learned::rows::{share, Rows};
use crate::learned::tables::{Tables, ENDING_SHIFT};

pub fn write(
    rows: &mut Rows,
    counts: &Counts,
    tables: &Tables,
    in_title: &[bool],
    is_hidden: &[bool],
) {
    let of = |row: &[i64], block: usize| row[block] as f32;
    let (words, non_space) = (&counts.words, &counts.non_space);
    let (repeated, repeated_before) = repetitions(counts);
    rows.add_logs(|block| of(words, block));
    rows.add(|block| share(of(non_space, block), of(words, block)));
    rows.add_logs(|block| of(&counts.punctuation, block));
    rows.add_logs(|block| of(&counts.sentences, block));
    rows.add(|block| share(of(&counts.linked, block), of(words, block)));
    rows.add(|block| share(of(&counts.digits, block), of(non_space, block)));
    rows.add(|block| share(of(&counts.upper, block), of(non_space, block)));
    rows.add(|block| share(of(&counts.strong, block), of(words, block)));
    rows.add_logs(|block| of(&counts.links, block));
    rows.add(|block| ending(&counts.lines[block], tables));
    rows.add_logs(|block| of(&repeated, block));
    rows.add_logs(|block| of(&repeated_before, block));
    rows.add(|block| of(&counts.heading, block));
    rows.add(|block| f32::from(u8::from(in_title[block])));
    rows.add(|block| f32::from(u8::from(is_hidden[block])));
    for signs in &counts.signs {
        rows.add_logs(|block| of(signs, block));
    }
}

/// Return the class of the character that a line ends with.
fn ending(line: &str, tables: &Tables) -> f32 {
    let last = line.chars().next_back();
    let class = last.map_or(0, |last| tables.character(last) >> ENDING_SHIFT & 7);
    f32::from(class)
}

/// Return how often the text of each block stands on the page, and how often before it.
fn repetitions(counts: &Counts) -> (Vec<i64>, Vec<i64>) {
    let mut numbers = Numbering::expecting(counts.lines.len());
    let mut totals: Vec<i64> = Vec::new();
    let mut number_of = Vec::with_capacity(counts.lines.len());
    let mut before = Vec::with_capacity(counts.lines.len());
    for line in &counts.lines {
        let (number, is_new) = numbers.number(line.as_bytes());
        if is_new {
            totals.push(0);
        }
        before.push(totals[number]);
        totals[number] += 1;
        number_of.push(number);
    }
    let repeated = number_of.iter().map(|&number| totals[number]);
    (repeated.collect(), before)
}
