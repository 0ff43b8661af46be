"""The records of a list page, and wrappers that find them again on later pages of the
same kind.
"""
