"""Visible text has the lines that a reader sees, and counts agree with counting by
hand.
"""

import unicodedata

from hypothesis import given

from markup import pages
from scythe.tree import parse
from scythe.tree.characters import Characters
from scythe.tree.text import plain_text, visible_text
from scythe.tree.visibility import hidden, skipped


def text_of(body: str) -> str:
    return visible_text(parse(f"<body>{body}"))


def test_blocks_break_lines_and_inline_elements_do_not() -> None:
    assert (
        text_of("<p>One <b>two</b>\n three</p><p>four</p>five<div>six<br>seven</div>")
        == "One two three\nfour\nfive\nsix\nseven"
    )
    assert text_of("<ul><li>a<li>b</ul><table><tr><td>c<td>d</table>") == "a\nb\nc\nd"


def test_white_space_collapses_except_in_preformatted_text() -> None:
    assert text_of("<p> a \n\t b\u00a0\u3000c </p>") == "a b c"
    assert (
        text_of("<pre>\ndef f():\n    return 1\n</pre><p>after</p>")
        == "def f():\n    return 1\nafter"
    )


def test_what_no_reader_sees_is_left_out() -> None:
    page = (
        "<title>t</title><script>s</script><style>s</style><p hidden>h</p><p style='color:red; DISPLAY : none'>d</p>"
        "<select><option>o</select><textarea>x</textarea><button>b</button><template>m</template><svg><text>v</text></svg><p>seen</p>"
    )
    assert text_of(page) == "seen"


def test_a_body_hidden_until_a_script_has_run_is_read() -> None:
    assert visible_text(parse("<body style='visibility:hidden'><p>seen</p>")) == "seen"


def test_the_text_of_a_subtree() -> None:
    tree = parse("<div>a<p>b</p></div><div>c</div>")
    first = tree.first_element("div")
    assert first is not None
    assert visible_text(tree, first) == "a\nb"


@given(pages)
def test_no_word_is_lost_or_made(html: str) -> None:
    tree = parse(html)
    chosen = ~(skipped(tree) | hidden(tree))
    words = "".join("".join(tree.text[chosen & tree.is_text].tolist()).split())
    assert "".join(plain_text(tree, chosen).split()) == words


@given(pages)
def test_character_counts_agree_with_counting_one_by_one(html: str) -> None:
    tree = parse(html)
    counts = Characters.from_tree(tree, ~skipped(tree))
    for node in counts.nodes.tolist():
        text = tree.text[node]
        assert counts.non_space[node] == sum(
            not character.isspace() for character in text
        )
        assert counts.punctuation[node] == sum(
            character in ".,\u3002" for character in text
        )
        assert counts.words[node] == naive_words(text)
    assert counts.non_space.sum() == sum(
        counts.non_space[node] for node in counts.nodes.tolist()
    )


def naive_words(text: str) -> int:
    words, inside = 0, False
    for character in text:
        wordlike = unicodedata.category(character)[0] in "LN" or ord(character) > 0xFFFF
        words += wordlike and (not inside or "\u4e00" <= character <= "\u9fff")
        inside = wordlike
    return words


def test_stops_inside_numbers_and_addresses_are_no_sentence_stops() -> None:
    tree = parse("<p>Pi is 3.14, see example.com/a.html. 你好，世界。Done.</p>")
    counts = Characters.from_tree(tree, ~skipped(tree))
    assert counts.punctuation.sum() == 8
    assert counts.sentence_punctuation.sum() == 5
