"""Every regular expression of the source takes time in proportion to its text: each is
fed texts that are made from its own repeats.

Nothing is timed. A child process tries the patterns one after the other, and each has
CPU seconds that no linear pattern needs, and that all ways to part a text take many
times over.
"""

from __future__ import annotations

import multiprocessing
import os
import re
import resource
import time
from multiprocessing.connection import Connection

import pytest

from attacks import attacks
from source_patterns import SourcePattern, source_patterns

pytestmark = pytest.mark.slow

LENGTH = int(os.environ.get("SCYTHE_ATTACK_LENGTH", "1000"))
"""Letters of a text. 1,000 tell patterns that try all ways, or all triples of letters;
8,000, a long paragraph, also those that try all pairs (`make torture`: ten minutes).
"""
CPU_SECONDS = 5
"""For all attacks on one pattern: of 8,000 letters linear ones took 0.4 at the most,
and five of `SHORT_TEXTS` at full length all took more than 6.
"""
SHORT_TEXTS = {
    "scythe.collect.records.standardize.durations._PART": 120,
    "scythe.collect.records.standardize.numbers._MIXED": 24,
    "scythe.collect.records.text_parts._LEFT_EDGE": 5_000,
    "scythe.content.metadata.person_names._ADDRESS": 300,
    "scythe.content.metadata.person_names._NAME_SEPARATOR": 2_000,
    "scythe.content.metadata.titles.SEPARATOR": 1_000,
    "scythe.content.structures.comments._HEADING_TEXT": 120,
    "scythe.content.walls.page_words._TITLE_SEPARATOR": 300,
    "scythe.kinds._DATE": 60,
    "scythe.kinds._PRICE": 60,
    "scythe.sections.posts.times._DATE": 80,
    "scythe.templates.declared.values._STEP_NUMBER": 30,
    "scythe.templates.suggestions.labels.DURATION": 100,
    "scythe.templates.visible.money._MONEY": 160,
    "scythe.templates.visible.ratings._LABELLED": 120,
    "scythe.templates.visible.ratings._OF_FIVE": 120,
    "scythe.templates.visible.ratings._REVIEWS": 120,
}
"""Patterns that are not linear, and how many letters their module gives them at most."""


def test_no_pattern_can_be_kept_busy() -> None:
    receiver, sender = multiprocessing.Pipe(duplex=False)
    context = multiprocessing.get_context("spawn")
    process = context.Process(target=attack_all, args=(sender,))
    process.start()
    sender.close()
    begun = []
    while True:
        try:
            begun.append(receiver.recv())
        except EOFError:
            break
    process.join()
    assert process.exitcode == 0, f"kept busy: {begun[-1:]}"
    assert SHORT_TEXTS.keys() <= set(begun)


def attack_all(begun: Connection) -> None:
    """Attack all patterns, and tell of each before it is begun."""
    for pattern in source_patterns():
        begun.send(pattern.name)
        seconds = int(time.process_time()) + CPU_SECONDS
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, resource.RLIM_INFINITY))
        attack(pattern)


def attack(pattern: SourcePattern) -> None:
    """Use a pattern on all texts made against it, as its module uses it."""
    compiled = pattern.pattern
    for text in attacks(compiled, min(LENGTH, SHORT_TEXTS.get(pattern.name, LENGTH))):
        if pattern.is_anchored:
            compiled.match(text)
            compiled.fullmatch(text)
        else:
            for _ in compiled.finditer(text):
                pass


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        (r"(a+)+b", "a" * 30 + "\x00"),
        (r"x\s*=?\s*y", "x" + " " * 30),
        (r"<[^>]*>c", "< " * 15),
    ],
)
def test_attacks_reach_the_repeats(pattern: str, text: str) -> None:
    assert text in list(attacks(re.compile(pattern), 30))
