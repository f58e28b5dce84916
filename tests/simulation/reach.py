"""What simulated evenings come upon: what is told at them, and what a power cut interrupts."""

from collections.abc import Iterator

from jetan_table.game.commands import NewGame
from jetan_table.game.events import EVENT_KINDS, KIND_OF, DuelReport, Ending, Entry
from jetan_table.session.gestures import Deed
from jetan_table.session.session import News
from jetan_table.session.view import Phase, View
from rules import Termination
from rules.text import LOST, WON
from tests.simulation.sometimes import FAULTS, SMALLER

UNLIKELY = frozenset({"amended", "recall", "wander", "turned", "dienumber", "correction"})
"""Kinds of events that tidy people by sound switches do not bring about; others test them."""

ENDED_BY = (
    Termination.PRINCESS_TAKEN,
    Termination.RESIGNED,
    Termination.AGREED,
    Termination.TIME,
)
SETTLED_BY = ("firstmove chosen", "firstmove table", "bias chosen")
TOLD = (
    *sorted(EVENT_KINDS.keys() - UNLIKELY),
    *(f"ending {termination.value}" for termination in ENDED_BY),
    *(f"duel {how}" for how in ("thrown", WON, LOST)),
    *(f"pause {by}" for by in ("people", "table", "off")),
    *SETTLED_BY,
)
STATES = (
    "question", "fight", "choices", "roll due", "rolled", "gesture", "placing", "repair", "lifted",
    "touched", "paused", "clock running", "draw offered", "over",
)  # fmt: skip
WRITTEN = ("ply", "question", "dieroll", "takeback", "ending", "drawoffer", "pause")
CUT_AT = (
    *(f"cut with {state}" for state in STATES),
    *(f"cut {moment} {what}" for moment in ("before", "after") for what in WRITTEN),
)
CUT_PLIES = ("cut before ply", "cut after ply")
KINDS_OF_HANDS = ("tidy", "carrying")
SIGNS_MADE = tuple(f"sign {deed.value}" for deed in Deed)
TWICE = (*FAULTS, *CUT_PLIES, *SIGNS_MADE)
BY_HANDS = tuple(f"{name}, {kind} hands" for name in TWICE for kind in KINDS_OF_HANDS)
"""What is reached by either kind of hands."""

ALL = SMALLER.union(TOLD, CUT_AT, BY_HANDS)
"""What a good sample of evenings has come upon."""


def names_of(news: News) -> Iterator[str]:
    """Yield the names of what is told: its kind, and how it came about."""
    if isinstance(news, NewGame):
        yield "begin"
        return
    kind = KIND_OF[type(news.event)]
    yield kind
    match news:
        case Entry(event=Ending(termination=detail)):
            yield f"{kind} {detail}"
        case Entry(event=DuelReport(told=detail)):
            yield f"{kind} {detail if detail in (WON, LOST) else 'thrown'}"
        case Entry(event=event) if (by := getattr(event, "by", None)) is not None:
            yield f"{kind} {by}"


def states_of(view: View) -> Iterator[str]:
    """Yield what is under way at a table that may be cut off just now."""
    clocks, plies = view.record.clocks, bool(view.record.moves)
    is_led = view.phase is Phase.SETTING_UP
    under_way = {
        "question": view.question,
        "fight": view.fight,
        "choices": view.choices,
        "roll due": view.is_roll_due,
        "rolled": view.record.rolls and is_led,
        "gesture": view.gesture,
        "placing": view.leading.placing,
        "repair": view.leading.repair,
        "lifted": view.lifted and plies,
        "touched": view.touched,
        "paused": view.record.is_paused,
        "clock running": clocks is not None and clocks.is_running,
        "draw offered": view.record.offer is not None,
        "over": view.phase is Phase.OVER,
    }
    yield from (state for state in STATES if under_way[state])
