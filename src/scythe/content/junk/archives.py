"""What web archives add to the pages that they keep: the bar of the Wayback Machine."""

from __future__ import annotations

import numpy as np

from scythe.content.junk.selected import SelectedTexts
from scythe.tree.tree import Bools

_BARS = ("wm-ipp-base", "wm-ipp", "donato")
"""The ids of its bar and of its call for donations: they tell of the archive, up to 150
words long, and stand before the page. Without them the mean word F1 of news-eras, of
which no page was trained on, is 0.968 instead of 0.963, on its 50 pages of 2013 0.974
instead of 0.955.
"""


def archive_bars(page: SelectedTexts) -> Bools | None:
    """Return the nodes that an archive put before the page."""
    tree = page.tree
    named = tree.with_words("id", _BARS)
    bars = [node for node, name in named.items() if name in _BARS]
    if not bars:
        return None
    roots = np.zeros(len(tree), dtype=bool)
    roots[bars] = True
    return tree.below(roots)
