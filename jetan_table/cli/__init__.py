"""The command line: a table of commands, each imported only when it is called.

A command module holds one click command or group. It prints results to standard output, returns
None or an exit code, and raises what it refuses: `main` turns that into one line and exit code 2.
"""

from __future__ import annotations

import gettext
import importlib
import importlib.util
import io
import os
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from .. import __version__

if TYPE_CHECKING:
    from ..extras import Extra

__all__ = (
    "main",
    "refusals",
    "at_table",
    "camera",
    "options",
    "page",
    "play",
    "play_options",
    "rules",
)
"""The names, and modules of that name, that features may use."""

EXIT_REFUSED: Final = 2
EXIT_INTERRUPTED: Final = 130  # 128 + SIGINT, as a shell reports it
EXIT_PIPE_CLOSED: Final = 1  # as click has it where it notices first
SHARED_NAMES: Final = ("rules", "hardware", "vision")  # names that other projects use too


class ForeignPackage(ImportError):
    """A package of another project stands where one of ours is imported from."""


COMMANDS: Final = {
    "camera": ("camera", "Print markers; check what a camera sees."),
    "die": ("games", "Check the die, and the rolls of a game."),
    "docs": ("machine", "Read all pages, without a network."),
    "engine": ("rules", "Let other programs play against the table's player."),
    "explain": ("rules", "Say why a piece may go there, or not."),
    "firmware": ("machine", "Build and flash the microcontroller's program."),
    "games": ("games", "List, show, export and back up games."),
    "moves": ("rules", "Print the legal moves of a position."),
    "perft": ("rules", "Count move paths, to compare programs."),
    "play": ("play", "Play at the table, or at a simulated one."),
    "replay": ("camera", "Read recordings or kept games once more."),
    "rules": ("rules", "List, show or compare readings of the rules."),
    "series": ("games", "Keep score over a series of games, and their stakes."),
    "serve": ("play", "Run the table and serve its page."),
    "service": ("machine", "Start the table with the machine."),
    "settings": ("machine", "Show the settings, and where they come from."),
    "watch": ("camera", "Follow a game through a camera."),
}
"""Each command by its name, which is its function's too: its module, and its line of help."""


class CommandTable(click.Group):
    """The group `jetan`: its commands and their lines of help come from `COMMANDS` and extras.

    What another brings under a name of `COMMANDS` is not heard of.
    """

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted({*COMMANDS, *brought()})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name in COMMANDS:
            command = getattr(
                importlib.import_module(f"{__name__}.{COMMANDS[cmd_name][0]}"), cmd_name
            )
        elif cmd_name in brought():
            extra, _help = brought()[cmd_name]
            command = extra.command(cmd_name)
        else:
            return None
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        words = " ".join(args[:2])
        is_group = isinstance(self.get_command(ctx, args[0]), click.Group)
        if args[0] in COMMANDS and not is_group and words in brought():
            return words, brought()[words][0].command(words), args[2:]  # such as "rules export"
        is_ours = args[0] in COMMANDS or args[0].startswith("-")
        if not is_ours and args[0] not in brought():
            from rules import Worded, _, near_miss

            unknown = _("{name}: no such command{near}")
            near = near_miss(args[0], self.list_commands(ctx))
            raise click.UsageError(Worded(unknown, name=args[0], near=near), ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            others = {name: line for name, (_extra, line) in brought().items() if " " not in name}
            own = {name: line for name, (_module, line) in COMMANDS.items()}
            formatter.write_dl(sorted({**others, **own}.items()))


def brought() -> Mapping[str, tuple[Extra, str]]:
    """Return the commands that features bring, with their lines of help."""
    from ..extras import commands  # ours, which is seen to first

    return commands()


@click.command(
    cls=CommandTable,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="\b\nExamples:\n  jetan COMMAND --help\n  jetan test",
)
@click.version_option(__version__, prog_name="jetan", message="%(prog)s %(version)s")
def jetan() -> None:
    """A table for Jetan, the chess of Barsoom."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command line (`sys.argv` unless given) and return its exit code."""
    for stream in (sys.stdin, sys.stdout):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # no bytes and no terminal may stop a game
    words = list(sys.argv[1:] if arguments is None else arguments)
    try:
        check_own_packages()
        open_closed_streams()
        speak_language_of(words)
        if os.environ.get("JETAN_LOG"):
            from ..logs import log_as_asked

            log_as_asked()
        code = jetan.main(words, prog_name="jetan", standalone_mode=False)
        sys.stdout.flush()
    except click.Abort:
        return EXIT_INTERRUPTED
    except SystemExit:
        drop_output()
        raise
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message(), err=True)
        return error.exit_code
    except click.ClickException as error:
        return refuse(in_language_of(words, error.format_message()), error.exit_code)
    except BrokenPipeError:
        drop_output()  # the reader has seen enough
        return EXIT_PIPE_CLOSED
    except ForeignPackage as error:
        return refuse(str(error), EXIT_REFUSED)
    except Exception as error:
        if not isinstance(error, refusals()):
            raise
        drop_output()
        return refuse(in_language_of(words, error), EXIT_REFUSED)
    return code if isinstance(code, int) else 0


