"""What can go wrong with a board on a serial line: errors that are raised, troubles that are told.

A trouble's value is a sentence for the people at the table, with places for facts.
"""

import enum

from rules import SentenceError, _


class Trouble(enum.Enum):
    """Why the board cannot be trusted now; the value is a sentence with places for facts."""

    NOT_FOUND = _("no board found: plug in its USB cable")
    OPENING = _("waiting for the board on {port} to start")
    UNPLUGGED = _("the board was unplugged from {port}: plug it in again")
    BUSY = _("{port} is used by another program: close it")
    FORBIDDEN = _("no permission for {port}: sudo adduser $USER dialout, then log in again")
    RESTS = _("{port} is busy while the firmware is written: wait")
    SILENT = _("board silent for {seconds:.0f} s: check the cable")
    LOOPING = _(
        "board silent for {seconds:.0f} s though its USB works: pull the plug for ten seconds. If "
        "it comes back, its old bootloader loops after a watchdog reset: flash the firmware "
        "without (jetan firmware flash --no-watchdog)"
    )
    GARBLED = _(
        "the board sends what nobody understands: {baud} baud may not be its rate, or this is not "
        "the table's firmware"
    )
    WRONG_VERSION = _("the board speaks {board}, this program {own}: reflash it")
    WRONG_BOARD = _(
        "the board has {switches} switches and {lamps} lamps, a table 100 of each: flash this "
        "program's firmware (jetan firmware flash)"
    )
    WRONG_SENSOR = _(
        "the board's switches are of a kind ({sensor}) that this program does not know: renew the "
        "program, or flash its own firmware (jetan firmware flash)"
    )
    NEVER_HEARD = _("the board on {port} says nothing: is the table's firmware on it?")


class BoardNote(enum.Enum):
    """What people should know though the board works."""

    WEAK_SUPPLY = _("the board's supply sagged and it started anew: lamps are kept dim")
    HUNG = _("the board's program hung and was started anew by its watchdog")
    DOUBTED = _("{count} switches cannot be believed: lift one of the pieces there (no diodes)")
    NOT_KNOWN = _(
        "the board tells what this program does not know: {what}. Renew the program, or flash its "
        "own firmware (jetan firmware flash)"
    )
    REFUSES = _(
        "the board refuses {ms} ms and {ma} mA, and so its lamps stay dark: change debounce_ms and "
        "limit_ma, or flash this program's firmware (jetan firmware flash)"
    )
    LOW_COLUMNS = _("columns {columns} touch ground: check their wires")


class Statistic(enum.Enum):
    """What is counted of a board and its line."""

    BOARD = _("the board on {port} speaks {board}; it has started anew {restarts} times")
    LINE = _(
        "the line: {bad} packets came damaged, {repeats} repetitions were asked for, {healed} "
        "changes came only with a snapshot"
    )
    LAMPS = _("the lamps draw {ma} mA of {limit}")
    CHIP = _(
        "the chip is up for {up} s; its longest gap between scans was {gap:.1f} ms; {lost} bytes "
        "lost, {bad} packets damaged"
    )
    BOUNCES = _("switches that bounce most: {squares}")


class BridgeError(SentenceError):
    """The base of every error of this package."""


class BadPacket(BridgeError, ValueError):
    """Bytes that are no packet: damaged on their way, or not from a table."""


class NoTableFound(BridgeError, LookupError):
    """No port answers as a table."""


class BadPort(BridgeError, ValueError):
    """Something that is no port: neither a device nor a URL that can be opened."""


class UnknownBuild(BridgeError, ValueError):
    """A microcontroller that the firmware is not written for."""


class BuildFailed(BridgeError, RuntimeError):
    """The firmware cannot be built or flashed here; the message names what is missing."""
