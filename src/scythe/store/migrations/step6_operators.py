"""Step 6: what operators say of records and links, and pictures that are kept. Records
have values of an operator, their history says who made a change, and suggestions make
drafts until they are accepted; collections from before have been accepted.
"""

SQL = """
ALTER TABLE collection_annotations ADD COLUMN settled BOOLEAN NOT NULL DEFAULT TRUE;
ALTER TABLE collection_records ADD COLUMN edited JSON NOT NULL DEFAULT '{{}}';
ALTER TABLE collection_record_versions ADD COLUMN made_by TEXT NOT NULL DEFAULT '';
CREATE TABLE collection_link_rules (
    id {identity},
    collection_id INTEGER NOT NULL REFERENCES collections (id) ON DELETE CASCADE,
    action TEXT NOT NULL,
    scope TEXT NOT NULL,
    value TEXT NOT NULL,
    index_page TEXT NOT NULL,
    made_by TEXT NOT NULL,
    made_at {time} NOT NULL,
    UNIQUE (collection_id, scope, value, index_page)
);
CREATE TABLE collection_media (
    collection_id INTEGER NOT NULL REFERENCES collections (id) ON DELETE CASCADE,
    url TEXT NOT NULL,
    hash TEXT,
    content_type TEXT NOT NULL,
    size INTEGER NOT NULL,
    data {bytes},
    note TEXT NOT NULL,
    fetched_at {time} NOT NULL,
    PRIMARY KEY (collection_id, url)
)
"""