def drop_output() -> None:
    """Forget what standard output does not take: Python's own last flush would complain of it."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def refuse(message: str, code: int) -> int:
    """Print `message` as one line on standard error and return `code`."""
    with suppress(OSError):  # a terminal that is closed hears nothing
        click.echo(f"jetan: {' '.join(message.split())}", err=True)
    return code


def refusals() -> tuple[type[Exception], ...]:
    """The errors that speak to the person at the table; any other one is a defect of ours."""
    from firmware_bridge.errors import BridgeError
    from hardware.ports import HardwareError
    from rules import RulesError
    from vision.errors import VisionError

    from ..errors import TableError

    return (TableError, RulesError, HardwareError, BridgeError, VisionError, OSError)


def speak_language_of(words: Sequence[str]) -> None:
    """Let click write help, and what it refuses, in the language that a command line asks for."""
    from ..languages import DOMAIN, LOCALE, translation
    from .options import helped_by, language_of

    language = language_of(words)
    click.Context.formatter_class = helped_by(translation(language))
    # Click looks its own sentences up by gettext's global functions, which know no other way.
    os.environ["LANGUAGE"] = language
    gettext.bindtextdomain(DOMAIN, LOCALE)
    gettext.textdomain(DOMAIN)


def in_language_of(words: Sequence[str], refused: Exception | str) -> str:
    """Return what is refused, in the language that a command line asks for."""
    from rules import value_in_words

    from ..languages import refused_in, translation
    from .options import language_of

    language = language_of(words)
    if isinstance(refused, Exception):
        return refused_in(language, refused)
    return str(value_in_words(translation(language), refused))


def open_closed_streams() -> None:
    """Let nothing come from closed input, and errors go nowhere; TableError for closed output.

    Otherwise the next file that is opened would take its place, and the words that are for it.
    """
    closed = [name for name in ("stdin", "stdout", "stderr") if getattr(sys, name) is None]
    for name in closed:
        setattr(sys, name, Path(os.devnull).open("r" if name == "stdin" else "w"))  # noqa: SIM115
    if "stdout" in closed:
        from rules import _

        from ..errors import TableError

        raise TableError(_("standard output is closed: send it elsewhere, as by > /dev/null"))


def check_own_packages() -> None:
    """Raise ForeignPackage where a package of ours would be imported from another project."""
    home = Path(__file__).parents[2]
    for name in SHARED_NAMES:
        spec = importlib.util.find_spec(name)
        if spec is None or spec.origin is None or Path(spec.origin).parents[1] != home:
            # In English alone: how to say it otherwise is in a package that may not be ours.
            raise ForeignPackage(
                f"another package named {name} is installed here; remove it, or use ./jetan"
            )
