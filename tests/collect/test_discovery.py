"""Which links lead to records: the paper's three tests in their order, the learned
score, and structure alone.
"""

from __future__ import annotations

from scythe.collect.links.discovery import (
    Link,
    LinkDiscovery,
    LinkHistory,
    first_groups,
    group_links,
    is_paging_link,
    link_words,
    main_groups,
)
from scythe.store.states import LinkDecision

SITE = "https://food.example"


def link(name: str, place: str, text: str = "", outcome: str | None = None) -> Link:
    return Link(f"{SITE}/{name}", text or name, place, outcome)


def entries(
    number: int,
    outcome: str | None = LinkDecision.RECORD,
    *,
    start: int = 1,
    from_links: int = 1,
) -> list[Link]:
    return [
        link(
            f"recipe{each}.html",
            f"/body[1]/ul[{from_links}]/li[{each}]/a[1]",
            f"Beef {each}",
            outcome,
        )
        for each in range(start, start + number)
    ]


def menu() -> list[Link]:
    return [
        link(f"about{each}", f"/body[1]/nav[1]/a[{each}]", "About")
        for each in range(1, 5)
    ]


def judged(page: list[Link], wanted: Link) -> tuple[str | None, str]:
    """What the tests decide, None where they leave it open, and why."""
    discovery = LinkDiscovery([*page, wanted], LinkHistory.from_links(page))
    decided = discovery.decide(wanted)
    if decided is None:
        return None, discovery.refusal(wanted).reason
    return decided.decision, decided.reason


def decision(discovery: LinkDiscovery, wanted: Link) -> str | None:
    decided = discovery.decide(wanted)
    return None if decided is None else decided.decision


def test_an_address_like_no_record_is_left_open() -> None:
    assert judged(entries(5), link("shop/pans", "/body[1]/ul[1]/li[6]/a[1]")) == (
        None,
        "no known record has an address like it",
    )


def test_one_list_is_judged_together_however_deep_its_addresses_are() -> None:
    page = [
        link(f"dish/soup/{n}/", f"/body[1]/ul[1]/li[{n}]/a[1]", f"汤 {n}", "record")
        for n in range(1, 6)
    ]
    deeper = link("dish/soup/rice/plain/", "/body[1]/ul[1]/li[9]/a[1]", "米饭")
    assert judged(page, deeper)[0] == LinkDecision.RECORD
    alike = link("dish/meat/pork/", "/body[1]/ul[2]/li[1]/a[1]", "红烧肉")
    assert judged(page, alike)[0] == LinkDecision.RECORD
    tips = link("tips/knife/", "/body[1]/ul[2]/li[2]/a[1]", "刀")
    assert judged(page, tips)[0] is None


def test_a_list_of_mostly_unknown_links_is_left_to_samples() -> None:
    unknown = entries(30, None, start=10)
    page = [*entries(5), *unknown]
    decided, reason = judged(page, unknown[3])
    assert decided is None
    assert "most of its links are unknown" in reason
    (group,) = LinkDiscovery(page, LinkHistory.from_links(page)).open_lists(unknown)
    assert list(group.links) == unknown


def test_words_are_pairs_of_signs_where_there_are_no_spaces() -> None:
    assert link_words("红烧肉 with 2 eggs") == {"红烧", "烧肉", "with", "eggs"}
    assert link_words("鱼") == {"鱼"}


def test_pages_before_and_after_are_no_lists() -> None:
    assert all(
        map(is_paging_link, ("Next", "« Previous", "Older posts", "下一页", "»"))
    )
    assert not any(map(is_paging_link, ("Next-level soup", "Backed beans", "12")))


def test_several_pages_of_one_thing_are_groups_of_their_own() -> None:
    page = [
        link(f"phone{n}_{word}.html", f"/body[1]/ul[1]/li[{n}]/a[1]")
        for n in range(1, 8)
        for word in ("info", "build", "install")
    ]
    assert [len(group.links) for group in group_links(page)] == [7, 7, 7]


def test_most_records_in_the_same_list_let_a_link_pass() -> None:
    decided, reason = judged(
        entries(8), link("duck.html", "/body[1]/ul[1]/li[9]/a[1]", "Duck")
    )
    assert decided == LinkDecision.RECORD
    assert reason == "8 of 8 known records with such addresses are in the same list"


def test_no_record_in_the_same_list_discards_a_link() -> None:
    page = [
        *entries(8),
        *[
            link(f"act{each}.html", f"/body[1]/div[1]/p[{each}]/a[1]", "Sale", "page")
            for each in range(1, 4)
        ],
    ]
    assert (
        judged(page, link("activity.html", "/body[1]/div[1]/p[4]/a[1]", "Big sale"))[0]
        == LinkDecision.SKIP
    )


