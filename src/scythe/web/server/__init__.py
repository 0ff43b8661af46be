"""The machinery under every page of the web app: settings, guard, jobs, rendering."""
