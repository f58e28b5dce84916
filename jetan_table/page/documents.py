"""What a page reads besides the state: boards, games, rules, explanations, lessons; plain data."""

from collections.abc import Callable
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any

from msgspec import to_builtins

from rules import (
    SQUARES,
    Direction,
    Position,
    Square,
    format_rules,
    format_square,
    parse_rules,
    parse_square,
)
from rules.board import Point, format_placement
from rules.explain import explain, sentences
from rules.game import Game
from rules.options import OPTIONS, PRESETS, RECOMMENDED, TOPOLOGIES, preset_rules
from rules.position import format_move
from rules.sentences import _
from rules.text import result_word

from .. import __version__
from ..errors import TableError
from ..game.events import GameId
from ..game.record import Record
from ..journal.archive import Archive, Summary
from ..journal.game_files import FORMATS, read_saved, saved_names, saved_text
from ..journal.series import PlayedSeries, read_series, series_rows
from ..languages import LANGUAGES, Language, translation
from ..light.lamps import MEANINGS, PALETTES, PaletteName
from ..light.words import HOW_GESTURES_ARE_MADE, gestures_in_words
from .cards import cards
from .state import cue_name, duel_states, path_of

MOST_LISTED = 200
"""So many of the newest games are listed."""
MOST_READ = 5 * MOST_LISTED
"""So many are looked through for them: there may be lessons among them."""


class NoSuchBoard(TableError, LookupError):
    """No board of that name."""


@lru_cache
def board(name: str) -> dict[str, Any]:
    """Return a board as data: what lies where, and what lies beside what.

    Outlines are polygons in board units (0..10, a1 towards 0, 0); neighbours go north, east,
    south and west, None off the board.
    """
    if name not in TOPOLOGIES:
        raise NoSuchBoard(
            _("{name}: no such board, there are {boards}"), name=name, boards=", ".join(TOPOLOGIES)
        )
    topology = TOPOLOGIES[name]()
    straight = (Direction.NORTH, Direction.EAST, Direction.SOUTH, Direction.WEST)
    return {
        "name": name,
        "is_disk": bool(topology.columns_around),
        "squares": [
            {
                "name": format_square(square),
                "colour": topology.colours[square],
                "outline": [_rounded(point) for point in topology.outlines[square]],
                "centre": _rounded(topology.centres[square]),
                "neighbours": [_name(topology.neighbours[square][way]) for way in straight],
            }
            for square in SQUARES
        ],
    }


def _rounded(point: Point) -> list[float]:
    return [round(length, 4) for length in point]


def _name(square: Square | None) -> str | None:
    return None if square is None else format_square(square)


@lru_cache
def about() -> dict[str, Any]:
    """Return what never changes: version, palettes, presets, options, exports, all gestures."""
    return {
        "version": __version__,
        "languages": {language: translation(language)(_("English")) for language in LANGUAGES},
        "palettes": {name: _palette(name) for name in PALETTES},
        "recommended": RECOMMENDED,
        "exports": list(FORMATS),
        "presets": {
            name: {
                "title": str(preset.title),
                "gist": str(preset.gist),
                "source": str(preset.source),
                "values": dict(zip(OPTIONS, preset_rules(name).values, strict=True)),
            }
            for name, preset in PRESETS.items()
        },
        "options": [
            {
                "name": option.name,
                "meaning": str(option.meaning),
                "values": list(option.values),
                "numbers": [option.numbers[0], option.numbers[-1]] if option.numbers else None,
                "squares": option.squares,
            }
            for option in OPTIONS.values()
        ],
        "gestures": {
            language: {
                "how": translation(language)(HOW_GESTURES_ARE_MADE),
                "rows": gestures_in_words(language),
            }
            for language in LANGUAGES
        },
    }


def _palette(name: PaletteName) -> dict[str, Any]:
    """Return each cue's colour and rhythm, the most urgent cue first."""
    return {
        cue_name(cue): {
            "colour": list(meaning.colour(name)),
            "period_s": meaning.rhythm.period_s,
            "levels": list(meaning.rhythm.levels),
            "alternates": meaning.rhythm.alternates,
        }
        for cue, meaning in MEANINGS.items()
    }


