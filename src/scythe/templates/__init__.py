"""One record per page: templates grown page by page, their slots, and the pages that
belong together.
"""
