"""From an empty database to the records of a site in five clicks and one address, where
nothing is named: jobs of one company, which no page has the name of.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import pytest

from loopback import Loopback
from scythe.store import Store
from visitor import Visitor, words_of

AT = "/collections/jobs"
TRADES = ("Mower", "Reaper", "Thresher", "Miller", "Baker", "Brewer", "Cooper", "Smith")
TOWNS = ("Uri", "Chur", "Zug", "Glarus", "Stans", "Sarnen", "Brig", "Thun")


@dataclass(frozen=True)
class Job:
    """A job as its page tells it."""

    number: int

    @property
    def values(self) -> list[str]:
        """All that is true of it and shown on its page."""
        trade, town = TRADES[self.number], TOWNS[self.number]
        text = (
            f"We have looked for a {trade.lower()} since the last one left us, and hope "
            f"that somebody near {town} would like to work with us for some years."
        )
        return [
            f"{trade} wanted",
            town,
            f"tag{self.number}",
            f"from {town}",
            f"What a {trade.lower()} does",
            f"{trade} tools and how to keep them sharp",
            f"Two years of work as a {trade.lower()} or the like",
            text,
        ]

    def page(self) -> str:
        """Return its page."""
        title, town, tag, other, heading, first, second, text = self.values
        return (
            f"<title>{title}</title><nav><a href=/>All jobs</a></nav><h1>{title}</h1>"
            f"<p>Location: {town}</p><div>Tags: <ul><li>{tag}</li><li>{other}</li></ul>"
            f"</div><article><p>{text}</p><h2>{heading}</h2><ul><li>{first}</li>"
            f"<li>{second}</li></ul><p>{text}</p></article><footer>A barn</footer>"
        )


@pytest.fixture
def jobs(web: Loopback) -> str:
    found = [Job(number) for number in range(len(TRADES))]
    links = "".join(
        f"<li><a href=/jobs/{job.number}.html>{job.values[0]}</a></li>" for job in found
    )
    web.add("/", f"<h1>Jobs</h1><ul>{links}</ul>".encode())
    for job in found:
        web.add(f"/jobs/{job.number}.html", job.page().encode())
    return web.url("/")


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_jobs_are_shown_right_after_five_clicks(store: Store, jobs: str) -> None:
    with Visitor(store) as visitor:
        assert 'action="/collections/add"' in visitor.get("/").text  # the first click
        given = {"url": jobs, "kind": "job", "name": "jobs", "delay": "0"}
        visitor.send("/collections/add", run="1", **given)  # the kind, and "Add it"
        visitor.wait(f"/api{AT}/progress")
        assert "Accept all suggestions" in visitor.get(AT).text
        visitor.send(f"{AT}/suggestions")  # the fourth
        listed = visitor.get(f"{AT}/records").text  # the fifth
        paths = dict.fromkeys(re.findall(rf'href="({AT}/records/\d+)"', listed))
        pages = [words_of(visitor.get(path).text) for path in paths]
    right = true = 0
    for job in map(Job, range(len(TRADES))):
        own = next((page for page in pages if job.values[0] in page), "")
        true += len(job.values)
        right += sum(value in own for value in job.values)
    assert right >= 0.9 * true, (right, true)
