"""Features that the table can do without: one folder each, or a package of somebody else.

What a feature brings it tells by an `Extra`: ours as EXTRA in its folder's `__init__`, a package of
others by an entry point in the group `jetan.extras`. The core asks all of them, and imports none.

This module stands below every room that asks features, so their types are not named here: what is
`Any` has its type in the docstring, features name it where they override, and the asker where it
asks.
"""

from __future__ import annotations

import importlib
import importlib.util
import pkgutil
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final

from rules import Notice, Worded, _

from ..errors import TableError

if TYPE_CHECKING:  # dear to load, and only features and whoever asks them need any
    import click
    import msgspec

GROUP: Final = "jetan.extras"
"""The group of entry points; each names an `Extra`, as `module:NAME`."""

BESIDE: Final = "tools"
"""A feature that lies beside the packages in a checkout, and is not installed."""


class BrokenExtra(TableError, ImportError):
    """What a package brings cannot be loaded; the message names it."""


class Extra:
    """One feature. It brings nothing; each overrides what it does bring, and imports it there.

    So to know what there is loads nothing of it.
    """

    commands: ClassVar[Mapping[str, str]] = {}
    """Commands by their names, with the line of help; "games analyse" is one of a group."""
    boards: ClassVar[Sequence[str]] = ()
    """Kinds of boards, for `--board` and `[table] board`."""
    needs: ClassVar[Sequence[str]] = ()

    @property
    def module(self) -> str:
        """The package that it lies in."""
        return type(self).__module__

    def command(self, name: str) -> click.Command:
        """Return one of its commands: the function of that name in its module `commands`.

        That of "games analyse" is called games_analyse.
        """
        module = importlib.import_module(f"{self.module}.commands")
        made: click.Command = getattr(module, name.replace(" ", "_"))
        return made

    def settings(self) -> Mapping[str, type[msgspec.Struct]]:
        """Return its sections of the settings by name; every option has a default."""
        return {}

    def keeps(self) -> Mapping[str, type]:
        """Return the small files it keeps in the data folder, and what each holds.

        One that is damaged is set aside when the table starts, and begun anew.
        """
        return {}

    def play_options(self) -> Any:
        """Return the class of the options it adds to `jetan play`, a `cli.options.PlayOption`."""
        return None

    def guests(self, seating: Any) -> AbstractContextManager[Sequence[Any]]:
        """Give its guests (`session.session.Guest`) while the block runs, before a table is made.

        `seating` is a `wiring.Seating`: what there is of the table so far.
        """
        return nullcontext(())

    def at_table(self, seating: Any) -> AbstractContextManager[None]:
        """Do what is to be done once a table is made, with its `Seating`, and when it is left."""
        return nullcontext()

    def page(self) -> Any:
        """Return its part of the page, a `page.house.PagePart`; or None."""
        return None

    def examine(self, settings: Any, folder: Path) -> Iterator[Notice]:
        """Yield what the doctor finds of it by the `Settings`; games are kept in `folder`."""
        return iter(())

    def examine_table(self, folder: Path, config: Path | None) -> Iterator[Notice]:
        """Yield what is amiss of a table that cannot start; `config` is the file it was told."""
        return iter(())

    def board(
        self, settings: Any, clock: Callable[[], float], wait: Callable[[float], None]
    ) -> Any:
        """Open the board (`table.board.Board`) that the `Settings` name, which is one of `boards`.

        `clock` tells the table's time, and `wait` lets wires settle, in real seconds.
        """
        raise NotImplementedError(settings.table.board)


@cache
def extras() -> Mapping[str, Extra]:
    """Return all features by name: ours, then what packages bring; a broken package is left out."""
    found = {each.name: importlib.import_module(f"{__name__}.{each.name}").EXTRA for each in ours()}
    if _lies_beside():
        found[BESIDE] = importlib.import_module(BESIDE).EXTRA
    for name, place in announced().items():
        try:
            brought = loaded(place, Extra)
        except BrokenExtra:
            continue  # the table goes on without it; the doctor tells of it
        found.setdefault(name, brought)
    return found


def ours() -> Sequence[pkgutil.ModuleInfo]:
    """Return the folders of our own features."""
    return [each for each in pkgutil.iter_modules(__path__) if each.ispkg]


def commands() -> Mapping[str, tuple[Extra, str]]:
    """Return the commands that features bring by name: whose each is, and its line of help."""
    found: dict[str, tuple[Extra, str]] = {}
    for extra in extras().values():
        for name, line in extra.commands.items():
            found.setdefault(name, (extra, line))
    return found


def brought_sections() -> Mapping[str, type[msgspec.Struct]]:
    """Return the sections of the settings that features bring, by name."""
    return {name: kind for each in extras().values() for name, kind in each.settings().items()}


def board_kinds() -> Mapping[str, Extra]:
    """Return the kinds of boards that features bring."""
    return {kind: each for each in extras().values() for kind in each.boards}


@cache
def announced() -> Mapping[str, str]:
    """Return what packages bring, by name: where it is, as `module:name`."""
    texts = (
        text
        for folder in map(Path, sys.path)
        for text in folder.glob("*.dist-info/entry_points.txt")
    )
    # To ask for all entry points takes a third of what a short command takes, and few bring any.
    if not any(f"[{GROUP}]".encode() in text.read_bytes() for text in texts):
        return {}
    from importlib.metadata import entry_points

    return {each.name: each.value for each in entry_points(group=GROUP)}


def loaded(place: str, kind: type = object) -> Any:
    """Return what lies at `module:name`; BrokenExtra where that cannot be had, or is no `kind`."""
    module, _colon, name = place.partition(":")
    try:
        brought = getattr(importlib.import_module(module), name)
        if not isinstance(brought, kind):
            raise TypeError(f"{type(brought).__name__}, not {kind.__name__}")
    except Exception as error:  # whatever another's module does when it is imported
        raise BrokenExtra(_("{place}: cannot be loaded ({why})"), place=place, why=error) from error
    return brought


def examine_packages() -> Iterator[Notice]:
    """Yield what is broken of all that packages bring."""
    for name, place in announced().items():
        try:
            loaded(place, Extra)
        except BrokenExtra as error:
            mend = Worded(_("renew or remove the package that brings {name}"), name=name)
            yield Notice("extras", "warn", error.worded, mend, name)


def _lies_beside() -> bool:
    return (Path(__file__).parents[2] / BESIDE / "__init__.py").is_file()
