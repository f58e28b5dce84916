"""The state that pages show: one JSON object, made of view, record and hands.

In it squares are names, pieces the letters of position texts, sides words. `schemas.json` describes
it, and is published by `/api`: programs know its names. Features add keys of their own.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import msgspec
from msgspec import to_builtins

from hardware.ports import FaultKind
from rules import (
    Game,
    Kind,
    Move,
    Notice,
    Position,
    Rules,
    Side,
    Square,
    Throw,
    Worded,
    _,
    explain,
    format_position,
    format_square,
    letters,
    parse_position,
    squares_of,
)
from rules.text import format_roll, format_throw

from ..engine.evaluation import null_move
from ..game.agreements import TimeExtra, format_time_control
from ..game.commands import Help
from ..game.events import Question
from ..game.record import Record
from ..languages import SentenceData, as_data, plain, without_folders
from ..light.lamps import Cue, cues
from ..light.news import preamble_in_words
from ..light.words import NOTHING_IS_CONFIRMED, sentences
from ..notices import about, lamps_of, severity
from ..session.umpire import allows_help
from ..session.view import View
from ..table.loop import Table

if TYPE_CHECKING:  # a screen brings simulated hands
    from ..boards.screen import ScreenBoard, TypedHands

State: TypeAlias = dict[str, Any]
"""A table at one moment, as pages and programs get it."""

MOST_ROLLS = 12
"""The latest rolls, as many as are shown."""


def state_of(
    table: Table,
    hands: TypedHands | None,
    is_typed: bool = True,
    screen: ScreenBoard | None = None,
    notices: Sequence[Notice] = (),
    watch: State | None = None,
    brought: tuple[msgspec.Struct, ...] = (),
) -> State:
    """Return what a page shows of the table now; `brought` are the keys that features add.

    `watch` is how often a table plays that plays both sides on a screen, and whether it pauses.
    """
    view, record = _outward(table.view), table.record
    is_screen = screen is not None and not screen.simulates
    standing = view.standing if hands is None else hands.standing
    if is_screen:
        standing = letters(view.position)
    state = {
        "game": table.game,
        **_of_the_game(view, record),
        # What stands on the board, and what its lamps show: none while nothing is confirmed
        "standing": {format_square(square): standing[square] for square in sorted(standing)},
        "lifted": names(view.lifted),
        "faults": {format_square(at): kind.value for at, kind in record.faults.items()},
        "cues": {} if view.trouble else _cues(_unwished(view) if is_screen else view),
        "threats": _threats(view.position) if allows_help(record) else [],
        "arrows": list(_arrows(view)) if allows_help(record) else [],
        "palette": table.lighting.palette,
        "brightness": table.lighting.brightness,
        **_agreed(view, record),
        **_told(view, is_screen),
        "notices": [notice_state(each) for each in notices],
        # By what people can play and be helped from a page
        "is_screen": is_screen,
        "may_simulate": screen is not None,
        "hands": None if hands is None else _hands(hands),
        "is_typed": is_typed,
        "helps": allows_help(record),
        "watch": watch,
    }
    for group in brought:
        state |= msgspec.structs.asdict(group)
    plainly: State = to_builtins(state, enc_hook=plain)
    return plainly


def _of_the_game(view: View, record: Record) -> State:
    position = view.position
    return {
        "rules": record.rules_text,
        "board": position.rules.board.name,
        "black": record.header.black,
        "orange": record.header.orange,
        "conduct": record.conduct.name,
        "phase": view.phase.value,
        "side": position.side.word,
        "position": format_position(position),
        "escapes": sorted(side.word for side in position.escapes),
        "few": position.few_counter,
        "quiet": position.quiet_plies,
        "first_number": record.game.start.ply_number,
        "moves": list(record.moves),
        "last_path": _last_path(record),
        "taken": _taken(record),
        "over": record.ending,
    }


def _agreed(view: View, record: Record) -> State:
    """Return what was agreed for the game, and what of it is open or runs now."""
    return {
        "opening": _opening(record),
        "ledger": _ledger(record),
        "clock": _clock(record),
        "is_paused": record.is_paused,
        "touched": names(view.touched),
        "offers_draw": None if record.offer is None else record.offer.word,
        "die": _die(view, record),
        "fight": _fight(view),
        "duels": duels(record.game),
    }


def _told(view: View, is_screen: bool) -> State:
    """Return what the table says, and what it wants of people."""
    leading, gesture = view.leading, view.gesture
    return {
        "said": _said(view, is_screen),
        "trouble": None if view.trouble is None else as_data(view.trouble.found),
        "asks": _asks(view),
        "is_led": leading.repair is not None or leading.placing is not None,
        "boards": len(view.lost),
        "step": _step(view),
        "wish": _wish(view),
        "gesture": gesture.deed.value if gesture else None,
    }


class QuestionShown(Question, frozen=True):
    """A question as pages have it: of a ply, or of where a corner of the board is."""

    corner: str | None = None
    """The corner that is one of the candidates, where the board may lie turned."""


def _asks(view: View) -> QuestionShown | None:
    """Return what people are asked to choose from: what a ply was, or where a corner is."""
    if view.corner is None:
        asked = view.question
        return None if asked is None else QuestionShown(**msgspec.structs.asdict(asked))
    first, candidates = view.record.game.start.ply_number, tuple(names(view.corners))
    corner = format_square(view.corner)
    return QuestionShown(first, None, candidates, is_ply=False, corner=corner)


def in_trouble(state: State, why: Worded) -> State:
    """Return a state with why nothing is confirmed now."""
    sentence = Worded(NOTHING_IS_CONFIRMED, why=why)
    return {**state, "said": [as_data(sentence)], "trouble": as_data(why)}


def _outward(view: View) -> View:
    """Return a view that may be told to anybody: where files lie is nobody's business."""
    trouble = view.trouble and view.trouble._replace(found=without_folders(view.trouble.found))
    return replace(view, trouble=trouble, guest_notes=tuple(map(without_folders, view.guest_notes)))


