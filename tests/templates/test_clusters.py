"""Pages put together by template, one after another."""

from __future__ import annotations

import json
import random
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scythe.errors import UsageError
from scythe.templates.clusters.clusters import Clusters
from scythe.templates.clusters.index_pages import index_evidence
from scythe.templates.clusters.sketch import bands, path_hashes, signature
from scythe.templates.clusters.url_patterns import UrlWords, split_url
from scythe.tree import parse

MENU = '<nav class="top"><ul><li><a href="/">Home</a></li><li><a href="/all">All</a></li></ul></nav>'
FRAME = "<body>" + MENU + "<main>{}</main><footer>End</footer>"
PROSE = "Mix everything well, let it rest for an hour, then bake it until the crust is brown. "


def recipe(number: int, *, extra: str = "") -> str:
    lines = "".join(f"<li>{number + i} g of flour</li>" for i in range(3 + number % 5))
    steps = "".join(f'<p class="step">{PROSE * 2}</p>' for _ in range(2 + number % 3))
    body = f'<h1 class="name">Bread {number}</h1><ul class="parts">{lines}</ul><div class="how">{steps}</div>{extra}'
    return FRAME.format(body)


def category(number: int) -> str:
    items = "".join(
        f'<li class="hit"><a href="/r/{i}">Bread number {i}</a></li>'
        for i in range(2 + number % 9)
    )
    return FRAME.format(
        f'<h1>Breads of kind {number}</h1><ol class="hits">{items}</ol>'
    )


def bread_site(pages: int = 20) -> list[tuple[str, str]]:
    recipes = [(f"https://bread.example/r/bread-{i}", recipe(i)) for i in range(pages)]
    return recipes + [
        (f"https://bread.example/kinds/kind-{i}", category(i)) for i in range(pages)
    ]


def clustered(pages: list[tuple[str, str]]) -> dict[str, int | None]:
    clusters = Clusters()
    for url, html in pages:
        clusters.add(html, url)
    clusters.recluster()
    return {url: clusters.cluster_of(url) for url, _ in pages}


def partition(found: dict[str, int | None]) -> set[frozenset[str]]:
    return {
        frozenset(url for url, cluster in found.items() if cluster == each)
        for each in set(found.values())
    }


def test_pages_of_two_templates_make_two_clusters_in_any_order() -> None:
    pages = bread_site()
    expected = partition(clustered(pages))
    assert sorted(map(len, expected)) == [20, 20]
    for seed in range(5):
        shuffled = list(pages)
        random.Random(seed).shuffle(shuffled)
        assert partition(clustered(shuffled)) == expected


def test_lists_of_links_are_told_apart_from_records_with_a_reason() -> None:
    clusters = Clusters()
    for url, html in bread_site():
        clusters.add(html, url)
    index, record = sorted(clusters.clusters, key=lambda cluster: -cluster.index_score)
    assert index.is_index
    assert not record.is_index
    assert all("/kinds/" in url for url in index.urls)
    assert "like elements with links" in index.reason


def test_sites_are_never_mixed() -> None:
    clusters = Clusters()
    one = clusters.add(recipe(1), "https://one.example/r/bread")
    other = clusters.add(recipe(2), "https://other.example/r/bread")
    assert one != other
    assert clusters.add(recipe(3), "http://www.one.example/r/rolls") == one


def test_a_page_without_its_optional_part_is_of_the_same_template() -> None:
    reviews = (
        '<div class="reviews">'
        + "".join(
            f'<div class="r{name}"><b>Ann</b><i>{PROSE}</i></div>'
            for name in "abcdefghijkl"
        )
        + "</div>"
    )
    pages = [
        (f"https://bread.example/{name}-bread", recipe(i, extra=reviews))
        for i, name in enumerate("abcdefgh")
    ]
    pages += [
        (f"https://bread.example/{name}-roll", recipe(i))
        for i, name in enumerate("abcdefgh")
    ]
    assert len(partition(clustered(pages))) == 1


def test_clusters_merge_and_split_as_more_is_known_and_say_so() -> None:
    clusters = Clusters()
    pages = bread_site(40)
    random.Random(4).shuffle(pages)
    seen: set[int] = set()
    for url, html in pages:
        seen.add(clusters.add(html, url))
    left = {cluster.id for cluster in clusters.clusters}
    for cluster in seen - left:
        assert any(
            change.cluster == cluster and change.kind == "merged"
            for change in clusters.changes
        )


def test_a_page_that_comes_again_is_not_counted_again() -> None:
    clusters = Clusters()
    for _ in range(3):
        clusters.add(recipe(1), "https://bread.example/r/one")
    assert [cluster.pages for cluster in clusters.clusters] == [1]


