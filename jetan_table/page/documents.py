"""Documents beside the state, as plain data: boards, cards, games, series, sensors."""

import platform
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, reduce
from itertools import islice
from math import exp
from pathlib import Path
from statistics import quantiles
from typing import Any, Final

from hardware.ports import Evidence, SwitchCounts
from hardware.reeds import Bouncing
from rules import (
    JUGGERNAUT,
    JUGGERNAUT_LETTER,
    KINDS,
    NOUNS,
    OPTIONS,
    PRESETS,
    RECOMMENDED,
    SQUARES,
    TOPOLOGIES,
    Direction,
    Game,
    Kind,
    Piece,
    Point,
    Position,
    Rules,
    Sentence,
    Side,
    Square,
    UnknownName,
    _,
    explain,
    format_move,
    format_placement,
    format_position,
    format_rules,
    format_square,
    gait_in_words,
    near_miss,
    noun,
    parse_square,
    preset_rules,
)
from rules.movement import law_of
from rules.text import result_word

from .. import __version__
from ..files import repository
from ..game.events import GameId
from ..game.record import Record
from ..game.texts import FORMATS, PlayedSeries, read_saved, series_rows
from ..journal.archive import Archive, Summary
from ..languages import LANGUAGES, Language, say_in, translation, without_folders, worded_in
from ..light.lamps import MEANINGS, PALETTES, PaletteName
from ..light.words import GESTURE_ROWS, HOW_GESTURES_ARE_MADE
from ..table.board import BoardWatch
from ..table.games import saved_names, saved_text
from ..table.loop import Table
from ..table.switches import SwitchKeeper
from .state import ADDRESS, cue_name, duels, path_of


@lru_cache
def about() -> dict[str, Any]:
    """Return what never changes: the program, palettes, presets, options, exports, gestures."""
    return {
        "version": __version__,
        "repository": repository(),
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
            "how": str.__str__(HOW_GESTURES_ARE_MADE),
            "rows": [list(map(str.__str__, row)) for row in GESTURE_ROWS.values()],
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


@lru_cache
def board(name: str) -> dict[str, Any]:
    """Return a board as data: what lies where, and what lies beside what.

    Outlines are polygons in board units (0..10, a1 towards 0, 0); neighbours go north, east,
    south and west, None off the board.
    """
    if name not in TOPOLOGIES:
        raise UnknownName(
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
                "neighbours": [
                    None if there is None else format_square(there)
                    for there in map(topology.neighbours[square].__getitem__, straight)
                ],
            }
            for square in SQUARES
        ],
    }


def _rounded(point: Point) -> list[float]:
    return [round(length, 4) for length in point]


def explained(position: Position, start: str, end: str, language: Language) -> dict[str, Any]:
    """Return why a piece may go from one square to another, or why not, in words."""
    explanation = explain(position, parse_square(start), parse_square(end))
    return {
        "is_legal": explanation.is_legal,
        "path": [format_square(square) for square in explanation.path],
        "said": explanation.said(translation(language)),
    }


# Move cards: a piece's figure as the book gives it, and how it moves by the rules in play

FIGURES: Final[Mapping[Kind, Sentence]] = {
    Kind.PANTHAN: _("A mercenary: a warrior with one feather. {gait}."),
    Kind.THOAT: _("A warrior in the saddle, with two feathers. {gait}."),
    Kind.WARRIOR: _("A foot soldier with two feathers. {gait}."),
    Kind.PADWAR: _("A lieutenant with two feathers. {gait}."),
    Kind.DWAR: _("A captain with three feathers. {gait}."),
    Kind.FLIER: _("A propeller with three blades. {gait}."),
    Kind.CHIEF: _("A diadem with ten jewels. {gait}."),
    Kind.PRINCESS: _("A diadem with one jewel. {gait}."),
}
COLOSSUS: Final = _(
    "The Colossus of Yorn, which belongs to nobody. After each move a die sends it one step, or "
    "anywhere; whatever it touches dies."
)


@dataclass(frozen=True, slots=True)
class MoveCard:
    """One piece: its letter as in position texts (`*`: the Juggernaut), name, and two sentences.

    `goes` is where it may go on an empty square board: files to the right and ranks forward.
    """

    letter: str
    name: str
    sentences: str
    goes: tuple[tuple[int, int], ...]


