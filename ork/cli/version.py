"""`ork version`."""

from __future__ import annotations

import platform
from typing import Annotated

from ork import __version__
from ork.cli import terminal
from ork.cli.command import command, output_option


def version(output: Annotated[str, output_option("text", "json")] = "text") -> int:
    """Print the version, Python and platform."""
    facts = {"version": __version__, "python": platform.python_version(), "platform": platform.platform()}
    if output == "json":
        import json

        terminal.say(json.dumps(facts))
    else:
        terminal.say("ork {version}, Python {python}, {platform}".format(**facts))
    return 0


COMMAND = command(version, example="ork version -o json")
