"""The compiled core: the text of a page to the arrays of a tree, in one call.

Optional: where the library was not built or is not turned on, everything runs without
it, and gives the same answers.
"""
