"""The posts of a thread as a caller gets them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from scythe.content.formats.markdown import to_markdown
from scythe.content.options import ExtractOptions
from scythe.content.selection import Selection
from scythe.content.structures.arrangement import add_body, body_text
from scythe.tree.assembly import TreeAssembly
from scythe.tree.links import page_base_url
from scythe.tree.tree import Tree


@dataclass(frozen=True, slots=True)
class ThreadPost:
    """One post of a thread: who wrote what, and when."""

    author: str | None
    time: str | None
    """When it was written, as exactly as the page states it: `2024-06-01T10:00:00Z` or
    `3 hours ago`.
    """
    level: int
    """0 for a post of the thread itself, 1 for an answer to one of them, and so on."""
    text: str
    """The text alone, without author and time."""
    markdown: str
    """The same as Markdown, what it quotes as quotes."""

    def to_dict(self) -> dict[str, Any]:
        """Return the post as plain data."""
        return {
            "author": self.author,
            "time": self.time,
            "level": self.level,
            "text": self.text,
            "markdown": self.markdown,
        }


def read_posts(
    tree: Tree, selection: Selection, url: str | None, options: ExtractOptions
) -> tuple[ThreadPost, ...]:
    """Return the posts of a selection."""
    base = page_base_url(tree, url)
    posts = []
    for post in selection.posts:
        assembly = TreeAssembly(tree)
        assembly.open("html")
        add_body(assembly, selection.nodes, post)
        body_tree, nodes = assembly.finish()
        posts.append(
            ThreadPost(
                author=post.author,
                time=post.time,
                level=post.level,
                text=body_text(tree, selection.nodes, post),
                markdown=to_markdown(body_tree, nodes, base, options),
            )
        )
    return tuple(posts)
