//! The document type: only whether it puts the page into quirks mode, in which a table
//! may stand in a paragraph.

use crate::scan::is_space;

const QUIRKY_PUBLIC: [&str; 3] = [
    "-//w3o//dtd w3 html strict 3.0//en//",
    "-/w3c/dtd html 4.0 transitional/en",
    "html",
];

const QUIRKY_SYSTEM: &str = "http://www.ibm.com/data/dtd/v11/ibmxhtml1-transitional.dtd";

const QUIRKY_WITHOUT_SYSTEM: [&str; 2] = [
    "-//w3c//dtd html 4.01 frameset//",
    "-//w3c//dtd html 4.01 transitional//",
];

const QUIRKY_PREFIXES: [&str; 55] = [
    "+//silmaril//dtd html pro v0r11 19970101//",
    "-//as//dtd html 3.0 aswedit + extensions//",
    "-//advasoft ltd//dtd html 3.0 aswedit + extensions//",
    "-//ietf//dtd html 2.0 level 1//",
    "-//ietf//dtd html 2.0 level 2//",
    "-//ietf//dtd html 2.0 strict level 1//",
    "-//ietf//dtd html 2.0 strict level 2//",
    "-//ietf//dtd html 2.0 strict//",
    "-//ietf//dtd html 2.0//",
    "-//ietf//dtd html 2.1e//",
    "-//ietf//dtd html 3.0//",
    "-//ietf//dtd html 3.2 final//",
    "-//ietf//dtd html 3.2//",
    "-//ietf//dtd html 3//",
    "-//ietf//dtd html level 0//",
    "-//ietf//dtd html level 1//",
    "-//ietf//dtd html level 2//",
    "-//ietf//dtd html level 3//",
    "-//ietf//dtd html strict level 0//",
    "-//ietf//dtd html strict level 1//",
    "-//ietf//dtd html strict level 2//",
    "-//ietf//dtd html strict level 3//",
    "-//ietf//dtd html strict//",
    "-//ietf//dtd html//",
    "-//metrius//dtd metrius presentational//",
    "-//microsoft//dtd internet explorer 2.0 html strict//",
    "-//microsoft//dtd internet explorer 2.0 html//",
    "-//microsoft//dtd internet explorer 2.0 tables//",
    "-//microsoft//dtd internet explorer 3.0 html strict//",
    "-//microsoft//dtd internet explorer 3.0 html//",
    "-//microsoft//dtd internet explorer 3.0 tables//",
    "-//netscape comm. corp.//dtd html//",
    "-//netscape comm. corp.//dtd strict html//",
    "-//o'reilly and associates//dtd html 2.0//",
    "-//o'reilly and associates//dtd html extended 1.0//",
    "-//o'reilly and associates//dtd html extended relaxed 1.0//",
    "-//sq//dtd html 2.0 hotmetal + extensions//",
    "-//softquad software//dtd hotmetal pro 6.0::19990601::extensions to html 4.0//",
    "-//softquad//dtd hotmetal pro 4.0::19971010::extensions to html 4.0//",
    "-//spyglass//dtd html 2.0 extended//",
    "-//sun microsystems corp.//dtd hotjava html//",
    "-//sun microsystems corp.//dtd hotjava strict html//",
    "-//w3c//dtd html 3 1995-03-24//",
    "-//w3c//dtd html 3.2 draft//",
    "-//w3c//dtd html 3.2 final//",
    "-//w3c//dtd html 3.2//",
    "-//w3c//dtd html 3.2s draft//",
    "-//w3c//dtd html 4.0 frameset//",
    "-//w3c//dtd html 4.0 transitional//",
    "-//w3c//dtd html experimental 19960712//",
    "-//w3c//dtd html experimental 970421//",
    "-//w3c//dtd w3 html//",
    "-//w3o//dtd w3 html 3.0//",
    "-//webtechs//dtd mozilla html 2.0//",
    "-//webtechs//dtd mozilla html//",
];

#[derive(Default)]
struct Doctype<'a> {
    name: &'a [u8],
    public: Option<&'a [u8]>,
    system: Option<&'a [u8]>,
    broken: bool,
}

