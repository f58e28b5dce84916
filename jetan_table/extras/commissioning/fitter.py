"""Who looks after a table that is shown on a page: its machine, its set-up, and its repairs."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial
from pathlib import Path
from subprocess import SubprocessError
from typing import Final, Literal, TypeAlias

import msgspec

from rules import Sentence, SentenceError, Worded, _
from rules.sentences import Notice

from ...errors import TableError
from ...files import read_json, write_whole
from ...languages import worded
from ...notices import Told, listed
from ...session.guests import Guest
from ...table.board import Cabled
from ...wiring import Seating
from .doctor import findings_of
from .setup import SetUp, set_up_of

IGNORED_IN: Final = "ignored.json"
LOOK_S: Final = 300.0
"""So often the machine is looked at, besides when somebody asks."""
MOST_LINES: Final = 200


class KeptIgnored(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The file: the ids of notices that people want to hear no more of."""

    ids: list[str] = []


MendingState: TypeAlias = Literal["runs", "done", "failed"]


class Mending:
    """One thing that the table does on a thread of its own, and what there is to say of it."""

    def __init__(self, act: str, work: Callable[[Told], None]) -> None:
        self.act, self.state = act, "runs"
        self.lines: deque[str] = deque(maxlen=MOST_LINES)
        self._work = work
        self.thread = threading.Thread(target=self._run, name=act, daemon=True)
        self.thread.start()

    def tell(self, template: Sentence, /, **values: object) -> None:
        """Say how far it is."""
        self.lines.append(Worded(template, **values))

    def _run(self) -> None:
        end: MendingState = "done"
        try:
            self._work(self.tell)
        except (SentenceError, OSError) as error:
            self.lines.append(worded(error))
            end = "failed"
        self.state = end


class JobUnderWay(TableError, RuntimeError):
    """The table does one such thing after another."""


class Repairs:
    """One table's notices and the jobs that mend; asked from any thread.

    `look` finds what is amiss with the machine and takes its time; it is called on a thread.
    """

    def __init__(
        self,
        folder: Path,
        look: Callable[[], Iterable[Notice]],
        has_diodes: bool = True,
    ) -> None:
        """`folder` is where games are kept, `has_diodes` how its board is wired."""
        self._has_diodes = has_diodes
        self.found: tuple[Notice, ...] = ()
        self.ignored: frozenset[str] = frozenset()
        self.job: Mending | None = None
        self._folder, self._look, self._wanted = folder, look, threading.Event()
        with suppress(TableError, OSError):  # who is damaged ignores nothing
            kept = read_json(folder / IGNORED_IN, KeptIgnored)
            self.ignored = frozenset(kept.ids if kept else ())

    def watch(self) -> None:
        """Begin to look at the machine now and then, on a thread of its own."""
        threading.Thread(target=self._watch, name="repairs", daemon=True).start()

    def _watch(self) -> None:
        while True:
            with suppress(TableError, OSError, SubprocessError):  # what is not told is not known
                self.look()
            self._wanted.wait(LOOK_S)
            self._wanted.clear()

    def look(self) -> None:
        """Look at the machine."""
        self.found = listed(self._look())

    def do(self, act: str, name: str, cabled: Cabled | None) -> None:
        """Do what is asked of the machine, or begin it. OSError, JobUnderWay, BridgeError.

        `name` is that of a notice or of a microcontroller, which may be at a line.
        """
        match act:
            case "look":
                self._wanted.set()
            case "ignore" | "hear":
                self._ignore(self.ignored | {name} if act == "ignore" else self.ignored - {name})
            case "flash":
                from ...machine.flashing import flash  # what builds: only where it is asked for

                self._begin(act, partial(flash, name, self._has_diodes, cabled))
            case "update":
                from ..updates.versions import ask_for_update

                self._begin(act, ask_for_update)

    def _ignore(self, ids: frozenset[str]) -> None:
        write_whole(self._folder / IGNORED_IN, msgspec.json.encode(KeptIgnored(sorted(ids))))
        self.ignored = ids

    def _begin(self, act: str, work: Callable[[Told], None]) -> None:
        """Begin a job; JobUnderWay where another one runs."""
        if self.job is not None and self.job.state == "runs":
            raise JobUnderWay(_("the table is doing that already: wait until it is done"))
        self.job = Mending(act, work)


class Fitter(Guest):
    """Looks at the machine now and then, and sets the table up where it has no real board."""

    def __init__(self, seating: Seating) -> None:
        """Begin to look after the machine."""
        settings, folder = seating.settings, seating.folder
        look = partial(findings_of, settings, folder)
        self.repairs = Repairs(folder, look, settings.reed.diodes)
        self.set_up: SetUp | None = None
        """None where this table is not to be set up anew."""
        if not seating.has_people:
            self.set_up = set_up_of(settings, folder, seating.config)
        self.repairs.watch()

    @property
    def is_done(self) -> bool:
        """Whether the table has been set up, and is to begin anew."""
        return self.set_up is not None and self.set_up.is_finished
