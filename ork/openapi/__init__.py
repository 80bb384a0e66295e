"""OpenAPI schemas of CRDs and of Kubernetes' own kinds: lookup by path, defaults, pruning, validation, list keys.

A schema is plain data, as it stands in a CustomResourceDefinition or in the API server's OpenAPI document.
"""