/// Return whether the document type at the start of `rest` (after the word `doctype`)
/// means quirks, and how many bytes it takes.
pub fn read(rest: &[u8]) -> (bool, usize) {
    let mut reader = Reader { rest, at: 0 };
    let doctype = reader.doctype();
    (is_quirky(&doctype), reader.at)
}

fn is_quirky(doctype: &Doctype) -> bool {
    if doctype.broken || !doctype.name.eq_ignore_ascii_case(b"html") {
        return true;
    }
    let system = doctype.system.unwrap_or(b"");
    if system.eq_ignore_ascii_case(QUIRKY_SYSTEM.as_bytes()) {
        return true;
    }
    let Some(public) = doctype.public else {
        return false;
    };
    let is_public = |known: &&str| public.eq_ignore_ascii_case(known.as_bytes());
    let starts_public = |known: &&str| {
        let start = public.get(..known.len());
        start.is_some_and(|start| start.eq_ignore_ascii_case(known.as_bytes()))
    };
    QUIRKY_PUBLIC.iter().any(is_public)
        || QUIRKY_PREFIXES.iter().any(starts_public)
        || (system.is_empty() && QUIRKY_WITHOUT_SYSTEM.iter().any(starts_public))
}

struct Reader<'a> {
    rest: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    fn peek(&self) -> Option<u8> {
        self.rest.get(self.at).copied()
    }

    fn skip_spaces(&mut self) {
        while self.peek().is_some_and(is_space) {
            self.at += 1;
        }
    }

    /// Go past the `>` that ends the document type.
    fn skip_to_end(&mut self) {
        while let Some(byte) = self.peek() {
            self.at += 1;
            if byte == b'>' {
                return;
            }
        }
    }

    fn doctype(&mut self) -> Doctype<'a> {
        let mut doctype = Doctype::default();
        self.skip_spaces();
        let start = self.at;
        while self.peek().is_some_and(|byte| !is_space(byte) && byte != b'>') {
            self.at += 1;
        }
        doctype.name = &self.rest[start..self.at];
        self.skip_spaces();
        if self.peek() == Some(b'>') {
            self.at += 1;
            doctype.broken = doctype.name.is_empty();
            return doctype;
        }
        let keyword = self.rest[self.at..].get(..6).unwrap_or(b"");
        if keyword.eq_ignore_ascii_case(b"public") {
            self.at += 6;
            self.public(&mut doctype);
        } else if keyword.eq_ignore_ascii_case(b"system") {
            self.at += 6;
            self.system(&mut doctype);
        } else {
            doctype.broken = true;
            self.skip_to_end();
        }
        doctype
    }

    fn public(&mut self, doctype: &mut Doctype<'a>) {
        self.skip_spaces();
        if !matches!(self.peek(), Some(b'"' | b'\'')) {
            doctype.broken = true;
            self.skip_to_end();
            return;
        }
        doctype.public = Some(self.quoted(doctype));
        if doctype.broken {
            return;
        }
        self.skip_spaces();
        match self.peek() {
            Some(b'>') => self.at += 1,
            Some(b'"' | b'\'') => self.system(doctype),
            _ => {
                doctype.broken = true;
                self.skip_to_end();
            }
        }
    }

    fn system(&mut self, doctype: &mut Doctype<'a>) {
        self.skip_spaces();
        if !matches!(self.peek(), Some(b'"' | b'\'')) {
            doctype.broken = true;
            self.skip_to_end();
            return;
        }
        doctype.system = Some(self.quoted(doctype));
        if doctype.broken {
            return;
        }
        self.skip_spaces();
        doctype.broken = self.peek().is_none();
        self.skip_to_end();
    }

    /// Return an identifier in quotes; one that a `>` or the end of the page cuts short
    /// ends the document type too.
    fn quoted(&mut self, doctype: &mut Doctype<'a>) -> &'a [u8] {
        let quote = self.rest[self.at];
        self.at += 1;
        let start = self.at;
        while let Some(byte) = self.peek() {
            self.at += 1;
            if byte == quote {
                return &self.rest[start..self.at - 1];
            }
            if byte == b'>' {
                doctype.broken = true;
                return &self.rest[start..self.at - 1];
            }
        }
        doctype.broken = true;
        &self.rest[start..]
    }
}
