//! What a text looks like: its label, and its rough shape (the reference:
//! `templates/matching/page_texts.py`).

use crate::characters::Characters;
use crate::scan;

/// Bits of a character.
const LETTER_OR_DIGIT: u16 = 1;
const DIGIT: u16 = 1 << 1;
/// Characters that mean something by themselves.
const SIGN: u16 = 1 << 2;
/// Characters after which a text goes on in the next element.
const RUNS_ON: u16 = 1 << 3;
const COLON: u16 = 1 << 4;

/// Bounds of the reference, in this order.
pub struct Bounds {
    /// Characters beyond which a text is no mere punctuation.
    pub always_meaningful: usize,
    /// Characters of an element's own text from which on it is prose.
    pub min_prose: usize,
    /// Characters of a label, but the colon.
    pub max_label: usize,
    /// Characters beyond which it means nothing that a text has a digit.
    pub long_text: usize,
}

impl Bounds {
    /// Return the bounds; None where some are missing.
    pub fn new(numbers: &[i64]) -> Option<Bounds> {
        let &[always_meaningful, min_prose, max_label, long_text] = numbers else {
            return None;
        };
        Some(Bounds {
            always_meaningful: always_meaningful as usize,
            min_prose: min_prose as usize,
            max_label: max_label as usize,
            long_text: long_text as usize,
        })
    }
}

pub struct Forms<'t> {
    pub characters: &'t Characters,
    pub bounds: Bounds,
}

impl Forms<'_> {
    /// Return whether a text is more than mere punctuation.
    pub fn is_meaningful(&self, text: &str) -> bool {
        let means = |character| self.characters.of(character) & (LETTER_OR_DIGIT | SIGN) != 0;
        text.chars().any(means) || is_longer(text, self.bounds.always_meaningful)
    }

    /// Return whether a text goes on in the next element.
    pub fn runs_on(&self, text: &str) -> bool {
        let last = text.chars().next_back();
        last.is_some_and(|last| self.characters.of(last) & (LETTER_OR_DIGIT | RUNS_ON) != 0)
    }

    /// Return how many characters the label has that a text begins with; 0 where it has none.
    pub fn label_length(&self, text: &str) -> usize {
        let may_be_colon = |byte: u8| byte == b':' || !byte.is_ascii();
        if scan::find(text.as_bytes(), 0, may_be_colon) == text.len() {
            return 0;
        }
        let mut characters = text.chars();
        let Some(first) = characters.next() else {
            return 0;
        };
        if self.characters.of(first) & (LETTER_OR_DIGIT | DIGIT) != LETTER_OR_DIGIT {
            return 0;
        }
        let within = characters.by_ref().take(self.bounds.max_label);
        let mut before = 1;
        for character in within {
            if self.characters.of(character) & COLON != 0 {
                let is_address = characters.as_str().starts_with("//");
                return if is_address { 0 } else { before + 1 };
            }
            before += 1;
        }
        0
    }

    /// Return a number for what a text looks like beside its label, of so many characters.
    pub fn form(&self, text: &str, label_length: usize) -> i32 {
        let shape = self.shape(text);
        if label_length > 0 {
            return shape << 2 | i32::from(is_longer(text, label_length));
        }
        let last = text.chars().next_back();
        let is_label = last.is_some_and(|last| self.characters.of(last) & COLON != 0);
        shape << 1 | i32::from(is_label)
    }

    /// Return a number for the rough shape of a text.
    fn shape(&self, text: &str) -> i32 {
        let length = length(text);
        let bits = usize::BITS - length.leading_zeros();
        let size = (bits / 2 << 2) as i32;
        if length > self.bounds.long_text {
            return size;
        }
        let (has_digit, has_letter) = self.digit_and_letter(text);
        size | i32::from(has_digit) << 1 | i32::from(has_letter)
    }

    /// Return whether a text has a digit, and whether it has a letter.
    fn digit_and_letter(&self, text: &str) -> (bool, bool) {
        if text.is_ascii() {
            let has = |wanted: fn(&u8) -> bool| text.as_bytes().iter().any(wanted);
            return (has(u8::is_ascii_digit), has(u8::is_ascii_alphabetic));
        }
        let kinds = || text.chars().map(|character| self.characters.of(character));
        let has_digit = kinds().any(|kind| kind & DIGIT != 0);
        let has_letter = kinds().any(|kind| kind & (LETTER_OR_DIGIT | DIGIT) == LETTER_OR_DIGIT);
        (has_digit, has_letter)
    }
}

/// Return how many characters a text has.
pub fn length(text: &str) -> usize {
    if text.is_ascii() {
        text.len()
    } else {
        text.chars().count()
    }
}

/// Return whether a text has more characters.
fn is_longer(text: &str, bound: usize) -> bool {
    text.len() > bound && text.chars().nth(bound).is_some()
}
