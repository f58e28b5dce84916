"""The description of what can be asked over HTTP, made from the very structs that check it."""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import msgspec

from .. import __version__
from ..journal.game_files import FORMATS
from .asked import EntryRequest
from .house import every_request, page_parts, state_groups
from .state import STATE_GROUPS
from .stream import HealthState

VERSIONS = {"api": "2.4", "events": "3.0"}
"""Of what is asked and answered, and of the stream's state.

Another first number breaks programs, the second only adds.
"""

WAYS = {
    "GET /events": "server-sent events: `time` on the table clock, `state` in full (State), then "
    "`change` with what differs; Last-Event-ID goes on where it was left",
    "GET /health": "whether the table goes on (Health), with 503 where it does not",
    "GET /api/about": "lamps' palettes, presets and options of the rules",
    "GET /api/words/{language}": "what the page says, English to another: de",
    "GET /api/boards/{name}": "outlines, colours and neighbours of a board",
    "GET /api/game": "the game in play, position by position; "
    f"{', '.join(f'/api/game.{form}' for form in FORMATS)} as text",
    "GET /api/games": "the games kept and saved; /api/games/3, "
    f"{', '.join(f'/api/games/3.{form}' for form in FORMATS)}, /api/saved/NAME",
    "GET /api/games/{game}/analysis": "what each move of a game kept was worth, and why; lang=de",
    "GET /api/series": "how every series stands; /api/series/NAME with its games, NAME.csv",
    "GET /api/camera": "what the camera sees, in words and pixels; /api/camera.jpg its picture; "
    "both with Authorization: Bearer TOKEN, for it sees the room",
    "GET /api/sensors": "what every switch has shown, how late the board is looked at; no secrets",
    "GET /api/explain?from=d2&to=d5": "why a piece may go there now, or why not; lang=de",
    "GET /api/cards/{language}": "how each piece moves by the rules in play, or by rules=TEXT",
    "GET /api/rules?rules=TEXT": "a rules text, checked and written shortest",
    "GET /board.svg": "the position as a picture; position=TEXT, rules=TEXT",
    "POST /api/token": "Entry in, {token} out: the key to the line below",
    "POST /api/do": "Request in, {said: [...], at: ID} out, ID that of an event which shows it; "
    "202 where it waits for the disk and is done then; Authorization: Bearer TOKEN",
}


SCHEMAS = "#/components/schemas/"
"""Where the description refers to a schema."""

PUBLISHED = {
    "TableState": "State",
    "Question": "Asks",
    "Ending": "Over",
    "AnswerQuestion": "Answer",
    "BoardIsRight": "Right",
    "TakeBackLast": "Back",
    "AskAdvice": "Hint",
    "OfferDraw": "Offer",
    "AcceptDraw": "Accept",
    "DeclineDraw": "Decline",
    "AgreeDraw": "Draw",
    "PauseGame": "Pause",
    "ResumeGame": "Resume",
    "PressClock": "Press",
    "SayAdjust": "Adjust",
    "ReleaseTouched": "Release",
    "RollDie": "Roll",
    "DecideFight": "Duel",
    "ChooseFirst": "First",
    "ChooseBias": "Crossing",
}
"""Names of schemas that do not follow from our structs' own; programs know them, so they stay."""


def published_name(struct: str) -> str:
    """Return the name of a struct's schema: without `Request` or `State`, which only we need."""
    return PUBLISHED.get(struct) or struct.removesuffix("Request").removesuffix("State")


def ways() -> dict[str, str]:
    """Return every way to ask, with what it is for, those of features last."""
    return WAYS | {way: how for part in page_parts() for way, how in part.ways().items()}


@lru_cache
def api() -> dict[str, Any]:
    """Return every way to ask, and the JSON schema of what goes in and comes out."""
    groups: tuple[type[msgspec.Struct], ...] = (*STATE_GROUPS, *state_groups())
    structs = (every_request(), EntryRequest, *groups, HealthState)
    _, schemas = msgspec.json.schema_components(structs, ref_template=f"{SCHEMAS}{{name}}")
    schemas["TableState"] = _joined([schemas.pop(group.__name__) for group in groups])
    named = re.compile(rf'"({SCHEMAS})?({"|".join(schemas)})"')
    text = named.sub(
        lambda found: f'"{found[1] or ""}{published_name(found[2])}"',
        msgspec.json.encode(schemas).decode(),
    )
    return {
        "name": "Jetan Table",
        "version": __version__,
        "versions": VERSIONS,
        "refusals": "any status but 200 and 202 comes with {refused: why}; nothing is done",
        "ways": ways(),
        "components": {"schemas": msgspec.json.decode(text)},
    }


def _joined(groups: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return the schema of the object in which a state's groups lie together."""
    return {
        "title": "TableState",
        "description": "\n".join(group["description"] for group in groups),
        "type": "object",
        "properties": {name: of for group in groups for name, of in group["properties"].items()},
        "required": [name for group in groups for name in group["required"]],
    }
