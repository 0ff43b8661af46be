"""Step 1: search engines, every version of them, what came of searches, and what was
harvested.
"""

SQL = """
CREATE TABLE engines (
    id {identity},
    name TEXT NOT NULL UNIQUE,
    home TEXT NOT NULL,
    version INTEGER NOT NULL,
    weight DOUBLE PRECISION NOT NULL,
    added_at {time} NOT NULL,
    tended_until {time}
);
CREATE TABLE engine_versions (
    engine_id INTEGER NOT NULL REFERENCES engines (id) ON DELETE CASCADE,
    version INTEGER NOT NULL,
    definition JSON NOT NULL,
    reason TEXT NOT NULL,
    stored_at {time} NOT NULL,
    PRIMARY KEY (engine_id, version)
);
CREATE TABLE engine_answers (
    id {identity},
    engine_id INTEGER NOT NULL REFERENCES engines (id) ON DELETE CASCADE,
    version INTEGER NOT NULL,
    answered_at {time} NOT NULL,
    query TEXT NOT NULL,
    status TEXT NOT NULL,
    records INTEGER NOT NULL,
    filled DOUBLE PRECISION,
    seconds DOUBLE PRECISION NOT NULL,
    wait DOUBLE PRECISION,
    note TEXT NOT NULL
);
CREATE INDEX engine_answers_of ON engine_answers (engine_id, id);
CREATE TABLE engine_events (
    id {identity},
    engine_id INTEGER NOT NULL REFERENCES engines (id) ON DELETE CASCADE,
    happened_at {time} NOT NULL,
    kind TEXT NOT NULL,
    note TEXT NOT NULL
);
CREATE INDEX engine_events_of ON engine_events (engine_id, id);
CREATE TABLE engine_records (
    engine_id INTEGER NOT NULL REFERENCES engines (id) ON DELETE CASCADE,
    key TEXT NOT NULL,
    number INTEGER NOT NULL,
    record JSON NOT NULL,
    query TEXT NOT NULL,
    found_at {time} NOT NULL,
    times INTEGER NOT NULL,
    PRIMARY KEY (engine_id, key)
);
CREATE TABLE engine_queries (
    engine_id INTEGER NOT NULL REFERENCES engines (id) ON DELETE CASCADE,
    query TEXT NOT NULL,
    number INTEGER NOT NULL,
    pages INTEGER NOT NULL,
    next_page TEXT,
    records INTEGER NOT NULL,
    fresh INTEGER NOT NULL,
    note TEXT NOT NULL,
    PRIMARY KEY (engine_id, query)
)
"""
