"""Formatting that Markdown can express: where its delimiters would not be read as such,
they are moved or left out.

CommonMark reads `**` as an opening or closing delimiter only where the characters on
both sides allow it ("flanking"), so `**Note:**text` shows its asterisks. Text must come
out as it went in; formatting may give way: punctuation moves out of it
(`**Note**:text`), and where that does not help the formatting of that stretch is
dropped.
"""

from __future__ import annotations

import unicodedata

from scythe.content.formats.runs import Run, joined, shared
from scythe.content.structures.outline import Image, Mark, Marks

_SPELLED = {"kbd": Mark("code"), "samp": Mark("code")}
_WRITTEN = frozenset({"a", "strong", "em", "del", "code", "sub", "sup"})
STAR = frozenset({"strong", "em"})
_DELIMITED = frozenset({"strong", "em", "del"})


def expressible(found: list[Run], added: Marks = ()) -> list[Run]:
    """The runs with only such formatting as Markdown will read back, after adding some
    to all of them.
    """
    plain = all(not run.marks for run in found) and not added
    return (
        found
        if plain
        else joined(_settled(joined([_written(run, added) for run in found])))
    )


def _written(run: Run, added: Marks) -> Run:
    marks: list[Mark] = list(added)
    for mark in run.marks:
        mark = _SPELLED.get(mark.tag, mark)
        if mark.tag in _WRITTEN and mark not in marks:
            marks.append(Mark("a", mark.attributes[:1]) if mark.tag == "a" else mark)
    if _is_definition(run, marks):
        marks.pop()
    return run._replace(marks=tuple(marks))


def _is_definition(run: Run, marks: list[Mark]) -> bool:
    """Whether code in a link would make its line a reference definition (`[a]: b`),
    which shows nothing at all.
    """
    return (
        len(marks) > 1
        and marks[-1].tag == "code"
        and "]:" in str(run.content)
        and any(mark.tag == "a" for mark in marks)
    )


def _settled(found: list[Run]) -> list[Run]:
    """Walk over the borders between runs; a change to the run before a border sends the
    walk back to the border before.
    """
    settled: list[Run] = []
    pending = found[::-1]
    while pending:
        right = pending.pop()
        if not settled:
            settled.append(right)
            continue
        left = settled[-1]
        common = shared(left.marks, right.marks)
        closed, opened = left.marks[common:], right.marks[common:]
        if _has(opened, STAR) and _asterisks_clash(left, right, common):
            pending.append(_without(right, common, STAR))
        elif right.gap:
            settled.append(right)
        elif (
            _has(closed, _DELIMITED)
            and not opened
            and not _closes_well(left, right, common)
        ):
            settled.pop()
            pending.append(right)
            pending.extend(reversed(_loosen_end(left, common)))
        elif (
            _has(opened, _DELIMITED)
            and not closed
            and not _opens_well(left, right, common)
        ):
            pending.extend(reversed(_loosen_start(right, common)))
        else:
            settled.append(right)
    return settled


def _asterisks_clash(left: Run, right: Run, common: int) -> bool:
    """Whether asterisks would open beside or within others with no space before them to
    tell that they do not close.
    """
    if right.gap == " " and right.marks[common].tag in STAR:
        return False
    return _has(left.marks[:common] if right.gap else left.marks, STAR)


def _has(marks: Marks, tags: frozenset[str]) -> bool:
    return bool(marks) and any(mark.tag in tags for mark in marks)


def _without(run: Run, common: int, tags: frozenset[str]) -> Run:
    return run._replace(
        marks=(
            *run.marks[:common],
            *(mark for mark in run.marks[common:] if mark.tag not in tags),
        )
    )


def _closes_well(left: Run, right: Run, common: int) -> bool:
    """Whether what ends with `left` is read as ending there, text following without a
    space.
    """
    if _is_code_or_image(right) or _is_mark_of_punctuation(str(right.content)[0]):
        return True
    return _bare(left, common) and _is_letter(str(left.content)[-1])


def _opens_well(left: Run, right: Run, common: int) -> bool:
    """Whether what begins with `right` is read as beginning there, text preceding
    without a space.
    """
    if _is_code_or_image(left) or _is_mark_of_punctuation(str(left.content)[-1]):
        return True
    return _bare(right, common) and _is_letter(str(right.content)[0])


def _is_code_or_image(run: Run) -> bool:
    return isinstance(run.content, Image) or (
        bool(run.marks) and run.marks[-1].tag == "code"
    )


def _bare(run: Run, common: int) -> bool:
    """Whether the text of a run stands directly beside one delimiter."""
    inner = {mark.tag for mark in run.marks[common:]}
    return isinstance(run.content, str) and (inner <= STAR or inner == {"del"})


def _loosen_end(run: Run, common: int) -> list[Run]:
    """A run and, outside its formatting, the punctuation at its end."""
    text = run.content
    if isinstance(text, str) and _bare(run, common):
        stop = len(text)
        while stop and not _is_letter(text[stop - 1]):
            stop -= 1
        if stop:
            tail = text[stop:].lstrip()
            gap = " " if len(tail) < len(text) - stop else ""
            return [
                run._replace(content=text[:stop]),
                Run(gap, run.marks[:common], tail),
            ]
    return [_without(run, common, _DELIMITED)]


def _loosen_start(run: Run, common: int) -> list[Run]:
    """The punctuation at the start of a run, outside its formatting, and the run."""
    text = run.content
    if isinstance(text, str) and _bare(run, common):
        start = 0
        while start < len(text) and not _is_letter(text[start]):
            start += 1
        if start < len(text):
            head = text[:start].rstrip()
            gap = " " if len(head) < start else ""
            return [
                Run(run.gap, run.marks[:common], head),
                run._replace(gap=gap, content=text[start:]),
            ]
    return [_without(run, common, _DELIMITED)]


def _is_letter(character: str) -> bool:
    """Not punctuation by any reading: the versions of CommonMark differ about symbols."""
    return unicodedata.category(character)[0] in "LMN"


def _is_mark_of_punctuation(character: str) -> bool:
    """Punctuation by every reading."""
    return (
        character.isascii() and not character.isalnum() and character.isprintable()
    ) or unicodedata.category(character)[0] == "P"
