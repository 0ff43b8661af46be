"""Search engines to test with: real ones from Debian's packages, and odd ones of our
own, all on loopback.
"""
