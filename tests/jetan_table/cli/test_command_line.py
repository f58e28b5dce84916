"""The frame of the command line: its table of commands, and how it refuses."""

import ast
import io
import os
import signal
import subprocess
import sys
from pathlib import Path

import click
import pytest

from hardware.ports import HardwareError
from jetan_table import cli
from jetan_table.errors import TableError
from rules import RulesError, _


@pytest.fixture
def failing(monkeypatch: pytest.MonkeyPatch) -> list[BaseException]:
    """What the command `jetan test` raises instead of running, set by the test."""
    errors: list[BaseException] = []

    def fail(*_: object, **__: object) -> None:
        raise errors[0]

    monkeypatch.setattr("tools.commands.find_checkout", fail)
    return errors


@pytest.mark.parametrize("name", cli.COMMANDS)
def test_each_command_is_there_with_examples(name: str) -> None:
    command = cli.jetan.get_command(click.Context(cli.jetan), name)
    assert command is not None
    assert command.name == name
    assert "Examples:" in (command.epilog or "")


@pytest.mark.parametrize("group", ["camera", "die", "firmware", "games", "series", "service"])
def test_no_line_of_a_groups_help_is_cut_short(
    group: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main([group, "--help"]) == 0
    assert "..." not in capsys.readouterr().out.replace("[ARGS]...", "")


def test_each_command_module_is_in_the_table() -> None:
    for path in Path(cli.__file__).parent.glob("*.py"):
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.FunctionDef) and node.name == path.stem:
                assert path.stem in cli.COMMANDS


def test_help_imports_no_command() -> None:
    script = (
        "import sys; from jetan_table.cli import main; code = main(['--help'])\n"
        "rooms = {'jetan_table.table', 'jetan_table.terminal', 'tools.commands'}\n"
        "assert not rooms & set(sys.modules)\n"
        "sys.exit(code)"
    )
    result = subprocess.run(
        [sys.executable, "-c", script], check=False, capture_output=True, text=True
    )
    assert (result.returncode, result.stderr) == (0, "")
    assert all(f"\n  {name} " in result.stdout for name in cli.COMMANDS)


def test_a_mistyped_command_is_guessed(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["tset"]) == 2
    assert capsys.readouterr().err == "jetan: tset: no such command, did you mean test?\n"


def test_a_mistyped_option_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["bench", "--jsno"]) == 2
    err = capsys.readouterr().err
    assert err.startswith("jetan: ")
    assert "--jsno" in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("error", "line"),
    [
        (TableError(_("no lamp 100")), "no lamp 100"),
        (RulesError(_("z9: no such square")), "z9: no such square"),
        (HardwareError(_("two\nlines")), "two lines"),
        (FileNotFoundError(2, "No such file", "game.jgn"), "game.jgn: No such file"),
        (OSError(28, "No space left on device"), "No space left on device"),
    ],
)
def test_a_refusal_is_one_line(
    failing: list[BaseException],
    error: Exception,
    line: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    failing.append(error)
    assert cli.main(["test"]) == 2
    assert capsys.readouterr().err == f"jetan: {line}\n"


def test_a_defect_keeps_its_traceback(failing: list[BaseException]) -> None:
    failing.append(ZeroDivisionError())
    with pytest.raises(ZeroDivisionError):
        cli.main(["test"])


def test_an_interruption_is_quiet(
    failing: list[BaseException], capsys: pytest.CaptureFixture[str]
) -> None:
    failing.append(KeyboardInterrupt())
    assert cli.main(["test"]) == 130
    assert capsys.readouterr().err.strip() == ""


def test_a_closed_pipe_is_quiet() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    result = subprocess.run(
        [sys.executable, "-m", "jetan_table", "--help"],
        stdout=writer,
        stderr=subprocess.PIPE,
        check=False,
    )
    os.close(writer)
    assert (result.returncode, result.stderr) == (1, b"")


def test_an_interruption_is_quiet_while_modules_are_read() -> None:
    code = (
        "import os, signal, sys\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)  # it may come ignored\n"
        "class Interrupting:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name == 'click': os.kill(os.getpid(), signal.SIGINT)\n"
        "sys.meta_path.insert(0, Interrupting())\n"
        "from jetan_table.__main__ import main\n"
        "main()\n"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    assert (result.returncode, result.stderr) == (-signal.SIGINT, b"")


def test_what_a_terminal_cannot_show_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = io.BytesIO()
    monkeypatch.setattr("sys.stdout", io.TextIOWrapper(shown, "latin-1"))
    assert cli.main(["rules"]) == 0
    assert b"appendix" in shown.getvalue()
    assert b"???" in shown.getvalue()  # the line under headings


def test_a_full_disk_behind_the_output_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with Path("/dev/full").open("w") as full:
        monkeypatch.setattr("sys.stdout", full)
        assert cli.main(["moves"]) == 2
    assert capsys.readouterr().err == "jetan: No space left on device\n"


@pytest.mark.parts
def test_a_closed_output_is_one_line_whatever_else_is_closed(tmp_path: Path) -> None:
    command = f"exec '{sys.executable}' -m jetan_table games list --data '{tmp_path}' >&- <&-"
    result = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=False)
    line = "jetan: standard output is closed: send it elsewhere, as by > /dev/null\n"
    assert (result.returncode, result.stderr) == (2, line)


@pytest.mark.parts
def test_closed_input_is_an_empty_one_and_no_file_takes_its_place(tmp_path: Path) -> None:
    play = f"-m jetan_table play --board simulated --terminal --data '{tmp_path}'"
    command = f"exec '{sys.executable}' {play} <&- 2>&-"
    result = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=False)
    assert (result.returncode, result.stderr) == (0, "")
    assert "a new game by the standard rules" in result.stdout


def test_a_foreign_package_of_our_name_is_named(tmp_path: Path) -> None:
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules" / "__init__.py").touch()
    result = subprocess.run(
        [sys.executable, "-m", "jetan_table", "--help"],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(Path(cli.__file__).parents[2])},
        check=False,
        capture_output=True,
        text=True,
    )
    assert result.returncode == 2
    assert result.stderr == (
        "jetan: another package named rules is installed here; remove it, or use ./jetan\n"
    )
