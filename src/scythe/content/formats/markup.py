"""Well-formed XML, whatever text it holds, and the formatted text of a block in it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from io import StringIO
from xml.sax.saxutils import XMLGenerator
from xml.sax.xmlreader import AttributesImpl

from scythe.content.structures.outline import (
    Image,
    Leaf,
    Mark,
    Marks,
    shared_marks,
    text_runs,
)

Attributes = Mapping[str, str]
Element = tuple[str, Attributes]
"""The name of an element and its attributes."""

_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML 1.0 cannot hold, not even escaped."""


class MarkupWriter:
    """Writes elements and text. Every element that is begun is ended, and text is
    escaped, so the result is well-formed.
    """

    def __init__(self) -> None:
        self._output = StringIO()
        self._generator = XMLGenerator(
            self._output, encoding="utf-8", short_empty_elements=True
        )
        self._generator.startDocument()

    @property
    def result(self) -> str:
        """All that was written."""
        return self._output.getvalue()

    @contextmanager
    def element(
        self, name: str, attributes: Attributes | None = None
    ) -> Iterator[None]:
        """Put what is written meanwhile into an element."""
        self.start(name, attributes)
        yield
        self.end(name)

    @contextmanager
    def block(self, name: str, attributes: Attributes | None = None) -> Iterator[None]:
        """Put the blocks that are written meanwhile into an element, one line each."""
        self.start(name, attributes)
        self.text("\n")
        yield
        self.end(name)
        self.text("\n")

    def start(self, name: str, attributes: Attributes | None = None) -> None:
        """Begin an element."""
        given = attributes or {}
        clean = {key: clean_text(value) for key, value in given.items()}
        self._generator.startElement(name, AttributesImpl(clean))

    def end(self, name: str) -> None:
        """End the innermost element."""
        self._generator.endElement(name)

    def text(self, text: str) -> None:
        """Write text, without the characters that XML cannot hold."""
        self._generator.characters(clean_text(text))

    def empty(self, name: str, attributes: Attributes | None = None) -> None:
        """Write an element without content."""
        with self.element(name, attributes):
            pass

    def line(self, name: str, text: str, attributes: Attributes | None = None) -> None:
        """Write an element that holds text alone, on a line of its own."""
        with self.element(name, attributes):
            self.text(text)
        self.text("\n")

    def runs(
        self,
        leaf: Leaf,
        mark_element: Callable[[Mark], Element],
        write_image: Callable[[Image], None],
        line_break: str,
    ) -> None:
        """Write the formatted text of a block."""
        open_marks: Marks = ()
        for gap, marks, content in text_runs(leaf):
            common = shared_marks(open_marks, marks)
            self._end_marks(open_marks[common:], mark_element)
            if gap == "\n":
                self.empty(line_break)
            self.text(gap)
            for mark in marks[common:]:
                self.start(*mark_element(mark))
            if isinstance(content, Image):
                write_image(content)
            else:
                self.text(content)
            open_marks = marks
        self._end_marks(open_marks, mark_element)

    def _end_marks(self, marks: Marks, mark_element: Callable[[Mark], Element]) -> None:
        for mark in reversed(marks):
            name, _ = mark_element(mark)
            self.end(name)


def clean_text(text: str) -> str:
    """Return text without the characters that XML cannot hold; those that part words are
    spaces.
    """
    return _NO_XML.sub(_replacement, text)


def _replacement(match: re.Match[str]) -> str:
    return " " if match.group().isspace() else ""