def _said(view: View, is_screen: bool) -> list[SentenceData]:
    """Return what the table says; on a screen nobody holds a piece, or carries out a wish.

    A lesson's words, or an exercise's, are shown on their own.
    """
    if view.help.has_own_place:
        view = replace(view, help=replace(view.help, taught=()))
    listed = replace(view.record, faults={})
    view = replace(view, record=listed, notices=())
    if is_screen:
        view = _unwished(replace(view, lifted=()))
    return list(map(as_data, sentences(view, is_typed=False)))


def _unwished(view: View) -> View:
    """Return the view without a wish: on a screen nobody carries it out by hand."""
    return replace(view, help=replace(view.help, wish=None, why=()))


def names(squares: Iterable[Square]) -> list[str]:
    """Return squares by their names."""
    return list(map(format_square, squares))


def _cues(view: View) -> dict[str, str]:
    meanings = cues(view)
    return {format_square(square): cue_name(meanings[square]) for square in sorted(meanings)}


def cue_name(cue: Cue) -> str:
    """Return a cue's name as states tell it: `last-move`."""
    return cue.name.lower().replace("_", "-")


def _last_path(record: Record) -> list[str]:
    game, fight = record.game, record.fight
    if fight is not None:
        return path_of(fight.before, fight.move)
    return path_of(game.positions[-2], game.plies[-1].move) if game.plies else []


def _taken(record: Record) -> str:
    before, now = (Counter(each.pieces().values()) for each in (record.game.start, record.stands))
    return "".join(sorted(piece.letter for piece in (before - now).elements()))


def path_of(position: Position, move: Move) -> list[str]:
    """Return the squares a legal move goes over, both ends included; an escape has only those."""
    return _path(format_position(position), position.rules, move.from_square, move.to_square)


@lru_cache(maxsize=512)
def _path(text: str, rules: Rules, start: Square, end: Square) -> list[str]:
    # By the text: a position remembers what was asked of it, and so is a hundred times as large.
    return names(explain(parse_position(text, rules), start, end).path or (start, end))


@lru_cache(maxsize=8)
def _threats(position: Position) -> list[str]:
    return names(squares_of(position.threats()))


def _arrows(view: View) -> Iterator[State]:
    """Yield the moves that are pointed at: a hint, a study's best ones, threats to the royal."""
    advice, position = view.help.advice, view.position
    if view.trouble or view.leading.repair is not None:
        return
    hints = (
        () if advice is None or advice.move is None or advice.help < Help.MOVE else (advice.move,)
    )
    for kind, moves in (("hint", hints), ("best", view.help.best)):
        for move in moves:
            yield {"kind": kind, "path": path_of(position, move)}
    for path in _threatening(position):
        yield {"kind": "threat", "path": path}


@lru_cache(maxsize=8)
def _threatening(position: Position) -> list[list[str]]:
    """Return the ways on which enemy pieces could take the Princess or the Chief where they are."""
    if position.outcome is not None:
        return []
    passed = null_move(position)
    return [
        path_of(passed, move)
        for move in passed.moves()
        if (piece := position.piece_at(move.to_square)) is not None
        and piece.kind in {Kind.PRINCESS, Kind.CHIEF}
    ]


def _step(view: View) -> State | None:
    """Return the next hand move that leads back: no square is the hand, the box, or off."""
    step = view.leading.repair
    if step is None:
        return None
    start, end = step.from_square, step.to_square
    return {
        "letter": step.letter,
        "from_square": None if start is None else format_square(start),
        "to_square": None if end is None else format_square(end),
    }


def _wish(view: View) -> State | None:
    """Return the move that a player without hands asks for."""
    wish = view.help.wish
    if wish is None:
        return None
    return {
        "from_square": format_square(wish.from_square),
        "to_square": format_square(wish.to_square),
    }


