"""What was found of a table, by one id wherever it is told: what is amiss, and what mends it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final, Literal, NamedTuple, Protocol, TypeAlias

from rules import Sentence, Translate, Worded, _, value_in_words

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


START: Final = "start"
"""The check that a table starts."""

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
    START: Check(_STARTS, lamps=("a1", "j1", "a10", "j10")),
}
"""By the name of the check; those of a machine, a camera, a journal, and of a table that plays."""

SEVERITIES: Final[Mapping[Verdict, Severity]] = {"fail": "error", "warn": "warning", "pass": "info"}


class Told(Protocol):
    """Says a sentence to whoever asked for what is being done."""

    def __call__(self, template: Sentence, /, **values: object) -> None: ...


@dataclass(frozen=True, slots=True)
class Notice:
    """What one check has found, and what to do about it where it did not pass."""

    check: str
    verdict: Verdict
    found: str
    mend: str = ""
    place: str = ""
    """Which of many of a kind it is about: a square, the number of a game, a version."""

    @property
    def id(self) -> str:
        """What it is known by: `supply`, `switches-d4`."""
        return f"{self.check}-{self.place}" if self.place else self.check

    @property
    def about(self) -> Check:
        """What follows from it."""
        return CHECKS.get(self.check, Check())

    @property
    def severity(self) -> Severity:
        """How bad it is."""
        return "info" if self.about.is_news else SEVERITIES[self.verdict]

    @property
    def lamps(self) -> tuple[str, ...]:
        """The squares whose lamps say it."""
        return (self.place,) if self.check == "switches" and self.place else self.about.lamps

    @property
    def line(self) -> str:
        """What is said of it where there is room for one line."""
        if not self.mend:
            return self.found
        return Worded(_("{found}: {mend}"), found=self.found, mend=self.mend)

    def in_words(self, translate: Translate) -> Notice:
        """Return the same, found and mend in one language."""
        found, mend = (str(value_in_words(translate, text)) for text in (self.found, self.mend))
        return replace(self, found=found, mend=mend)


def listed(notices: Iterable[Notice], ignored: Collection[str] = ()) -> tuple[Notice, ...]:
    """Return what is amiss, the worst first, each once; without what people ignore.

    Of one id the first counts. An error cannot be ignored.
    """
    kept: dict[str, Notice] = {}
    for each in notices:
        if each.verdict != "pass" and (each.severity == "error" or each.id not in ignored):
            kept.setdefault(each.id, each)
    order: tuple[Severity, ...] = ("error", "warning", "info")
    return tuple(sorted(kept.values(), key=lambda each: order.index(each.severity)))
