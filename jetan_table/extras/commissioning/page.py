"""The owner's part of the page: setting a table up, and repairing it."""

import os
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import partial, reduce
from inspect import signature
from itertools import starmap
from operator import or_
from pathlib import Path
from subprocess import SubprocessError
from typing import Any, Final, Literal, get_type_hints

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request as HttpRequest
from starlette.responses import Response

from rules import Notice, _, value_in_words

from ...errors import TableError
from ...files import read_json, write_whole
from ...game.commands import CommandRefused, Line
from ...languages import Language, translation
from ...notices import Reporter, listed
from ...page.access import FRESH, NotUnderstood, jpeg, language_asked, read_body
from ...page.asked import AskedTable, Handler, PageRequest
from ...page.house import Endpoint, House, PagePart
from ...page.pages import page
from ...page.state import notice_state, of_table
from ...session.session import Guest
from ...settings import find_settings, places
from ...table.board import Cabled
from ...table.loop import Table, WallClock
from ...wiring import Seating
from .doctor import findings_of
from .setup import IGNORED_IN, Job, KeptIgnored, SetUp
from .walk import CommissioningRefused

STATIC: Final = Path(__file__).with_name("static")
HERE: Final = "extras/commissioning"
EXAMINED_EVERY_S: Final = 300.0
"""Seconds between looks at the machine, besides when somebody asks."""


class Fitter(Guest):
    """Looks after a table that is shown on a page: its notices, the jobs that mend, its set-up.

    Asked from any thread. `look` finds what is amiss with the machine and takes its time; it is
    called on a thread.
    """

    def __init__(
        self,
        folder: Path,
        look: Callable[[], Iterable[Notice]],
        has_diodes: bool = True,
        set_up: SetUp | None = None,
    ) -> None:
        """`folder` is where games are kept, `has_diodes` how its board is wired."""
        self._has_diodes = has_diodes
        self.set_up = set_up
        """None where this table is not to be set up anew."""
        self.found: tuple[Notice, ...] = ()
        self.ignored: frozenset[str] = frozenset()
        self.job: Job | None = None
        self._folder, self._look, self._wanted = folder, look, threading.Event()
        with suppress(TableError, OSError):  # who is damaged ignores nothing
            kept = read_json(folder / IGNORED_IN, KeptIgnored)
            self.ignored = frozenset(kept.ids if kept else ())

    @property
    def is_done(self) -> bool:
        """True once the table has been set up and is to begin anew."""
        return self.set_up is not None and self.set_up.is_finished

    def watch(self) -> None:
        """Begin to look at the machine now and then, on a thread of its own."""
        threading.Thread(target=self._watch, name="repairs", daemon=True).start()

    def _watch(self) -> None:
        while True:
            with suppress(TableError, OSError, SubprocessError):  # what is not told is not known
                self.found = listed(self._look())
            self._wanted.wait(EXAMINED_EVERY_S)
            self._wanted.clear()

    def do(self, act: str, name: str, cabled: Cabled | None) -> None:
        """Do what is asked of the machine, or begin it.

        `name` is that of a notice or of a microcontroller, which may be at a line. OSError,
        BridgeError, or CommissioningRefused while another job runs.
        """
        match act:
            case "look":
                self._wanted.set()
            case "ignore" | "hear":
                ids = self.ignored | {name} if act == "ignore" else self.ignored - {name}
                kept = msgspec.json.encode(KeptIgnored(sorted(ids)))
                write_whole(self._folder / IGNORED_IN, kept)
                self.ignored = ids
            case "flash":
                from ...machine.flashing import flash  # what builds: only where it is asked for

                self._begin(act, partial(flash, name, self._has_diodes, cabled))
            case "update":
                from ..updates.versions import ask_for_update

                self._begin(act, ask_for_update)

    def _begin(self, act: str, work: Callable[[Reporter], None]) -> None:
        if self.job is not None and self.job.state == "runs":
            raise CommissioningRefused(_("the table is doing that already: wait until it is done"))
        self.job = job = Job(act, lambda: work(job.tell))
        job.start()


def fitter_of(seating: Seating) -> Fitter:
    """Return who looks after a table, and sets it up where it has no real board and no people."""
    settings, folder, set_up = seating.settings, seating.folder, None
    if settings.table.board == "screen" and not seating.has_people:
        settings_file = find_settings(seating.config, os.environ) or places(os.environ)[0]
        set_up = SetUp(folder, settings_file, WallClock)
    fitter = Fitter(folder, partial(findings_of, settings, folder), settings.reed.diodes, set_up)
    fitter.watch()
    return fitter


class MendRequest(PageRequest, frozen=True, tag="mend"):
    """Look after the table itself: look at the machine again, say no more of a notice or say it
    again, write the firmware to a board, install a newer version."""

    act: Literal["look", "ignore", "hear", "flash", "update"]
    name: Line | None = None
    """The notice's id, or which microcontroller it is."""
    pin: Line | None = None
    """The arbiter's, for the last two."""


