"""What can be typed at the table: touches of the board, and words to the table."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from msgspec.structs import replace as changed

from hardware.simulated_contacts import ContactFault
from rules import Square, format_position, format_rules, parse_square
from rules.errors import near_miss
from rules.explain import explain
from rules.words import Language, sentences

from ..game.commands import AsArbiter, Command, CommandRefused, New
from ..game.refusals import No
from ..game.spoken import COMMANDS, command_of
from ..journal.rules_named import named_rules
from ..session.umpire import check_help
from ..simulation.table import TypedHands
from ..table.loop import Clock, Table
from ..words.gesture_words import GUIDES
from ..words.words import Speaker, account_lines


@dataclass(frozen=True, slots=True)
class Verb:
    """A word that can be typed: what may follow it, and what it does, in English and German."""

    usage: str
    english: str
    german: str


Does: TypeAlias = Callable[[Sequence[str]], list[str]]
"""Takes the words that follow, and returns what there is to say."""


def help_of(command: type[Command]) -> Verb:
    """Return how a command is typed, and what it is for."""
    return Verb(command.usage, command.purpose, PURPOSES_IN_GERMAN[command.purpose])


class Quit(Exception):
    """The person at the terminal wants to stop."""


PURPOSES_IN_GERMAN: Mapping[str, str] = {
    "say which piece was taken": "sagen, welche geschlagen wurde",
    "the board is right, a switch is not": "das Brett stimmt, der Schalter nicht",
    "roll the die; or enter a real one": "würfeln, auch von Hand",
    "fight for a square entered": "um ein betretenes Feld kämpfen",
    "add a number to the die's seed": "eine Zahl zum Würfel geben",
    "be told what to play": "sich einen Zug raten lassen",
    "take the last ply back": "den letzten Zug zurücknehmen",
    "say who begins": "sagen, wer beginnt",
    "say how the centre is crossed": "sagen, wie es über die Mitte geht",
    "give up": "aufgeben",
    "offer a draw": "Remis anbieten",
    "take the draw that is offered": "das angebotene Remis annehmen",
    "want no draw": "kein Remis wollen",
    "both agree on a draw": "Remis vereinbaren",
    "begin another game": "eine neue Partie beginnen",
    "say where a1 and b1 lie": "sagen, wo a1 und b1 liegen",
    "play on from a position text": "ab einer Stellung weiterspielen",
    "set the clock before the first ply": "die Uhr stellen, vor dem ersten Zug",
    "set what the clocks show": "setzen, was die Uhren zeigen",
    "press the clock, or start it": "die Uhr drücken oder starten",
    "let the clock stand": "die Uhr anhalten",
    "go on": "weiterspielen",
    "friendly, strict or tournament": "friendly, strict oder tournament",
    "say it before you put pieces right": "sagen, bevor man zurechtrückt",
    "what was touched is free again": "Berührtes wieder freigeben",
    "correct a tournament game": "eine Turnierpartie berichtigen",
}

TOUCHES: Mapping[str, Verb] = {
    "SQUARE": Verb("d2", "lift what stands there, or put down", "anheben oder absetzen"),
    "SQUARES": Verb("d2 d3 ...", "move, or slide over squares", "ziehen, über Felder schieben"),
    "lift": Verb("d2", "lift a piece", "eine Figur anheben"),
    "put": Verb("d4 [P]", "put down, from hand or box", "absetzen, aus Hand oder Schachtel"),
    "off": Verb("", "put what is held into the box", "Gehaltenes in die Schachtel legen"),
    "tilt": Verb("d2", "knock a piece over for a while", "eine Figur eine Weile umwerfen"),
    "stuck": Verb("e5", "let a switch stick", "einen Schalter klemmen lassen"),
    "dead": Verb("e5", "let a switch die", "einen Schalter sterben lassen"),
    "mend": Verb("e5", "mend a switch", "einen Schalter heilen"),
    "tidy": Verb("", "put all pieces where they belong", "alle Figuren richtig hinstellen"),
}
"""What hands at a simulated board do, in the order of the help."""

QUERIES: Mapping[str, Verb] = {
    "account": Verb("", "what the game and its series cost", "was Partie und Serie kosten"),
    "gestures": Verb("", "what hands can ask for", "worum Hände bitten können"),
    "why": Verb("d2 d5", "why a piece may go there or not", "warum eine Figur dorthin darf"),
    "board": Verb("", "what is counted of the board", "was am Brett gezählt wird"),
    "position": Verb("", "print the position text", "die Stellung als Text zeigen"),
    "?": Verb("", "this help", "diese Hilfe"),
    "quit": Verb("", "leave; the game goes on next time", "gehen; die Partie geht weiter"),
}
"""What can be asked besides, in the order of the help: nothing happens in the game by it."""


class TypedWords:
    """Does what is typed to a table about its game; the pieces of a real board are not typed."""

    def __init__(
        self,
        table: Table,
        clock: Clock,
        language: Language,
        statistics: Callable[[], list[str]] | None = None,
    ) -> None:
        """`statistics` returns what has been counted of a real board."""
        self._table, self._clock = table, clock
        self._language = language
        self._speaker = Speaker(language)
        self._does: dict[str, Does] = {
            "account": lambda words: self._account(),
            "gestures": lambda words: GUIDES[self._language].lines(),
            "why": self._why,
            "position": lambda words: [format_position(self._table.view.position)],
            "?": lambda words: self.help(),
            "help": lambda words: self.help(),
            "quit": self._quit,
        }
        if statistics is not None:
            self._does["board"] = lambda words: statistics()
        self._verbs = {
            **{word: help_of(command) for word, command in COMMANDS.items()},
            **{name: verb for name, verb in QUERIES.items() if name in self._does},
        }

    def do(self, line: str) -> list[str]:
        """Do one line and return what there is to say; Quit, or a refusal of the table's."""
        words = line.split()
        if not words:
            return []
        if words[0] in self._does:
            return self._does[words[0]](words[1:])
        if words[0] in COMMANDS:
            return self._tell(self._named(command_of(words)))
        if not words[0][-1].isdigit():
            near = near_miss(words[0], {**COMMANDS, **self._does})
            raise CommandRefused(No.NO_SUCH_WORD, word=words[0], near=near)
        return self._touch([parse_square(word) for word in words])

    def help(self) -> list[str]:
        """Return a line for every word."""
        lines = []
        for name, verb in self._verbs.items():
            typed = verb.usage if name.isupper() else f"{name} {verb.usage}"
            meaning = verb.german if self._language == "de" else verb.english
            lines.append(f"{typed.strip():24} {meaning}")
        return lines

    def _tell(self, command: Command) -> list[str]:
        news = self._table.obey(command, self._clock.now())
        return self._speaker.lines(news)

    def _named(self, command: Command) -> Command:
        """Return a command with what is typed of rules as their text: the name of a file, too."""
        if isinstance(command, AsArbiter) and isinstance(command.command, New):
            return changed(command, command=self._with_rules(command.command))
        return self._with_rules(command) if isinstance(command, New) else command

    def _with_rules(self, command: New) -> New:
        if command.rules is None:
            return command
        rules = format_rules(named_rules(command.rules))
        header, series = self._table.record.header, self._table.record.series
        if series is not None:  # its players change over
            return changed(command, rules=rules, series=series)
        return changed(command, rules=rules, black=header.black, orange=header.orange)

    def _square(self, words: Sequence[str]) -> Square:
        if len(words) != 1:
            raise CommandRefused(No.ONE_SQUARE)
        return parse_square(words[0])

    def _touch(self, way: Sequence[Square]) -> list[str]:
        raise CommandRefused(No.REAL_PIECES)

    def _account(self) -> list[str]:
        return account_lines(self._table.record, self._table.archive, self._speaker)

    def _squares(self, words: Sequence[str]) -> tuple[Square, Square]:
        if len(words) != 2:
            raise CommandRefused(No.TWO_SQUARES)
        return parse_square(words[0]), parse_square(words[1])

    def _why(self, words: Sequence[str]) -> list[str]:
        check_help(self._table.record)
        position = self._table.view.position
        start, end = self._squares(words)
        return [sentences(explain(position, start, end), position.rules, self._language)]

    def _quit(self, words: Sequence[str]) -> list[str]:
        raise Quit


