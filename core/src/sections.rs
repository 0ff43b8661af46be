//! Descriptions by Python: parts, each after its length in 8 bytes.

pub struct Sections<'d> {
    pub rest: &'d [u8],
}

impl<'d> Sections<'d> {
    pub fn next(&mut self) -> Option<&'d [u8]> {
        let length: [u8; 8] = self.rest.get(..8)?.try_into().ok()?;
        let length = u64::from_ne_bytes(length) as usize;
        let rest = &self.rest[8..];
        let section = rest.get(..length)?;
        self.rest = &rest[length..];
        Some(section)
    }

    pub fn numbers<T, const SIZE: usize>(&mut self, of: fn([u8; SIZE]) -> T) -> Option<Vec<T>> {
        let numbers = self.next()?.chunks_exact(SIZE);
        let read = numbers.map(|bytes| {
            let mut number = [0; SIZE];
            number.copy_from_slice(bytes);
            of(number)
        });
        Some(read.collect())
    }
}