def game_document(record: Record) -> dict[str, Any]:
    """Return a whole game, position by position, as it was told."""
    header, ending = record.header, record.ending
    ended = {} if ending is None else {"result": ending.result, "termination": ending.termination}
    return {
        "started": header.started,
        "black": header.black,
        "orange": header.orange,
        **_plies(record.game),
        **ended,
    }


def saved_document(folder: Path, name: str) -> dict[str, Any]:
    """Return a saved game as `game_document` does."""
    text = read_saved(saved_text(folder, name))
    players = {side.lower(): text.tags.get(side, "?") for side in ("Black", "Orange")}
    return {**players, **_plies(text.game)}


def _plies(game: Game) -> dict[str, Any]:
    played = list(zip(game.positions, game.plies, strict=False))
    outcome = game.outcome
    return {
        "rules": format_rules(game.start.rules),
        "result": result_word(outcome),
        "termination": None if outcome is None else outcome.termination.value,
        "board": game.start.rules.board.name,
        "first_number": game.start.ply_number,
        "placements": [
            format_placement(position.pieces(), position.juggernaut) for position in game.positions
        ],
        "duels": to_builtins(duel_states(game)),
        "moves": [format_move(ply.move, before) for before, ply in played],
        "paths": [path_of(before, ply.move) for before, ply in played],
    }


def kept_record(archive: Archive, game: int) -> Record:
    """Return a game the journal keeps."""
    return archive.record(GameId(game))


def kept_text(archive: Archive, game: int, form: str = "jgn") -> str:
    """Return a kept game as text, in one of the forms in which games leave the table."""
    return FORMATS[form].write(kept_record(archive, game))


def games(
    archive: Archive, folder: Path, is_listed: Callable[[str], bool] = lambda start: True
) -> dict[str, Any]:
    """Return the newest games kept, newest first, and the names of those saved.

    Only those are listed whose start, a position text, `is_listed`.
    """
    newest = (archive.summary(game) for game in reversed(archive.numbers(MOST_READ)))
    played = (each for each in newest if is_listed(each.header.start))
    kept = [_row(summary) for summary in islice(played, MOST_LISTED)]
    return {"kept": kept, "saved": saved_names(folder)}


def _row(summary: Summary) -> dict[str, Any]:
    header = summary.header
    return {
        "game": summary.game,
        "started": header.started,
        "rules": header.rules,
        "black": header.black,
        "orange": header.orange,
        "plies": summary.plies,
        "result": summary.result,
        "is_damaged": summary.damage is not None,
    }


def series_document(archive: Archive, name: str) -> dict[str, Any]:
    """Return a series and how it stands."""
    series = read_series(archive, name)
    return {**_standing(series), "games": series_rows(series)}


def all_series(archive: Archive) -> dict[str, Any]:
    """Return how every series stands."""
    return {"series": [_standing(read_series(archive, name)) for name in archive.series()]}


def _standing(series: PlayedSeries) -> dict[str, Any]:
    return {
        "name": series.name,
        "players": series.players,
        "wins": series.wins,
        "balance": series.balance,
        "decided": len(series.ledger.games),
        "damaged": series.damaged,
    }


def explained(position: Position, start: str, end: str, language: Language) -> dict[str, Any]:
    """Return why a piece may go from one square to another, or why not, in words."""
    explanation = explain(position, parse_square(start), parse_square(end))
    return {
        "is_legal": explanation.is_legal,
        "path": [format_square(square) for square in explanation.path],
        "said": sentences(explanation, position.rules, translation(language)),
    }


def rules_text(text: str) -> dict[str, Any]:
    """Return a rules text as it is written shortest; the rules' own refusal if it cannot be."""
    return {"rules": format_rules(parse_rules(text))}


def cards_document(rules: str, language: Language) -> list[dict[str, Any]]:
    """Return the move cards of all pieces by these rules."""
    return [
        {"letter": card.letter, "name": card.name, "sentences": card.sentences}
        for card in cards(parse_rules(rules), language)
    ]
