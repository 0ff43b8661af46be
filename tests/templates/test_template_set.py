"""Templates that follow the clusters of their pages."""

from __future__ import annotations

from pathlib import Path

import pytest

from scythe.errors import UsageError
from scythe.templates.clusters.clusters import ChangeKind, ClusterChange
from scythe.templates.clusters.template_set import TemplateSet
from scythe.templates.template.notices import NoticeKind

PROSE = "Mix everything well, let it rest for an hour, then bake it until the crust is brown. "


def recipe(number: int) -> str:
    lines = "".join(f"<li>{number + place} g of flour</li>" for place in range(3))
    return f'<body><h1>Bread {number}</h1><p class="by">Ann {number}</p><ul class="parts">{lines}</ul><p>{PROSE * 3}</p></body>'


def category(number: int) -> str:
    items = "".join(
        f'<li class="hit"><a href="/{place}">Bread number {place}</a></li>'
        for place in range(2 + number % 5)
    )
    return f'<body><div class="top"><h2>Kind {number}</h2></div><ol class="hits">{items}</ol></body>'


def grown(pages: int = 6) -> TemplateSet:
    sites = TemplateSet()
    for number in range(pages):
        sites.add(recipe(number), f"https://bread.example/r/{number}")
        sites.add(category(number), f"https://bread.example/kinds/kind-{number}")
    return sites


def test_each_cluster_grows_its_own_template() -> None:
    sites = grown()
    one, other = (
        sites.clusters.cluster_of(f"https://bread.example/{path}")
        for path in ("r/1", "kinds/kind-1")
    )
    assert one is not None
    assert other is not None
    assert one != other
    assert [template.pages for template in sites.templates(one)] == [6]
    read = sites.extract(recipe(77), one)
    assert read is not None
    assert any("77" in value for slot in read for value in read[slot])
    assert sites.extract(recipe(1), 999) is None


def with_two_templates() -> tuple[TemplateSet, int]:
    """A cluster that another of the same template was merged into."""
    sites = grown(3)
    one = sites.clusters.cluster_of("https://bread.example/r/1")
    assert one is not None
    sites.clusters.changes += [
        ClusterChange(ChangeKind.SPLIT, one, 50, 2),
        ClusterChange(ChangeKind.MERGED, 50, one, 2),
    ]
    placed = sites.add(recipe(10), "https://bread.example/r/10")
    assert {NoticeKind.SPLIT, NoticeKind.MERGED} <= {
        notice.kind for notice in placed.notices
    }
    assert len(sites.templates(one)) == 2
    return sites, one


def test_clusters_that_merge_keep_both_templates_until_they_prove_to_be_one() -> None:
    sites, one = with_two_templates()
    for number in range(11, 18):
        sites.add(recipe(number), f"https://bread.example/r/{number}")
    assert [template.pages for template in sites.templates(one)] == [11]


def test_templates_of_pages_that_differ_stay_apart_in_one_cluster() -> None:
    sites = grown(3)
    one, other = (
        sites.clusters.cluster_of(f"https://bread.example/{path}")
        for path in ("r/1", "kinds/kind-1")
    )
    assert one is not None
    assert other is not None
    sites.clusters.changes.append(ClusterChange(ChangeKind.MERGED, other, one, 3))
    for number in range(11, 18):
        sites.add(recipe(number), f"https://bread.example/r/{number}")
    assert len(sites.templates(one)) == 2


def test_a_template_with_names_of_its_own_is_never_given_up() -> None:
    sites, one = with_two_templates()
    template = min(sites.templates(one), key=lambda each: each.pages)
    template.name(template.slots[0].id, "heading")
    for number in range(11, 20):
        sites.add(recipe(number), f"https://bread.example/r/{number}")
    assert len(sites.templates(one)) == 2


def test_a_cluster_that_leaves_another_takes_the_names_with_it() -> None:
    sites = grown(3)
    one = sites.clusters.cluster_of("https://bread.example/r/1")
    assert one is not None
    template = sites.templates(one)[0]
    slot = template.slots[0].id
    template.name(slot, "title")
    sites.clusters.changes.append(ClusterChange(ChangeKind.SPLIT, one, 50, 2))
    placed = sites.add(recipe(10), "https://bread.example/r/10")
    assert NoticeKind.SPLIT in {notice.kind for notice in placed.notices}
    assert sites.templates(50)[0].slot(slot).name == "title"
    assert sites.templates(one)[0].slot(slot).name == "title"


def test_saving_and_loading_changes_nothing(tmp_path: Path) -> None:
    sites = grown(3)
    sites.save(tmp_path / "sites.json")
    loaded = TemplateSet.load(tmp_path / "sites.json")
    assert loaded.as_json() == sites.as_json()
    page = recipe(30), "https://bread.example/r/30"
    assert loaded.add(*page).cluster == sites.add(*page).cluster
    assert loaded.as_json() == sites.as_json()


@pytest.mark.parametrize(
    "text",
    ["", "{}", "[]", '{"scythe_sites": 1}', '{"scythe_sites": 1, "clusters": {}}'],
)
def test_a_file_of_something_else_is_refused_with_its_name(
    tmp_path: Path, text: str
) -> None:
    path = tmp_path / "other.json"
    path.write_text(text, "utf-8")
    with pytest.raises(UsageError, match=r"other\.json"):
        TemplateSet.load(path)