def test_a_page_of_another_template_at_the_old_address_moves() -> None:
    clusters = Clusters()
    for url, html in bread_site(5):
        clusters.add(html, url)
    moved = clusters.add(category(3), "https://bread.example/r/bread-1")
    assert moved == clusters.cluster_of("https://bread.example/kinds/kind-1")


def test_saving_and_loading_changes_nothing(tmp_path: Path) -> None:
    pages = bread_site(12)
    whole, begun = Clusters(), Clusters()
    for url, html in pages[:15]:
        whole.add(html, url)
        begun.add(html, url)
    begun.save(tmp_path / "clusters.json")
    loaded = Clusters.load(tmp_path / "clusters.json")
    assert loaded.as_json() == begun.as_json()
    for url, html in pages[15:]:
        assert loaded.add(html, url) == whole.add(html, url)
    assert loaded.as_json() == whole.as_json()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        '{"scythe_clusters": 99}',
        '{"scythe_clusters": 1}',
        '{"scythe_clusters": 1, "sites": 3}',
    ],
)
def test_a_file_of_something_else_is_refused_with_its_name(
    tmp_path: Path, text: str
) -> None:
    path = tmp_path / "other.json"
    path.write_text(text, "utf-8")
    with pytest.raises(UsageError, match=r"other\.json"):
        Clusters.load(path)


@pytest.mark.parametrize(
    "html",
    [
        "",
        "x",
        "<frameset></frameset>",
        "<div>" * 2000,
        "<p>" + "<a href=x>y</a>" * 3000,
        b"\xff\xfe\x00",
    ],
)
@pytest.mark.parametrize(
    "url",
    [
        None,
        "",
        "http://[",
        "mailto:x",
        "https://a.example/%zz?&&=;",
        "https://a.example/" + "x/" * 500,
    ],
)
def test_any_page_at_any_address_has_a_cluster(
    html: str | bytes, url: str | None
) -> None:
    clusters = Clusters()
    cluster = clusters.add(html, url)
    assert [each.id for each in clusters.clusters] == [cluster]
    json.dumps(clusters.as_json())


def test_a_longer_list_has_the_same_paths() -> None:
    assert np.array_equal(
        path_hashes(parse(category(2))), path_hashes(parse(category(7)))
    )


@given(
    st.sets(st.integers(0, 2**32 - 1), min_size=1, max_size=60),
    st.sets(st.integers(0, 2**32 - 1), max_size=5),
)
def test_signatures_of_nearly_equal_sets_share_a_band(
    numbers: set[int], more: set[int]
) -> None:
    one = np.array(sorted(numbers), dtype=np.uint32)
    other = np.array(sorted(numbers | more), dtype=np.uint32)
    if len(numbers) >= 10:
        assert set(bands(signature(one))) & set(bands(signature(other)))


def test_words_that_come_back_are_of_the_site_and_others_are_names() -> None:
    words = UrlWords()
    films = [split_url(f"https://films.example/m/film-{i}") for i in range(5)]
    tags = [split_url(f"https://films.example/tags/tag-{i}") for i in range(5)]
    assert words.likeness(films[0], tags[0]) == 1.0
    for one in films + tags:
        words.add(one)
    assert words.likeness(films[0], films[1]) == 1.0
    assert words.likeness(films[0], tags[0]) < 0.5
    assert UrlWords.from_json(json.loads(json.dumps(words.as_json()))) == words


def test_a_page_of_running_text_is_no_list() -> None:
    assert index_evidence(parse(category(8))).is_index
    assert not index_evidence(parse(recipe(8))).is_index
    assert index_evidence(parse("")).score < 0.5


def test_pages_built_alike_speak_for_a_record_with_many_links() -> None:
    clusters = Clusters()
    for number in range(12):
        clusters.add(recipe(number), f"https://bread.example/r/bread-{number}")
    links = "".join(f'<li><a href="/shop/{i}">Flour {i}</a></li>' for i in range(5))
    url = "https://bread.example/r/bread-99"
    body = (
        f'<h1 class="name">Bread</h1><ul class="parts">{links}</ul>'
        f'<div class="how"><p class="step">{PROSE[:55]}</p></div>'
    )
    page = parse(FRAME.format(body))
    evidence = index_evidence(page)
    assert evidence.is_index
    clusters.add(page, url)
    assert not clusters.looks_like_index(url, evidence)
    assert clusters.looks_like_index("https://bread.example/unknown", evidence)
