"""The torture set (`make torture`), made small: every function of the library answers to
every page, or says why not by an error of ours. And a few of its pages as large as they
get, in a process with limits.
"""

from __future__ import annotations

from time import process_time

import pytest
from benchmarks.torture.functions import FUNCTIONS
from benchmarks.torture.pages import PAGES
from benchmarks.torture.trial import run_trial, timed_calls

SMALL = 0.0004
"""The scale at which a page has some hundred nodes."""
SLOWEST = 5.0
"""CPU seconds for all functions on one such page: fifty times what they take."""


@pytest.mark.parametrize("page", PAGES)
def test_every_function_answers(page: str) -> None:
    html = PAGES[page](SMALL)
    start = process_time()
    errors = [timed_calls(html, function)["error"] for function in FUNCTIONS]
    assert not any(errors), errors
    assert process_time() - start < SLOWEST * len(FUNCTIONS)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("page", "function"),
    [
        ("inputs_of_one_form", "forms"),
        ("style_of_spaces", "frame"),
        ("json_of_references", "read_page"),
    ],
)
def test_a_whole_page_stays_within_the_limits(page: str, function: str) -> None:
    trial = run_trial(page, function)
    assert not trial.is_over, trial
