"""Simulations on a real API server (`--envtest`): the same scenarios, the same engine, another cluster."""
