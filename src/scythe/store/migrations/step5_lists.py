"""Step 5: lists of the web app. Records by state and links by decision are counted and
shown a screen at a time.
"""

SQL = """
CREATE INDEX collection_records_by_state ON collection_records (collection_id, state, id);
CREATE INDEX collection_links_by_decision ON collection_links (collection_id, decision, id);
CREATE INDEX collection_links_in_order ON collection_links (collection_id, id)
"""
