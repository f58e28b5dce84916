"""A match between two boards far apart: its terms, what each table keeps of it, and its die.

Neither table can foresee or bend a roll. Each side draws a secret seed, and seals it before the
game. On each occasion both say what theirs gives; the sum is the roll. Whoever has played says it
first, and his ply stays from then on. In the end both seeds are shown, and each table looks whether
all that the other one said was in its seed.
"""

from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import msgspec
from msgspec.structs import replace as changed

from hardware.die import commitment, joint_numbers, throws
from rules import Position, Sentence, Side, Termination, _, parse_position, parse_rules
from rules.text import GameText, format_game

from ...files import read_json
from ...game.agreements import TimeExtra, parse_time_control
from ...game.clock import Clocks, Times, side_of
from ...game.dice import SEVERAL
from ...game.events import (
    SIDE_NAMES,
    DieCommit,
    DieRoll,
    DieSeed,
    DuelTold,
    Ending,
    Header,
    SideName,
)
from ...game.record import Record
from ...game.rolling import is_roll_due, open_fight, start_squares
from ...table.dice import Seeds, dice_event
from .payloads import DieShare, MatchSide, check_within, text_hash

SIDE_OF = {name: side for side, name in SIDE_NAMES.items()}
BY_PEOPLE = {
    reason.value for reason in (Termination.RESIGNED, Termination.AGREED, Termination.TIME)
}
"""Ways in which people end a game."""

CLOSE_S = 0.01
"""Clocks that differ by no more show the same."""


@dataclass(frozen=True, slots=True)
class FarMatch:
    """A match against a far table: this one's side, and whether that one asks to take back."""

    own_side: SideName
    asks_back: bool


class FarState(msgspec.Struct, frozen=True):
    """What a table keeps of a match on its disk: both sides' last words, and its game.

    `started` tells the game in the journal; `own` are all plies of its own that it ever said, with
    how many stood before them.
    """

    side: MatchSide
    far: MatchSide | None = None
    started: float | None = None
    own: frozenset[tuple[int, str]] = frozenset()
    declined: int = 0
    """So many of this side's offers, as the far side has declined them, were ended here."""


def start_of(side: MatchSide) -> Position:
    """Return the position that a match begins from."""
    return parse_position(side.start, parse_rules(side.rules))


def match_text(record: Record) -> str:
    """Return a game as both tables of a match have it: without times, which each measures."""
    tags = {"Event": "Jetan", "Black": record.header.black, "Orange": record.header.orange}
    return format_game(GameText(record.game, tags))


def check_match(rules: str, clock: str) -> None:
    """Raise RulesError or BadTimeControl for rules, or a clock, that are none."""
    parse_rules(rules)
    parse_time_control(clock)


def side_of_match(
    name: str, side: SideName, rules: str, start: str, clock: str, other: str = ""
) -> MatchSide:
    """Return one side before the first ply: for anybody who accepts, or against one who invites."""
    check_match(rules, clock)
    nothing = Record.begin(Header(started=0.0, rules=rules, start=start, version=""))
    return MatchSide(
        rev=1,
        side=side,
        name=name,
        other=other,
        rules=rules,
        start=start,
        clock=clock,
        stands_hash=text_hash(match_text(nothing)),
    )


def accepted(invitation: MatchSide, inviter: str, name: str) -> MatchSide:
    """Return the other side of a match that somebody has invited to."""
    check_match(invitation.rules, invitation.clock)
    side: SideName = "orange" if invitation.side == "black" else "black"
    return changed(
        invitation,
        rev=1,
        side=side,
        name=name,
        other=inviter,
        plies=(),
        stands=0,
        left_s=None,
        die=None,
    )


def read_state(path: Path) -> FarState | None:
    """Return what was kept of a match; None where this table knows nothing of it. Damaged."""
    return read_json(path, FarState)


def is_unpressed(record: Record) -> bool:
    """Whether the last ply's player has still to press the clock."""
    clocks = record.clocks
    is_asked = clocks is not None and clocks.control.by_buttons and record.ending is None
    is_handed_over = clocks is None or clocks.running is record.position.side
    return is_asked and bool(record.game.plies) and not is_handed_over


def end_by_words(far: MatchSide, own: MatchSide, offer: Side | None) -> Ending | None:
    """Return the end that follows from what the far people say; None where none does."""
    if not far.says or (far.says == "agrees" and offer is not SIDE_OF[own.side]):
        return None
    if far.says == "agrees" or own.says:  # neither knew what the other said
        return Ending("draw", Termination.AGREED.value)
    return Ending(own.side, Termination.RESIGNED.value)


