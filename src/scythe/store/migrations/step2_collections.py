"""Step 2: collections. What was visited, found, fetched, read and kept of a site, with
the history of every record.
"""

SQL = """
CREATE TABLE collections (
    id {identity},
    name TEXT NOT NULL UNIQUE,
    url TEXT NOT NULL,
    kind TEXT NOT NULL,
    settings JSON NOT NULL,
    state TEXT NOT NULL,
    added_at {time} NOT NULL,
    table_name TEXT UNIQUE,
    holder TEXT,
    held_until {time}
);
CREATE TABLE collection_states (
    collection_id INTEGER NOT NULL REFERENCES collections (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    state JSON NOT NULL,
    saved_at {time} NOT NULL,
    PRIMARY KEY (collection_id, name)
);
CREATE TABLE collection_runs (
    id {identity},
    collection_id INTEGER NOT NULL REFERENCES collections (id) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    started_at {time} NOT NULL,
    ended_at {time},
    state TEXT NOT NULL,
    stage TEXT NOT NULL,
    summary JSON NOT NULL,
    UNIQUE (collection_id, number)
);
CREATE TABLE collection_index_pages (
    id {identity},
    collection_id INTEGER NOT NULL REFERENCES collections (id) ON DELETE CASCADE,
    url TEXT NOT NULL,
    kind TEXT NOT NULL,
    reason TEXT NOT NULL,
    etag TEXT,
    last_modified TEXT,
    content_hash TEXT,
    period DOUBLE PRECISION,
    due_at {time},
    visited_at {time},
    visited_in INTEGER,
    visits INTEGER NOT NULL,
    changes INTEGER NOT NULL,
    fate TEXT NOT NULL,
    note TEXT NOT NULL,
    gone_at {time},
    UNIQUE (collection_id, url)
);
CREATE TABLE collection_links (
    id {identity},
    collection_id INTEGER NOT NULL REFERENCES collections (id) ON DELETE CASCADE,
    index_page_id INTEGER NOT NULL REFERENCES collection_index_pages (id) ON DELETE CASCADE,
    url TEXT NOT NULL,
    text TEXT NOT NULL,
    path TEXT NOT NULL,
    modified TEXT,
    first_seen {time} NOT NULL,
    last_seen {time} NOT NULL,
    gone_at {time},
    first_in INTEGER NOT NULL,
    gone_in INTEGER,
    changed_in INTEGER,
    decision TEXT,
    reason TEXT NOT NULL,
    score DOUBLE PRECISION,
    decided_in INTEGER,
    outcome TEXT,
    UNIQUE (index_page_id, url)
);
CREATE INDEX collection_links_by_url ON collection_links (collection_id, url);
CREATE TABLE collection_index_records (
    collection_id INTEGER NOT NULL REFERENCES collections (id) ON DELETE CASCADE,
    index_page_id INTEGER NOT NULL REFERENCES collection_index_pages (id) ON DELETE CASCADE,
    url TEXT NOT NULL,
    number INTEGER NOT NULL,
    fields JSON NOT NULL,
    seen_at {time} NOT NULL,
    PRIMARY KEY (index_page_id, url)
);
CREATE INDEX collection_index_records_by_url ON collection_index_records (collection_id, url);
CREATE TABLE collection_bodies (
    collection_id INTEGER NOT NULL REFERENCES collections (id) ON DELETE CASCADE,
    hash TEXT NOT NULL,
    size INTEGER NOT NULL,
    packed {bytes} NOT NULL,
    stored_at {time} NOT NULL,
    PRIMARY KEY (collection_id, hash)
);
CREATE TABLE collection_pages (
    id {identity},
    collection_id INTEGER NOT NULL REFERENCES collections (id) ON DELETE CASCADE,
    url TEXT NOT NULL,
    kind TEXT NOT NULL,
    reason TEXT NOT NULL,
    stage TEXT NOT NULL,
    wanted_in INTEGER NOT NULL,
    fate TEXT NOT NULL,
    note TEXT NOT NULL,
    status INTEGER,
    final_url TEXT,
    etag TEXT,
    last_modified TEXT,
    body_hash TEXT,
    charset TEXT,
    content_type TEXT,
    rendered BOOLEAN NOT NULL,
    fetched_at {time},
    changed_at {time},
    visits INTEGER NOT NULL,
    changes INTEGER NOT NULL,
    failures INTEGER NOT NULL,
    cluster INTEGER,
    gone_at {time},
    UNIQUE (collection_id, url)
);
CREATE INDEX collection_pages_by_stage ON collection_pages (collection_id, stage, id);
CREATE INDEX collection_pages_by_cluster ON collection_pages (collection_id, cluster);
CREATE TABLE collection_templates (
    collection_id INTEGER NOT NULL REFERENCES collections (id) ON DELETE CASCADE,
    cluster INTEGER NOT NULL,
    version INTEGER NOT NULL,
    definition JSON NOT NULL,
    reason TEXT NOT NULL,
    stored_at {time} NOT NULL,
    PRIMARY KEY (collection_id, cluster, version)
);
CREATE TABLE collection_extracted (
    page_id INTEGER PRIMARY KEY REFERENCES collection_pages (id) ON DELETE CASCADE,
    collection_id INTEGER NOT NULL REFERENCES collections (id) ON DELETE CASCADE,
    cluster INTEGER NOT NULL,
    version INTEGER NOT NULL,
    body_hash TEXT NOT NULL,
    slots JSON NOT NULL,
    declared JSON,
    unplaced JSON,
    fit DOUBLE PRECISION NOT NULL,
    extracted_at {time} NOT NULL
);
CREATE INDEX collection_extracted_by_cluster ON collection_extracted (collection_id, cluster);
CREATE TABLE collection_records (
    id {identity},
    collection_id INTEGER NOT NULL REFERENCES collections (id) ON DELETE CASCADE,
    key TEXT NOT NULL,
    url TEXT NOT NULL,
    state TEXT NOT NULL,
    fields JSON,
    pending JSON,
    reasons JSON NOT NULL,
    accepted JSON NOT NULL,
    page_id INTEGER REFERENCES collection_pages (id) ON DELETE SET NULL,
    body_hash TEXT,
    cluster INTEGER,
    version INTEGER,
    first_seen {time} NOT NULL,
    changed_at {time} NOT NULL,
    seen_at {time} NOT NULL,
    gone_at {time},
    moved_from TEXT,
    UNIQUE (collection_id, key)
);
CREATE INDEX collection_records_by_page ON collection_records (page_id);
CREATE TABLE collection_record_versions (
    id {identity},
    collection_id INTEGER NOT NULL REFERENCES collections (id) ON DELETE CASCADE,
    record_id INTEGER NOT NULL REFERENCES collection_records (id) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    change TEXT NOT NULL,
    state TEXT NOT NULL,
    url TEXT NOT NULL,
    fields JSON,
    reasons JSON NOT NULL,
    page_id INTEGER,
    body_hash TEXT,
    cluster INTEGER,
    version INTEGER,
    run_id INTEGER,
    stored_at {time} NOT NULL,
    UNIQUE (record_id, number)
);
CREATE INDEX collection_record_versions_of ON collection_record_versions (collection_id, id);
CREATE INDEX collection_record_versions_in ON collection_record_versions (run_id);
CREATE TABLE collection_notices (
    id {identity},
    collection_id INTEGER NOT NULL REFERENCES collections (id) ON DELETE CASCADE,
    key TEXT NOT NULL,
    kind TEXT NOT NULL,
    data JSON NOT NULL,
    state TEXT NOT NULL,
    run_id INTEGER,
    given_at {time} NOT NULL,
    done_at {time},
    UNIQUE (collection_id, key)
)
"""
