//! Kinds of characters, as Python describes them: bits for every code point.

/// What Python's `str.strip` takes away.
pub const BLANK: u16 = 1 << 15;

const PLANE: usize = 256;
const CODE_POINTS: usize = 0x11_0000;

pub struct Characters {
    /// Different runs of 256 characters, and which of them each run is.
    planes: Vec<[u16; PLANE]>,
    plane_of: Vec<u16>,
    /// The first run, which most text is of.
    latin: [u16; PLANE],
}

impl Characters {
    /// Return the kinds of all characters; None where some are missing.
    pub fn new(bits: &[u16]) -> Option<Characters> {
        if bits.len() != CODE_POINTS {
            return None;
        }
        let mut planes: Vec<[u16; PLANE]> = Vec::new();
        let mut plane_of = Vec::new();
        for run in bits.chunks_exact(PLANE) {
            let known = planes.iter().position(|plane| plane == run);
            plane_of.push(known.unwrap_or(planes.len()) as u16);
            if known.is_none() {
                let mut plane = [0; PLANE];
                plane.copy_from_slice(run);
                planes.push(plane);
            }
        }
        Some(Characters {
            latin: *planes.first()?,
            planes,
            plane_of,
        })
    }

    /// Return the bits of a character.
    #[inline]
    pub fn of(&self, character: char) -> u16 {
        let code = character as usize;
        if code < PLANE {
            return self.latin[code];
        }
        self.planes[self.plane_of[code / PLANE] as usize][code % PLANE]
    }

    /// Return the bits of one of the first 256 characters.
    #[inline]
    pub fn of_latin(&self, character: u8) -> u16 {
        self.latin[character as usize]
    }

    #[inline]
    pub fn is_blank(&self, character: char) -> bool {
        self.of(character) & BLANK != 0
    }

    /// Return a text without white space at its ends.
    pub fn strip<'t>(&self, text: &'t str) -> &'t str {
        let bytes = text.as_bytes();
        let is_blank = |&byte: &u8| byte.is_ascii() && self.of_latin(byte) & BLANK != 0;
        let start = bytes.iter().position(|byte| !is_blank(byte)).unwrap_or(bytes.len());
        let end = bytes.iter().rposition(|byte| !is_blank(byte)).map_or(start, |last| last + 1);
        let text = &text[start..end];
        let (Some(first), Some(last)) = (bytes.get(start), text.as_bytes().last()) else {
            return text;
        };
        if first.is_ascii() && last.is_ascii() {
            return text;
        }
        text.trim_matches(|character| self.is_blank(character))
    }

    /// Return whether a text has nothing but white space.
    pub fn is_all_blank(&self, text: &str) -> bool {
        match text.as_bytes().first() {
            Some(&first) if first.is_ascii() && self.of_latin(first) & BLANK == 0 => false,
            _ => text.chars().all(|character| self.is_blank(character)),
        }
    }
}
