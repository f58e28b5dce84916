"""What a table's owner does on the page: setting it up, and mending it."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial, reduce
from operator import or_
from pathlib import Path
from typing import Annotated, Any, Final, Literal

import msgspec
from starlette.requests import Request as HttpRequest

from rules import _, parse_square, value_in_words
from rules.sentences import Notice

from ...game.commands import CommandRefused, Line
from ...languages import Language, translation
from ...notices import listed
from ...page.access import NotUnderstood, jpeg, language_asked, read_body
from ...page.asked import AskedTable, Handler, PageRequest
from ...page.house import House, Make, PagePart
from ...page.pages import page
from ...page.state import notice_state, of_table
from ...table.loop import Table
from .fitter import Fitter, Repairs
from .setup import SetUp

STATIC: Final = Path(__file__).with_name("static")
HERE: Final = "extras/commissioning"


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
        return (
            ((), frozenset()) if fitter is None else (fitter.repairs.found, fitter.repairs.ignored)
        )

    def about(self, asked: AskedTable) -> Mapping[str, Any]:
        set_up = _set_up(asked)
        return {"set_up": None if set_up is None else "begun" if set_up.is_begun else "new"}

    def pages(self, asked: AskedTable) -> Mapping[str, str]:
        if _set_up(asked) is None:
            return {}
        whole = page(
            "setup.html", f"{HERE}/setup.js", "sensors.css", f"{HERE}/setup.css", folder=STATIC
        )
        return {"/setup": whole}

    def known_routes(self, asked: AskedTable) -> Mapping[str, Make]:
        routes: dict[str, Make] = {"/api/repairs": _repairs}
        if (set_up := _set_up(asked)) is not None:
            routes["/api/setup"] = lambda house, request: house.read(set_up.document)
            routes["/api/setup.jpg"] = lambda house, request: jpeg(house.read(set_up.picture))
        return routes

    def posted(self, asked: AskedTable) -> Mapping[str, Make]:
        set_up = _set_up(asked)
        return {} if set_up is None else {"/api/setup": partial(_do_step, set_up)}

    def ways(self) -> Mapping[str, str]:
        return {
            "GET /api/repairs": "how a job of `mend` goes, what a board's line says, which notices "
            "are ignored; lang=de; with Authorization: Bearer TOKEN",
        }


def mend(asked: AskedTable, request: MendRequest) -> None:
    """Do what the table's owner asks of the machine and its parts."""
    fitter = asked.table.guest(Fitter)
    if fitter is None:
        raise CommandRefused(_("this table cannot be mended from its page"))
    if request.act in ("flash", "update"):
        asked.table.check_arbiter(request.pin or "", asked.clock.now())
    fitter.repairs.do(request.act, request.name or "", asked.table.board.parts.cabled)


def _set_up(asked: AskedTable) -> SetUp | None:
    fitter = asked.table.guest(Fitter)
    return None if fitter is None else fitter.set_up


def _repairs(house: House, request: HttpRequest) -> Any:
    fitter = house.asked.table.guest(Fitter)
    if fitter is None:
        raise NotUnderstood(_("this table cannot be mended from its page"))
    return repairs_document(house.asked.table, fitter.repairs, language_asked(request))


def repairs_document(table: Table, repairs: Repairs, language: Language) -> dict[str, Any]:
    """Return what people may hear of again, how a job is going, and what the board's line says."""
    amiss, job, cabled = (*of_table(table), *repairs.found), repairs.job, table.board.parts.cabled
    from ..updates.versions import last_update  # what packages need: only where one may be

    translate = translation(language)
    return {
        "ignored": [notice_state(each) for each in listed(amiss) if each.id in repairs.ignored],
        "job": None
        if job is None
        else {
            "act": job.act,
            "state": job.state,
            "said": [str(value_in_words(translate, line)) for line in job.lines],
        },
        "update": last_update(),
        "wire": None if cabled is None else cabled.heard(),
    }


# Set-up


PLAIN: Final[Mapping[str, Callable[[SetUp], None]]] = {
    "skip": SetUp.skip,
    "examine": SetUp.examine,
    "walk": SetUp.walk,
    "every": SetUp.walk_every,
    "again": SetUp.again,
    "nothing": SetUp.nothing,
    "finish": SetUp.finish,
    "leave": SetUp.leave,
}
"""What is asked without a word more, by what a page says."""


class SetUpRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="do"):
    """Base of all that can be asked of a set-up; `do` says which."""


class AnswerStep(SetUpRequest, frozen=True, tag="answer"):
    """Answer the step: settings by section, the sort of table, the opponent of the first game."""

    options: dict[str, dict[str, Any]] = {}
    kind: str | None = None
    opponent: str | None = None


class GoToStep(SetUpRequest, frozen=True, tag="go"):
    """Go to a step."""

    step: str


class TapSquare(SetUpRequest, frozen=True, tag="tap"):
    """Touch a square of the board as the page shows it."""

    square: Annotated[str, msgspec.Meta(max_length=3)]


class ShineLamps(SetUpRequest, frozen=True, tag="shine"):
    """Light the whole board, or one square of it."""

    square: Annotated[str, msgspec.Meta(max_length=3)] | None = None


class OrderLamps(SetUpRequest, frozen=True, tag="order"):
    """Take a usual order for that of the lamps: its pattern, first lamp, and along what it runs."""

    pattern: str
    corner: str
    along: str


AskedOfSetUp: Final[Any] = reduce(
    or_,
    (msgspec.defstruct(word, [], bases=(SetUpRequest,), frozen=True, tag=word) for word in PLAIN),
    AnswerStep | GoToStep | TapSquare | ShineLamps | OrderLamps,
)


def do_step(set_up: SetUp, asked: SetUpRequest) -> dict[str, Any]:
    """Do what is asked; return what is to be shown then. A refusal of set-up's where it cannot."""
    match asked:
        case AnswerStep(options=options, kind=kind, opponent=opponent):
            more = {"kind": kind, "opponent": opponent}
            set_up.answer(options, {name: word for name, word in more.items() if word is not None})
        case GoToStep(step=step):
            set_up.go(step)
        case TapSquare(square=square):
            set_up.tap(parse_square(square))
        case ShineLamps(square=square):
            set_up.shine(None if square is None else parse_square(square))
        case OrderLamps(pattern=pattern, corner=corner, along=along):
            set_up.order((pattern, corner, along))
        case _:
            PLAIN[str(asked.__struct_config__.tag)](set_up)
    return set_up.document()


async def _do_step(set_up: SetUp, house: House, request: HttpRequest) -> Any:
    return await house.read(do_step, set_up, await read_body(request, AskedOfSetUp))
