"""What forms send: as a browser would, whatever their markup."""

from __future__ import annotations

from urllib.parse import parse_qsl, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scythe.engines.forms import Control, SearchForm, search_form
from scythe.engines.forms.controls import MAX_CONTROLS, MAX_FORMS
from scythe.engines.forms.detection import page_forms
from scythe.errors import UsageError
from scythe.tree import parse

PAGE = "http://site.example/dir/page.html?old=1"


def form_in(html: str, url: str = PAGE, charset: str | None = None) -> SearchForm:
    found = search_form(parse(html), url, charset)
    assert found is not None
    return found


def sent(html: str, query: str = "red shoes") -> list[tuple[str, str]]:
    return parse_qsl(
        urlsplit(form_in(html).request(query).url).query, keep_blank_values=True
    )


def test_a_flood_of_forms_fields_and_labels_is_read_in_part() -> None:
    box = "<form action=/s><input name=q></form>"
    assert len(page_forms(parse(box * (MAX_FORMS + 9)), PAGE)) == MAX_FORMS
    fields = "<label for=a>Search</label><input name=q id=a>" * (MAX_CONTROLS + 9)
    (flooded,) = page_forms(parse(f"<form action=/s>{fields}</form>"), PAGE)
    assert len(flooded.controls) == MAX_CONTROLS
    assert flooded.query_name == "q"


def test_a_query_goes_where_the_form_says() -> None:
    assert (
        form_in("<form action=/search><input name=q></form>").request("a b&c").url
        == "http://site.example/search?q=a+b%26c"
    )


def test_a_form_without_an_action_asks_its_own_page_and_replaces_its_query() -> None:
    assert (
        form_in("<form role=search><input name=q></form>").request("x").url
        == "http://site.example/dir/page.html?q=x"
    )


def test_actions_are_relative_to_the_base() -> None:
    html = "<base href=http://other.example/deep/><form action=find#top><input type=search name=q></form>"
    assert form_in(html).request("x").url == "http://other.example/deep/find?q=x"


def test_the_query_string_of_an_action_gives_way_to_the_fields() -> None:
    assert (
        form_in("<form action='/search?lang=de'><input name=q></form>").request("x").url
        == "http://site.example/search?q=x"
    )


def test_everything_that_has_a_value_is_sent_in_page_order() -> None:
    html = (
        "<form action=/search><input type=hidden name=site value=main><input name=q value=Search...>"
        "<select name=in><option value=all>All<option value=books selected>Books</select>"
        "<select name=order><option>best<option>new</select>"
        "<input type=radio name=match value=any><input type=radio name=match value=all checked>"
        "<input type=checkbox name=exact><input type=checkbox name=safe checked>"
        "<input name=year value=2020><input type=submit name=go value=Search></form>"
    )
    assert sent(html) == [
        ("site", "main"),
        ("q", "red shoes"),
        ("in", "books"),
        ("order", "best"),
        ("match", "all"),
        ("safe", "on"),
        ("year", "2020"),
        ("go", "Search"),
    ]


def test_what_browsers_leave_out_is_left_out() -> None:
    html = (
        "<form action=/search><input name=q><input value=nameless><input name=off value=1 disabled>"
        "<fieldset disabled><input name=group value=1></fieldset><select name=none><option disabled>Choose</select>"
        "<input type=reset name=reset value=Clear><input type=button name=button value=Help><input type=file name=file></form>"
    )
    assert sent(html) == [("q", "red shoes")]


def test_the_button_that_searches_is_pressed() -> None:
    lucky = "<input type=submit name=lucky value='Surprise me'>"
    html = f"<form action=/search><input name=q>{lucky}<button name=btn value=1>Search</button></form>"
    assert sent(html) == [("q", "red shoes"), ("btn", "1")]


def test_a_picture_as_button_tells_where_it_was_pressed() -> None:
    html = "<form action=/search><input name=q><input type=image name=go alt=Search src=go.png></form>"
    assert sent(html) == [("q", "red shoes"), ("go.x", "1"), ("go.y", "1")]


def test_a_button_may_lead_elsewhere() -> None:
    html = "<form action=/a method=post><input type=search name=q><button formaction=/search formmethod=get>Search</button></form>"
    assert form_in(html).request("x").url == "http://site.example/search?q=x"


def test_several_chosen_options_are_all_sent() -> None:
    options = "<option selected>a<option>b<option selected>c"
    html = f"<form action=/search><input name=q><select multiple name=in>{options}</select></form>"
    assert sent(html)[1:] == [("in", "a"), ("in", "c")]


def test_post_forms_send_a_body() -> None:
    request = form_in(
        "<form action=/search method=POST><input name=q><input type=hidden name=t value=1></form>"
    ).request("a b")
    assert (request.method, request.url, request.body) == (
        "post",
        "http://site.example/search",
        b"q=a+b&t=1",
    )
    assert request.headers == {"Content-Type": "application/x-www-form-urlencoded"}


