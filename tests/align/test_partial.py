"""Partial tree alignment: where unmatched nodes go, and what holds for any forests."""

from hypothesis import given
from hypothesis import strategies as st

from scythe.align import Forest, ForestVocabulary, align

sequences = st.lists(
    st.lists(st.sampled_from("abcdef"), max_size=6).map("".join), max_size=6
)


def sequence(text: str, vocabulary: ForestVocabulary) -> Forest:
    return vocabulary.forest(
        [vocabulary.label(letter) for letter in text], list(range(1, len(text) + 1))
    )


def aligned(*texts: str) -> tuple[str, list[str]]:
    """The grown forest as letters, and each text laid under it, gaps as dots."""
    vocabulary = ForestVocabulary()
    alignment = align([sequence(text, vocabulary) for text in texts], vocabulary)
    letters = {vocabulary.label(letter): letter for letter in "abcdefghnopqwx"}
    grown = "".join(letters[label] for label in alignment.seed.labels)
    lines = []
    for text, row in zip(texts, alignment.rows, strict=True):
        assert [grown[index] for index in row] == list(text)
        lines.append(
            "".join(
                letter if index in row else "." for index, letter in enumerate(grown)
            )
        )
    return grown, lines


def test_an_optional_node_goes_where_its_neighbours_meet() -> None:
    assert aligned("abd", "abcd") == ("abcd", ["ab.d", "abcd"])
    assert aligned("xabde", "abcd") == ("xabcde", ["xab.de", ".abcd."])


def test_nodes_at_both_ends_have_a_location() -> None:
    assert aligned("bcd", "ab", "de") == ("abcde", [".bcd.", "ab...", "...de"])


def test_what_has_no_unique_location_waits_until_others_show_it() -> None:
    grown, lines = aligned("aebde", "acd", "abcd")
    assert grown.index("b") < grown.index("c") < grown.index("d")
    assert lines[1].replace(".", "") == "acd"


def test_what_never_gets_a_location_stands_behind_its_left_neighbour() -> None:
    grown, _ = aligned("abcd", "axd")
    assert grown == "axbcd"


def test_nested_nodes_are_inserted_under_their_own_parent() -> None:
    vocabulary = ForestVocabulary()
    label = vocabulary.label
    large = vocabulary.forest(
        [label("r"), label("a"), label("b"), label("c")], [4, 2, 4, 4]
    )
    small = vocabulary.forest([label("r"), label("b"), label("d")], [3, 3, 3])
    alignment = align([small, large], vocabulary)
    assert alignment.rows[1] == [0, 1, 2, 3] or alignment.rows[1] == [0, 1, 2, 4]
    assert len(alignment.seed) == 5
    assert alignment.seed.ends[alignment.rows[0][1]] == 5


@given(sequences)
def test_every_node_gets_its_own_column_of_its_label_in_order(texts: list[str]) -> None:
    _, lines = aligned(*texts)
    assert [line.replace(".", "") for line in lines] == texts
    grown, _ = aligned(*texts)
    assert len(grown) >= max(map(len, texts), default=0)


@given(sequences, st.integers(1, 3))
def test_equal_forests_share_one_row_and_add_nothing(
    texts: list[str], times: int
) -> None:
    assert aligned(*texts)[0] == aligned(*texts * times)[0]
