"""The parts of the facade `Collection`: links, records, fields, pages, settings."""
