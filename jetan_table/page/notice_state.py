"""A notice as pages, programs and monitors are told it."""

import re

import msgspec

from rules.sentences import Worded

from ..languages import LANGUAGES, Language, said_in, without_folders
from ..notices import Act, Notice, Severity

ADDRESS = re.compile(r"\w+://\S+")
"""Where a camera or a board is reached: it may hold a password."""


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
