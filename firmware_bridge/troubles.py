"""What can be wrong with the line to the board, in words for the people at the table."""

from __future__ import annotations

import enum


class Trouble(enum.Enum):
    """Why the board cannot be trusted now; the value is a sentence with places for facts."""

    NOT_FOUND = "no board found: plug in its USB cable"
    OPENING = "waiting for the board on {port} to start"
    UNPLUGGED = "the board was unplugged from {port}: plug it in again"
    BUSY = "{port} is used by another program: close it"
    FORBIDDEN = "no permission for {port}: sudo adduser $USER dialout, then log in again"
    SILENT = "board silent for {seconds:.0f} s: check the cable"
    LOOPING = (
        "board silent for {seconds:.0f} s though its USB works: pull the plug for ten seconds. If "
        "it comes back, its old bootloader loops after a watchdog reset: flash the firmware "
        "without (jetan firmware flash --no-watchdog)"
    )
    GARBLED = (
        "the board sends what nobody understands: {baud} baud may not be its rate, or this is not "
        "the table's firmware"
    )
    WRONG_VERSION = "the board speaks {board}, this program {own}: reflash it"
    WRONG_BOARD = "the board has {switches} switches and {lamps} lamps; a table has 100 of each"
    NEVER_HEARD = "the board on {port} says nothing: is the table's firmware on it?"


class Note(enum.Enum):
    """What people should know though the board works."""

    WEAK_SUPPLY = "the board's supply sagged and it started anew: lamps are kept dim"
    HUNG = "the board's program hung and was started anew by its watchdog"
    DOUBTED = "{count} switches cannot be believed: lift one of the pieces there (no diodes)"
    LOW_COLUMNS = "columns {columns} touch ground: check their wires"
