"""The entry: which command is loaded, what a wrong call says, and which exit code each failure has."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from ork.base import shipped
from ork.base.errors import OrkError, OutsideError, UsageError
from ork.cli import main
from ork.cli.command import command
from tests.unit.cli.conftest import Ork


def test_the_help_lists_every_command(ork: Ork) -> None:
    answer = ork("--help")
    assert answer.code == 0
    assert all(f"  {name} " in answer.out for name in main.COMMANDS)


ROOT = Path(__file__).parents[3]


@pytest.mark.parametrize("name", main.COMMANDS)
def test_every_command_has_a_help_that_ends_with_an_example(ork: Ork, name: str) -> None:
    answer = ork(name, "--help")
    assert answer.code == 0
    assert f"Example:\n    ork {name}" in answer.out


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("validate", "  [PATH]...  Files, and folders; else this folder alone."),
        ("simulate", "  [FILE]...  Simulate files; ./... is every one below."),
        ("explain", "  ORKnnnn|PATH  A code, or the path of a field.  [required]"),
    ],
)
def test_the_help_says_what_an_argument_is(ork: Ork, name: str, line: str) -> None:
    assert ork(name, "--help").out.count(f"{line}\n") == 1


@pytest.mark.parametrize(
    ("args", "says"),
    [
        ((), "Missing command"),
        (("valdate",), 'There is no command "valdate"; did you mean "validate"?'),
        (("zzz",), 'There is no command "zzz".'),
        (("console",), '"ork console" is not in this version yet.'),
        (("--frobnicate",), "No such option '--frobnicate'"),
        (("version", "-o", "xml"), "'xml' is not one of 'text', 'json'"),
        (("version", "surplus"), "unexpected extra argument"),
    ],
)
def test_a_wrong_call_is_exit_code_2_and_one_clear_line(ork: Ork, args: tuple[str, ...], says: str) -> None:
    answer = ork(*args)
    assert answer.code == 2
    assert answer.out == ""
    assert answer.err.startswith("error: ")
    assert says in answer.err
    assert "--help" in answer.err


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (OrkError("not well"), 1),
        (UsageError("no such file"), 2),
        (OutsideError("no cluster"), 3),
        (KeyboardInterrupt(), 130),
    ],
)
def test_each_kind_of_failure_has_its_exit_code(
    ork: Ork, monkeypatch: pytest.MonkeyPatch, error: BaseException, code: int
) -> None:
    _install_failing_command(monkeypatch, error)
    assert ork("version").code == code


def test_a_bug_prints_one_line_and_leaves_a_report(ork: Ork, monkeypatch: pytest.MonkeyPatch) -> None:
    _install_failing_command(monkeypatch, ZeroDivisionError("division by zero"))
    answer = ork("version")
    (report,) = Path().glob("ork-crash-*.txt")
    assert answer.code == 70
    assert answer.err == f"error: this is a bug in ork (ZeroDivisionError); please open an issue and attach {report}\n"
    assert "Traceback" in report.read_text()


def test_the_traceback_of_a_bug_shows_on_request(ork: Ork, monkeypatch: pytest.MonkeyPatch) -> None:
    _install_failing_command(monkeypatch, ZeroDivisionError("division by zero"))
    monkeypatch.setenv("ORK_DEBUG", "1")
    answer = ork("version")
    assert answer.code == 70
    assert "Traceback" in answer.err
    assert not list(Path().glob("ork-crash-*"))


HEAVY = ["aiohttp", "asyncio", "httpx", "jinja2", "jsonschema", "kubernetes", "orjson", "rich", "starlette"]
PACK = shipped.folder("packs") / "intermediate" / "05-when-conditions" / "conditional-reconciliation"


@pytest.mark.parametrize(
    ("command", "others"),
    [
        ("version", ["ork.cli.validate", "ork.katalog", "re2", "yaml"]),
        ("validate", ["ork.cli.simulate", "ork.cluster", "ork.engine", "ork.simulate", "re2"]),
        ("simulate", ["ork.cli.validate", "ork.cluster.kube", "ork.cluster.server", "ork.runtime", "re2"]),
    ],
)
def test_a_call_loads_what_it_needs_and_no_more(command: str, others: list[str]) -> None:
    unwanted = HEAVY + others
    show = f"print([name for name in {unwanted} if name in sys.modules])"
    code = f"import sys; from ork.cli.main import run; run(['{command}']); {show}"
    env = {"PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=PACK, env=env)
    assert done.stdout.splitlines()[-1] == "[]"


def test_a_reader_that_goes_away_is_no_failure() -> None:
    code = "import sys; from ork.cli import terminal; [terminal.say('x' * 9999) for _ in range(99)]"
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.read(1)
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait() == 0


def test_a_character_that_the_terminal_cannot_show_is_spelled_out() -> None:
    code = "from ork.cli import terminal; terminal.say('Grüße → ok')"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, check=True, env={"PYTHONIOENCODING": "ascii"}
    )
    assert done.stdout == b"Gr\\xfc\\xdfe \\u2192 ok\n"


def _install_failing_command(monkeypatch: pytest.MonkeyPatch, error: BaseException) -> None:
    """Put a command in the place of `version` that ends as a broken one would."""

    def version() -> int:
        """Fail."""
        raise error

    failing = SimpleNamespace(COMMAND=command(version, "ork version"))
    monkeypatch.setitem(sys.modules, "ork.cli.version", failing)
