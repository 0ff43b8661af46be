"""Many at once, and all that can fail: what is confirmed stays, and nothing grows.

python -m benchmarks.load [web metasearch run] [--seconds 600] [--records 100000] [--pages 20000]

`web_app` reads and writes with many clients, `metasearch` searches slow engines at once,
`failing_site` is a site that fails in every way a server can, `run` collects it.
"""
