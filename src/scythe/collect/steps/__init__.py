"""The steps of a run, in the order of the run: each takes what waits for it in the
database, and stores what it made.
"""
