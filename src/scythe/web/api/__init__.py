"""The JSON API: routes, schemas, OpenAPI."""
