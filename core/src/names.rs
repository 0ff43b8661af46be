//! Names as small numbers: tags with the codes that Python knows, attributes and all
//! other tags numbered as they are met.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::sync::OnceLock;

use crate::tables;

/// Interned byte strings, numbered from `first` on.
pub struct Names {
    bytes: Vec<u8>,
    /// Start of each name in `bytes`, and the end of the last.
    starts: Vec<u32>,
    /// Open addressing: 0 is free, else the index of a name plus one.
    slots: Vec<u32>,
    first: u32,
    seed: u64,
}

impl Names {
    pub fn new(first: u32) -> Names {
        Names {
            bytes: Vec::new(),
            starts: vec![0],
            slots: vec![0; 64],
            first,
            seed: seed(),
        }
    }

    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    pub fn get(&self, id: u32) -> &[u8] {
        let index = (id - self.first) as usize;
        &self.bytes[self.starts[index] as usize..self.starts[index + 1] as usize]
    }

    pub fn find(&self, name: &[u8]) -> Option<u32> {
        let mask = self.slots.len() - 1;
        let mut slot = hash(self.seed, name) as usize & mask;
        loop {
            let entry = self.slots[slot];
            if entry == 0 {
                return None;
            }
            let id = self.first + entry - 1;
            if self.get(id) == name {
                return Some(id);
            }
            slot = (slot + 1) & mask;
        }
    }

    pub fn intern(&mut self, name: &[u8]) -> u32 {
        if let Some(id) = self.find(name) {
            return id;
        }
        self.bytes.extend_from_slice(name);
        self.starts.push(self.bytes.len() as u32);
        let count = self.len();
        if count * 2 > self.slots.len() {
            self.slots = vec![0; self.slots.len() * 2];
            for index in 0..count {
                self.place(index);
            }
        } else {
            self.place(count - 1);
        }
        self.first + count as u32 - 1
    }

    fn place(&mut self, index: usize) {
        let mask = self.slots.len() - 1;
        let mut slot = hash(self.seed, self.get(self.first + index as u32)) as usize & mask;
        while self.slots[slot] != 0 {
            slot = (slot + 1) & mask;
        }
        self.slots[slot] = index as u32 + 1;
    }
}

/// A number of this process, so that no page can be written to collide. Names are numbered
/// in the order of the page, whatever it is.
fn seed() -> u64 {
    static SEED: OnceLock<u64> = OnceLock::new();
    *SEED.get_or_init(|| RandomState::new().build_hasher().finish())
}

fn hash(seed: u64, name: &[u8]) -> u32 {
    let mut value = seed ^ name.len() as u64;
    let mut chunks = name.chunks_exact(8);
    for chunk in &mut chunks {
        let word = u64::from_le_bytes(chunk.try_into().unwrap_or([0; 8]));
        value = mix(value ^ word);
    }
    let mut tail: u64 = 0;
    for &byte in chunks.remainder() {
        tail = tail << 8 | u64::from(byte);
    }
    (mix(value ^ tail) >> 32) as u32
}

fn mix(value: u64) -> u64 {
    let product = u128::from(value ^ 0x9e37_79b9_7f4a_7c15) * 0xd6e8_feb8_6659_fd93;
    (product as u64) ^ (product >> 64) as u64
}

/// Tag names: those of the tables, then those of the page.
pub struct TagNames {
    of_page: Names,
}

impl TagNames {
    pub fn new() -> TagNames {
        TagNames {
            of_page: Names::new(tables::NAMES.len() as u32),
        }
    }

    pub fn intern(&mut self, name: &[u8]) -> u32 {
        match known_tags().find(name) {
            Some(id) => id,
            None => self.of_page.intern(name),
        }
    }

    pub fn get(&self, id: u32) -> &[u8] {
        match tables::NAMES.get(id as usize) {
            Some(name) => name.as_bytes(),
            None => self.of_page.get(id),
        }
    }

    /// How many numbers are in use.
    pub fn len(&self) -> usize {
        tables::NAMES.len() + self.of_page.len()
    }
}

fn known_tags() -> &'static Names {
    static KNOWN: OnceLock<Names> = OnceLock::new();
    KNOWN.get_or_init(|| {
        let mut names = Names::new(0);
        for name in tables::NAMES {
            names.intern(name.as_bytes());
        }
        names
    })
}
