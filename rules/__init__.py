"""Jetan as a calculator: boards, rules, positions, moves, endings and their texts.

No clock, no chance, no reading of files, nothing but the standard library. Positions are values:
`after = position.play(move)` leaves `position` as it was. The record of a game with its dice, its
text, the ledger, the explanations and all that others need seldom stand in modules of their own,
which `__all__` names last.
"""

from .board import (
    SQUARES,
    Direction,
    Kind,
    Move,
    MoveKind,
    Occupant,
    Outcome,
    Piece,
    Side,
    Square,
    Termination,
    Topology,
    format_square,
    grid,
    mask_of,
    ninth_ray,
    parse_square,
    squares_of,
)
from .options import Rules, format_rules, format_rules_file, parse_rules, parse_rules_file
from .position import Position, divide, format_move, format_position, parse_position, perft
from .sentences import BadText, BadValue, Contradiction, IllegalMove, RulesError, UnknownName
from .words import parse_move

__all__ = [
    "SQUARES",
    "BadText",
    "BadValue",
    "Contradiction",
    "Direction",
    "IllegalMove",
    "Kind",
    "Move",
    "MoveKind",
    "Occupant",
    "Outcome",
    "Piece",
    "Position",
    "Rules",
    "RulesError",
    "Side",
    "Square",
    "Termination",
    "Topology",
    "UnknownName",
    "divide",
    "format_move",
    "format_position",
    "format_rules",
    "format_rules_file",
    "format_square",
    "grid",
    "mask_of",
    "ninth_ray",
    "parse_move",
    "parse_position",
    "parse_rules",
    "parse_rules_file",
    "parse_square",
    "perft",
    "squares_of",
    "board",
    "explain",
    "game",
    "ledger",
    "movement",
    "options",
    "plain",
    "position",
    "sentences",
    "text",
]
