"""The paper's own classifier of pages (RecipeCrawler, section 4.2): pages by site first,
then by the tree edit distance between them, with sibling matching.

The paper takes the clustering of Reis et al. 2004, which compares trees from the top
(restricted top-down mapping), and folds repeated siblings before it does. It says
neither how pages come to their first classes nor which distance is enough. Here a page
joins the class whose first page is nearest, if at least `MIN_SIMILARITY` of both trees
is matched, as Reis et al. have it, and else begins a class. Costs are those of the unit
model: what is not matched is deleted and inserted.

`Clusters` does the same from sketches of pages. This one takes as long as there are
classes, and is there to be measured.
"""

from __future__ import annotations

from scythe.align.forest import Forest, ForestVocabulary
from scythe.align.matching import LIMIT, forest_similarity
from scythe.templates.clusters.url_patterns import split_url
from scythe.templates.matching.page_view import PageView
from scythe.templates.matching.siblings import sibling_matching
from scythe.tree.tree import Tree

MIN_SIMILARITY = 0.8
"""The matched share of two trees from which on they are of one class: the threshold of
Reis et al.
"""


class TreeEditClassifier:
    """Classes of pages, growing page by page."""

    def __init__(
        self, min_similarity: float = MIN_SIMILARITY, limit: int = LIMIT
    ) -> None:
        self._min_similarity = min_similarity
        self._limit = limit
        self._vocabulary = ForestVocabulary()
        self._first_pages: dict[str, dict[int, Forest]] = {}
        self._next_id = 0

    def add(self, tree: Tree, url: str | None = None) -> int:
        """Put a page into a class, and return which."""
        forest = folded_forest(tree, self._vocabulary)
        site = split_url(url).site
        classes = self._first_pages.setdefault(site, {})
        best = -1
        best_similarity = self._min_similarity
        for number, first_page in classes.items():
            similarity = forest_similarity(first_page, forest, self._limit)
            if similarity >= best_similarity:
                best = number
                best_similarity = similarity
        if best >= 0:
            return best

        number = self._next_id
        self._next_id += 1
        classes[number] = forest
        return number


def folded_forest(tree: Tree, vocabulary: ForestVocabulary) -> Forest:
    """Return the elements and texts of a page in which like siblings side by side are
    one example node.
    """
    view = PageView(tree)
    labels: list[int] = []
    nodes: list[int] = []
    ends: dict[int, int] = {}
    waiting = [(-1, False)]
    while waiting:
        page_node, is_done = waiting.pop()
        if is_done:
            ends[page_node] = len(nodes)
            continue
        if page_node >= 0:
            labels.append(vocabulary.label(view.labels[page_node]))
            nodes.append(page_node)
        waiting.append((page_node, True))
        units = sibling_matching(view, view.children(page_node))
        examples = [unit.page_nodes[0] for unit in units]
        for example in reversed(examples):
            step = (example, False)
            waiting.append(step)
    forest_ends = [ends[node] for node in nodes]
    return vocabulary.forest(labels, forest_ends, nodes)
