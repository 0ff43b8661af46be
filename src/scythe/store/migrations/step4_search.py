"""Step 4: search. The words, facets and numbers of records, kept in step with them."""

SQL = """
CREATE TABLE collection_searches (
    collection_id INTEGER PRIMARY KEY REFERENCES collections (id) ON DELETE CASCADE,
    rules INTEGER NOT NULL,
    done_to INTEGER NOT NULL,
    is_complete BOOLEAN NOT NULL,
    left_out JSON NOT NULL
);
CREATE TABLE collection_record_texts (
    record_id INTEGER PRIMARY KEY REFERENCES collection_records (id) ON DELETE CASCADE,
    collection_id INTEGER NOT NULL REFERENCES collections (id) ON DELETE CASCADE,
    title TEXT NOT NULL,
    text TEXT,
    words {words},
    facets {bytes} NOT NULL
);
CREATE INDEX collection_record_texts_by_title ON collection_record_texts (collection_id, title, record_id);
CREATE TABLE collection_facets (
    id {identity},
    collection_id INTEGER NOT NULL REFERENCES collections (id) ON DELETE CASCADE,
    field TEXT NOT NULL,
    key TEXT NOT NULL,
    value TEXT NOT NULL,
    records INTEGER NOT NULL,
    UNIQUE (collection_id, field, key)
);
CREATE INDEX collection_facets_by_size ON collection_facets (collection_id, field, records);
CREATE TABLE collection_facet_pieces (
    facet_id INTEGER NOT NULL REFERENCES collection_facets (id) ON DELETE CASCADE,
    piece INTEGER NOT NULL,
    members {bytes} NOT NULL,
    PRIMARY KEY (facet_id, piece)
){clustered};
CREATE TABLE collection_number_pieces (
    collection_id INTEGER NOT NULL REFERENCES collections (id) ON DELETE CASCADE,
    field TEXT NOT NULL,
    kind TEXT NOT NULL,
    piece INTEGER NOT NULL,
    numbers {bytes} NOT NULL,
    PRIMARY KEY (collection_id, field, kind, piece)
);
{full_text}
"""

FULL_TEXT_SQLITE = """
CREATE VIRTUAL TABLE collection_record_words USING fts5 (
    title, text, content = 'collection_record_texts', content_rowid = 'record_id', tokenize = 'ascii'
);
CREATE TRIGGER collection_record_texts_added AFTER INSERT ON collection_record_texts BEGIN
    INSERT INTO collection_record_words (rowid, title, text) VALUES (new.record_id, new.title, new.text); END;
CREATE TRIGGER collection_record_texts_removed AFTER DELETE ON collection_record_texts BEGIN
    INSERT INTO collection_record_words (collection_record_words, rowid, title, text)
        VALUES ('delete', old.record_id, old.title, old.text); END;
CREATE TRIGGER collection_record_texts_changed AFTER UPDATE OF title, text ON collection_record_texts
    WHEN old.title <> new.title OR old.text <> new.text BEGIN
    INSERT INTO collection_record_words (collection_record_words, rowid, title, text)
        VALUES ('delete', old.record_id, old.title, old.text); INSERT INTO collection_record_words (rowid, title, text)
        VALUES (new.record_id, new.title, new.text); END
"""
"""Words come cut and folded, separated by spaces; to the tokenizer `ascii` every
character beyond ASCII is a part of a word. A statement ends where a line does: what a
trigger does stands on one line with what it does next.
"""

FULL_TEXT_POSTGRESQL = """
CREATE INDEX collection_record_texts_by_word ON collection_record_texts USING GIN (words)
"""
