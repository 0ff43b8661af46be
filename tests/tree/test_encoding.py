"""Pages in the charsets that are everyday input come out right, declared or not, and
with wrong declarations.
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scythe.tree.encoding import decode

CHINESE = (
    "夏天的麦子熟了，农民们在田里收割。镰刀在阳光下闪光，孩子们在树荫下玩耍，老人坐在门口讲着从前的故事。"
    * 3
)
TRADITIONAL = (
    "夏天的麥子熟了，農民們在田裡收割。鐮刀在陽光下閃光，孩子們在樹蔭下玩耍，老人坐在門口講著從前的故事。"
    * 3
)
JAPANESE = (
    "夏になると麦が実り、農夫たちは畑で刈り入れをする。鎌は日の光にきらめき、子供たちは木陰で遊んでいる。"
    * 3
)
KOREAN = (
    "여름이 되면 밀이 익고 농부들은 밭에서 수확을 한다. 낫은 햇빛에 반짝이고 아이들은 나무 그늘에서 논다."
    * 3
)
RUSSIAN = (
    "Летом поспевает пшеница, и крестьяне выходят в поле. Коса блестит на солнце, дети играют в тени деревьев."
    * 3
)
FRENCH = (
    "L’été venu, les blés sont mûrs : on fauche à l’aube, on se repose à midi, et l’on rentre la récolte avant l’orage."
    * 3
)
GREEK = (
    "Το καλοκαίρι ωριμάζει το σιτάρι και οι αγρότες βγαίνουν στα χωράφια για τον θερισμό."
    * 3
)
ARABIC = (
    "في الصيف ينضج القمح، ويخرج الفلاحون إلى الحقول للحصاد. يلعب الأطفال في ظل الأشجار، ويروي الشيوخ الحكايات."
    * 3
)

PAGES = [
    ("gbk", "gbk", CHINESE),
    ("gb2312", "gb2312", CHINESE),
    ("gb18030", "gb18030", CHINESE),
    ("big5", "big5", TRADITIONAL),
    ("shift_jis", "cp932", JAPANESE),
    ("euc-jp", "euc_jp", JAPANESE),
    ("euc-kr", "euc_kr", KOREAN),
    ("windows-1251", "cp1251", RUSSIAN),
    ("koi8-r", "koi8_r", RUSSIAN),
    ("windows-1252", "cp1252", FRENCH),
    ("windows-1253", "cp1253", GREEK),
    ("windows-1256", "cp1256", ARABIC),
    ("utf-8", "utf-8", CHINESE + RUSSIAN + ARABIC),
]


def page(text: str, declaration: str = "") -> str:
    return f"<!doctype html><html><head>{declaration}<title>{text[:20]}</title></head><body><p>{text}</p></body></html>"


@pytest.mark.parametrize(("label", "codec", "text"), PAGES)
def test_declared_in_the_page(label: str, codec: str, text: str) -> None:
    html = page(
        text, f'<meta http-equiv="Content-Type" content="text/html; charset={label}">'
    )
    assert decode(html.encode(codec)).text == html
    html = page(text, f"<meta charset='{label}'>")
    assert decode(html.encode(codec)).text == html


@pytest.mark.parametrize(("label", "codec", "text"), PAGES)
def test_declared_by_the_transport(label: str, codec: str, text: str) -> None:
    assert decode(page(text).encode(codec), label.upper()).text == page(text)


@pytest.mark.parametrize(("label", "codec", "text"), PAGES)
def test_detected_without_a_declaration(label: str, codec: str, text: str) -> None:
    assert decode(page(text).encode(codec)).text == page(text)


@pytest.mark.parametrize(("label", "codec", "text"), PAGES)
def test_detected_behind_much_script(label: str, codec: str, text: str) -> None:
    script = "<script>" + "var barley = { sown: 1, cut: 2 };\n" * 8_000 + "</script>"
    assert decode((script + page(text)).encode(codec)).text == script + page(text)


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("mark", ["\ufeff", ""])
def test_utf16_with_and_without_a_mark(codec: str, mark: str) -> None:
    assert decode((mark + page(FRENCH)).encode(codec)).text == page(FRENCH)


def test_utf8_mark_is_not_part_of_the_text() -> None:
    assert decode(b"\xef\xbb\xbf<p>x").text == "<p>x"


def test_a_page_that_declares_utf8_and_is_not() -> None:
    html = page(RUSSIAN, '<meta charset="utf-8">')
    assert decode(html.encode("cp1251")).text == html


def test_a_page_that_declares_a_legacy_charset_and_is_utf8() -> None:
    html = page(FRENCH, '<meta charset="iso-8859-1">')
    assert decode(html.encode()).text == html


def test_a_broken_character_does_not_spoil_a_utf8_page() -> None:
    data = page(CHINESE, '<meta charset="utf-8">').encode()
    cut = data.replace("收割".encode(), "收割".encode()[:-1], 1)
    assert "镰刀在阳光下" in decode(cut).text


def test_a_stray_sign_does_not_make_an_english_page_chinese() -> None:
    html = b"<p>the package&acirc;\x80\x99s version, and what it needs</p>" * 3
    assert decode(html).encoding == "cp1252"


@pytest.mark.parametrize(
    "label", ["nonsense", "zip", "hex", "idna", "unicode_escape", "", "x" * 200]
)
def test_labels_that_name_no_charset_are_ignored(label: str) -> None:
    assert decode(b"<p>plain", label).text == "<p>plain"


@given(
    st.binary(max_size=300),
    st.sampled_from([None, "utf-8", "gbk", "utf-16", "x-user-defined"]),
)
def test_any_bytes_decode(data: bytes, charset: str | None) -> None:
    assert isinstance(decode(data, charset).text, str)
