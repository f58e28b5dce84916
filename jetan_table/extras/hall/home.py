"""Home Assistant: a table as one device, with its state, its events, and buttons where allowed.

The state is one retained message. An event is said once and kept by nobody: an automation that
wakes the house for a game's end must not do so again because the broker was away.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import takewhile
from typing import Any, Final

import msgspec

from rules import SIDES, _, format_move, format_square
from rules.text import format_roll

from ... import __version__
from ...game.agreements import Clocks
from ...game.commands import AskAdvice, Command, PauseGame, ResumeGame
from ...languages import Language, refused_in, translation, worded_in
from ...light.news import ending_in_words
from ...light.speech import ply_in_words
from ...light.words import question_in_words
from ...session.session import Certain
from ...session.view import Phase
from .payloads import EVENT, HOME, ONLINE, PRESS, discovery_topic, table_topic

EVENTS: Final = ("begun", "ply", "capture", "question", "over", "refused")
"""The kinds of events; a ply that takes a piece is a `capture`, and no `ply` besides."""

BUTTONS: Final[Mapping[str, Command]] = {
    "hint": AskAdvice(),
    "pause": PauseGame(),
    "resume": ResumeGame(),
}
"""The commands that a house may give, by what its button says on the topic `press`."""

PHASES: Final = {
    Phase.SETTING_UP: _("pieces are set up"),
    Phase.PLAYING: _("a game is played"),
    Phase.OVER: _("the game is over"),
}
PAUSED: Final = _("the game is paused")

SENSORS: Final[Mapping[str, tuple[str, Mapping[str, str]]]] = {
    "side": (_("to move"), {}),
    "move": (_("move"), {}),
    "phase": (_("phase"), {}),
    "question": (_("question"), {}),
    "die": (_("die"), {}),
    "black_s": (_("Black's clock"), {"device_class": "duration", "unit_of_measurement": "s"}),
    "orange_s": (_("Orange's clock"), {"device_class": "duration", "unit_of_measurement": "s"}),
    "flag": (_("the running clock ends"), {"device_class": "timestamp"}),
    "brightness": (_("brightness of the lamps"), {"unit_of_measurement": "%"}),
}
"""The parts of the state, with their names and what Home Assistant knows of their kind."""


@dataclass(frozen=True, slots=True)
class SmartHome:
    """A house that a table is shown to: its language, and the owner's leave to press buttons."""

    language: Language
    has_buttons: bool = False


def discovery(table: str, house: SmartHome) -> tuple[str, bytes]:
    """Return the topic and the message that make a table known to Home Assistant."""
    own, say, state = f"jetan-{table}", translation(house.language), table_topic(table, HOME)
    entities: dict[str, dict[str, Any]] = {
        "online": {
            "p": "binary_sensor",
            "name": _("online"),
            "device_class": "connectivity",
            "state_topic": table_topic(table, ONLINE),
            "payload_on": "1",
            "payload_off": "0",
        },
        "event": {
            "p": "event",
            "name": _("event"),
            "state_topic": table_topic(table, EVENT),
            "event_types": EVENTS,
        },
    }
    for what, (name, kind) in SENSORS.items():
        template = f"{{{{ value_json.{what} }}}}"
        sensor = {"p": "sensor", "name": name, "state_topic": state, "value_template": template}
        entities[what] = {**sensor, **kind}
    press = {"command_topic": table_topic(table, PRESS), "qos": 0}
    for what, command in BUTTONS.items():
        button = {"name": command.purpose, "payload_press": what, **press}
        # A part that tells no more than its kind is taken away where it was.
        entities[what] = {"p": "button", **(button if house.has_buttons else {})}
    for what, entity in entities.items():
        if "name" in entity:
            entity |= {"name": str(say(entity["name"])), "unique_id": f"{own}-{what}"}
    message = {
        "dev": {"ids": [own], "name": f"Jetan {table}", "sw": __version__},
        "o": {"name": "Jetan Table", "sw": __version__},
        "cmps": entities,
        "qos": 1,
    }
    return discovery_topic(table), msgspec.json.encode(message)


def home_state(table: str, certain: Certain, language: Language) -> tuple[str, bytes]:
    """Return the topic and the message of how the table's entities are now."""
    view, position, rolls = certain.view, certain.record.position, certain.record.rolls
    asked = view.corners if view.question is None else view.question.squares
    is_paused = view.phase is Phase.PLAYING and certain.record.is_paused
    state = {
        "side": str(translation(language)(SIDES[position.side.word])),
        "move": position.move_number,
        "phase": worded_in(language, PAUSED if is_paused else PHASES[view.phase]),
        "question": ", ".join(map(format_square, asked)),
        "die": "" if not rolls else format_roll(rolls[-1]),
        **_clocks(certain.view.record.clocks),
        "brightness": round(certain.brightness * 100),
    }
    return table_topic(table, HOME), msgspec.json.encode(state)


def _clocks(clocks: Clocks | None) -> dict[str, object]:
    """Return both clocks as they stood, and the moment at which the running one ends.

    So nobody has to tell the time again while a player thinks.
    """
    if clocks is None:
        return {"black_s": None, "orange_s": None, "flag": None}
    ends, left = clocks.flag_at, clocks.left
    flag = None if ends is None else datetime.fromtimestamp(ends, UTC).isoformat(timespec="seconds")
    return {"black_s": round(left.black), "orange_s": round(left.orange), "flag": flag}


def happened(before: Certain, now: Certain, language: Language) -> Iterator[bytes]:
    """Yield the messages of what has happened at a table between two moments, in order."""

    def message(kind: str, words: str, **more: object) -> bytes:
        document = {"event_type": kind, "words": worded_in(language, words), **more}
        return msgspec.json.encode(document)

    old, game, begun = before.record, now.record.game, now.record.header
    is_same = now.game == before.game
    if not is_same:
        yield message("begun", "", black=begun.black, orange=begun.orange)
    both = zip(old.game.plies if is_same else (), game.plies, strict=False)
    known = sum(1 for _pair in takewhile(lambda pair: pair[0].move == pair[1].move, both))
    for ply, position in list(zip(game.plies, game.positions, strict=False))[known:]:
        there = position.piece_at(ply.move.to_square)
        yield message(
            "ply" if there is None else "capture",
            ply_in_words(position, ply.move),
            side=position.side.word,
            move=format_move(ply.move, position),
            number=position.ply_number,
        )
    asked = now.view.question
    if asked is not None and asked != before.view.question:
        squares = [*map(format_square, asked.squares)]
        yield message("question", question_in_words(asked), squares=squares)
    ending = now.record.ending
    if ending is not None and not (is_same and old.ending):
        yield message("over", ending_in_words(ending), result=ending.result, why=ending.termination)


def refusal(error: Exception, language: Language) -> bytes:
    """Return the message of a button's command that was not carried out."""
    document = {"event_type": "refused", "words": refused_in(language, error)}
    return msgspec.json.encode(document)
