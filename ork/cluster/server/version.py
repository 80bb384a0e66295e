"""Which Kubernetes the server behaves like."""

from __future__ import annotations

from ork.base.objects import Object
from ork.openapi.kubernetes import VERSION

MAJOR, MINOR = VERSION.split(".")
PATCH = "2"


def answer() -> Object:
    """Return the answer to `/version`."""
    return {
        "major": MAJOR,
        "minor": MINOR,
        "emulationMajor": MAJOR,
        "emulationMinor": MINOR,
        "minCompatibilityMajor": MAJOR,
        "minCompatibilityMinor": str(int(MINOR) - 1),
        "gitVersion": f"v{MAJOR}.{MINOR}.{PATCH}+ork",
        "gitCommit": "",
        "gitTreeState": "",
        "buildDate": "",
        "goVersion": "",
        "compiler": "",
        "platform": "",
    }
