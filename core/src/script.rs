//! Where a script ends: `</script>`, but not in `<!-- <script> ... </script> -->`.

use crate::scan::find;
use crate::tokenizer::is_end_tag;

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Plain,
    /// After `<!--`.
    Escaped,
    /// After `<!-- <script`.
    DoublyEscaped,
}

/// Return where the end tag of the script is that begins at `start`, or the page's length.
pub fn end(input: &[u8], start: usize, name: &[u8]) -> usize {
    let mut state = State::Plain;
    let mut at = start;
    // Only two dashes in a row just before matter.
    let mut dashes = 0;
    loop {
        if state == State::Plain {
            at = find(input, at, |byte| byte == b'<');
        } else if dashes == 0 {
            at = find(input, at, |byte| byte == b'<' || byte == b'-');
        }
        let Some(&byte) = input.get(at) else {
            return at;
        };
        let rest = &input[at..];
        if state != State::DoublyEscaped && is_end_tag(rest, name) {
            return at;
        }
        match (state, byte) {
            (State::Plain, _) if rest.starts_with(b"<!--") => {
                state = State::Escaped;
                dashes = 2;
                at += 4;
            }
            (State::Plain, _) => at += 1,
            (_, b'-') => {
                dashes += 1;
                at += 1;
            }
            (_, b'>') => {
                if dashes >= 2 {
                    state = State::Plain;
                }
                dashes = 0;
                at += 1;
            }
            (_, b'<') => {
                dashes = 0;
                (state, at) = after_bracket(input, at, state);
            }
            _ => {
                dashes = 0;
                at += 1;
            }
        }
    }
}

/// Return the state and position after a `<` in an escaped script.
fn after_bracket(input: &[u8], at: usize, state: State) -> (State, usize) {
    let word_start = match (state, input.get(at + 1)) {
        (State::DoublyEscaped, Some(b'/')) => at + 2,
        (State::Escaped, Some(byte)) if byte.is_ascii_alphabetic() => at + 1,
        _ => return (state, at + 1),
    };
    let letters = input[word_start..]
        .iter()
        .take_while(|byte| byte.is_ascii_alphabetic())
        .count();
    let word_end = word_start + letters;
    let is_script = input[word_start..word_end].eq_ignore_ascii_case(b"script");
    match input.get(word_end) {
        Some(b' ' | b'\n' | b'\t' | 0x0c | b'/' | b'>') => {
            let toggled = match state {
                State::Escaped => State::DoublyEscaped,
                _ => State::Escaped,
            };
            (if is_script { toggled } else { state }, word_end + 1)
        }
        _ => (state, word_end),
    }
}
