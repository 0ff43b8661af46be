"""Step 3: all that operators ever said about attributes, and the stylesheets of example
pages.
"""

SQL = """
CREATE TABLE collection_annotations (
    collection_id INTEGER NOT NULL REFERENCES collections (id) ON DELETE CASCADE,
    version INTEGER NOT NULL,
    what TEXT NOT NULL,
    names JSON NOT NULL,
    ignored JSON NOT NULL,
    before INTEGER,
    after INTEGER,
    said_at {time} NOT NULL,
    imported_at {time},
    PRIMARY KEY (collection_id, version)
);
INSERT INTO collection_annotations (collection_id, version, what, names, ignored, said_at, imported_at)
    SELECT collection_id, 1, 'names from before', state, '[]', saved_at, saved_at FROM collection_states WHERE name = 'names';
DELETE FROM collection_states WHERE name = 'names';
CREATE TABLE collection_styles (
    collection_id INTEGER NOT NULL REFERENCES collections (id) ON DELETE CASCADE,
    url TEXT NOT NULL,
    packed {bytes},
    note TEXT NOT NULL,
    fetched_at {time} NOT NULL,
    PRIMARY KEY (collection_id, url)
)
"""
