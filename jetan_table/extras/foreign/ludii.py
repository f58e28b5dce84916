"""A reading of the rules as Ludii reads it: a `.lud` file.

Where a piece may end is a region, grown from its square step by step (`sites Around`): each step
goes in one direction, the last one in a group of them, and the squares before the last must be
empty unless the piece jumps. Ludii leaves out of such a region what it was grown from, which is why
each row of first steps has a region of its own.
"""

from collections import defaultdict
from collections.abc import Collection, Iterator
from typing import Final

from rules import (
    KINDS,
    PRESETS,
    SQUARE_NAMES,
    Direction,
    Kind,
    Piece,
    Rules,
    Sentence,
    Side,
    _,
    format_rules,
)
from rules.movement import FEW, FEW_PLIES, gaits

from . import zillions
from .zillions import step_words

GROUPS: Final = {
    "Adjacent": frozenset(Direction),
    "Orthogonal": frozenset(way for way in Direction if way % 2 == 0),
    "Diagonal": frozenset(way for way in Direction if way % 2),
}
"""Ludii's words for groups of directions."""

DEFINES: Final = """\
(define "JetanStep1" (sites Around (from) #1))
(define "JetanFree1" (sites Around (from) #1 if:(is Empty (to))))
(define "JetanFree2" (sites Around ("JetanFree1" #1) #2 if:(is Empty (to))))
(define "JetanWalk2" (sites Around ("JetanFree1" #1) #2))
(define "JetanWalk3" (difference (sites Around ("JetanFree2" #1 #2) #3) ("JetanFree1" #1)))
(define "JetanJump2" (sites Around ("JetanStep1" #1) #2))
(define "JetanJump3" (difference (sites Around ("JetanJump2" #1 #2) #3) ("JetanStep1" #1)))
(define "JetanTake" (apply (if (is Enemy (who at:(to))) (and (remove (to)) (set Counter)))))
(define "JetanThreatened" (is Threatened (id "Princess" Mover) at:#1))"""


def why_not(rules: Rules) -> Iterator[Sentence]:
    """Yield what of some rules cannot be said at all; nothing where they can be exported."""
    yield from zillions.why_not(rules)
    if rules.board.columns_around:
        yield _("the disk's centre has no directions there")


def left_out(rules: Rules) -> Iterator[Sentence]:
    """Yield what the file leaves out of some rules."""
    if rules["few-equal"] == "any":
        yield zillions.TEN_PLIES
    if rules["repetition"] != "off":
        yield _("the draw by the third time of a position")
    if rules["princess-ends"] == "safe" or rules["escape"] == "unthreatened":
        yield zillions.BEHIND_HER


def exported(rules: Rules) -> str:
    """Return the text of the file; CannotSay."""
    zillions.check(rules, why_not(rules))
    name = format_rules(rules)
    lines = [
        f"// Jetan by the rules {name}, written by `jetan rules export ludii`.",
        *(f"// Left out: {each}" for each in left_out(rules)),
        "",
        DEFINES,
        f'(define "JetanReach" {ends(rules, Kind.PRINCESS, Side.BLACK)})',
        "",
        '(game "Jetan"',
        "    (players {(player N) (player S)})",
        "    (equipment {",
        "        (board (square 10))",
        *(f"        {piece(rules, kind)}" for kind in KINDS),
        "    })",
        "    (rules",
        "        (start {",
        *(f"            {each}" for each in _set_up(rules)),
        "        })",
        "        (play (forEach Piece))",
        "        (end {",
        *(f"            (if {when} (result Mover {what}))" for when, what in _goals(rules)),
        "        })",
        "    )",
        ")",
        "",
        "(metadata (info {",
        '    (description "The Martian chess of Edgar Rice Burroughs.")',
        f'    (rules "{PRESETS[rules.base].title} ({name})")',
        "}))",
        "",
    ]
    return "\n".join(lines)


def piece(rules: Rules, kind: Kind) -> str:
    """Return a kind of piece with its moves."""
    if kind is Kind.PRINCESS:
        moves = _princess(rules)
    elif gaits(rules)[kind].ways == GROUPS["Adjacent"]:
        moves = _go(rules, kind, Side.BLACK)
    else:
        moves = f"(if (is Mover P1) {' '.join(_go(rules, kind, side) for side in Side)})"
    return f'(piece "{kind.word.capitalize()}" Each {moves})'


def _go(rules: Rules, kind: Kind, side: Side) -> str:
    """Return the moves of all but the Princess."""
    take = '"JetanTake"'
    if kind is Kind.CHIEF and rules["chief-taken-by-other"] == "play-on":
        wins = '(if (= (what at:(to)) (id "Chief" Next)) (set Var 1))'
        take = f"(apply (if (is Enemy (who at:(to))) (and {{{wins} (remove (to)) (set Counter)}})))"
    onto = f"{ends(rules, kind, side)} if:(not (is Friend (who at:(to)))) {take}"
    return f"(move (from) (to {onto}))"


