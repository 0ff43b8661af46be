"""Pages made to keep a program busy, against every function that reads pages.

python -m benchmarks.torture [--pages WORDS] [--functions WORDS] [--scale 1] [--json FILE]

`pages` makes the pages, `functions` lists what is called with them, `trial` calls one
with another in a process of its own, `__main__` runs them all and draws the table.
"""
