"""Words typed at a table: touches of its board, and commands."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from msgspec.structs import replace as changed

from hardware.ports import FaultKind
from rules import (
    Sentence,
    Square,
    _,
    explain,
    format_position,
    format_rules,
    near_miss,
    parse_rules,
    parse_square,
)

from ..game.agreements import named_rules
from ..game.commands import COMMANDS, AsArbiter, Command, CommandRefused, New, NewGame, command_of
from ..game.texts import game_text, read_saved, start_from
from ..languages import Language, translation, worded_in
from ..light.news import account_lines
from ..light.words import Speaker, gesture_lines
from ..session.umpire import check_help
from ..table.games import named_text, save_game, saved_names, saved_text
from ..table.loop import Clock, Table

if TYPE_CHECKING:  # simulated hands: only where a table has them
    from ..boards.screen import TypedHands

Verb: TypeAlias = tuple[str, Sentence]
"""The words that may follow a word, and its purpose."""

Does: TypeAlias = Callable[[Sequence[str]], list[str]]
"""Takes the words that follow, and returns the answer."""


class Quit(Exception):
    """The person at the terminal wants to stop."""


TOUCHES: Mapping[str, Verb] = {
    "SQUARE": ("d2", _("lift what stands there, or put down")),
    "SQUARES": ("d2 d3 ...", _("move, or slide over squares")),
    "lift": ("d2", _("lift a piece")),
    "put": ("d4 [P]", _("put down, from hand or box")),
    "off": ("", _("put what is held into the box")),
    "tilt": ("d2", _("knock a piece over for a while")),
    "stuck": ("e5", _("let a switch stick")),
    "dead": ("e5", _("let a switch die")),
    "mend": ("e5", _("mend a switch")),
    "tidy": ("", _("put all pieces where they belong")),
}
"""Deeds of the hands at a simulated board, in the order of the help."""

QUERIES: Mapping[str, Verb] = {
    "save": ("[NAME]", _("save the game under a name")),
    "load": ("[NAME]", _("play on from a saved game; without a name: which there are")),
    "account": ("", _("what the game and its series cost")),
    "gestures": ("", _("what hands can ask for")),
    "why": ("d2 d5", _("why a piece may go there or not")),
    "board": ("", _("what is counted of the board")),
    "position": ("", _("print the position text")),
    "?": ("", _("this help")),
    "quit": ("", _("leave; the game goes on next time")),
}
"""Other words, in the order of the help."""

SHORT: Mapping[str, str] = {"b": "back", "s": "save", "l": "load"}
"""Letters for words, as they are keys on the page."""


class TypedWords:
    """Carries out words about a table's game; the pieces of a real board are moved by hand."""

    def __init__(
        self,
        table: Table,
        clock: Clock,
        language: Language,
        statistics: Callable[[], list[str]] | None = None,
        folder: Path | None = None,
        takes_files: bool = True,
    ) -> None:
        """`statistics` returns the counts of a real board.

        Games are saved in `folder`; nowhere without one. It `takes_files` only from somebody at
        this machine; others may only name games and rules that the table has.
        """
        self._table, self._clock, self._takes_files = table, clock, takes_files
        self._language = language
        self._speaker = Speaker(language)
        self._does: dict[str, Does] = {
            "account": lambda words: self._account(),
            "gestures": lambda words: gesture_lines(self._language),
            "why": self._why,
            "position": lambda words: [format_position(self._table.view.position)],
            "?": lambda words: self.help(),
            "help": lambda words: self.help(),
            "quit": self._quit,
        }
        if statistics is not None:
            self._does["board"] = lambda words: [worded_in(language, each) for each in statistics()]
        if folder is not None:
            self._does["save"] = lambda words: self._save(folder, " ".join(words))
            self._does["load"] = lambda words: self._load(folder, " ".join(words))
        self._verbs = {
            **{word: (command.usage, command.purpose) for word, command in COMMANDS.items()},
            **{name: verb for name, verb in QUERIES.items() if name in self._does},
        }

    def do(self, line: str) -> list[str]:
        """Do one line and return the answer; raises Quit, or a refusal of the table's."""
        words = line.split()
        if not words:
            return []
        words[0] = SHORT.get(words[0], words[0])
        if words[0] in self._does:
            return self._does[words[0]](words[1:])
        if words[0] in COMMANDS:
            return self._tell(self._named(command_of(words)))
        if not words[0][-1].isdigit():
            near = near_miss(words[0], {**COMMANDS, **self._does})
            raise CommandRefused(
                _("{word}: no such word{near} (? for help)"), word=words[0], near=near
            )
        return self._touch([parse_square(word) for word in words])

    def help(self) -> list[str]:
        """Return a line for every word."""
        lines = []
        for name, (usage, meaning) in self._verbs.items():
            typed = usage if name.isupper() else f"{name} {usage}"
            lines.append(f"{typed.strip():24} {translation(self._language)(meaning)}")
        return lines

    def _tell(self, command: Command) -> list[str]:
        news = self._table.obey(command, self._clock.now())
        return self._speaker.lines(news)

    def _named(self, command: Command) -> Command:
        """Return a command with its rules as a rules text, even if a file's name was typed."""
        if isinstance(command, AsArbiter) and isinstance(command.command, New):
            return changed(command, command=self._with_rules(command.command))
        return self._with_rules(command) if isinstance(command, New) else command

    def _with_rules(self, command: New) -> New:
        if command.rules is None:
            return command
        read = named_rules if self._takes_files else parse_rules
        rules = format_rules(read(command.rules))
        header, series = self._table.record.header, self._table.record.series
        if series is not None:  # its players change over
            return changed(command, rules=rules, series=series)
        return changed(command, rules=rules, black=header.black, orange=header.orange)

    def _square(self, words: Sequence[str]) -> Square:
        if len(words) != 1:
            raise CommandRefused(_("say one square, such as d2"))
        return parse_square(words[0])

    def _touch(self, way: Sequence[Square]) -> list[str]:
        raise CommandRefused(_("a real board's pieces are moved by hand (? for what can be typed)"))

    def _account(self) -> list[str]:
        lines = account_lines(self._table.record, self._table.archive)
        return self._speaker.all_of(lines)

    def _squares(self, words: Sequence[str]) -> tuple[Square, Square]:
        if len(words) != 2:
            raise CommandRefused(_("say two squares, such as why d2 d5"))
        return parse_square(words[0]), parse_square(words[1])

    def _why(self, words: Sequence[str]) -> list[str]:
        check_help(self._table.record)
        position = self._table.view.position
        start, end = self._squares(words)
        return [explain(position, start, end).said(translation(self._language))]

    def _save(self, folder: Path, name: str) -> list[str]:
        record = self._table.record
        name = name or f"{self._table.game} ({len(record.moves)})"
        save_game(folder, name, game_text(record))
        return [self._speaker.say(_("Saved as {name}."), name=name)]

    def _load(self, folder: Path, name: str) -> list[str]:
        if not name:
            return saved_names(folder) or [self._speaker.say(_("No games have been saved yet."))]
        text = (named_text if self._takes_files else saved_text)(folder, name)
        begun = start_from(read_saved(text), None, self._clock.now())
        news = self._table.obey(NewGame(begun.header, begun.events), self._clock.now())
        return self._speaker.lines(news)

    def _quit(self, words: Sequence[str]) -> list[str]:
        raise Quit


class TypedTable(TypedWords):
    """Carries out words typed at a simulated table, touches of its board among them."""

    def __init__(
        self,
        table: Table,
        hands: "TypedHands",
        clock: Clock,
        language: Language,
        folder: Path | None = None,
        takes_files: bool = True,
    ) -> None:
        super().__init__(table, clock, language, None, folder, takes_files)
        self._hands = hands
        self._verbs = {**TOUCHES, **self._verbs}
        self._does |= {
            "lift": self._lift,
            "put": self._put,
            "off": self._off,
            "tilt": self._tilt,
            "stuck": lambda words: self._fail(words, FaultKind.STUCK),
            "dead": lambda words: self._fail(words, FaultKind.DEAD),
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

    def _fail(self, words: Sequence[str], fault: FaultKind | None) -> list[str]:
        self._hands.fail(self._square(words), fault, self._clock.now())
        return []

    def _load(self, folder: Path, name: str) -> list[str]:
        sentences = super()._load(folder, name)
        if name:
            self._hands.set_up(self._table.session.record.position, self._clock.now())
        return sentences

    def _tidy(self, words: Sequence[str]) -> list[str]:
        self._hands.set_up(self._table.view.position, self._clock.now())
        return []
