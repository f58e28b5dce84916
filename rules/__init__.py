"""Jetan as a calculator: boards, rules, positions, moves, games, endings and their texts.

No clock, no chance, no reading of files, nothing but the standard library. Positions and games are
values: `after = position.play(move)` leaves `position` as it was.

    >>> from rules import Game, GameText, Position, format_game, parse_game, parse_rules
    >>> game = Game.begin(Position.start(parse_rules("appendix")))
    >>> for move in ("d2-d3", "Pe9-e8", "d1 c4"):
    ...     game = game.play(move)
    >>> print(format_game(GameText(game)).splitlines()[-1])
    1. Pd2-d3 Pe9-e8 2. Fd1-c4 *
    >>> parse_game(format_game(GameText(game))).game == game
    True

Here, too, is how anything is said: `_` marks a sentence for the catalogues. What `__all__` names
last are modules that few need: how pieces go, more of game texts, and the ledger of several games.
"""

from .board import (
    FILES,
    JUGGERNAUT_LETTER,
    KINDS,
    OCCUPANT_OF,
    PIECES,
    RING_RADII,
    SQUARE_NAMES,
    SQUARES,
    Direction,
    Kind,
    Move,
    MoveKind,
    Occupant,
    Outcome,
    Piece,
    Point,
    Side,
    Square,
    Termination,
    Topology,
    at_sector_and_ring,
    format_placement,
    format_square,
    grid,
    mask_of,
    ninth_ray,
    parse_square,
    sector_and_ring,
    squares_of,
)
from .game import (
    CENTRE,
    REST,
    TELEPORT,
    Duel,
    Game,
    PlayedPly,
    Roll,
    Throw,
    entered_by,
    fight,
    juggernaut_starts,
    teleport_square,
)
from .options import (
    DEFAULT_PRESET,
    OPTIONS,
    PRESETS,
    RECOMMENDED,
    TOPOLOGIES,
    Rules,
    format_rules,
    format_rules_file,
    parse_rules,
    parse_rules_file,
    preset_rules,
)
from .plain import TYPE_CHECKING, decimal_number, whole_number
from .position import Position, divide, format_move, format_position, letters, parse_position, perft
from .sentences import (
    BadGame,
    BadText,
    BadValue,
    IllegalMove,
    Notice,
    RulesError,
    Sentence,
    SentenceError,
    Translate,
    UnknownName,
    Worded,
    _,
    english,
    in_words,
    joined,
    near_miss,
    printable,
    value_in_words,
)
from .words import (
    AND,
    JUGGERNAUT,
    NOUNS,
    SIDES,
    Explanation,
    explain,
    gait_in_words,
    noun,
    parse_move,
)

if TYPE_CHECKING:
    from .text import GameText, Note, format_game, parse_game, parse_games

_OF_GAME_TEXTS = ("GameText", "Note", "format_game", "parse_game", "parse_games")


def __getattr__(name: str) -> object:
    # `text` needs `re` and `dataclasses`. To import them takes as long as all that is above, and a
    # program that reads no game text goes without.
    if name in _OF_GAME_TEXTS:
        from . import text

        return getattr(text, name)
    raise AttributeError(f"module 'rules' has no attribute {name!r}")


__all__ = [
    "AND",
    "BadGame",
    "BadText",
    "BadValue",
    "CENTRE",
    "DEFAULT_PRESET",
    "Direction",
    "Duel",
    "Explanation",
    "FILES",
    "Game",
    "GameText",
    "IllegalMove",
    "JUGGERNAUT",
    "JUGGERNAUT_LETTER",
    "KINDS",
    "Kind",
    "Move",
    "MoveKind",
    "NOUNS",
    "Note",
    "Notice",
    "OCCUPANT_OF",
    "OPTIONS",
    "Occupant",
    "Outcome",
    "PIECES",
    "PRESETS",
    "Piece",
    "PlayedPly",
    "Point",
    "Position",
    "RECOMMENDED",
    "REST",
    "RING_RADII",
    "Roll",
    "Rules",
    "RulesError",
    "SIDES",
    "SQUARES",
    "SQUARE_NAMES",
    "Sentence",
    "SentenceError",
    "Side",
    "Square",
    "TELEPORT",
    "TOPOLOGIES",
    "Termination",
    "Throw",
    "Topology",
    "Translate",
    "UnknownName",
    "Worded",
    "_",
    "at_sector_and_ring",
    "decimal_number",
    "divide",
    "english",
    "entered_by",
    "explain",
    "fight",
    "format_game",
    "format_move",
    "format_placement",
    "format_position",
    "format_rules",
    "format_rules_file",
    "format_square",
    "gait_in_words",
    "grid",
    "in_words",
    "joined",
    "juggernaut_starts",
    "letters",
    "mask_of",
    "near_miss",
    "ninth_ray",
    "noun",
    "parse_game",
    "parse_games",
    "parse_move",
    "parse_position",
    "parse_rules",
    "parse_rules_file",
    "parse_square",
    "perft",
    "preset_rules",
    "printable",
    "sector_and_ring",
    "squares_of",
    "teleport_square",
    "value_in_words",
    "whole_number",
    "ledger",
    "movement",
    "sentences",
    "text",
]