class CommissioningPage(PagePart):
    """Says what is amiss of the machine, mends it, and sets a table up."""

    panel = STATIC

    def handlers(self) -> Mapping[type[PageRequest], Handler]:
        return {MendRequest: mend}

    def amiss(self, asked: AskedTable) -> tuple[Sequence[Notice], frozenset[str]]:
        fitter = asked.table.guest(Fitter)
        return ((), frozenset()) if fitter is None else (fitter.found, fitter.ignored)

    def about(self, asked: AskedTable) -> Mapping[str, Any]:
        set_up = _set_up(asked)
        return {"set_up": None if set_up is None else "begun" if set_up.is_begun else "new"}

    def ways(self) -> Sequence[Endpoint]:
        repairs = "how a job of `mend` goes, what a board's line says, what is ignored"
        step, photo = (
            "a step of the set-up in, out comes what is shown then",
            "its camera's picture",
        )
        return [
            Endpoint("/api/repairs", repairs, _repairs, "Repairs", may=("lang",), is_known=True),
            Endpoint("/setup", "the page that sets a table up", _page, "text/html"),
            Endpoint("/api/setup", "how the set-up stands", _shown, "SetUp", is_known=True),
            Endpoint("/api/setup.jpg", photo, _picture, "image/jpeg", is_known=True),
            Endpoint("/api/setup", step, _do_step, "SetUp", takes="SetUpStep", is_known=True),
        ]

    def described(self) -> Mapping[str, Any]:
        return {"SetUpStep": AskedOfSetUp}


def mend(asked: AskedTable, request: MendRequest) -> None:
    """Do what the table's owner asks of the machine and its parts."""
    fitter = asked.table.guest(Fitter)
    if fitter is None:
        raise CommandRefused(_("this table cannot be mended from its page"))
    if request.act in ("flash", "update"):
        asked.table.check_arbiter(request.pin or "", asked.clock.now())
    fitter.do(request.act, request.name or "", asked.table.board.cabled)


def _set_up(asked: AskedTable) -> SetUp | None:
    fitter = asked.table.guest(Fitter)
    return None if fitter is None else fitter.set_up


def _repairs(house: House, request: HttpRequest) -> Any:
    fitter = house.asked.table.guest(Fitter)
    if fitter is None:
        raise NotUnderstood(_("this table cannot be mended from its page"))
    return repairs_document(house.asked.table, fitter, language_asked(request))


def repairs_document(table: Table, fitter: Fitter, language: Language) -> dict[str, Any]:
    """Return what people may hear of again, how a job is going, and what the board's line says."""
    amiss, job, cabled = (*of_table(table), *fitter.found), fitter.job, table.board.cabled
    from ..updates.versions import last_update  # what packages need: only where one may be

    translate = translation(language)
    return {
        "ignored": [notice_state(each) for each in listed(amiss) if each.id in fitter.ignored],
        "job": None
        if job is None
        else {
            "act": job.name,
            "state": job.state,
            "said": [str(value_in_words(translate, line)) for line in job.said],
        },
        "update": last_update(),
        "wire": None if cabled is None else cabled.heard(),
    }


# Set-up


DOES: Final[Mapping[str, Callable[..., None]]] = {
    "answer": SetUp.answer,
    "go": SetUp.go,
    "skip": SetUp.skip,
    "examine": SetUp.examine,
    "walk": SetUp.walk,
    "every": SetUp.every,
    "again": SetUp.again,
    "nothing": SetUp.nothing,
    "tap": SetUp.tap,
    "shine": SetUp.shine,
    "order": SetUp.order,
    "finish": SetUp.finish,
    "leave": SetUp.leave,
}
"""All that a page may ask of a set-up, by its word; what it says besides are the parameters."""


def _request(word: str, does: Callable[..., None]) -> type[msgspec.Struct]:
    """Return the form of a request: its word under `do`, and a field for every parameter."""
    kinds = get_type_hints(does, include_extras=True)
    parameters: list[Any] = []
    for each in list(signature(does).parameters.values())[1:]:
        default = () if each.default is each.empty else (each.default,)
        if isinstance(each.default, Mapping):
            default = (msgspec.field(default_factory=dict),)  # which can be described
        parameters.append((each.name, kinds[each.name], *default))
    return msgspec.defstruct(
        f"{word.title()}Step",
        parameters,
        frozen=True,
        forbid_unknown_fields=True,
        tag_field="do",
        tag=word,
    )


AskedOfSetUp: Final[Any] = reduce(or_, starmap(_request, DOES.items()))


def do_step(set_up: SetUp, asked: msgspec.Struct) -> dict[str, Any]:
    """Do what is asked; return what is to be shown then. A refusal of set-up's where it cannot."""
    with set_up.lock:
        DOES[str(asked.__struct_config__.tag)](set_up, **msgspec.structs.asdict(asked))
        return set_up.document()


def _begun(house: House) -> SetUp:
    set_up = _set_up(house.asked)
    if set_up is None:
        raise HTTPException(404)
    return set_up


def _page(house: House, request: HttpRequest) -> Response:
    _begun(house)
    styles = "sensors.css", f"{HERE}/setup.css"
    whole = page("setup.html", f"{HERE}/setup.js", *styles, folder=STATIC)
    return Response(whole, media_type="text/html", headers=FRESH)


def _shown(house: House, request: HttpRequest) -> Any:
    set_up = _begun(house)

    def document() -> dict[str, Any]:
        with set_up.lock:
            return set_up.document()

    return house.read(document)


def _picture(house: House, request: HttpRequest) -> Any:
    return jpeg(house.read(_begun(house).picture))


async def _do_step(house: House, request: HttpRequest) -> Any:
    set_up = _begun(house)
    return await house.read(do_step, set_up, await read_body(request, AskedOfSetUp))
