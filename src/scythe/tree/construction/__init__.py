"""Tree construction beyond the parser: preorder to parents and ends, and pages that an
unclosed element swallows.
"""
