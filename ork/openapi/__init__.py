"""Schemas: lookup by path, types, defaults, pruning, validation and list keys, for CRDs and for Kubernetes' own kinds.

`schema` answers static questions, `structural` compiles a CRD's schema to closures, `kubernetes` knows what a real API
server knows of its own kinds. Nothing here knows expressions, Katalogs or stores.
"""
