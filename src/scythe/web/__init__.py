"""The local web app: collections to run, annotate and view, engines to search, pages to
extract from.
"""
