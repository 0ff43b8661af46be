"""The language of a page: declared, else recognised in its text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import scythe
from scythe.content.metadata import read_metadata
from scythe.content.metadata.language_detection import detect_language
from scythe.content.metadata.languages import is_language
from scythe.errors import UsageError

SENTENCES = {
    "en": "The farmers of the valley were waiting for the rain, which did not come.",
    "de": "Die Bauern im Tal warteten auf den Regen, der in diesem Jahr nicht kam.",
    "fr": "Les paysans de la vallée attendaient la pluie qui ne venait pas cette année.",
    "es": "Los agricultores del valle esperaban la lluvia que no llegó en todo el año.",
    "pt": "Os agricultores do vale esperavam pela chuva que não veio durante o ano.",
    "it": "I contadini della valle aspettavano la pioggia che non è arrivata nel mese.",
    "nl": "De boeren in het dal wachtten op de regen die er dit jaar niet kwam.",
    "sv": "Bönderna i dalen väntade på att regnet skulle komma, men det gjorde inte det.",
    "da": "Bønderne i dalen ventede på regnen, som ikke kom, og der blev ikke høstet af.",
    "no": "Bøndene i dalen ventet på regnet, som ikke kom, og det ble ikke noe av.",
    "fi": "Viljelijät odottivat sadetta, mutta se ei tullut, ja sato oli hyvin pieni.",
    "pl": "Rolnicy z doliny czekali na deszcz, który nie przyszedł, i nie było plonów.",
    "cs": "Zemědělci v údolí čekali na déšť, který nepřišel, a úroda byla jen malá.",
    "hu": "A völgy gazdái vártak az esőre, de az nem jött meg, és csak kevés volt.",
    "ro": "Fermierii din vale așteptau ploaia care nu a venit și nu au mai cules.",
    "tr": "Vadideki çiftçiler bu yıl yağmur için çok bekledi ve daha sonra bir şey yok.",
    "id": "Para petani menunggu hujan karena tahun ini tidak bisa panen seperti dulu.",
    "vi": "Những người nông dân trong thung lũng đã chờ mưa nhưng không có.",
    "ru": "Крестьяне в долине ждали дождя, который так и не пришёл, и не было урожая.",
    "uk": "Селяни в долині чекали на дощ, який так і не прийшов, і це було щороку.",
    "bg": "Селяните в долината чакаха дъжда, който не дойде, и реколтата е малка.",
    "el": "Οι αγρότες της κοιλάδας περίμεναν τη βροχή που δεν ήρθε.",
    "ar": "انتظر الفلاحون في الوادي المطر الذي لم يأت هذا العام من بعد ذلك",
    "fa": "کشاورزان دره در انتظار باران بودند که امسال به این جا نیامد و آن را ندیدند",
    "he": "האיכרים בעמק חיכו לגשם שלא הגיע השנה, והיבול היה קטן מאוד.",
    "hi": "घाटी के किसान इस साल बारिश का इंतजार कर रहे थे और वह नहीं हुई है।",
    "zh": "山谷里的农民一直在等雨，可是今年雨没有来，收成很少，大家都很担心明年的日子怎么过。",
    "ja": "谷の農家は雨を待っていたが、今年は雨が降らず、収穫はとても少なかったという。",
    "ko": "골짜기의 농부들은 비를 기다렸지만 올해는 비가 오지 않아 수확이 매우 적었다고 한다.",
    "th": "ชาวนาในหุบเขารอฝนที่ไม่มาในปีนี้และเก็บเกี่ยวได้น้อยมาก",
}


@pytest.mark.parametrize("language", SENTENCES)
def test_a_sentence_is_enough(language: str) -> None:
    assert detect_language(SENTENCES[language]) == language


@pytest.mark.parametrize(
    "text", ["", "42 17 99", "Menu", "word " * 200, "xkqz vwrt plmn " * 20]
)
def test_what_is_in_no_language_has_none(text: str) -> None:
    assert detect_language(text) is None


@given(st.text())
def test_any_text_has_a_language_or_none(text: str) -> None:
    detected = detect_language(text)
    assert detected is None or 2 <= len(detected) <= 3


def page(text: str, declared: str = "") -> scythe.Tree:
    lang = f' lang="{declared}"' if declared else ""
    menu = "<nav><a href=/>Home</a><a href=/news>News</a></nav>"
    return scythe.parse(f"<html{lang}><body>{menu}<p>{text}</p></body></html>")


def test_the_declared_language_comes_first() -> None:
    metadata = read_metadata(page(SENTENCES["de"], "de-AT"))
    assert metadata.language == "de-AT"
    assert metadata.sources["language"] == "html lang"


def test_the_text_speaks_where_nothing_is_declared() -> None:
    metadata = read_metadata(page(SENTENCES["de"]))
    assert metadata.language == "de"
    assert metadata.sources["language"] == "text"


@pytest.mark.parametrize(
    ("tag", "requested", "expected"),
    [
        ("en-GB", "en", True),
        ("en", "EN", True),
        ("en", "en-GB", False),
        ("eng", "en", False),
        ("nb-NO", "no", True),
        ("zh-Hans-CN", "zh-hans", True),
    ],
)
def test_ranges_of_languages(tag: str, requested: str, expected: bool) -> None:
    assert is_language(tag, requested) == expected


def test_a_language_filter_keeps_what_it_cannot_tell() -> None:
    options = scythe.ExtractOptions(language="en")
    kept = scythe.extract("<p>Xkqz vwrt plmn.</p>", method="econ", options=options)
    assert kept.status == scythe.Status.OK
    document = scythe.extract(f"<p>{SENTENCES['fr']}</p>", options=options)
    assert document.status == scythe.Status.OTHER_LANGUAGE
    assert document.note == "it is in fr by its text, not in en."
    assert (document.text, document.markdown) == ("", "")


def test_what_is_no_language_tag_is_refused() -> None:
    with pytest.raises(UsageError, match="such as en"):
        scythe.ExtractOptions(language="English, please")