def cards(rules: Rules, language: Language) -> tuple[MoveCard, ...]:
    """Return the cards of all pieces that play by these rules, the Juggernaut's last."""
    men = [_card(kind, rules, language) for kind in KINDS]
    if rules["juggernaut"] == "off":
        return tuple(men)
    name = say_in(language, JUGGERNAUT)
    around = tuple((x, y) for y in (1, 0, -1) for x in (-1, 0, 1) if x or y)
    return (*men, MoveCard(JUGGERNAUT_LETTER, name, say_in(language, COLOSSUS), around))


def find_card(name: str, rules: Rules, language: Language) -> MoveCard:
    """Return the card of a piece by its name in any language, or by its letter; UnknownName."""
    by_name: dict[str, MoveCard] = {}
    with_juggernaut = rules.changed({"juggernaut": "random-empty"})
    for own in cards(with_juggernaut, language):
        by_name[own.letter.lower()] = by_name[own.name.lower()] = own
    for spoken in LANGUAGES:
        for kind in KINDS:
            called = say_in(spoken, NOUNS[kind].name)
            by_name.setdefault(called.lower(), by_name[kind.value.lower()])
    if (card := by_name.get(name.lower())) is None:
        near = near_miss(name.lower(), by_name)
        raise UnknownName(_("{name}: no piece is called so{near}"), name=name, near=near)
    return card


def _card(kind: Kind, rules: Rules, language: Language) -> MoveCard:
    law = law_of(rules)
    gait = law.peers[Piece(Side.BLACK, kind)].gait
    goes = worded_in(language, gait_in_words(gait, kind))
    if gait.jumps:
        goes = say_in(language, _("{gait}, and jumps over pieces in between"), gait=goes)
    elif kind is not Kind.PANTHAN:
        goes = say_in(language, _("{gait}, not over pieces"), gait=goes)
    if kind is Kind.PRINCESS and not law.princess_takes:
        goes = say_in(language, _("{gait}; takes nothing"), gait=goes)
    if kind is Kind.PRINCESS and law.escape != "none":
        goes = say_in(language, _("{gait}; flees once a game"), gait=goes)
    figure = say_in(language, FIGURES[kind], gait=goes[:1].upper() + goes[1:])
    return MoveCard(
        kind.value, say_in(language, noun(kind, rules).name), figure, _reach(kind, rules)
    )


