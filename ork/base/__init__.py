"""The vocabulary of every room: object names, positions, findings, errors, clock, durations, quantities, patches.

Nothing here knows what a Katalog, an expression or an API server is.
"""