def test_few_records_in_the_same_list_leave_it_to_words() -> None:
    page = [
        *entries(20),
        *entries(4, start=100, from_links=2),
        *[
            link(f"ad{n}.html", f"/body[1]/ul[2]/li[{n}]/a[1]", "Ad", "page")
            for n in range(1, 5)
        ],
    ]
    good = judged(page, link("stew.html", "/body[1]/ul[2]/li[200]/a[1]", "Beef stew"))
    assert good[0] == LinkDecision.RECORD
    assert "words of known records: beef" in good[1]
    for text in ("Join us", "Win a trip to the beef farm"):
        wanted = link("club.html", "/body[1]/ul[2]/li[201]/a[1]", text)
        assert "no known record is named with its words" in judged(page, wanted)[1]


def test_known_records_speak_for_the_rest_of_their_list() -> None:
    page = [*entries(20), *entries(6, start=100, from_links=2)]
    wanted = link("join.html", "/body[1]/ul[2]/li[201]/a[1]", "Join us")
    decided, reason = judged(page, wanted)
    assert decided == LinkDecision.RECORD
    assert reason == "6 of the 7 links in its list are known records"


def test_experience_decides_where_the_tests_have_nothing() -> None:
    past = entries(30)
    page = [link("elsewhere.html", "/body[1]/ul[1]/li[1]/a[1]", "Goulash")]
    discovery = LinkDiscovery(page, LinkHistory.from_links(past))
    assert decision(discovery, page[0]) == LinkDecision.RECORD


def test_experience_takes_nothing_back_that_the_tests_let_pass() -> None:
    past = [
        link(f"promo{each}.html", f"/body[1]/ul[1]/li[{each}]/a[1]", "Promo", "page")
        for each in range(1, 90)
    ]
    page = [*entries(8), link("duck.html", "/body[1]/ul[1]/li[9]/a[1]", "Duck")]
    discovery = LinkDiscovery(page, LinkHistory.from_links([*past, *entries(8)]))
    assert decision(discovery, page[-1]) == LinkDecision.RECORD


def test_renamed_pages_are_known_by_their_names() -> None:
    past = entries(10)
    page = [
        Link(f"{SITE}/r/{each}/", f"Beef {each}", f"/main[1]/ul[1]/li[{each}]/a[1]")
        for each in range(1, 13)
    ]
    page += [
        Link(f"{SITE}/tags/{each}", f"tag {each}", f"/main[1]/p[1]/a[{each}]")
        for each in range(1, 9)
    ]
    discovery = LinkDiscovery(page, LinkHistory.from_links(past))
    decided = [decision(discovery, each) for each in page]
    assert decided == [LinkDecision.RECORD] * 12 + [None] * 8


def test_structure_alone_prefers_large_lists() -> None:
    page = [*menu(), *entries(12, None), *entries(3, None, start=50, from_links=2)]
    groups = first_groups(page)
    assert len(groups) == 1
    assert len(groups[0].links) == 12
    assert [each.url[-6:] for each in groups[0].sample(3)] == [
        "1.html",
        "7.html",
        "2.html",
    ]


def test_small_lists_that_are_built_alike_are_one_group() -> None:
    page = [
        each
        for from_links in range(1, 6)
        for each in entries(3, None, start=10 * from_links, from_links=from_links)
    ]
    assert [len(group.links) for group in group_links(page)] == [15]


def test_a_namesake_does_not_rename_the_site() -> None:
    """One link of a new list is named as a known record; the others are judged by what
    is known of such addresses.
    """
    known = [
        link(f"r{each}/", "/body[1]/ul[1]/li[1]/a[1]", f"Beef {each}", "record")
        for each in range(8)
    ]
    history = LinkHistory.from_links(known)
    page = [
        link(f"new{each}/", f"/body[1]/ol[1]/li[{each}]/a[1]", f"Fish {each}")
        for each in range(1, 9)
    ]
    page.append(link("other/", "/body[1]/ol[1]/li[9]/a[1]", "Beef 3"))
    assert decision(LinkDiscovery(page, history), page[0]) == LinkDecision.RECORD


def test_menus_and_tags_of_entries_are_no_main_groups() -> None:
    menu_links = [
        link(f"tags/t{each}", f"/body[1]/nav[1]/ul[1]/li[{each}]/a[1]")
        for each in range(1, 30)
    ]
    jobs = [
        link(f"jobs/j{each}", f"/body[1]/main[1]/div.job[{each}]/a.title[1]")
        for each in range(1, 10)
    ]
    tags = [
        link(
            f"kinds/k{each}-{tag}",
            f"/body[1]/main[1]/div.job[{each}]/ul.tags[1]/li[{tag}]/a[1]",
        )
        for each in range(1, 6)
        for tag in range(1, 5)
    ]
    groups = group_links([*menu_links, *jobs, *tags])
    assert len(groups) == 3
    (found,) = main_groups(groups)
    assert list(found.links) == jobs