def _reach(kind: Kind, rules: Rules) -> tuple[tuple[int, int], ...]:
    """Return where a black piece may go from the middle of an empty square board."""
    middle = parse_square("e5")
    pieces = {
        middle: Piece(Side.BLACK, kind),
        parse_square("j10"): Piece(Side.ORANGE, Kind.PANTHAN),
    }
    alone = Position.of(rules.changed({"board": "grid", "juggernaut": "off"}), pieces, Side.BLACK)
    ends, _escapes = alone.ends_from(middle)
    return tuple(
        (square % 10 - middle % 10, square // 10 - middle // 10)
        for square in SQUARES
        if ends >> square & 1
    )


# Games and series

MOST_LISTED = 200
"""The newest games, as many as a list has."""
MOST_READ = 5 * MOST_LISTED
"""Games that are looked through for them: there may be lessons among them."""


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


def line_document(start: Position, moves: Sequence[str]) -> dict[str, Any]:
    """Return moves that follow a position as `game_document` does; RulesError names a wrong one."""
    nobody = {"black": "?", "orange": "?"}
    return {**nobody, **_plies(reduce(Game.play, moves, Game.begin(start)))}


def _plies(game: Game) -> dict[str, Any]:
    played = list(zip(game.positions, game.plies, strict=False))
    outcome = game.outcome
    return {
        "rules": format_rules(game.start.rules),
        "result": result_word(outcome),
        "termination": None if outcome is None else outcome.termination.value,
        "board": game.start.rules.board.name,
        "first_number": game.start.ply_number,
        "position": format_position(game.position),
        "placements": [
            format_placement(position.pieces(), position.juggernaut) for position in game.positions
        ],
        "duels": duels(game),
        "moves": [format_move(ply.move, before) for before, ply in played],
        "paths": [path_of(before, ply.move) for before, ply in played],
    }


def kept_record(archive: Archive, game: int) -> Record:
    """Return a game the journal keeps."""
    return archive.record(GameId(game))


def kept_text(archive: Archive, game: int, form: str = "jgn") -> str:
    """Return a kept game as text, in one of the forms in which games leave the table."""
    return FORMATS[form].write(kept_record(archive, game))


def series_document(archive: Archive, name: str) -> dict[str, Any]:
    """Return a series and how it stands."""
    series = archive.played_series(name)
    return {**_standing(series), "games": series_rows(series)}


def all_series(archive: Archive) -> dict[str, Any]:
    """Return how every series stands."""
    return {"series": [_standing(archive.played_series(name)) for name in archive.series()]}


def _standing(series: PlayedSeries) -> dict[str, Any]:
    return {
        "name": series.name,
        "players": series.players,
        "wins": series.wins,
        "balance": series.balance,
        "decided": len(series.ledger.games),
        "damaged": series.damaged,
    }


# The board as its sensors see it, also as a report for a question in a forum

MS, HOUR_S = 1000, 3600


def sensors_document(
    table: Table, watch: BoardWatch, scan_hz: float | None, now: float, language: Language
) -> dict[str, Any]:
    """Return what is known of every switch and of the looks at them; nothing of people or places.

    `scan_hz` is how often the board is to be looked at; None where it is no real one.
    """
    keeper = table.guest(SwitchKeeper)
    counts = {} if keeper is None else keeper.rates.counts
    actual, bouncing = table.orientation.actual, table.board.bouncing
    return {
        "version": __version__,
        "machine": f"{platform.system()} {platform.machine()}, Python {platform.python_version()}",
        "squares": {
            format_square(actual[at]): {
                **_square(watch, at, bouncing.get(at), now),
                **_counted(counts.get(actual[at])),
            }
            for at in SQUARES
        },
        "weak": [format_square(actual[at]) for at in watch.histories.weak],
        "looks": _looks(list(watch.gaps), scan_hz),
        "troubles": [without_addresses(language, each) for each in _troubles(table)],
    }


def _square(
    watch: BoardWatch, square: Square, bounced: Bouncing | None, now: float
) -> dict[str, Any]:
    history = watch.histories.of[square]
    longest = None if bounced is None else bounced.longest_s
    changed_at, evidence = history.changed_at, watch.evidence.get(square)
    return {
        "on": history.occupied,
        "changes": history.changes,
        "ago_s": None if changed_at is None else round(max(now - changed_at, 0.0), 1),
        "blinks": history.blinks,
        "longest_blink_ms": round(MS * history.longest_blink_s, 1),
        "bounces": 0 if bounced is None else bounced.changes,
        "longest_bounce_ms": None if longest is None else round(MS * longest, 1),
        "belief": None if evidence is None else _belief(evidence),
    }


def _counted(counts: SwitchCounts | None) -> dict[str, Any]:
    """Return what a switch has missed and shown of nobody on all evenings."""
    if counts is None:
        return {}
    hours = round(counts.empty_s / HOUR_S, 1)
    return {
        "placed": counts.placed,
        "missed": counts.missed,
        "ghosts": counts.ghosts,
        "empty_h": hours,
    }


def _belief(evidence: Evidence) -> list[float]:
    """Return how likely empty, black, orange and neutral are, if nothing else is known."""
    most = max(evidence)
    shares = [exp(each - most) for each in evidence]
    return [round(share / sum(shares), 3) for share in shares]


def _looks(gaps: list[float], scan_hz: float | None) -> dict[str, float | None]:
    """Return how often the board is looked at, and how much later than it is to be."""
    wanted_s = None if scan_hz is None else 1 / scan_hz
    if len(gaps) < 2:
        return {"hz": None, "wanted_hz": scan_hz, "rare_ms": None, "latest_ms": None}
    late = sorted(max(gap - (wanted_s or 0.0), 0.0) for gap in gaps)
    rare = quantiles(late, n=100, method="inclusive")[98]
    hz = len(gaps) / sum(gaps) if sum(gaps) else None
    return {
        "hz": None if hz is None else round(hz, 1),
        "wanted_hz": scan_hz,
        "rare_ms": round(MS * rare, 1),
        "latest_ms": round(MS * late[-1], 1),
    }


def _troubles(table: Table) -> Iterator[str]:
    yield from (each.found for each in table.troubles if each.check != "disk")
    yield from (each.line for each in table.view.notices)
    yield from table.view.guest_notes


def without_addresses(language: Language, line: str) -> str:
    """Return a line in words without addresses of cameras and boards: they may hold passwords.

    Nor does it say where files lie.
    """
    return ADDRESS.sub("…", worded_in(language, without_folders(line)))