def test_multipart_forms_send_parts() -> None:
    html = "<form action=/search method=post enctype=multipart/form-data><input name=q></form>"
    request = form_in(html).request("a\r\nb")
    kind, _, boundary = request.headers["Content-Type"].partition("; boundary=")
    assert kind == "multipart/form-data"
    assert request.body == (
        f'--{boundary}\r\nContent-Disposition: form-data; name="q"\r\n\r\na\r\nb\r\n--{boundary}--\r\n'.encode()
    )


@pytest.mark.parametrize(
    ("attribute", "charset", "expected"),
    [
        ("", None, "q=M%C3%BChle"),
        ("", "iso-8859-1", "q=M%FChle"),
        ("accept-charset='x-unknown, ISO-8859-1'", "utf-8", "q=M%FChle"),
        ("accept-charset=utf-8", "cp1252", "q=M%C3%BChle"),
    ],
)
def test_words_are_sent_in_the_charset_of_the_form(
    attribute: str, charset: str | None, expected: str
) -> None:
    form = form_in(
        f"<form action=/search {attribute}><input name=q></form>", charset=charset
    )
    assert form.request("Mühle").url.endswith(f"?{expected}")


def test_words_beyond_the_charset_go_as_references() -> None:
    assert (
        SearchForm("http://a.example/", "q", charset="latin-1").request("磨").url
        == "http://a.example/?q=%26%2330952%3B"
    )


def test_chinese_words_in_gbk() -> None:
    assert (
        SearchForm("http://a.example/", "q", charset="gbk").request("镰刀").url
        == "http://a.example/?q=%C1%AD%B5%B6"
    )


def test_the_charset_field_names_the_charset() -> None:
    html = "<form action=/search accept-charset=latin1><input name=q><input type=hidden name=_charset_></form>"
    assert sent(html)[1] == ("_charset_", "cp1252")


def test_a_form_that_begins_between_table_rows_has_the_fields_that_follow() -> None:
    html = (
        "<table><tr><form action=/search><td><input name=q></td><td><input type=submit value=Search></td></tr></form></table>"
        "<form action=/login method=post><input name=user><input type=password name=pw></form>"
    )
    assert sent(html) == [("q", "red shoes")]


def test_a_field_outside_may_belong_to_a_form() -> None:
    assert sent(
        "<input form=f name=q type=search><form id=f action=/search><button>Search</button></form>"
    ) == [("q", "red shoes")]


@pytest.mark.parametrize(
    "action",
    [
        "javascript:go()",
        "mailto:a@b.example",
        "http://[bad",
        "ftp://a.example/",
        "http://a:99999/",
    ],
)
def test_a_form_that_leads_nowhere_is_none(action: str) -> None:
    assert (
        search_form(
            parse(
                f"<form action='{action}' role=search><input type=search name=q></form>"
            ),
            PAGE,
        )
        is None
    )


def test_an_address_can_take_the_words_in_its_path() -> None:
    form = SearchForm(
        "http://a.example/find/{query}/all?x=1", "", controls=(Control("y", "2"),)
    )
    assert (
        form.request("a b/ü").url == "http://a.example/find/a%20b%2F%C3%BC/all?x=1&y=2"
    )


def test_a_form_without_a_place_for_the_words_is_refused() -> None:
    with pytest.raises(UsageError, match="takes no query"):
        SearchForm("http://a.example/", "")
    with pytest.raises(UsageError, match="charset"):
        SearchForm("http://a.example/", "q", charset="klingon")


def test_forms_are_kept_as_plain_values() -> None:
    form = form_in(
        "<form action=/search method=post><input name=q><input type=hidden name=t value=ü></form>",
        charset="latin-1",
    )
    assert SearchForm.from_json(form.as_json()) == form
    with pytest.raises(UsageError, match="damaged"):
        SearchForm.from_json({"action": "http://a.example/"})


def test_a_form_says_what_it_sends() -> None:
    form = form_in(
        "<form action=/search><input type=hidden name=site value=main><input name=q></form>"
    )
    assert str(form) == "GET http://site.example/search site=main&q={query}"


@given(st.text(), st.sampled_from(["utf-8", "get", "post"]))
def test_any_query_arrives_as_it_was(query: str, method: str) -> None:
    form = SearchForm(
        "http://a.example/s",
        "q",
        "post" if method == "post" else "get",
        (Control("a", "=&"), Control("q"), Control("b", "ü")),
    )
    query = query.encode("utf-8", "replace").decode()
    request = form.request(query)
    pairs = (
        urlsplit(request.url).query
        if request.body is None
        else request.body.decode("ascii")
    )
    assert parse_qsl(pairs, keep_blank_values=True, max_num_fields=9) == [
        ("a", "=&"),
        ("q", query),
        ("b", "ü"),
    ]
