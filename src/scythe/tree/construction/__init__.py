"""Tree construction through turbohtml, the reference, and beyond it: preorder to parents
and ends, and pages that an unclosed element swallows.
"""
