"""White space of formatted text, as browsers collapse it."""

from __future__ import annotations

from typing import NamedTuple

from scythe.content.outline import Image, Leaf, Marks


class Run(NamedTuple):
    """A stretch of text of one formatting, or an image, without white space at its ends."""

    gap: str
    """What stands between it and the run before: nothing, a space, or a line break."""
    marks: Marks
    content: str | Image


def collapse(text: str) -> str:
    """The words of a text with single spaces between them. A zero-width space parts words, as in `plain_text`."""
    return " ".join(_visible(text).split())


def _visible(text: str) -> str:
    return text if text.isascii() else text.replace("\u200b", " ").replace("\ufeff", " ")


def runs(leaf: Leaf) -> list[Run]:
    """The runs of a block. Formatting never begins or ends with white space, and neighbours of the same formatting are one."""
    found: list[Run] = []
    gap = ""
    for marks, content in leaf.content:
        if content is None:
            gap = "\n"
        elif isinstance(content, Image):
            found.append(Run(gap if found else "", marks, content))
            gap = ""
        else:
            text = _visible(content)
            words = text.split()
            if not words:
                gap = gap or " "
                continue
            if not gap and text[0].isspace():
                gap = " "
            append(found, Run(gap if found else "", marks, " ".join(words)))
            gap = " " if text[-1].isspace() else ""
    return found


def append(found: list[Run], run: Run) -> None:
    """Add a run, joined to the one before if nothing tells them apart."""
    if found and run.gap != "\n" and isinstance(run.content, str):
        last = found[-1]
        if last.marks == run.marks and isinstance(last.content, str):
            found[-1] = Run(last.gap, run.marks, last.content + run.gap + run.content)
            return
    found.append(run)


def shared(left: Marks, right: Marks) -> int:
    """How many marks, from the outermost, two neighbours share."""
    count = 0
    for one, other in zip(left, right, strict=False):
        if one != other:
            break
        count += 1
    return count
