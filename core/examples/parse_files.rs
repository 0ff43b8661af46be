//! Parse the pages of files, for runs under checks: built without optimisation it has
//! those of debug builds (arithmetic, bounds), and Valgrind can watch it. A panic ends it.

use std::env;
use std::fs;

const MAX_NODES: usize = 300_000;

fn main() {
    let mut declined = 0;
    let mut bytes = 0;
    for name in env::args().skip(1) {
        let page = fs::read(&name).expect("a readable file");
        match scythe_core::parse(&page, MAX_NODES) {
            Some(flat) => {
                let mut block = vec![0; flat.size()];
                flat.write(&mut block);
                bytes += block.len();
            }
            None => declined += 1,
        }
    }
    println!("{declined} declined, {bytes} bytes of blocks");
}