def is_end_agreed(far: MatchSide, own: MatchSide, offer: Side | None) -> bool:
    """Whether the far table may have ended the game so: by its people, or by these here."""
    if far.why == Termination.AGREED.value:
        return bool(own.says) or offer is SIDE_OF[own.side]
    is_won_here = far.result == own.side
    return is_won_here or (far.why == Termination.RESIGNED.value and own.says == "resigns")


def is_far_clock(record: Record, own: Side) -> bool:
    """Whether a press now would be the far side's, or start its clock."""
    clocks = record.clocks
    if clocks is None or not clocks.control.by_buttons or record.terms.is_paused:
        return False
    runs = record.position.side if clocks.running is None else clocks.running
    return runs is not own and not is_unpressed(record)


def most_left(clocks: Clocks, side: Side) -> float:
    """Return the most that a side's clock can show, in seconds, however little it has thought.

    Of what the far side says this takes nothing into account: many small lies add up to none.
    """
    control = clocks.control
    if control.extra is TimeExtra.HOURGLASS:
        # It cannot have less sand than the other side had when that had played.
        of_other = [turn.shown for turn in clocks.turns if side_of(turn.number) is side.other]
        return 2 * control.main_s - (of_other[-1] if of_other else control.main_s)
    added = control.extra_s if control.extra is TimeExtra.INCREMENT else 0.0
    return control.main_s + added * sum(side_of(turn.number) is side for turn in clocks.turns)


def measured_there(clocks: Clocks, far_left_s: float, record: Record, own: Side) -> Times | None:
    """Return what the clocks show by what the far table has measured; None as they do.

    BadWord where its clock cannot show that.
    """
    far = own.other
    check_within("left_s", far_left_s, 0.0, most_left(clocks, far) + CLOSE_S)
    if clocks.control.extra is not TimeExtra.HOURGLASS:
        more = far_left_s - clocks.left.of(far)
        return clocks.left.with_more(far, more) if abs(more) > CLOSE_S else None
    if not record.game.plies or record.position.side is far:
        return None  # since the far table measured, this one has
    # What one has used the other has won: the whole is as it was agreed.
    more = far_left_s - clocks.began.of(far)
    left = clocks.left.with_more(far, more).with_more(own, -more)
    return left if abs(more) > CLOSE_S else None


# The die


class NotSaidYet(Exception):
    """The far side has still to say what its seed gives."""


def needs_die(start: Position) -> bool:
    """Whether dice are thrown in a game that begins so."""
    has_juggernaut = start.juggernaut is not None or start.rules["juggernaut"] != "off"
    return has_juggernaut or start.rules["duel"] != "off"


def is_due(record: Record) -> bool:
    """Whether both sides are to throw now, and no hand may forestall it."""
    return is_roll_due(record) or bool(start_squares(record)) or open_fight(record) is not None


def sealed(black: DieShare, orange: DieShare) -> DieCommit:
    """Return the event by which a game begins that both sides have sealed a seed for."""
    return DieCommit(SEVERAL.join((black.commit, orange.commit)))


def opened(black: DieShare, orange: DieShare) -> DieSeed:
    """Return the event that shows both seeds, once both are known."""
    return DieSeed(SEVERAL.join((black.seed, orange.seed)))


def thrown_together(
    record: Record, own: DieShare, far: DieShare, seeds: Seeds
) -> tuple[DieShare, DieRoll | DuelTold | None]:
    """Return this side's share with what it has to say now, and the roll once both have.

    Where the own seed is lost nothing is said, and nothing rolls.
    """
    seed, faces = seeds.find(own.commit), dict(own.faces)
    if seed is None:
        return own, None

    def numbers(occasion: str) -> tuple[int, ...]:
        faces.setdefault(occasion, throws(seed, (), occasion))
        if occasion not in far.faces:
            raise NotSaidYet
        return joint_numbers((faces[occasion], far.faces[occasion]))

    event: DieRoll | DuelTold | None = None
    with suppress(NotSaidYet):
        event = dice_event(record, numbers)
    return (own if faces == own.faces else changed(own, faces=faces)), event


def shown(own: DieShare, seeds: Seeds) -> DieShare:
    """Return this side's share with its seed, which is no secret any more."""
    seed = None if own.seed else seeds.find(own.commit)
    return own if seed is None else changed(own, seed=seed.hex())


def find_bent(own: DieShare, far: DieShare) -> Sentence | None:
    """Return what is wrong with the far side's share; None where nothing can be found."""
    if own.commit == far.commit:
        return _("the far table has sealed the same seed as this one")
    if not far.seed:
        return None
    seed = bytes.fromhex(far.seed)
    is_kept = commitment(seed) == far.commit
    if not is_kept or any(faces != throws(seed, (), on) for on, faces in far.faces.items()):
        return _("the far table's rolls are not those of the seed it had sealed")
    return None
