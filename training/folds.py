"""The folds of cross-validation: which domain is in which, and the model that saw none
of it.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

FOLDS = 5
_FOLDER = Path(__file__).parent / "fold-models"


def fold_of(domain: str) -> int:
    """Return the fold of a domain: by hash, so that it is the same in every run."""
    return int(hashlib.sha256(domain.encode()).hexdigest(), 16) % FOLDS


def fold_file(fold: int) -> Path:
    """Return where `python -m training.content` leaves the model that was trained on
    the other folds.
    """
    return _FOLDER / f"{fold}.npz"


def left_out_file(page_set: str) -> Path:
    """Return where `python -m training.content` leaves the model that was trained on
    all other sets of pages.
    """
    return _FOLDER / f"without-{page_set}.npz"


def sections_file(fold: int, *, visual: bool) -> Path:
    """Return where `python -m training.sections` leaves the finder of records that was
    trained on the other folds.
    """
    return _FOLDER / f"sections-{'visual' if visual else 'tags'}-{fold}.npz"


def recipes_file(fold: int) -> Path:
    """Return where `python -m training.recipes` leaves the reader of recipe pages that
    was trained on the other folds.
    """
    return _FOLDER / f"recipes-{fold}.npz"
