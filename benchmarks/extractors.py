"""The extractors that the tables compare, ours and the peers', each from bytes to plain
text.
"""

from __future__ import annotations

import logging
import sys
import warnings
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path

from training.folds import fold_file, fold_of, left_out_file

from scythe.content.methods.learned import Learned
from scythe.content.methods.learned.model import Model

Extract = Callable[[bytes], str]

LEARNED = "scythe learned"


def scythe_method(method: str, html: bytes) -> str:
    import scythe

    return scythe.extract(html, method=method).text


def held_out(domain: str, html: bytes) -> str:
    """Return the learned method by the model that saw no page of this domain: the only
    fair one for pages it was trained on.
    """
    import scythe

    return scythe.extract(html, method=held_out_method(domain)).text


def left_out(page_set: str, html: bytes) -> str:
    """Return the learned method by the model that saw no page of a whole set: what can
    be expected on pages with conventions of their own.
    """
    import scythe

    return scythe.extract(html, method=left_out_method(page_set)).text


def held_out_method(domain: str) -> Learned:
    """Return the learned method by the model of cross-validation that saw no page of
    this domain.
    """
    return _fold_method(fold_of(domain))


@cache
def _fold_method(fold: int) -> Learned:
    return Learned(_model(fold_file(fold)))


@cache
def left_out_method(page_set: str) -> Learned:
    """Return the learned method by the model that saw no page of a whole set."""
    return Learned(_model(left_out_file(page_set)))


def _model(path: Path) -> Model:
    if not path.is_file():
        sys.exit(
            "There are no models of cross-validation. Make them first: python -m training.content"
        )
    return Model.load(path)


def decoded(html: bytes) -> str:
    """Return the page as text, for the peers: decoded as Scythe decodes, which does
    none of them a disservice.
    """
    from scythe.tree.encoding import decode

    return decode(html).text


def trafilatura(html: bytes) -> str:
    from trafilatura import extract

    return extract(decoded(html)) or ""


def resiliparse(html: bytes) -> str:
    from resiliparse.extract.html2text import extract_plain_text

    return str(extract_plain_text(decoded(html), main_content=True))


def readability_lxml(html: bytes) -> str:
    import lxml.html
    from readability import Document

    summary = Document(decoded(html)).summary()
    return str(lxml.html.fromstring(summary).text_content()) if summary.strip() else ""


def justext(html: bytes) -> str:
    from justext import get_stoplist, justext

    text = decoded(html)
    if _mostly_cjk(text):
        paragraphs = justext(
            text,
            frozenset(),
            stopwords_low=0,
            stopwords_high=0,
            length_low=20,
            length_high=60,
        )
    else:
        paragraphs = justext(text, get_stoplist("English"))
    return "\n".join(
        paragraph.text for paragraph in paragraphs if not paragraph.is_boilerplate
    )


def newspaper4k(html: bytes) -> str:
    from newspaper import Article

    text = decoded(html)
    article = Article(
        "http://localhost/",
        language="zh" if _mostly_cjk(text) else "en",
        fetch_images=False,
    )
    article.download(input_html=text)
    article.parse()
    return str(article.text)


def goose3(html: bytes) -> str:
    from goose3 import Goose
    from goose3.text import StopWords, StopWordsChinese

    text = decoded(html)
    stop_words = StopWordsChinese if _mostly_cjk(text) else StopWords
    config = {"enable_image_fetching": False, "stopwords_class": stop_words}
    return str(Goose(config).extract(raw_html=text).cleaned_text)


def boilerpy3(html: bytes) -> str:
    from boilerpy3.extractors import ArticleExtractor

    return str(ArticleExtractor(raise_on_failure=False).get_content(decoded(html)))


def all_visible_text(html: bytes) -> str:
    from scythe.tree import parse
    from scythe.tree.text import visible_text

    return visible_text(parse(html))


def _mostly_cjk(text: str) -> bool:
    return sum("\u4e00" <= character <= "\u9fff" for character in text) * 20 > len(text)


OURS: dict[str, Extract] = {
    f"scythe {method}": partial(scythe_method, method)
    for method in ("learned", "econ", "econ+", "coreex", "lbda")
}
PEERS: dict[str, Extract] = {
    "trafilatura": trafilatura,
    "readability-lxml": readability_lxml,
    "resiliparse": resiliparse,
    "jusText": justext,
    "newspaper4k": newspaper4k,
    "goose3": goose3,
    "boilerpy3": boilerpy3,
}
BASELINE: dict[str, Extract] = {"all visible text": all_visible_text}


def installed() -> dict[str, Extract]:
    """Return ours, and the peers that are installed (`pip install .[bench]`)."""
    logging.disable(logging.CRITICAL)
    warnings.simplefilter("ignore")
    found = dict(OURS)
    for name, extract in PEERS.items():
        try:
            extract(
                b"<html><body><p>A sentence, with enough words to be taken for text "
                b"by any of them.</p></body></html>"
            )
        except ImportError:
            print(f"{name} is not installed, so it has no row: pip install '.[bench]'")
            continue
        except Exception:
            pass
        found[name] = extract
    return found | BASELINE
