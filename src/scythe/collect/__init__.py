"""Collections: watch a site, find the new pages that matter, and keep a database of its
records in step.
"""
