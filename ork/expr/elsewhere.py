"""Functions that people know from Helm's templates, and what does the same here."""

from __future__ import annotations

from collections.abc import Mapping

ELSEWHERE: Mapping[str, str] = {
    "add1": "add",
    "atoi": "toInt",
    "b64dec": "fromBase64",
    "b64enc": "toBase64",
    "cat": "print",
    "date": "timeFormat",
    "dateInZone": "timeFormat",
    "dig": "get",
    "float64": "toFloat",
    "for": "range",
    "htmlDate": "timeFormat",
    "include": "template",
    "int": "toInt",
    "int64": "toInt",
    "kindIs": "typeOf",
    "kindOf": "typeOf",
    "mustToJson": "toJSON",
    "randAlpha": "randomAlphanumeric",
    "randAlphaNum": "randomAlphanumeric",
    "randAscii": "randomAlphanumeric",
    "randBytes": "randomBase64",
    "randNumeric": "randomAlphanumeric",
    "splitList": "split",
    "tuple": "list",
    "trunc": "truncate",
    "uuidv4": "randomHex",
}
