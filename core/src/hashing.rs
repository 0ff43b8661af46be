//! Numbers that stand for names and paths.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// Return a number spread over 64 bits (splitmix64), so that sums differ for different
/// sets.
pub fn mix(value: u64) -> u64 {
    let mut value = value.wrapping_add(0x9E37_79B9_7F4A_7C15);
    value = (value ^ (value >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    value = (value ^ (value >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    value ^ (value >> 31)
}

/// The words that have a role, numbered in their order.
pub struct WordMap {
    numbers: HashMap<Vec<u8>, usize, BuildHasherDefault<QuickHasher>>,
}

impl WordMap {
    pub fn new<'w>(words: impl Iterator<Item = &'w [u8]>) -> WordMap {
        let numbered = words.enumerate();
        WordMap {
            numbers: numbered.map(|(number, word)| (word.to_vec(), number)).collect(),
        }
    }

    pub fn len(&self) -> usize {
        self.numbers.len()
    }

    pub fn get(&self, word: &[u8]) -> Option<usize> {
        self.numbers.get(word).copied()
    }
}

/// Numbers of things in the order in which they are first met.
pub struct Numbering<K> {
    numbers: HashMap<K, usize, BuildHasherDefault<QuickHasher>>,
}

impl<K: std::hash::Hash + Eq> Numbering<K> {
    /// Return a numbering that expects so many things.
    pub fn expecting(things: usize) -> Numbering<K> {
        Numbering {
            numbers: HashMap::with_capacity_and_hasher(things, BuildHasherDefault::default()),
        }
    }

    /// Return the number of a thing, and whether it is new.
    pub fn number(&mut self, thing: K) -> (usize, bool) {
        let next = self.numbers.len();
        let number = *self.numbers.entry(thing).or_insert(next);
        (number, number == next)
    }
}

/// Odd, with its bits spread; else of no meaning.
const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;

/// Eight bytes at a time, each multiplied in, both halves of the product. The start is another in every process, so that no
/// page can be written whose names all collide.
pub struct QuickHasher(u64);

impl Default for QuickHasher {
    fn default() -> QuickHasher {
        QuickHasher(start())
    }
}

impl Hasher for QuickHasher {
    fn write(&mut self, bytes: &[u8]) {
        let mut chunks = bytes.chunks_exact(8);
        for chunk in &mut chunks {
            let mut eight = [0; 8];
            eight.copy_from_slice(chunk);
            self.write_u64(u64::from_ne_bytes(eight));
        }
        let mut last = [0; 8];
        last[..chunks.remainder().len()].copy_from_slice(chunks.remainder());
        self.write_u64(u64::from_ne_bytes(last));
    }

    fn write_u64(&mut self, value: u64) {
        let product = u128::from(self.0 ^ value) * u128::from(FACTOR);
        self.0 = (product >> 64) as u64 ^ product as u64;
    }

    fn write_usize(&mut self, value: usize) {
        self.write_u64(value as u64);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

fn start() -> u64 {
    use std::collections::hash_map::RandomState;
    use std::hash::BuildHasher;
    use std::sync::OnceLock;
    static START: OnceLock<u64> = OnceLock::new();
    *START.get_or_init(|| RandomState::new().build_hasher().finish())
}
