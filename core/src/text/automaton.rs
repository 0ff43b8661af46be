//! Groups of words, looked for in one pass over a text (Aho and Corasick).

use std::collections::VecDeque;

/// Groups fill the bits of one number.
pub const MOST_GROUPS: u32 = 64;
const MOST_STATES: usize = 1 << 14;
const FOUND: u32 = 1 << 31;

#[derive(Clone)]
pub struct Automaton {
    /// Whether capitals of ASCII count as small letters.
    folds: bool,
    /// The class of each byte: words tell only some apart. 0 is that of all others.
    class_of: [u8; 256],
    classes: usize,
    /// By state and class of byte, the next state; states are the beginnings of words.
    next: Vec<u16>,
    /// The same as one loop reads it: where the row of the next state begins, with `FOUND`
    /// where words end there.
    rows: Vec<u32>,
    /// By state, the groups of the words that end there.
    found: Vec<u64>,
    /// A bit for every two bytes that a word may begin with.
    starts: Vec<u64>,
}

impl Automaton {
    /// Return the automaton of words with their groups, as bits; None where a word is empty
    /// or they are too many.
    pub fn new(words: &[(&[u8], u64)], folds: bool) -> Option<Automaton> {
        let mut class_of = [0; 256];
        let mut classes = 1;
        for &byte in words.iter().flat_map(|(word, _)| word.iter()) {
            if class_of[byte as usize] == 0 {
                class_of[byte as usize] = u8::try_from(classes).ok()?;
                classes += 1;
            }
        }
        if folds {
            for letter in b'a'..=b'z' {
                class_of[letter.to_ascii_uppercase() as usize] = class_of[letter as usize];
            }
        }
        let mut automaton = Automaton {
            folds,
            class_of,
            classes,
            next: vec![0; classes],
            rows: Vec::new(),
            found: vec![0],
            starts: vec![0; (1 << 16) / 64],
        };
        for &(word, groups) in words {
            automaton.add(word, groups)?;
        }
        automaton.complete();
        Some(automaton)
    }

    /// Add a word as a path of states.
    fn add(&mut self, word: &[u8], groups: u64) -> Option<()> {
        self.add_start(word);
        let mut state = 0;
        for &byte in word {
            let at = state * self.classes + self.class_of[byte as usize] as usize;
            if self.next[at] == 0 {
                self.next[at] = self.found.len() as u16;
                self.next.resize(self.next.len() + self.classes, 0);
                self.found.push(0);
            }
            state = self.next[at] as usize;
        }
        self.found[state] |= groups;
        (!word.is_empty() && self.found.len() < MOST_STATES).then_some(())
    }

    /// Mark the two bytes that a word begins with; any second one where it has only one.
    fn add_start(&mut self, word: &[u8]) {
        let is_same = |byte: u8, other: u8| {
            let is_folded = self.folds && byte.eq_ignore_ascii_case(&other);
            byte == other || is_folded
        };
        for first in (0..=u8::MAX).filter(|&byte| word.first().is_some_and(|&own| is_same(own, byte))) {
            for second in 0..=u8::MAX {
                if word.get(1).map_or(true, |&own| is_same(own, second)) {
                    let start = pair(first, second);
                    self.starts[start / 64] |= 1 << (start % 64);
                }
            }
        }
    }

    /// Give every state a next one for every class of byte: that of the longest beginning
    /// of a word that the bytes so far end with.
    fn complete(&mut self) {
        let mut shorter = vec![0; self.found.len()];
        let mut pending = VecDeque::from([0]);
        while let Some(state) = pending.pop_front() {
            for class in 0..self.classes {
                let at = state * self.classes + class;
                let next = self.next[at] as usize;
                let other = match state {
                    0 => 0,
                    _ => self.next[shorter[state] * self.classes + class],
                };
                if next == 0 {
                    self.next[at] = other;
                } else {
                    shorter[next] = other as usize;
                    self.found[next] |= self.found[other as usize];
                    pending.push_back(next);
                }
            }
        }
        let row = |&state: &u16| {
            let has_words = self.found[state as usize] != 0;
            state as u32 * self.classes as u32 | if has_words { FOUND } else { 0 }
        };
        self.rows = self.next.iter().map(row).collect();
    }

    /// Return the groups that a text has words of.
    pub fn groups(&self, text: &str) -> u64 {
        if self.folds && !text.is_ascii() && text.chars().any(has_other_lower) {
            let lower: String = text.chars().flat_map(char::to_lowercase).collect();
            return self.groups_in(lower.as_bytes());
        }
        self.groups_in(text.as_bytes())
    }

    /// Return the groups of a text in bytes. Most of it begins no word: that is told by two
    /// bytes at a time, without waiting for the state before.
    fn groups_in(&self, text: &[u8]) -> u64 {
        let mut groups = 0;
        let mut at = 0;
        while let Some(skipped) = self.next_start(&text[at..]) {
            at += skipped;
            let mut row = 0;
            loop {
                let Some(&byte) = text.get(at) else {
                    return groups;
                };
                at += 1;
                let class = self.class_of[byte as usize] as usize;
                let next = self.rows[row + class];
                row = (next & !FOUND) as usize;
                if next & FOUND != 0 {
                    groups |= self.found[row / self.classes];
                }
                if row == 0 {
                    break;
                }
            }
        }
        groups
    }

    /// Return where a word may begin in a text: the last byte always may.
    fn next_start(&self, text: &[u8]) -> Option<usize> {
        let last = text.len().checked_sub(1)?;
        let mut pairs = text.windows(2).map(|two| pair(two[0], two[1]));
        let start = pairs.position(|pair| self.starts[pair / 64] >> (pair % 64) & 1 == 1);
        Some(start.unwrap_or(last))
    }
}

/// Return whether a character beyond ASCII has another lower case.
fn has_other_lower(character: char) -> bool {
    !character.is_ascii() && character.to_lowercase().next() != Some(character)
}

fn pair(first: u8, second: u8) -> usize {
    usize::from(first) << 8 | usize::from(second)
}
