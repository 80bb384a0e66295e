"""Every built-in note, by name and by domain. A domain is loaded when one of its notes is asked for: most katalogs use
a few, and `ork validate` has to start quickly."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module

from ork.expr.builtins import BUILTINS
from ork.expr.functions import Functions, Layers, OnDemand
from ork.expr.notes.note import Note

_NAMES = {
    "strings": """
        lower toLower upper toUpper trim trimSpace trimPrefix trimSuffix replace split join contains
        hasPrefix hasSuffix repeat truncate camelToKebab quote squote indent nindent
    """,
    "math": """
        add sub mul div mod min max clamp abs floor ceil round
    """,
    "conditional": """
        default coalesce ternary boolTernary boolDefault eqTernary empty Empty notEmpty
    """,
    "types": """
        typeOf typeMap typeList typeString typeNumber typeBool typeNull isScalar isComposite toInt
        toFloat toBool toString asString toList asList asMap
    """,
    "data": """
        toJSON toJson fromJSON fromJson toYAML toYaml toBase64 fromBase64 sha256sum slugify truncateName
        repoSlug lookup
    """,
    "lists and maps": """
        list dict listHas has listGet listLen first last concat reverse uniq sortAlpha mapGet mapKeys
        keys mapValues values mapPick pick mapOmit omit mapMerge merge
    """,
    "safe access": """
        get getOr getStringOr getIntOr getBoolOr
    """,
    "time": """
        now timeAgo timeSince timeUntil isExpired timeFormat timeAdd durationAdd durationSeconds
        durationValid weekday weekend timeInWindow timeNotInWindow inBusinessHours
    """,
    "cron": """
        cronValid nextCron cronNext cronDescribe cronNormalize cronExpr cronToMap cronFromMap
        cronFromAny cronField cronMinute cronHour cronDom cronMonth cronDow
    """,
    "semver": """
        semverValid semverMajor semverMinor semverPatch semverCompare semverBump semverConstraint
    """,
    "network": """
        cidrContains ipValid ipIsPrivate
    """,
    "quantities": """
        parseQuantity formatQuantity sumQuantity subtractQuantity
    """,
    "input checks": """
        isValidEmail isValidURL isValidGitRepository isValidImageRef isValidJSON isValidPort
        isDNS1123Subdomain isDNS1123Label isValidLabelKey isValidAnnotationKey isValidLabelValue
    """,
    "random": """
        randomAlphanumeric randomHex randomBase64
    """,
    "kubernetes": """
        meta name resourceName namespace resourceNamespace resourceUID resourceVersion creationTimestamp
        labels annotations getLabel getAnnotation hasLabel hasAnnotation spec status phase hasCondition
        conditionStatus conditionReason conditionMessage ownerName ownerKind resourceExists
        isTerminating generation observedGeneration isSynced
    """,
    "workloads": """
        allReplicasReady replicasReady rolloutComplete desiredReplicas readyReplicas availableReplicas
        updatedReplicas jobSucceeded jobFailed jobActive cronJobActiveCount cronJobLastScheduleTime
        cronJobLastSuccessTime serviceClusterIP serviceNodePort serviceLoadBalancerIP
        serviceLoadBalancerHost containerImage containerEnv containerPort
    """,
    "provenance": """
        getServeTarget getServeAlias getServeSource hasServeTarget hasServeAlias hasServeSource
        isDirectApply
    """,
}

_MODULES = {"lists and maps": "collections", "safe access": "access", "input checks": "checks"}
"""Where a domain is not called as its module is."""

DOMAINS: Mapping[str, tuple[str, ...]] = {domain: tuple(names.split()) for domain, names in _NAMES.items()}
"""The names of each domain's notes, in the order in which they are listed."""

_DOMAIN_OF = {name: domain for domain, names in DOMAINS.items() for name in names}
_LOADED: dict[str, Note] = {}


def _note(name: str) -> Note:
    if name not in _LOADED:
        domain = _DOMAIN_OF[name]
        module = import_module(f"ork.expr.notes.{_MODULES.get(domain, domain)}")
        _LOADED.update((each.name, each._replace(domain=domain)) for each in module.NOTES)
    return _LOADED[name]


CATALOGUE: Mapping[str, Note] = OnDemand(_DOMAIN_OF, _note)
"""Every built-in note by name, domain by domain."""

_FUNCTIONS: Functions = Layers(BUILTINS, OnDemand(_DOMAIN_OF, lambda name: _note(name).function))


def functions() -> Functions:
    """Return what every expression may call: Go's functions and the built-in notes."""
    return _FUNCTIONS


def search(word: str) -> list[Note]:
    """Return the notes in whose name, description, domain or example a word stands, in any letter case."""
    wanted = word.lower()
    return [
        each
        for each in CATALOGUE.values()
        if any(wanted in part.lower() for part in (each.name, each.description, each.domain, each.example.template))
    ]
