//! Character references: `&amp;`, `&#38;`, `&#x26;`, and the old ones without semicolon.

use std::sync::OnceLock;

use crate::names::Names;
use crate::tables::REFERENCES;

/// The longest name that may stand without a semicolon.
const LONGEST_OPEN_NAME: usize = 6;
/// The longest name of all, with its semicolon.
const LONGEST_NAME: usize = 32;

/// What a reference stands for.
pub enum Meaning {
    Named(&'static str),
    Numbered(char),
}

impl Meaning {
    pub fn push_to(&self, out: &mut Vec<u8>) {
        match self {
            Meaning::Named(text) => out.extend_from_slice(text.as_bytes()),
            Meaning::Numbered(character) => {
                let mut bytes = [0; 4];
                out.extend_from_slice(character.encode_utf8(&mut bytes).as_bytes());
            }
        }
    }
}

/// Return what the reference at the start of `rest` (an ampersand) stands for and how many
/// bytes it takes; None where the ampersand is just one.
pub fn decode(rest: &[u8], in_attribute: bool) -> Option<(Meaning, usize)> {
    match rest.get(1) {
        Some(b'#') => decode_number(rest),
        Some(byte) if byte.is_ascii_alphanumeric() => decode_name(rest, in_attribute),
        _ => None,
    }
}

fn decode_name(rest: &[u8], in_attribute: bool) -> Option<(Meaning, usize)> {
    let name = &rest[1..];
    let longest = name.len().min(LONGEST_NAME);
    let letters = name[..longest]
        .iter()
        .take_while(|byte| byte.is_ascii_alphanumeric())
        .count();
    if name.get(letters) == Some(&b';') {
        if let Some(text) = find(&name[..=letters]) {
            return Some((Meaning::Named(text), letters + 2));
        }
    }
    for length in (2..=letters.min(LONGEST_OPEN_NAME)).rev() {
        let Some(text) = find(&name[..length]) else {
            continue;
        };
        let next = name.get(length);
        let goes_on = next.is_some_and(|&byte| byte == b'=' || byte.is_ascii_alphanumeric());
        if in_attribute && goes_on {
            return None;
        }
        return Some((Meaning::Named(text), length + 1));
    }
    None
}

fn find(name: &[u8]) -> Option<&'static str> {
    let index = known_names().find(name)?;
    Some(REFERENCES[index as usize].1)
}

fn known_names() -> &'static Names {
    static KNOWN: OnceLock<Names> = OnceLock::new();
    KNOWN.get_or_init(|| {
        let mut names = Names::new(0);
        for (name, _) in REFERENCES {
            names.intern(name.as_bytes());
        }
        names
    })
}

fn decode_number(rest: &[u8]) -> Option<(Meaning, usize)> {
    let hexadecimal = matches!(rest.get(2), Some(b'x' | b'X'));
    let (first, base) = if hexadecimal { (3, 16) } else { (2, 10) };
    let mut number: u32 = 0;
    let mut end = first;
    while let Some(digit) = rest.get(end).and_then(|&byte| char::from(byte).to_digit(base)) {
        number = number.saturating_mul(base).saturating_add(digit);
        end += 1;
    }
    if end == first {
        return None;
    }
    if rest.get(end) == Some(&b';') {
        end += 1;
    }
    let character = match number {
        0 => char::REPLACEMENT_CHARACTER,
        _ => char::from_u32(windows_1252(number)).unwrap_or(char::REPLACEMENT_CHARACTER),
    };
    Some((Meaning::Numbered(character), end))
}

/// What browsers show for numbers of control characters: those of Windows' charset.
fn windows_1252(number: u32) -> u32 {
    const FROM_80: [u32; 32] = [
        0x20ac, 0x81, 0x201a, 0x192, 0x201e, 0x2026, 0x2020, 0x2021, 0x2c6, 0x2030, 0x160,
        0x2039, 0x152, 0x8d, 0x17d, 0x8f, 0x90, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022,
        0x2013, 0x2014, 0x2dc, 0x2122, 0x161, 0x203a, 0x153, 0x9d, 0x17e, 0x178,
    ];
    match number {
        0x80..=0x9f => FROM_80[number as usize - 0x80],
        _ => number,
    }
}
