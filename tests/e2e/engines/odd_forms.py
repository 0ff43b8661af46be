"""Shops with odd ways in: other forms beside the search form, many fields, no form at
all.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from html import escape
from urllib.parse import quote_plus

from .serving import Asked, Reply
from .shop import PLACES, Shop


@dataclass
class RedirectingShop(Shop):
    """A query sent by POST is answered with the address of a page of results, so that
    reloading it sends nothing again.
    """

    method: str = "post"
    queries: list[str] = field(default_factory=list)

    def __call__(self, asked: Asked) -> Reply:
        if asked.path == "/search" and asked.method == "POST":
            self.queries.append(asked.values().get(self.field_name, ""))
            return Reply(
                "", 303, headers=(("Location", f"/results/{len(self.queries) - 1}"),)
            )
        if asked.path.startswith("/results/"):
            query = self.queries[int(asked.path.removeprefix("/results/"))]
            return self.answer(
                replace(asked, target=f"/search?{self.field_name}={quote_plus(query)}")
            )
        return super().__call__(asked)


@dataclass
class CrowdedShop(Shop):
    """A newsletter, a login and a choice of languages stand before the search form."""

    def form(self, query: str = "", hidden: str = "") -> str:
        return (
            "<form action=/newsletter method=post><input type=email name=email placeholder='Your e-mail'>"
            "<button>Subscribe</button></form><form action=/login method=post><input name=user><input type=password name=word>"
            "<button>Log in</button></form>"
            "<form action=/language><select name=lang><option>en<option>de</select><button>Go</button></form>"
            + super().form(query, hidden)
        )


@dataclass
class AdvancedShop(Shop):
    """A form of many fields that leads to its own page, by a picture; what is chosen in
    it must be sent as it is.
    """

    def __call__(self, asked: Asked) -> Reply:
        values = asked.values()
        if asked.path != "/" or "words" not in values:
            return super().__call__(asked)
        if (values.get("scope"), values.get("show"), values.get("library")) != (
            "all",
            "full",
            "on",
        ):
            return self.page("Error", "<p>Something is missing in your form.</p>", 400)
        return self.answer(
            replace(
                asked, target=f"/search?{self.field_name}={quote_plus(values['words'])}"
            )
        )

    def form(self, query: str = "", hidden: str = "") -> str:
        return (
            f"<form action=''><table><tr><td>Words<td><input name=words value='{escape(query, quote=True)}'>"
            "<tr><td>Author<td><input name=author><tr><td>Years<td><input name=from size=4> to <input name=to size=4>"
            "<tr><td>In<td><input type=radio name=scope value=title>titles "
            "<input type=radio name=scope value=all checked>everything"
            "<tr><td>Show<td><select name=show><option value=short>short<option value=full selected>full</select>"
            "<tr><td><td><input type=checkbox name=library checked>library <input type=checkbox name=archive>archive</table>"
            "<input type=image name=go src=/go.png alt=Search></form>"
        )

    def pager(self, query: str, start: int, count: int) -> str:
        return ""


@dataclass
class DescribedShop(Shop):
    """No form, but an OpenSearch description."""

    def __call__(self, asked: Asked) -> Reply:
        if asked.path != "/opensearch.xml":
            return super().__call__(asked)
        template = f"http://127.0.0.1:{asked.port}/search?q={{searchTerms}}&amp;start={{startIndex?}}"
        return Reply(
            '<?xml version="1.0"?><OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/"><ShortName>Farm</ShortName>'
            f'<Description>Tools</Description><Url type="text/html" template="{template}"/></OpenSearchDescription>',
            kind="application/opensearchdescription+xml",
        )

    def form(self, query: str = "", hidden: str = "") -> str:
        return ""

    def front(self) -> str:
        link = "<link rel=search type='application/opensearchdescription+xml' href=/opensearch.xml title=Farm>"
        return link + super().front()


@dataclass
class FormlessShop(Shop):
    """A search box outside any form: a script opens the results."""

    def form(self, query: str = "", hidden: str = "") -> str:
        return (
            "<div role=search><input type=search id=words placeholder='Search the farm'><button id=go>Search</button></div>"
            "<script>const words = document.getElementById('words');"
            "const go = () => { location = '/search?q=' + encodeURIComponent(words.value) };"
            "document.getElementById('go').onclick = go;"
            "words.addEventListener('keydown', event => { if (event.key === 'Enter') go() })</script>"
        )


@dataclass
class SortedShop(Shop):
    """A list of departments that fit the query stands above the results."""

    def answer(self, asked: Asked) -> Reply:
        query, reply = asked.values().get(self.field_name, ""), super().answer(asked)
        if not self.find(query):
            return reply
        links = "".join(
            f"<li><a href='/in/{place}?q={quote_plus(query)}'>{place.title()}</a> ({len(place)})</li>"
            for place in PLACES[:8]
        )
        above = f"<h2>Departments</h2><ul class=departments>{links}</ul><h2>Things</h2><p class=count>"
        assert isinstance(reply.body, bytes)
        return replace(
            reply, body=reply.body.replace(b"<p class=count>", above.encode())
        )
