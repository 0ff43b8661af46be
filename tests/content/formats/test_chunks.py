"""Documents in pieces of bounded size."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

import scythe
from scythe.content.formats.chunks import words

SENTENCE = "The row of mowers moves over the field before the dew has dried. "
PAGE = f"""<html><head><title>Mowing</title></head><body><main><h1>Mowing</h1>
<p>{SENTENCE * 3}</p>
<h2>Blades</h2><p>{SENTENCE * 12}</p>
<table><tr><th>Blade</th><th>Length</th></tr>
{"".join(f"<tr><td>Blade {n}</td><td>{60 + n} cm</td></tr>" for n in range(20))}</table>
<h3>Whetting</h3><pre><code>{"whet the blade again" * 20}</code></pre>
<ul>{"".join(f"<li>{SENTENCE} Step {n}.</li>" for n in range(8))}</ul>
</main></body></html>"""


def letters(text: str) -> str:
    return re.sub(r"\W+", "", text)


def test_chunks_stand_under_their_headings_and_keep_tables_and_code_whole() -> None:
    document = scythe.extract(PAGE)
    chunks = document.chunks(60)

    assert chunks[0].headings == ("Mowing",)
    assert ("Mowing", "Blades", "Whetting") in {chunk.headings for chunk in chunks}
    table = next(chunk for chunk in chunks if "| Blade 0 |" in chunk.text)
    assert "| Blade 19 | 79 cm |" in table.text
    code = next(chunk for chunk in chunks if "```" in chunk.text)
    assert code.text.count("```") == 2
    for chunk in chunks:
        assert chunk.tokens <= 60 or chunk in (table, code)
        has_heading = re.search(r"^#", chunk.text, re.MULTILINE)
        assert not has_heading or chunk.text.startswith("#")


@given(st.integers(1, 120))
def test_chunks_have_all_words_in_order(size: int) -> None:
    document = scythe.extract(PAGE)
    chunks = document.chunks(size)
    assert letters("".join(chunk.text for chunk in chunks)) == letters(
        document.markdown
    )


def test_long_paragraphs_split_between_sentences_with_their_formatting() -> None:
    page = f"<main><p><b>{SENTENCE * 10}</b></p></main>"
    chunks = scythe.extract(page).chunks(40)
    assert len(chunks) == 5
    for chunk in chunks:
        assert chunk.text == f"**{(SENTENCE * 2).strip()}**"


def test_sentences_without_spaces_are_split_too() -> None:
    page = f"<main><p>{'清晨五点露水未干，十一个人站在田边。' * 20}</p></main>"
    chunks = scythe.extract(page).chunks(50)
    assert all(chunk.text.endswith("。") for chunk in chunks)
    assert max(chunk.tokens for chunk in chunks) <= 50


def test_the_tokens_are_those_of_the_callers_tokenizer() -> None:
    document = scythe.extract(PAGE)
    chunks = document.chunks(400, tokenizer=list)
    assert all(chunk.tokens == len(chunk.text) for chunk in chunks)
    assert chunks[0].to_dict()["headings"] == ["Mowing"]
    assert words("Hay, 草") == ["Hay", ",", "草"]


def test_a_chunk_of_nothing_is_refused() -> None:
    with pytest.raises(scythe.ScytheError, match="at least 1"):
        scythe.extract(PAGE).chunks(0)


def test_many_small_parts_are_counted_few_times() -> None:
    counted = []

    def tokenizer(text: str) -> list[str]:
        counted.append(len(text))
        return text.split()

    html = "<article>" + "<p>Some words on hay.</p>" * 2_000 + "</article>"
    chunks = scythe.extract(html).chunks(200, tokenizer)
    assert all(chunk.tokens <= 200 for chunk in chunks)
    assert all(chunk.tokens > 190 for chunk in chunks[1:-1])
    assert sum(counted) < 60 * len(html)


def test_a_paragraph_that_no_person_wrote_is_counted_few_times_too() -> None:
    counted = []

    def tokenizer(text: str) -> list[str]:
        counted.append(len(text))
        return text.split()

    links = "".join(f"<a href=/p/{n}>Page {n}</a> and so on " for n in range(8_000))
    chunks = scythe.extract(f"<article><p>{links}</p></article>").chunks(512, tokenizer)
    assert all(chunk.tokens <= 512 for chunk in chunks)
    assert all(chunk.tokens >= 448 for chunk in chunks[1:-1])
    every_word = " ".join(f"Page {n} and so on" for n in range(8_000))
    without_links = re.sub(
        r"\[|\]\([^)]*\)", "", " ".join(chunk.text for chunk in chunks)
    )
    assert without_links.split() == every_word.split()
    assert sum(counted) < 6 * len(links)
