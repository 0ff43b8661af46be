"""CoreEx scores nodes by words and links."""

import scythe


def test_the_fullest_node_of_unlinked_text_wins_and_its_linked_children_are_left_out() -> (
    None
):
    links = "".join(f"<a href='/{n}'>Story {n}</a> " for n in range(20))
    page = (
        f"<body><div>{links}</div><div><p>{'The harvest went on all day. ' * 8}</p><ul>{links}</ul>"
        f"<p>{'It was done by night. ' * 8}</p></div></body>"
    )
    text = scythe.extract(page, method="coreex").text
    assert text.count("harvest") == 8
    assert text.count("night") == 8
    assert "Story" not in text
