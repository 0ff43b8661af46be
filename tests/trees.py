"""What tests of rendered trees ask."""

from __future__ import annotations

from scythe.tree import Tree


def assert_agree(drawn: Tree, parsed: Tree) -> None:
    assert [drawn.name(node) for node in range(len(drawn))] == [
        parsed.name(node) for node in range(len(parsed))
    ]
    assert drawn.text.tolist() == parsed.text.tolist()
    for column in ("parent", "end", "depth"):
        assert getattr(drawn, column).tolist() == getattr(parsed, column).tolist()
    for node in range(len(drawn)):
        assert dict(drawn.attributes(node)) == dict(parsed.attributes(node))
    assert (drawn.encoding, drawn.cut) == (parsed.encoding, parsed.cut)


def node_of(tree: Tree, identity: str) -> int:
    return next(
        node for node, value in tree.with_attribute("id").items() if value == identity
    )


def box_of(tree: Tree, identity: str) -> list[float]:
    assert tree.box is not None
    return [float(side) for side in tree.box[node_of(tree, identity)]]


def text_of(tree: Tree) -> str:
    return "".join(tree.text)
