"""The posts of a thread: who wrote what, when, and in answer to whom.

Forum programs agree on little but this: every post says who wrote it and when, at the
same position in each. So dates and names are found first, by what they look like and
what the markup calls them; a post is the largest repeated element that holds one of
them each.
"""

from scythe.sections.posts.post import Post, find_posts

__all__ = ["Post", "find_posts"]
