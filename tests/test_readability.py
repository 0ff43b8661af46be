"""The code stays as readable as that of the projects it is measured beside."""

from __future__ import annotations

from benchmarks.readability import SOURCE, measure, old_names


def test_function_bodies_are_not_dense() -> None:
    counts = measure(SOURCE)
    assert counts.density < 10
    assert counts.long_line_share < 0.01


def test_names_are_in_the_words_of_the_glossary() -> None:
    assert not old_names(SOURCE)
