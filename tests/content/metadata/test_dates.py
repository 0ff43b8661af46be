import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scythe.content.metadata.dates import find_dates, parse_date


@pytest.mark.parametrize(
    "written",
    [
        "2024-03-05",
        "2024-03-05T23:59:59-08:00",
        "2024-03-05 10:00",
        "2024/3/5",
        "2024.03.05",
        "20240305",
        "20240305T100000Z",
        "1709632800",
        "1709632800000",
        "Tue, 05 Mar 2024 10:00:00 GMT",
        "Tue Mar 05 10:00:00 UTC 2024",
        "05-Mar-2024",
        "2024-Mar-05",
        "March 5, 2024",
        "Mar. 5th, 2024",
        "5th of March, 2024",
        "5 MARCH 2024",
        "13:45 on March 5 2024",
        "le 5 mars 2024",
        "5. März 2024",
        "5. Mrz. 2024",
        "5 marzo 2024",
        "5 de março de 2024",
        "5 de marzo de 2024",
        "5 марта 2024 г.",
        "5 мар. 2024",
        "5 مارس 2024",
        "٥ مارس ٢٠٢٤",
        "5 آذار 2024",
        "2024年3月5日",
        "２０２４年３月５日",
        "2024年03月05日 10:00",
        "2024년 3월 5일",
        "5.3.2024",
        "03/05/2024",
        "03/05/24",
    ],
)
def test_reads_the_forms_of_many_countries(written: str) -> None:
    assert parse_date(written) == "2024-03-05"


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("31 janvier 2023", "2023-01-31"),
        ("1er février 2023", "2023-02-01"),
        ("14 juillet 2023", "2023-07-14"),
        ("15 août 2023", "2023-08-15"),
        ("24 décembre 2023", "2023-12-24"),
        ("3. Jänner 2023", "2023-01-03"),
        ("3. Mai 2023", "2023-05-03"),
        ("3 Okt 2023", "2023-10-03"),
        ("15 settembre 2023", "2023-09-15"),
        ("2 giugno 2023", "2023-06-02"),
        ("7 de setembro de 2023", "2023-09-07"),
        ("12 de octubre de 2023", "2023-10-12"),
        ("9 ноября 2023", "2023-11-09"),
        ("١٥ تشرين الأول ٢٠٢٣", "2023-10-15"),
        ("15 كانون الثاني 2023", "2023-01-15"),
    ],
)
def test_reads_month_names_of_ten_languages(written: str, read: str) -> None:
    assert parse_date(written) == read


def test_the_day_comes_first_where_it_must_or_where_told() -> None:
    assert parse_date("13/03/2024") == "2024-03-13"
    assert parse_date("03/13/2024") == "2024-03-13"
    assert parse_date("03/05/2024", day_first=True) == "2024-05-03"


@pytest.mark.parametrize(
    "written",
    [
        "",
        "today",
        "3 days ago",
        "2024",
        "March 2024",
        "2024-13-45",
        "30 February 2024",
        "9999-12-31",
        "v1.2.3",
        "Maybe 5, 2024",
    ],
)
def test_what_is_no_plausible_date_is_none(written: str) -> None:
    assert parse_date(written) is None


def test_old_dates_are_believed_only_where_stated() -> None:
    assert parse_date("1865-11-26") == "1865-11-26"
    assert list(find_dates("since 26 November 1865")) == []


def test_finds_dates_in_text_in_order() -> None:
    text = "Posted 3 May 2021, updated June 4, 2022 by A."
    assert [date for _, date in find_dates(text)] == ["2021-05-03", "2022-06-04"]


@given(st.dates(datetime.date(1990, 1, 1), datetime.date(2026, 1, 1)))
def test_every_day_survives_the_way_through_text(day: datetime.date) -> None:
    for form in (
        "%Y-%m-%d",
        "%Y/%m/%d",
        "%d %B %Y",
        "%B %d, %Y",
        "%a, %d %b %Y 10:00:00 +0000",
        "%d.%m.%Y",
        "%Y年%m月%d日",
    ):
        assert parse_date(day.strftime(form)) == day.isoformat()


@given(
    st.text(alphabet="0123456789-/.年月日: marchMAYde٣٤,T", max_size=300)
    | st.text(max_size=300)
)
def test_any_text_gives_a_date_or_nothing(text: str) -> None:
    for date in (parse_date(text), *(date for _, date in find_dates(text))):
        assert date is None or datetime.date.fromisoformat(date)
