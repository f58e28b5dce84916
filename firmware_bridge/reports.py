"""What a board may tell: a report may be whole, and still say what this program does not know."""

from rules.sentences import Sentence, _

from .errors import BadPacket, Trouble
from .messages import (
    MAJOR,
    RESULTS,
    SENSORS,
    Bounces,
    Done,
    Doubted,
    Hello,
    Message,
    Probed,
    SwitchEvent,
)
from .mirror import SwitchLevel

SWITCHES = LAMPS = 100

MOST_LEVEL = {SENSORS["reed"]: SwitchLevel.NORTH, SENSORS["hall"]: SwitchLevel.SOUTH}


def refusal_of(hello: Hello) -> Trouble | None:
    """Return why this program cannot play on a board, None if it can."""
    if hello.major != MAJOR:
        return Trouble.WRONG_VERSION
    if (hello.rows * hello.columns, hello.lamps) != (SWITCHES, LAMPS):
        return Trouble.WRONG_BOARD
    if hello.sensor not in SENSORS.values():
        return Trouble.WRONG_SENSOR
    return None


def check_report(report: Message, hello: Hello) -> None:
    """Raise BadPacket where a board that said `hello`, and is not refused, tells what it cannot."""
    match report:
        case SwitchEvent():
            _check(_("a switch {number}"), report.switch_index, SWITCHES - 1)
            _check(_("a level {number}"), report.level, MOST_LEVEL[hello.sensor])
        case Bounces():
            _check(_("the bounces of {number} switches"), len(report.counts), SWITCHES)
        case Doubted():
            _check(_("a switch {number}"), _highest_bit(report.switches), SWITCHES - 1)
        case Probed():
            columns = report.low_columns.to_bytes(2, "little")
            _check(_("a column {number}"), _highest_bit(columns), hello.columns - 1)
        case Done():
            _check(_("an answer {number}"), report.result, max(RESULTS.values()))


def _check(what: Sentence, number: int, most: int) -> None:
    if number > most:
        raise BadPacket(what, number=number)


def _highest_bit(packed: bytes) -> int:
    """Return the number of the highest bit that is set, -1 where none is."""
    return int.from_bytes(packed, "little").bit_length() - 1
