"""`ork init`: copies a pack of examples into a folder."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ork.base import shipped
from ork.base.errors import OrkError, UsageError
from ork.base.records import NamedTuple
from ork.base.text import did_you_mean
from ork.cli import terminal
from ork.cli.command import command
from ork.cli.exits import WRONG_CALL
from ork.cli.files import write_file

_SHOWN = 5
"""How many of the files that are in the way are named."""


class Pack(NamedTuple):
    """One folder of `packs/`."""

    name: str
    description: str
    start: str
    """The folder in it where a reader begins."""


def init(
    folder: Annotated[Path, typer.Argument(metavar="[DIR]", help="Where to put it.")] = Path(),
    pack: Annotated[str, typer.Option("--pack", metavar="NAME", help="Which pack.")] = "",
    show: Annotated[bool, typer.Option("--list", help="Show the packs and stop.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Overwrite files that are there already.")] = False,
) -> int:
    """Copy a pack of examples into a folder."""
    packs = _packs()
    if show:
        terminal.say(_listing(packs))
        return 0
    if not pack:
        terminal.notice(f"Which pack?\n\n{_listing(packs)}\n\nChoose one: ork init --pack {next(iter(packs))}")
        return WRONG_CALL
    if pack not in packs:
        guess = did_you_mean(pack, packs) or f"the packs are {', '.join(packs)}"
        raise UsageError(f'there is no pack "{pack}"; {guess}')
    count = _copy(shipped.folder("packs") / pack, folder, force)
    terminal.say(_next_steps(packs[pack], folder, count))
    return 0


def _packs() -> dict[str, Pack]:
    import tomllib

    with (shipped.folder("packs") / "packs.toml").open("rb") as file:
        return {name: Pack(name, **facts) for name, facts in tomllib.load(file).items()}


def _listing(packs: dict[str, Pack]) -> str:
    width = max(map(len, packs))
    return "\n".join(f"{pack.name:{width}}  {pack.description}" for pack in packs.values())


def _copy(source: Path, folder: Path, force: bool) -> int:
    """Copy every file, or none where one would be overwritten; returns how many."""
    files = {path: folder / path.relative_to(source) for path in sorted(source.rglob("*")) if path.is_file()}
    taken = [str(target) for target in files.values() if target.exists()]
    if taken and not force:
        more = f" and {len(taken) - _SHOWN} more" if len(taken) > _SHOWN else ""
        raise OrkError(
            f"nothing was written, since these files are there already: {', '.join(taken[:_SHOWN])}{more}; "
            "choose another folder, or overwrite them with --force"
        )
    for path, target in files.items():
        write_file(target, path.read_bytes())
    return len(files)


def _next_steps(pack: Pack, folder: Path, count: int) -> str:
    import shlex

    start = shlex.quote(str(folder / pack.start))
    return f"wrote {count} files; next:\n\n  cd {start}\n  ork validate\n  ork simulate"


COMMAND = command(init, example="ork init --pack intermediate")
