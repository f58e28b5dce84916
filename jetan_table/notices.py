"""Consequences of checks that do not pass, and the list of notices that is shown."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Final, Literal, NamedTuple, Protocol, TypeAlias

from rules import Notice, Sentence, _

Verdict: TypeAlias = Literal["pass", "warn", "fail"]
Severity: TypeAlias = Literal["error", "warning", "info"]
Act: TypeAlias = Literal["update", "flash"]
"""A remedy that the table can carry out itself, if its owner agrees."""


class Check(NamedTuple):
    """The consequences of a check that does not pass."""

    breaks: str = ""
    act: Act | None = None
    is_news: bool = False
    """True if it only brings news, and nothing is wrong."""
    lamps: tuple[str, ...] = ()
    """Squares lit as failed switches are, to show it."""


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
"""By the name of the check: of a machine, a camera, a journal, or a table that plays."""

SEVERITIES: Final[Mapping[Verdict, Severity]] = {"fail": "error", "warn": "warning", "pass": "info"}


class Reporter(Protocol):
    """Reports a sentence to whoever asked for the work that goes on."""

    def __call__(self, template: Sentence, /, **values: object) -> None: ...


def about(notice: Notice) -> Check:
    """Return the consequences of a notice's check."""
    return CHECKS.get(notice.check, Check())


def severity(notice: Notice) -> Severity:
    """Return the severity of a notice."""
    return "info" if about(notice).is_news else SEVERITIES[notice.verdict]


def lamps_of(notice: Notice) -> tuple[str, ...]:
    """Return the squares whose lamps show a notice."""
    is_of_square = notice.check == "switches" and notice.place
    return (notice.place,) if is_of_square else about(notice).lamps


def listed(notices: Iterable[Notice], ignored: Collection[str] = ()) -> tuple[Notice, ...]:
    """Return the notices to show, the worst first, without those that people ignore.

    Of those with one id the first counts. An error cannot be ignored.
    """
    kept: dict[str, Notice] = {}
    for each in notices:
        if each.verdict != "pass" and (severity(each) == "error" or each.id not in ignored):
            kept.setdefault(each.id, each)
    order: tuple[Severity, ...] = ("error", "warning", "info")
    return tuple(sorted(kept.values(), key=lambda each: order.index(severity(each))))
