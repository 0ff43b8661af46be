"""Garbage collection while a collection is at work."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest

from scythe.collect.garbage import NEW_OBJECTS, rare_garbage_collection


@pytest.fixture(autouse=True)
def threshold() -> Iterator[None]:
    before = gc.get_threshold()
    yield
    gc.set_threshold(*before)


def test_a_program_gets_its_own_setting_back() -> None:
    gc.set_threshold(700, 10, 10)
    with rare_garbage_collection():
        assert gc.get_threshold()[0] == NEW_OBJECTS
    assert gc.get_threshold()[0] == 700


def test_it_gets_it_back_after_a_failure() -> None:
    gc.set_threshold(700, 10, 10)
    with pytest.raises(ZeroDivisionError), rare_garbage_collection():
        divmod(1, 0)
    assert gc.get_threshold()[0] == 700


@pytest.mark.parametrize("own", [0, 10 * NEW_OBJECTS])
def test_a_program_that_wants_it_rarely_or_never_has_its_way(own: int) -> None:
    gc.set_threshold(own, 10, 10)
    with rare_garbage_collection():
        assert gc.get_threshold()[0] == own