def _clock(record: Record) -> State | None:
    clocks = record.clocks
    if clocks is None:
        return None
    return {
        "control": format_time_control(clocks.control),
        "black_s": clocks.left.black,
        "orange_s": clocks.left.orange,
        "at": clocks.at,
        "running": None if clocks.running is None else clocks.running.word,
        "stands": bool(clocks.stops),
        "free_s": clocks.free_left_s,
        "gains": clocks.control.extra is TimeExtra.HOURGLASS,
        "low_s": clocks.low_s,
        "takes_press": clocks.takes_press,
    }


def _ledger(record: Record) -> State | None:
    wager, account = record.wager, record.account
    if wager is None or account is None:
        return None
    return {
        "series": record.series,
        "stake": wager.stake,
        "prices": {kind.value: price for kind, price in wager.prices.items()},
        "for_bias": wager.for_bias,
        "heads": [account.heads[Side.BLACK], account.heads[Side.ORANGE]],
        "gain": account.balance(Side.BLACK),
    }


def _opening(record: Record) -> State:
    opening, due = record.opening, record.unsettled
    events = [event for event in (opening.first_settled, opening.bias_settled) if event]
    lines = [as_data(preamble_in_words(event)) for event in events]
    return {"due": due, "by": opening.settler if due else None, "told": lines}


def _hands(hands: TypedHands) -> State:
    ailing = {format_square(square): fault for square, fault in hands.ailing.items()}
    return {"in_hand": list(hands.in_hand), "box": list(hands.box), "ailing": ailing}


def _die(view: View, record: Record) -> State | None:
    """Return what is shown of the die; None where nothing is rolled for."""
    own = record.die
    if view.position.juggernaut is None and own is None:
        return None
    faces = () if record.game.plies else record.opening.faces
    rolls = record.rolls
    if not rolls and not record.game.plies and record.start_roll is not None:
        rolls = (record.start_roll,)
    numbered = enumerate(record.game.plies, record.game.start.ply_number)
    rolled = [(number, format_roll(roll)) for number, ply in numbered for roll in ply.rolls]
    return {
        "is_due": view.is_roll_due,
        "rolls": [format_roll(roll) for roll in rolls] or list(map(str, faces)),
        "history": rolled[-MOST_ROLLS:],
        # What the table's own seed was sealed by, players' numbers, and the seed at the end
        "commit": own.commit if own else None,
        "added": list(own.added) if own else [],
        "seed": own.seed if own else None,
    }


def _fight(view: View) -> State | None:
    fight = view.fight
    if fight is None:
        return None
    fighters = _fighters(fight.before, fight.move, fight.throws)
    return {"square": format_square(fight.square), **fighters}


def duels(game: Game) -> list[State]:
    """Return the fights that are decided in a game."""
    if game.start.rules["duel"] == "off":
        return []
    numbered = enumerate(zip(game.positions, game.plies, strict=False), game.start.ply_number)
    return [
        {
            "number": number,
            **_fighters(before, ply.move, duel.throws),
            "attacker_won": duel.attacker_won,
        }
        for number, (before, ply) in numbered
        if (duel := ply.duel) is not None
    ]


def _fighters(before: Position, move: Move, throws: Iterable[Throw]) -> State:
    """Return who fights by a move, what their pieces add to their throws, and what was thrown."""
    pieces = before.pieces()
    attacker, defender = pieces[move.from_square], pieces[move.to_square]
    return {
        "attacker": attacker.letter,
        "defender": defender.letter,
        "values": [before.rules.worth(attacker.kind), before.rules.worth(defender.kind)],
        "throws": [format_throw(throw) for throw in throws],
    }


# Notices

ADDRESS = re.compile(r"\w+://\S+")
"""An address of a camera or a board, which may hold a password."""
FAULTS: Final = {
    FaultKind.DEAD: _("switch {square} sees no piece"),
    FaultKind.STUCK: _("switch {square} sees a piece that is not there"),
}


def notice_state(notice: Notice) -> State:
    """Return a notice as it is told to anybody: it does not say where files lie.

    Nor does it tell addresses, or who the machine calls its user: a shell knows.
    """

    follows = about(notice)
    return {
        "id": notice.id,
        "severity": severity(notice),
        "found": _public(notice.found),
        "breaks": _public(follows.breaks),
        "mend": _public(notice.mend),
        "act": follows.act,
        "lamps": list(lamps_of(notice)),
    }


def _public(words: str) -> SentenceData | None:
    """Return a sentence without folders, addresses and users; None for an empty one."""
    if not words:
        return None
    sentence = as_data(without_folders(words))
    _hide(sentence)
    return sentence


def _hide(sentence: SentenceData) -> None:
    for name, value in sentence["values"].items():
        if isinstance(value, dict):
            _hide(value)
        elif isinstance(value, str):
            sentence["values"][name] = "$USER" if name == "user" else ADDRESS.sub("…", value)


def of_table(table: Table) -> Iterator[Notice]:
    """Yield what a table that plays knows to be amiss: its board, its disk and its switches."""
    yield from table.troubles
    for square, kind in sorted(table.view.record.faults.items()):
        found = Worded(FAULTS[kind], square=format_square(square))
        yield Notice("switches", "warn", found, _("check it and its wires"), format_square(square))
    yield from table.view.notices
