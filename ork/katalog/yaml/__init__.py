"""YAML as positioned nodes: read strictly, with kubectl's reading of scalars and every fault as a finding.

Nothing here knows what a document means.
"""
