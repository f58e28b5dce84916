"""The description of what can be asked, as OpenAPI: made from the table of ways and our types.

What goes in, and what features add to the state, are the structs that check and make them; what
else comes out is described in `schemas.json`.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec

from .. import __version__
from ..game.events import Ending
from ..languages import LANGUAGES, SentenceData
from .access import MOST_GAMES
from .asked import EntryRequest
from .house import Endpoint, every_request, page_parts, state_groups
from .state import QuestionShown

VERSIONS: Final = {"api": "3.3", "events": "4.3"}
"""Of what is asked and answered, and of the stream's state.

Another first number breaks programs, the second only adds.
"""
SCHEMAS: Final = "#/components/schemas/"
PUBLISHED: Final = {
    "SentenceData": "Sentence",
    "QuestionShown": "Asks",
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

_LANGUAGE: Final = {"type": "string", "enum": list(LANGUAGES)}
_NUMBER: Final = {"type": "integer", "minimum": 0, "maximum": MOST_GAMES}
_SQUARE: Final = {"type": "string", "examples": ["d2"]}
PARAMETERS: Final[Mapping[str, tuple[str, Mapping[str, Any]]]] = {
    "game": ("the number of a game kept", _NUMBER),
    "plies": ("so many of its plies are played; without, all", _NUMBER),
    "name": ("a name that a list of them gives", {"type": "string"}),
    "language": ("a language of the table", _LANGUAGE),
    "lang": ("a language of the table; without, English", _LANGUAGE),
    "from": ("the square of a piece", _SQUARE),
    "to": ("the square it is to end on", _SQUARE),
    "rules": ("a rules text; without, that of the game in play", {"type": "string"}),
    "position": ("a position text; without, what stands", {"type": "string"}),
    "moves": ("moves by their texts, with commas between them", {"type": "string"}),
    "path": ("a file", {"type": "string"}),
}
"""Parameters of addresses by name, each with its meaning and its schema."""

_TOKEN: Final = {"token": {"type": "http", "scheme": "bearer"}}
_CONVERTED: Final = re.compile(r":\w+}")
"""The end of a parameter that may have several parts, as the routes have it."""


def description(ways: Iterable[Endpoint]) -> dict[str, Any]:
    """Return the description of these ways as an OpenAPI document."""
    paths: dict[str, dict[str, Any]] = {}
    for way in ways:
        path = _CONVERTED.sub("}", way.path)
        paths.setdefault(path, {})[way.method.lower()] = _operation(way, path)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Jetan Table",
            "summary": "What a table can be asked, and what it answers.",
            "version": VERSIONS["api"],
            "x-program": __version__,
            "x-events": VERSIONS["events"],
        },
        "servers": [{"url": "/"}],
        "paths": paths,
        "components": {"schemas": schemas(), "securitySchemes": _TOKEN},
    }


def _operation(way: Endpoint, path: str) -> dict[str, Any]:
    inside = re.findall(r"{(\w+)}", path)
    answers = {"description": way.what, "content": _content(way.answers)}
    refused = {"content": _content("Refused"), "description": "refused; nothing is done"}
    described: dict[str, Any] = {
        "operationId": "_".join([way.method.lower(), *re.findall(r"\w+", path)]),
        "summary": way.what,
        "parameters": [
            *(_parameter(name, "path", True) for name in inside),
            *(_parameter(name, "query", True) for name in way.needs),
            *(_parameter(name, "query", False) for name in way.may),
        ],
        "responses": {
            "200": answers,
            **{str(status): {**answers, "description": what} for status, what in way.also.items()},
            "4XX": refused,
            "5XX": {**refused, "description": "the table cannot answer; nothing is done"},
        },
    }
    if way.takes is not None:
        described["requestBody"] = {"required": True, "content": _content(way.takes)}
    if way.is_known:
        described["security"] = [{"token": []}]
        described["responses"]["401"] = {**refused, "description": "no token, or an old one"}
    if way.path == "/events":
        described["x-events"] = {
            name: _schema(name.title()) for name in ("time", "state", "change")
        }
    return described


def _parameter(name: str, place: str, is_needed: bool) -> dict[str, Any]:
    what, schema = PARAMETERS[name]
    return {
        "name": name,
        "in": place,
        "required": is_needed,
        "description": what,
        "schema": schema,
    }


def _content(answers: str) -> dict[str, Any]:
    """Return what a body holds: the name of a schema, or the type of something else than JSON."""
    if "/" not in answers:
        return {"application/json": {"schema": _schema(answers)}}
    is_text = answers.startswith("text/") or answers.endswith("xml")
    return {answers: {"schema": {"type": "string"} if is_text else {}}}


def _schema(name: str) -> dict[str, str]:
    return {"$ref": f"{SCHEMAS}{name}"}


def schemas() -> dict[str, Any]:
    """Return the JSON schema of all that goes in and comes out, by its published name."""
    brought = state_groups()
    structs = (every_request(), EntryRequest, QuestionShown, Ending, SentenceData, *brought)
    more = {name: kind for part in page_parts() for name, kind in part.described().items()}
    forms, made = msgspec.json.schema_components(
        (*structs, *more.values()), ref_template=f"{SCHEMAS}{{name}}"
    )
    bodies = {"Request": forms[0], **dict(zip(more, forms[len(structs) :], strict=True))}
    groups = [made.pop(group.__name__) for group in brought]
    named = re.compile(rf'"({SCHEMAS})?({"|".join(made)})"')
    text = named.sub(
        lambda found: f'"{found[1] or ""}{published_name(found[2])}"',
        msgspec.json.encode([made, groups, bodies]).decode(),
    )
    made, groups, bodies = msgspec.json.decode(text)
    written = msgspec.json.decode(Path(__file__).with_name("schemas.json").read_bytes())
    state = written["State"]
    for group in groups:  # the keys of features lie among those of the state
        state["description"] += f"\n{group['description']}"
        state["properties"] |= group["properties"]
        state["required"] += group["required"]
    change = {**state, "title": "Change", "required": [], "description": "The keys that differ."}
    return {**written, **made, "Change": change, **bodies}


def published_name(struct: str) -> str:
    """Return the name of a struct's schema: without `Request` or `State`, which only we need."""
    return PUBLISHED.get(struct) or struct.removesuffix("Request").removesuffix("State")


def overview(ways: Sequence[Endpoint]) -> dict[str, Any]:
    """Return every way to ask in a line each, and where they are described in full."""
    return {
        "name": "Jetan Table",
        "version": __version__,
        "versions": VERSIONS,
        "refusals": "any status but 200 and 202 comes with {refused: why}; nothing is done",
        "ways": {f"{way.method} {_CONVERTED.sub('}', way.path)}": way.what for way in ways},
        "described": "/api/openapi.json",
    }
