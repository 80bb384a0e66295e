"""The store over HTTP(S) on loopback: what `kubectl` and clients need of an API server, with the same answers.

`api` is the whole of it without a network: requests in, responses and streams out. `asgi` and `serving` put it on a
socket. Nothing here decides what a write means: that is the store's.
"""
