"""What pages show by mistake does not come out, by any method and in any format; what
looks like it and is meant does.
"""

import numpy as np
import pytest

import scythe
from scythe.content.selection import Selection

SENTENCES = (
    "They cut the barley at dawn, rested at noon, and went on until the light was gone."
)
METHODS = ("learned", "econ", "econ+", "coreex", "lbda")


def page(*parts: str) -> str:
    body = "".join(parts)
    return f"<html><body><article><p>{SENTENCES}</p>{body}<p>In the evening, all of it was under a roof, and {SENTENCES}</p></article></body></html>"


def text_of(*parts: str, method: str = "lbda") -> str:
    return scythe.extract(page(*parts), method=method).text


@pytest.mark.parametrize("method", METHODS)
def test_no_method_and_no_format_shows_shortcodes(method: str) -> None:
    broken = '<p>[vc_row full_width="stretch"][vc_column_text]The oats, too, were dry, and so was the hay.[/vc_column_text][/vc_row]</p>'
    document = scythe.extract(page(broken), method=method)
    for rendering in (document.text, document.markdown, document.html):
        assert "The oats, too, were dry, and so was the hay." in rendering
        assert "vc_" not in rendering


def test_caption_keeps_its_words() -> None:
    broken = "<p>[caption id=”attachment_7” width=”300”]The old mill, before it was sold.[/caption]</p>"
    assert "\nThe old mill, before it was sold.\n" in text_of(broken)


@pytest.mark.parametrize(
    "meant",
    [
        "They were told to [sic] cut it, and they did.",
        "Nobody knows why [citation needed], and nobody asked [1].",
        "He wrote [emphasis added] in the margin, and left.",
        "The list, x[i_a] = y[i_b], was short.",
    ],
)
def test_brackets_of_authors_stay(meant: str) -> None:
    assert meant in text_of(f"<p>{meant}</p>")


def test_shortcodes_shown_as_code_stay() -> None:
    shown = '<p>Write it like this, in the text: <code>[gallery ids="1,2"]</code>, then save.</p>'
    assert '[gallery ids="1,2"]' in text_of(shown)


def test_address_of_a_script_is_no_paragraph() -> None:
    address = "//cdn.example/widgets/embed.js?v=2"
    assert address not in text_of(f"<div>{address}</div>")
    linked = f"<p>It loads, as you see, <a href='{address}'>{address}</a>, and no more than that.</p>"
    assert address in text_of(linked)
    assert address in text_of(f"<pre>{address}</pre>")


def test_signs_for_checkboxes_are_not_text() -> None:
    box = "<span class='card-checkbox-container'><label>\u25a2 </label></span>"
    items = f"<ul><li>{box}Two sacks of oats<li>{box}One sack of barley</ul>"
    assert "\nTwo sacks of oats\nOne sack of barley\n" in text_of(items)
    assert "\u2610 not yet, in this field" in text_of(
        "<p>\u2610 not yet, in this field"
    )


def test_icons_are_not_text() -> None:
    icons = "<p><i class='material-icons'>place</i>The field lies west, behind the mill. <span class='menu-icon'>keyboard_arrow_down</span> \ue8b6</p>"
    assert "\nThe field lies west, behind the mill.\n" in text_of(icons)
    label = "<p>Marked as, in small letters, <span class='icon-label'>new</span>, it sold.</p>"
    assert "new" in text_of(label)


def test_invisible_characters_go_and_joiners_stay() -> None:
    debris = "<p>The har\u00advest\u200b was, all in\ufeff all, good; می\u200cخواهم, they said. ไทย\u200bแลนด์, too.</p>"
    text = text_of(debris)
    assert (
        "The harvest was, all in all, good; می\u200cخواهم, they said. ไทย\u200bแลนด์, too."
        in text
    )


CODE = ["for sheaf in field:", "    bind(sheaf)", "carry(field)"]


@pytest.mark.parametrize(
    "listing",
    [
        "<table class='highlighttable'><tr><td class='linenos'><div><pre>1\n2\n3</pre></div></td><td class='code'><pre>{0}\n{1}\n{2}</pre></td></tr></table>",
        "<table><tr><td><pre>8\n9\n10</pre></td><td><pre>{0}\n{1}\n{2}</pre></td></tr></table>",
        "<pre><span class='lineno'>1 </span>{0}\n<span class='lineno'>2 </span>{1}\n<span class='lineno'>3 </span>{2}</pre>",
        "<pre><span>1</span>{0}\n<span>2</span>{1}\n<span>3</span>{2}</pre>",
    ],
)
def test_line_numbers_are_no_code(listing: str) -> None:
    text = text_of(listing.format(*CODE))
    assert "\n".join(CODE) in text
    assert not any(character.isdigit() for character in text)


