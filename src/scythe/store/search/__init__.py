"""Full-text search, facets and orders of records: an index that is kept in step with
the records, in the same transactions.
"""
