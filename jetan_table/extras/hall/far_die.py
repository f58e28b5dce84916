"""The die of a match between two boards far apart: neither table can foresee or bend a roll.

Each side draws a secret seed, and seals it before the game. On each occasion both say what theirs
gives; the sum is the roll. Whoever has played says it first, and his ply stays from then on. In the
end both seeds are shown, and each table looks whether all that the other one said was in its seed.
"""

from contextlib import suppress

from msgspec.structs import replace as changed

from hardware.die import commitment, joint_numbers, throws
from rules import Position
from rules.sentences import Sentence, _

from ...game.dice import SEVERAL
from ...game.events import DieCommit, DieRoll, DieSeed, DuelTold
from ...game.record import Record
from ...game.rolling import is_roll_due, open_fight, start_squares
from ...table.dice import Seeds, dice_event
from .payloads import DieShare


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
