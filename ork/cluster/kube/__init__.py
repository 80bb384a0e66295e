"""A real cluster over HTTP: configuration and authentication by `kubernetes.aio`, requests by aiohttp, JSON by orjson.

Objects stay plain dicts. The only place that imports `kubernetes`, `aiohttp` or `orjson`.
"""