class TypedTable(TypedWords):
    """Does what is typed at a simulated table: touches of its board, too."""

    def __init__(self, table: Table, hands: TypedHands, clock: Clock, language: Language) -> None:
        super().__init__(table, clock, language)
        self._hands = hands
        self._verbs = {**TOUCHES, **self._verbs}
        self._does |= {
            "lift": self._lift,
            "put": self._put,
            "off": self._off,
            "tilt": self._tilt,
            "stuck": lambda words: self._fail(words, ContactFault.STUCK_CLOSED),
            "dead": lambda words: self._fail(words, ContactFault.DEAD),
            "mend": lambda words: self._fail(words, None),
            "tidy": self._tidy,
        }

    def _touch(self, way: Sequence[Square]) -> list[str]:
        if len(way) > 1:
            self._hands.move(way, self._clock.now())
        elif way[0] in self._hands.standing:
            self._hands.lift(way[0], self._clock.now())
        else:
            self._hands.put(way[0], self._clock.now())
        return []

    def _lift(self, words: Sequence[str]) -> list[str]:
        self._hands.lift(self._square(words), self._clock.now())
        return []

    def _put(self, words: Sequence[str]) -> list[str]:
        letter = words[1] if len(words) == 2 else None
        self._hands.put(self._square(words[:1]), self._clock.now(), letter)
        return []

    def _off(self, words: Sequence[str]) -> list[str]:
        self._hands.drop()
        return []

    def _tilt(self, words: Sequence[str]) -> list[str]:
        self._hands.tilt(self._square(words), self._clock.now())
        return []

    def _fail(self, words: Sequence[str], fault: ContactFault | None) -> list[str]:
        self._hands.fail(self._square(words), fault, self._clock.now())
        return []

    def _tidy(self, words: Sequence[str]) -> list[str]:
        self._hands.set_up(self._table.view.position, self._clock.now())
        return []
