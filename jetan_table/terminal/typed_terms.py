"""What can be typed about clock and conduct."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from rules.errors import near_miss

from ..game.clock import parse_seconds
from ..game.commands import (
    Command,
    CommandRefused,
    PauseGame,
    PressClock,
    ReleaseTouched,
    ResumeGame,
    SayAdjust,
    SetClock,
    SetClockTimes,
    SetConduct,
)
from ..game.conduct import CONDUCTS
from ..game.refusals import No
from .verbs import Does, Verb

TERMS_VERBS: Mapping[str, Verb] = {
    "clock": Verb(
        "10+5", "set the clock before the first ply", "die Uhr stellen, vor dem ersten Zug"
    ),
    "times": Verb("5:00 4:30", "set what the clocks show", "setzen, was die Uhren zeigen"),
    "press": Verb("", "press the clock, or start it", "die Uhr drücken oder starten"),
    "pause": Verb("", "let the clock stand", "die Uhr anhalten"),
    "resume": Verb("", "go on", "weiterspielen"),
    "conduct": Verb("strict", "friendly, strict or tournament", "friendly, strict oder tournament"),
    "adjust": Verb("", "say it before you put pieces right", "sagen, bevor man zurechtrückt"),
    "release": Verb("", "what was touched is free again", "Berührtes wieder freigeben"),
    "arbiter": Verb("PIN back", "correct a tournament game", "eine Turnierpartie berichtigen"),
}


def terms_words(tell: Callable[[Command], list[str]]) -> dict[str, Does]:
    """Return what each word does; `tell` hands a command to the table."""
    return {
        "clock": lambda told: tell(SetClock(" ".join(told))),
        "times": lambda told: tell(_times(told)),
        "press": lambda told: tell(PressClock()),
        "pause": lambda told: tell(PauseGame()),
        "resume": lambda told: tell(ResumeGame()),
        "conduct": lambda told: tell(_conduct(told)),
        "adjust": lambda told: tell(SayAdjust()),
        "release": lambda told: tell(ReleaseTouched()),
    }


def _conduct(told: Sequence[str]) -> SetConduct:
    word = " ".join(told)
    if word not in CONDUCTS:
        raise CommandRefused(No.BAD_CONDUCT, word=word, near=near_miss(word, CONDUCTS))
    return SetConduct(CONDUCTS[word].name)


def _times(told: Sequence[str]) -> SetClockTimes:
    seconds = [parse_seconds(word, otherwise=-1.0) for word in told]
    if len(seconds) != 2 or not all(1 <= each <= 24 * 3600 for each in seconds):
        raise CommandRefused(No.TWO_TIMES)
    return SetClockTimes(*seconds)
