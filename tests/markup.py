"""Random markup for property tests: tags that parsers treat specially, nested and
broken in every way.
"""

from hypothesis import strategies as st

TAGS = (
    "p div span a b i em ul ol li table tbody tr td th h1 h2 pre br hr img section article nav script style title select "
    "option form button svg math template noscript textarea x-card"
).split()
WORDS = st.text(st.sampled_from("ab .,<&\n\t\u00a0\u3002\u4f60😀\"'"), max_size=8)

start_tags = st.builds(
    lambda tag, attribute: f"<{tag}{attribute}>",
    st.sampled_from(TAGS),
    st.sampled_from(["", " class=x", " hidden", " href='/y'"]),
)
end_tags = st.sampled_from(TAGS).map(lambda tag: f"</{tag}>")
pieces = st.one_of(
    start_tags,
    start_tags,
    end_tags,
    WORDS,
    st.sampled_from(["<!-- c -->", "<!doctype html>", "</", "<", "&amp", "\x00"]),
)
pages = st.lists(pieces, max_size=60).map("".join)
