"""Reading the objects that a call names."""

from __future__ import annotations

from typing import Any

from ork.base.errors import OrkError, UsageError
from ork.base.findings import Finding, Severity
from ork.katalog.sources import ReadError, Reason, Sources
from ork.katalog.yaml.nodes import to_data

_NOT_THE_CALL = (Reason.ENCODING, Reason.SIZE)
"""Reasons that blame the file's text; the others blame the call that named it."""


def read_documents(path: str, sources: Sources) -> list[Any]:
    """Return a file's documents as plain data; `-` is standard input.

    Raises UsageError where it cannot be read, OrkError where it is not YAML.
    """
    findings: list[Finding] = []
    try:
        documents = sources.documents(path, findings)
    except ReadError as error:
        raise (error if error.reason in _NOT_THE_CALL else UsageError(str(error))) from error
    for finding in findings:
        if finding.severity is Severity.ERROR:
            raise OrkError(f"{finding.span}: {finding.message}" + (f"; {finding.hint}" if finding.hint else ""))
    return [to_data(document) for document in documents]


def read_object(path: str) -> dict[str, Any]:
    """Return the first document of a file, which must be a map. Raises UsageError and OrkError."""
    documents = read_documents(path, Sources())
    if not documents or not isinstance(documents[0], dict):
        raise OrkError(f"{path} holds no object; write one as a YAML or JSON map")
    return documents[0]
