"""A notice as pages, programs and monitors are told it."""

import re
from collections.abc import Iterator
from typing import Final

import msgspec

from hardware.ports import FaultKind
from rules import format_square
from rules.sentences import Worded, _

from ..languages import LANGUAGES, Language, said_in, without_folders
from ..notices import Act, Notice, Severity
from ..table.loop import Table

ADDRESS = re.compile(r"\w+://\S+")
"""Where a camera or a board is reached: it may hold a password."""


FAULTS: Final = {
    FaultKind.DEAD: _("switch {square} sees no piece"),
    FaultKind.STUCK: _("switch {square} sees a piece that is not there"),
}


class NoticeState(msgspec.Struct, frozen=True):
    """Something amiss: its id, how bad it is, and by language what it is, breaks, and mends it."""

    id: str
    severity: Severity
    found: dict[Language, str]
    breaks: dict[Language, str]
    mend: dict[Language, str]
    act: Act | None = None
    """What the table can do about it, if its owner asks."""
    lamps: tuple[str, ...] = ()
    """The squares whose lamps say it."""


def notice_state(notice: Notice) -> NoticeState:
    """Return a notice as it is told to anybody: it does not say where files lie.

    Nor does it tell addresses, or who the machine calls its user: a shell knows.
    """

    def said(text: str) -> dict[Language, str]:
        words = without_folders(text)
        if isinstance(words, Worded) and "user" in words.values:
            words = Worded(words.template, **{**words.values, "user": "$USER"})
        told_in = {each: said_in(each, words) for each in LANGUAGES}
        return {each: ADDRESS.sub("…", text) for each, text in told_in.items()}

    about = notice.about
    found, breaks, mend = map(said, (notice.found, about.breaks, notice.mend))
    return NoticeState(notice.id, notice.severity, found, breaks, mend, about.act, notice.lamps)


def of_table(table: Table) -> Iterator[Notice]:
    """Yield what a table that plays knows to be amiss: its board, its disk and its switches."""
    view, troubles = table.view, table.troubles
    if troubles.sensing is not None:
        yield Notice(
            "board" if table.board.parts.cabled is None else "cable", "fail", troubles.sensing
        )
    if troubles.disk is not None:
        mend = _("make room, or see to the card; it is tried again every second")
        yield Notice("disk", "fail", troubles.disk, mend)
    for square, kind in sorted(view.record.faults.items()):
        found = Worded(FAULTS[kind], square=format_square(square))
        yield Notice("switches", "warn", found, _("check it and its wires"), format_square(square))
    yield from view.notices
