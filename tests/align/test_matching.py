"""Simple tree matching: against plain definitions on small forests, and bounded on
large ones.
"""

from functools import cache

from hypothesis import given
from hypothesis import strategies as st

from scythe.align import Forest, ForestVocabulary, forest_similarity, match
from scythe.align.forest import tag_and_class
from scythe.tree import Tree, parse

Nested = tuple[tuple[str, "Nested"], ...]

leaves = st.just(())
forests = st.recursive(
    leaves,
    lambda inner: st.lists(st.tuples(st.sampled_from("abc"), inner), max_size=4).map(
        tuple
    ),
    max_leaves=8,
)


def flat(nested: Nested, vocabulary: ForestVocabulary) -> Forest:
    labels: list[int] = []
    ends: list[int] = []

    def add(trees: Nested) -> None:
        for label, children in trees:
            index = len(labels)
            labels.append(vocabulary.label(label))
            ends.append(0)
            add(children)
            ends[index] = len(labels)

    add(nested)
    return vocabulary.forest(labels, ends)


def size(nested: Nested) -> int:
    return sum(1 + size(children) for _, children in nested)


@cache
def plain_matching(one: Nested, other: Nested) -> int:
    if not one or not other:
        return 0
    best = max(plain_matching(one[:-1], other), plain_matching(one, other[:-1]))
    if one[-1][0] == other[-1][0]:
        best = max(
            best,
            plain_matching(one[:-1], other[:-1])
            + 1
            + plain_matching(one[-1][1], other[-1][1]),
        )
    return best


@cache
def edit_distance(one: Nested, other: Nested) -> int:
    """Least number of nodes to delete and to insert."""
    if not one or not other:
        return size(one) + size(other)
    (label, children), (other_label, other_children) = one[-1], other[-1]
    best = min(
        1 + edit_distance(one[:-1] + children, other),
        1 + edit_distance(one, other[:-1] + other_children),
    )
    if label == other_label:
        best = min(
            best,
            edit_distance(one[:-1], other[:-1])
            + edit_distance(children, other_children),
        )
    return best


def matched(one: Nested, other: Nested) -> tuple[Forest, Forest, list[tuple[int, int]]]:
    vocabulary = ForestVocabulary()
    first, second = flat(one, vocabulary), flat(other, vocabulary)
    result = match(first, second)
    assert result.size == len(result.pairs)
    return first, second, result.pairs


@given(forests, forests)
def test_finds_the_largest_matching(one: Nested, other: Nested) -> None:
    assert len(matched(one, other)[2]) == plain_matching(one, other)


@given(forests, forests)
def test_is_symmetric_and_bounded(one: Nested, other: Nested) -> None:
    found = len(matched(one, other)[2])
    assert found == len(matched(other, one)[2]) <= min(size(one), size(other))


@given(forests)
def test_a_forest_matches_itself_whole(nested: Nested) -> None:
    assert matched(nested, nested)[2] == [(node, node) for node in range(size(nested))]


@given(forests, forests)
def test_what_is_not_matched_could_be_edited(one: Nested, other: Nested) -> None:
    """A matching is an edit script, so the exact tree edit distance is never above what
    it leaves out.
    """
    assert edit_distance(one, other) <= size(one) + size(other) - 2 * len(
        matched(one, other)[2]
    )


@given(forests, forests)
def test_keeps_labels_parents_and_order(one: Nested, other: Nested) -> None:
    first, second, pairs = matched(one, other)

    def parents(forest: Forest) -> dict[int, int]:
        return {
            child: parent
            for parent in range(-1, len(forest))
            for child in forest.children(parent)
        }

    above, other_above, mapped = parents(first), parents(second), dict(pairs)
    assert len(mapped) == len(set(mapped.values())) == len(pairs)
    assert [y for _, y in pairs] == sorted(y for _, y in pairs)
    for x, y in pairs:
        assert first.labels[x] == second.labels[y]
        assert mapped.get(above[x], -1) == other_above[y]


@given(forests, forests, st.integers(0, 12))
def test_a_limit_gives_a_smaller_matching_but_a_true_one(
    one: Nested, other: Nested, limit: int
) -> None:
    vocabulary = ForestVocabulary()
    first, second = flat(one, vocabulary), flat(other, vocabulary)
    pairs = match(first, second, limit).pairs
    assert len(pairs) <= plain_matching(one, other)
    assert all(first.labels[x] == second.labels[y] for x, y in pairs)
    assert len({x for x, _ in pairs}) == len({y for _, y in pairs}) == len(pairs)


def test_similarity_is_the_matched_share_of_both() -> None:
    vocabulary = ForestVocabulary()
    tree = parse("<ul><li><a>x</a> <b>y</b></li><li><a>z</a></li></ul>")
    one = vocabulary.forest_of_tree(tree, *span(tree, 1))
    other = vocabulary.forest_of_tree(tree, *span(tree, 2))
    assert (len(one), len(other)) == (5, 3)  # white space between tags is no node
    assert forest_similarity(one, other) == 6 / 8
    assert forest_similarity(one, one) == 1
    assert forest_similarity(vocabulary.forest([], []), vocabulary.forest([], [])) == 1


def span(tree: Tree, nth: int) -> tuple[int, int]:
    node = [node for node in range(len(tree)) if tree.name(node) == "li"][nth - 1]
    return node, int(tree.end[node])


def test_classes_tell_nodes_apart_where_tags_do_not() -> None:
    tree = parse(
        '<ul><li><i class="price big item-17">1</i></li><li><i class="big price item-18">2</i></li><li><i class=date>3</i></li>'
    )
    vocabulary = ForestVocabulary()
    first, second, third = (
        vocabulary.forest_of_tree(tree, *span(tree, nth), tag_and_class)
        for nth in (1, 2, 3)
    )
    assert match(first, second).size == 3
    assert match(first, third).size == 1


def test_very_deep_and_very_wide_pages_end() -> None:
    vocabulary = ForestVocabulary()
    wide = [
        parse("<div>" * 400 + ("<p>x</p>" + odd) * 4000)
        for odd in ("<b>y</b>", "<i>z</i><b></b>")
    ]
    one, other = (vocabulary.forest_of_tree(tree, 0, len(tree)) for tree in wide)
    assert 4000 < match(one, other).size < len(one)
    many = "<p>x<i>y</i>" * 100
    hostile = [
        parse("".join(f"<div><u>{many}<{tag}></{tag}></u></div>" for tag in tags))
        for tags in (["b", "i"] * 40, ["s", "q"] * 40)
    ]
    one, other = (vocabulary.forest_of_tree(tree, 0, len(tree)) for tree in hostile)
    assert match(one, other).size > 0