def _princess(rules: Rules) -> str:
    is_open, take = "(is Empty (to))", ""
    if rules["princess-takes"] == "yes":
        is_open, take = "(not (is Friend (who at:(to))))", ' "JetanTake"'
    unthreatened = '(not ("JetanThreatened" (to)))'
    if rules["princess-ends"] == "safe":
        is_open = f"(and {is_open} {unthreatened})"
    steps = f'(move (from) (to ("JetanReach") if:{is_open}{take}))'
    if rules["escape"] == "none":
        return steps
    may = "(not (= 1 (value Player Mover)))"
    if rules["escape"] == "when-threatened":
        may = f'(and {may} ("JetanThreatened" (from)))'
    kept = "" if rules["escape"] == "unoccupied" else f" if:{unthreatened}"
    onto = f'(to (difference (sites Empty) ("JetanReach")){kept})'
    flight = f"(move (from) {onto} (then (set Value Mover 1)))"
    return f"(or {steps} (if {may} {flight}))"


def ends(rules: Rules, kind: Kind, side: Side) -> str:
    """Return the region of the squares at the end of a kind's steps, whatever stands there."""
    gait, last = gaits(rules)[kind], defaultdict[tuple[Direction, ...], set[Direction]](set)
    for row in step_words(rules.board, gait):
        steps = row if side is Side.BLACK else tuple(Direction((4 - way) % 8) for way in row)
        if len(steps) < 3 or (steps[0] + 4) % 8 != steps[1]:  # nothing comes back to its start
            last[steps[:-1]].add(steps[-1])
    walk = "Jump" if gait.jumps else "Walk"
    regions = [
        f'("Jetan{walk if first else "Step"}{len(first) + 1}" {" ".join((*words(first), word))})'
        for first, ways in sorted(last.items())
        for word in _grouped(ways)
    ]
    return f"(union {{{' '.join(regions)}}})"


def words(ways: Collection[Direction]) -> list[str]:
    """Return Ludii's names of directions."""
    return [zillions.WAYS[way].upper() for way in ways]


def _grouped(ways: set[Direction]) -> list[str]:
    """Return the word for a group of directions, or each one's where they are none."""
    return [name for name, group in GROUPS.items() if group == ways] or words(sorted(ways))


def _set_up(rules: Rules) -> Iterator[str]:
    pieces = rules.start_pieces()
    for side in Side:
        for kind in KINDS:
            name = f"{kind.word.capitalize()}{side + 1}"
            at = [
                SQUARE_NAMES[sq].upper() for sq, man in pieces.items() if man == Piece(side, kind)
            ]
            places = " ".join(f'"{each}"' for each in at)
            yield f'(place "{name}" {{{places}}})' if at[1:] else f'(place "{name}" coord:{places})'


def _goals(rules: Rules) -> Iterator[tuple[str, str]]:
    """Yield when a game ends, and what it then is for the side that has moved; the first counts."""
    yield '(= 0 (count Pieces Next "Princess"))', "Win"
    lost = '(= 0 (count Pieces Next "Chief"))'
    match rules["chief-taken-by-other"]:
        case "win":
            yield lost, "Win"
        case "draw":
            by_chief = '(= (what at:(last To)) (id "Chief" Mover))'
            yield f"(and {lost} {by_chief})", "Win"
            yield lost, "Draw"
        case "play-on":
            yield "(= 1 (var))", "Win"
    yield "(no Moves Next)", "Draw" if rules["no-move"] == "draw" else "Win"
    if rules["few-equal"] != "any":
        few = " ".join(f"(<= (count Pieces {player}) {FEW})" for player in ("P1", "P2"))
        # The counter is counted up once the ends have been looked at: it is one behind.
        yield f"(and {{{few} {_are_equal(rules)} (>= (counter) {FEW_PLIES - 1})}})", "Draw"
    if rules["captureless"] != "off":
        yield f"(>= (counter) {2 * int(rules['captureless']) - 1})", "Draw"


def _are_equal(rules: Rules) -> str:
    if rules["few-equal"] == "count":
        return "(= (count Pieces P1) (count Pieces P2))"
    sums = []
    for player in ("P1", "P2"):
        each = (
            f'(* {rules.worth(kind)} (count Pieces {player} "{kind.word.capitalize()}"))'
            for kind in KINDS
            if rules.worth(kind)
        )
        sums.append(f"(+ {{{' '.join(each)}}})")
    return f"(= {' '.join(sums)})"
