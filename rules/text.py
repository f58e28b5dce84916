"""Games written as text (`.jgn`): tag pairs and movetext after PGN, with this game's own commands.

Comment commands follow the ply they belong to: `[%die 7]`, `[%die 10,3,7]`, `[%die 7 hand]`;
`[%duel 7,4]`, `[%duel 7,4 hand]`, or `[%duel won]` and `[%duel lost]` (by the piece that entered)
where the players told; `[%emt 0:01:07]`, `[%clk 0:12:30]`; `[%fix ...]` for a correction by people.
Other lines stand in parentheses after the ply they replace, as PGN has variations.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from textwrap import wrap

from .board import Outcome, Side
from .game import TELEPORT, Game, PlayedPly, Roll, Throw
from .notation import format_move, format_position
from .options import format_rules
from .plain import whole_number
from .position import Position
from .sentences import BadText, _

ROSTER = ("Event", "Site", "Date", "Round", "Black", "Orange", "Result", "Rules", "Termination")
"""The tags every game text has, in this order."""

UNFINISHED = "*"
WON, LOST = "won", "lost"
"""What players tell of a duel they fought themselves: how the piece that entered fared."""

_UNTERMINATED = "unterminated"
_WIDTH = 80


@dataclass(frozen=True, slots=True)
class Note:
    """What a game text says of a ply beside the play itself; times are `h:mm:ss` as written."""

    comment: str = ""
    elapsed: str = ""
    """The time the ply took: `[%emt ...]`."""
    clock: str = ""
    """What its side's clock then had left: `[%clk ...]`."""
    fixes: tuple[str, ...] = ()
    """What people corrected: a `[%fix ...]` each."""


@dataclass(frozen=True, slots=True)
class GameText:
    """A game with what its text has beside the play."""

    game: Game
    tags: Mapping[str, str] = field(default_factory=dict)
    """What the game itself tells (Result, Rules, Termination, SetUp, Position) is written from it,
    whatever stands here. Other tags, such as DieCommit and DieSeed, are kept as they are."""
    preface: str = ""
    """The comment before the first ply."""
    notes: Mapping[int, Note] = field(default_factory=dict)
    """By the index of their ply, from 0."""
    others: tuple[Game, ...] = ()
    """Other lines from the same start, each as a whole game; none is the beginning of another."""


def format_game(text: GameText) -> str:
    """Write a game; parse_game reads the same one back."""
    tags = [f'[{name} "{_quoted(value)}"]' for name, value in _tags(text).items()]
    words = " ".join(_movetext(text))
    lines = wrap(words, _WIDTH, break_long_words=False, break_on_hyphens=False)
    return "\n".join([*tags, "", *lines, ""])


def result_word(outcome: Outcome | None) -> str:
    """Return `black`, `orange`, `draw`, or `*` for a game that goes on."""
    if outcome is None:
        return UNFINISHED
    return "draw" if outcome.winner is None else outcome.winner.word


def _tags(text: GameText) -> dict[str, str]:
    game, outcome = text.game, text.game.outcome
    rules = game.start.rules
    tags = {"Date": "????.??.??"} | dict(text.tags)
    tags["Result"] = result_word(outcome)
    tags["Rules"] = format_rules(rules)
    tags["Termination"] = _UNTERMINATED if outcome is None else outcome.termination.value
    for name in ("SetUp", "Position"):
        tags.pop(name, None)
    if game.start != Position.start(rules):
        tags["SetUp"] = "1"
        tags["Position"] = format_position(game.start)
    return {name: tags.pop(name, "?") for name in ROSTER} | tags


def _quoted(value: str) -> str:
    line = " ".join(value.split())
    return line.replace("\\", "\\\\").replace('"', '\\"')


def _movetext(text: GameText) -> Iterator[str]:
    if text.preface:
        yield _braced(text.preface)
    yield from _line(text.game, text.others, text.notes, 0)
    yield result_word(text.game.outcome)


def _line(
    game: Game, others: Sequence[Game], notes: Mapping[int, Note], since: int
) -> Iterator[str]:
    """Yield a game's plies from one on, each with the others that leave it there."""
    is_broken = True
    for index, ply in enumerate(game.plies[since:], since):
        position = game.positions[index]
        if position.side is Side.BLACK:
            yield f"{position.move_number}."
        elif is_broken:
            yield f"{position.move_number}..."
        yield format_move(ply.move, position)
        comment = " ".join(_commands(ply, notes.get(index, Note())))
        if comment:
            yield _braced(comment)
        leaving = dict[PlayedPly, list[Game]]()
        for line in others:
            if line.plies[:index] == game.plies[:index] and ply not in line.plies[index:][:1]:
                leaving.setdefault(line.plies[index], []).append(line)
        for first, *rest in leaving.values():
            yield f"({' '.join(_line(first, rest, {}, index))})"
        is_broken = bool(leaving)


def _commands(ply: PlayedPly, note: Note) -> Iterator[str]:
    if ply.duel is not None:
        fought = [format_throw(throw) for throw in ply.duel.throws]
        for how in fought or [WON if ply.duel.attacker_won else LOST]:
            yield f"[%duel {how}]"
    yield from (f"[%die {format_roll(roll)}]" for roll in ply.rolls)
    if note.elapsed:
        yield f"[%emt {note.elapsed}]"
    if note.clock:
        yield f"[%clk {note.clock}]"
    yield from map(format_fix, note.fixes)
    if note.comment:
        yield note.comment


def format_fix(what: str) -> str:
    """Write the `[%fix ...]` command of a correction made by people."""
    return f"[%fix {what.replace(']', ')')}]"


def _braced(comment: str) -> str:
    inside = " ".join(comment.split()).replace("{", "(").replace("}", ")")
    return f"{{{inside}}}"


def format_roll(roll: Roll) -> str:
    """Write a roll as in a `[%die ...]` command."""
    faces = f"{roll.face},{roll.file},{roll.rank}" if roll.face == TELEPORT else str(roll.face)
    return f"{faces} hand" if roll.by_hand else faces


def parse_roll(text: str) -> Roll:
    """Read `7`, `10,3,7` or `7 hand`; a die may show 10 as 0. BadText or BadValue where not."""
    match _thrown(text):
        case [[int(face)], by_hand]:
            return Roll(face, by_hand=by_hand).checked()
        case [[int(face), int(file), int(rank)], by_hand]:
            return Roll(face, file, rank, by_hand).checked()
    raise BadText(_("die {text!r}: write 7, 10,3,7 or 7 hand"), text=text)


def format_throw(throw: Throw) -> str:
    """Write a throw as in a `[%duel ...]` command."""
    faces = f"{throw.attack},{throw.defence}"
    return f"{faces} hand" if throw.by_hand else faces


def parse_throw(text: str) -> Throw:
    """Read `7,4` or `7,4 hand`; a die may show 10 as 0. BadText or BadValue where not."""
    match _thrown(text):
        case [[int(attack), int(defence)], by_hand]:
            return Throw(attack, defence, by_hand).checked()
    raise BadText(_("duel {text!r}: write 7,4 or 7,4 hand, won or lost"), text=text)


def _thrown(text: str) -> tuple[list[int | None], bool] | None:
    """Return the faces of `7,4` or `7,4 hand`, None for what is no number, and whether by hand."""
    numbers, _space, by_hand = text.strip().partition(" ")
    if by_hand.strip() not in ("", "hand"):
        return None
    faces = [TELEPORT if face == 0 else face for face in map(whole_number, numbers.split(","))]
    return faces, bool(by_hand)
