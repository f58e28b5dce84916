"""What follows from each check that does not pass, and which notices are listed."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Final, Literal, NamedTuple, Protocol, TypeAlias

from rules import Notice, Sentence, _

Verdict: TypeAlias = Literal["pass", "warn", "fail"]
Severity: TypeAlias = Literal["error", "warning", "info"]
Act: TypeAlias = Literal["update", "flash"]
"""What the table itself can do about it, where its owner says so."""


class Check(NamedTuple):
    """What follows from a check that does not pass."""

    breaks: str = ""
    act: Act | None = None
    is_news: bool = False
    """Whether it only tells something new, and nothing is amiss."""
    lamps: tuple[str, ...] = ()
    """The squares that are lit as failed switches are, to say it."""


START_CHECK: Final = "start"

_KEPT = _("games are not kept")
_REACHED = _("the board is not seen, or its lamps stay dark")
_STARTS = _("the table does not start, or without a part of it")
_SEEN = _("the camera sees moves late, or not at all")

CHECKS: Final[Mapping[str, Check]] = {
    "settings": Check(_STARTS),
    "python": Check(_STARTS),
    "names": Check(_STARTS),
    "opencv": Check(_STARTS),
    **dict.fromkeys(("groups", "serial", "gpio", "spi", "i2c"), Check(_REACHED)),
    "board": Check(_REACHED),
    "cable": Check(_REACHED, "flash"),
    **dict.fromkeys(
        ("camera", "cameras", "height", "size", "focus", "light", "markers", "pieces"), Check(_SEEN)
    ),
    "around": Check(_SEEN),
    "disk": Check(_KEPT),
    "journal": Check(_KEPT),
    "game": Check(_("this game is not opened; all others are as they were")),
    "clock": Check(_("games bear wrong dates")),
    "supply": Check(_("the machine may stop during a move, and its card may lose files")),
    "pace": Check(_("the table answers late")),
    "speech": Check(_("nothing is said aloud")),
    "switches": Check(_("moves over this square are asked about, or told late")),
    "pin": Check(_("nobody but this machine's own screen may change anything")),
    "arbiter": Check(_("nobody corrects a tournament game")),
    "guesses": Check(_("whoever finds the PIN may change everything")),
    "kept": Check(is_news=True),
    "update": Check(act="update", is_news=True),
    START_CHECK: Check(_STARTS, lamps=("a1", "j1", "a10", "j10")),
}
"""By the name of the check; those of a machine, a camera, a journal, and of a table that plays."""

SEVERITIES: Final[Mapping[Verdict, Severity]] = {"fail": "error", "warn": "warning", "pass": "info"}


class Reporter(Protocol):
    """Says a sentence to whoever asked for what is being done."""

    def __call__(self, template: Sentence, /, **values: object) -> None: ...


def about(notice: Notice) -> Check:
    """Return what follows from a notice's check."""
    return CHECKS.get(notice.check, Check())


def severity(notice: Notice) -> Severity:
    """Return how bad it is."""
    return "info" if about(notice).is_news else SEVERITIES[notice.verdict]


def lamps_of(notice: Notice) -> tuple[str, ...]:
    """Return the squares whose lamps say it."""
    is_of_square = notice.check == "switches" and notice.place
    return (notice.place,) if is_of_square else about(notice).lamps


def listed(notices: Iterable[Notice], ignored: Collection[str] = ()) -> tuple[Notice, ...]:
    """Return what is amiss, the worst first, each once; without what people ignore.

    Of one id the first counts. An error cannot be ignored.
    """
    kept: dict[str, Notice] = {}
    for each in notices:
        if each.verdict != "pass" and (severity(each) == "error" or each.id not in ignored):
            kept.setdefault(each.id, each)
    order: tuple[Severity, ...] = ("error", "warning", "info")
    return tuple(sorted(kept.values(), key=lambda each: order.index(severity(each))))