@pytest.mark.parametrize("method", METHODS)
def test_letters_that_were_encoded_twice_are_read(method: str) -> None:
    sentence = (
        "The miller\u2019s caf\u00e9 \u2014 it was full\u00a0all day, and all night."
    )
    twice = sentence.encode().decode("latin-1")
    text = text_of(f"<p>{twice} {SENTENCES}</p>", method=method)
    assert "The miller\u2019s caf\u00e9 \u2014 it was full" in text
    kept = "A na\u00efve \u00c2\u00a9 stays: \u00c3\u00a9."
    assert kept in text_of(f"<p>{kept} {SENTENCES}</p>", method=method)


def test_line_numbers_of_lines_that_are_elements_are_no_code() -> None:
    def select_all(tree: scythe.Tree) -> Selection:
        return Selection(np.ones(len(tree), dtype=bool), confidence=1.0)

    lines = ""
    for number, line in enumerate(CODE, start=1):
        lines += f"<div><b class=n>{number}</b><div>{line}</div></div>"
    document = scythe.extract(f"<pre>{lines}</pre>", method=select_all)
    assert document.text.split() == " ".join(CODE).split()


@pytest.mark.parametrize(
    "listing",
    [
        "<pre><span class='mi'>1</span>,rye\n<span class='mi'>2</span>,oat\n<span class='mi'>3</span>,hay</pre>",
        "<pre class='line-numbers'><code>1</code>\n<code>2</code> sheaves, or 3</pre>",
        "<pre>1\n2\n3</pre>",
    ],
)
def test_numbers_that_are_the_code_stay(listing: str) -> None:
    text = text_of(listing)
    assert all(number in text for number in "123")


COPY = "<h2>The mill</h2><p>It was sold in spring, with the wheel and the weir, to a cousin of the smith who lives by the bridge, and to nobody else in the village.</p>"


def test_copy_for_another_screen_comes_out_once() -> None:
    copies = f"<div class='desktop'>{COPY}</div><div class='mobile'>{COPY}</div>"
    text = text_of(copies)
    assert text.count("It was sold in spring") == 1
    assert text.count("The mill") == 1


def test_long_copy_elsewhere_comes_out_once() -> None:
    section = f"<p>{SENTENCES} {' '.join(f'Sheaf {number}, bound.' for number in range(40))}</p>"
    text = text_of(
        f"<div>{section}</div><section><h2>Again, in short</h2>{section}</section>"
    )
    assert text.count("Sheaf 39, bound.") == 1
    assert "Again, in short" in text


def test_what_records_share_and_what_is_quoted_stays() -> None:
    shared = "Sold by the sack, to be fetched at the mill, on any day but Sunday, and paid for in coins, before noon."
    records = "".join(
        f"<div><h3>{name}</h3><p>{shared}</p></div>" for name in ("Rye", "Oats")
    )
    assert text_of(records).count("Sold by the sack") == 2
    quoted = f"<p>{shared}</p><blockquote><p>{shared}</p></blockquote>"
    assert text_of(quoted).count("Sold by the sack") == 2


def test_metadata_and_nodes_are_those_of_the_page() -> None:
    document = scythe.extract(page("<p>The har\u00advest, all of it, was in.</p>"))
    assert len(document.selection.nodes) == len(document.tree)


@pytest.mark.parametrize("sign", ["¶", "#", " § ", "\U0001f517"])
def test_sign_for_a_link_to_a_heading_is_left_out(sign: str) -> None:
    heading = f'<h2 id="oats">The oats<a class="anchor" href="#oats">{sign}</a></h2>'
    document = scythe.extract(page(heading), method="lbda")
    assert "\n## The oats\n" in document.markdown


def test_link_to_edit_a_section_is_left_out() -> None:
    edit = '<span class="mw-editsection">[<a href="/w?edit">Bearbeiten</a>]</span>'
    section = f"<h2>The oats{edit}</h2><p>They were dry, too, and {SENTENCES}</p>"
    document = scythe.extract(page(section), method="econ")
    assert "\n## The oats\n" in document.markdown


def test_other_short_links_stay() -> None:
    links = 'in <a href="/lang/c#">C#</a> and <a href="#n1">1</a>, says <a href="/p">§</a> 5'
    assert "in C# and 1, says § 5" in text_of(
        f"<p>It is written {links} of the law.</p>"
    )


@pytest.mark.parametrize("method", METHODS)
def test_bar_of_a_web_archive_is_left_out(method: str) -> None:
    crawls = "These crawls are part of an effort, they say, to keep all pages."
    bar = f"<div id='wm-ipp'><p>{crawls} {SENTENCES}</p></div>"
    assert crawls not in text_of(bar, method=method)
    assert SENTENCES in text_of(bar, method=method)
