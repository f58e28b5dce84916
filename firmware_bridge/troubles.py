"""What can be wrong with the line to the board, in words for the people at the table."""

from __future__ import annotations

import enum
from collections.abc import Mapping

from rules.words import Language


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


class BoardNote(enum.Enum):
    """What people should know though the board works."""

    WEAK_SUPPLY = "the board's supply sagged and it started anew: lamps are kept dim"
    HUNG = "the board's program hung and was started anew by its watchdog"
    DOUBTED = "{count} switches cannot be believed: lift one of the pieces there (no diodes)"
    LOW_COLUMNS = "columns {columns} touch ground: check their wires"


class Statistic(enum.Enum):
    """What is counted of a board and its line."""

    BOARD = "the board on {port} speaks {board}; it has started anew {restarts} times"
    LINE = (
        "the line: {bad} packets came damaged, {repeats} repetitions were asked for, {healed} "
        "changes came only with a snapshot"
    )
    LAMPS = "the lamps draw {ma} mA of {limit}"
    CHIP = (
        "the chip is up for {up} s; its longest gap between scans was {gap:.1f} ms; {lost} bytes "
        "lost, {bad} packets damaged"
    )
    BOUNCES = "switches that bounce most: {squares}"


Remark = Trouble | BoardNote | Statistic

GERMAN: Mapping[Remark, str] = {
    Trouble.NOT_FOUND: "kein Brett gefunden: das USB-Kabel einstecken",
    Trouble.OPENING: "das Brett an {port} startet noch",
    Trouble.UNPLUGGED: "das Brett wurde von {port} abgezogen: wieder einstecken",
    Trouble.BUSY: "{port} ist von einem anderen Programm belegt: dieses schließen",
    Trouble.FORBIDDEN: "{port} ist gesperrt: sudo adduser $USER dialout, dann neu anmelden",
    Trouble.SILENT: "das Brett schweigt seit {seconds:.0f} s: das Kabel prüfen",
    Trouble.LOOPING: (
        "das Brett schweigt seit {seconds:.0f} s, obwohl USB geht: den Stecker zehn Sekunden "
        "ziehen. Kommt es wieder, hängt sein alter Bootloader nach dem Watchdog fest: die Firmware "
        "ohne ihn aufspielen (jetan firmware flash --no-watchdog)"
    ),
    Trouble.GARBLED: (
        "das Brett sendet Unverständliches: {baud} Baud ist wohl nicht seine Rate, oder dies ist "
        "nicht die Firmware des Tisches"
    ),
    Trouble.WRONG_VERSION: "das Brett spricht {board}, dieses Programm {own}: neu aufspielen",
    Trouble.WRONG_BOARD: "das Brett hat {switches} Schalter und {lamps} Lampen statt je 100",
    Trouble.NEVER_HEARD: "das Brett an {port} sagt nichts: ist die Firmware des Tisches darauf?",
    BoardNote.WEAK_SUPPLY: (
        "dem Brett brach die Versorgung ein, es startete neu: die Lampen bleiben dunkler"
    ),
    BoardNote.HUNG: "das Programm des Bretts hing, sein Watchdog hat es neu gestartet",
    BoardNote.DOUBTED: (
        "{count} Schaltern ist nicht zu glauben: eine der Figuren dort heben (keine Dioden)"
    ),
    BoardNote.LOW_COLUMNS: "Spalten {columns} liegen auf Masse: ihre Drähte prüfen",
    Statistic.BOARD: "das Brett an {port} spricht {board}; neu gestartet: {restarts} mal",
    Statistic.LINE: (
        "die Leitung: {bad} Pakete beschädigt, {repeats} Wiederholungen erbeten, {healed} "
        "Änderungen erst mit einer Gesamtaufnahme"
    ),
    Statistic.LAMPS: "die Lampen ziehen {ma} mA von {limit}",
    Statistic.CHIP: (
        "der Chip läuft seit {up} s; längste Pause zwischen Abfragen {gap:.1f} ms; {lost} Bytes "
        "verloren, {bad} Pakete beschädigt"
    ),
    Statistic.BOUNCES: "Schalter, die am meisten prellen: {squares}",
}


def in_words(remark: Remark, language: Language, **facts: object) -> str:
    """Return a remark's sentence, its facts filled in."""
    template: str = remark.value if language == "en" else GERMAN[remark]
    return template.format(**facts)
