"""Boards and commands that packages of others bring.

A package announces them in its entry points: in the group `jetan.boards` what makes a board of
settings, clock and wait, and in `jetan.commands` a command of click. Each is imported only when it
is asked for, and one that is broken is refused by its name.
"""

import importlib
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

from rules.sentences import Worded, _

from ..errors import TableError
from ..notices import Notice

Group: TypeAlias = Literal["jetan.boards", "jetan.commands"]
BOARDS: Final[Group] = "jetan.boards"
COMMANDS: Final[Group] = "jetan.commands"


class BrokenExtra(TableError, ImportError):
    """What a package brings cannot be loaded; the message names it."""


@cache
def announced(group: Group) -> Mapping[str, str]:
    """Return what packages bring, by name: where it is, as `module:name`."""
    texts = (
        text
        for folder in map(Path, sys.path)
        for text in folder.glob("*.dist-info/entry_points.txt")
    )
    # To ask for all entry points takes a third of what a short command takes, and few bring any.
    if not any(f"[{group}]".encode() in text.read_bytes() for text in texts):
        return {}
    from importlib.metadata import entry_points

    return {each.name: each.value for each in entry_points(group=group)}


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


def examine_extras() -> Iterator[Notice]:
    """Yield what is broken of all that packages bring."""
    for name, place in (*announced(BOARDS).items(), *announced(COMMANDS).items()):
        try:
            loaded(place)
        except BrokenExtra as error:
            mend = Worded(_("renew or remove the package that brings {name}"), name=name)
            yield Notice("extras", "warn", error.worded, mend, name)
