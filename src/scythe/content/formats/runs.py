"""White space of formatted text, as browsers collapse it."""

from __future__ import annotations

from typing import NamedTuple

from scythe.content.structures.outline import Image, Leaf, Marks


class Run(NamedTuple):
    """A stretch of text of one formatting, or an image, without white space at its
    ends.
    """

    gap: str
    """What stands between it and the run before: nothing, a space, or a line break."""
    marks: Marks
    content: str | Image


def _visible(text: str) -> str:
    """The text with a zero-width space as a space, as in `plain_text`: both part words."""
    return (
        text if text.isascii() else text.replace("\u200b", " ").replace("\ufeff", " ")
    )


def runs(leaf: Leaf) -> list[Run]:
    """The runs of a block. Formatting never begins or ends with white space, and
    neighbours of the same formatting are one.
    """
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
            found.append(Run(gap if found else "", marks, " ".join(words)))
            gap = " " if text[-1].isspace() else ""
    return joined(found) if len(found) > 1 else found


def joined(found: list[Run]) -> list[Run]:
    """The runs with neighbours made one where nothing tells them apart."""
    result: list[Run] = []
    texts: list[str] = []
    for run in found:
        if (
            texts
            and run.gap != "\n"
            and run.marks == result[-1].marks
            and isinstance(run.content, str)
        ):
            texts += (run.gap, run.content)
            continue
        if len(texts) > 1:
            result[-1] = result[-1]._replace(content="".join(texts))
        result.append(run)
        texts = [run.content] if isinstance(run.content, str) else []
    if len(texts) > 1:
        result[-1] = result[-1]._replace(content="".join(texts))
    return result


def shared(left: Marks, right: Marks) -> int:
    """How many marks, from the outermost, two neighbours share."""
    count = 0
    for one, other in zip(left, right, strict=False):
        if one != other:
            break
        count += 1
    return count
