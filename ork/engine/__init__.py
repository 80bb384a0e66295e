"""Pure evaluation of a `Program`: sentinels, gates, call requests, rules, desired objects, plans, status.

No `await`, clock, randomness, file or client: everything comes in as a value.
"""
