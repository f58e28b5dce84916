"""What can be typed at the table: touches of the board, and words to the table."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from hardware.simulated_contacts import ContactFault
from rules import Position, Side, Square, format_position, parse_position, parse_rules, parse_square
from rules.errors import near_miss
from rules.explain import explain
from rules.sentences import Sentence, _
from rules.words import sentences

from ..game.clock import parse_seconds
from ..game.commands import (
    AcceptDraw,
    AddNumber,
    AgreeDraw,
    AnswerQuestion,
    AsArbiter,
    AskAdvice,
    BoardIsRight,
    ChooseBias,
    ChooseFirst,
    Command,
    CommandRefused,
    Correct,
    DeclineDraw,
    Help,
    NewGame,
    OfferDraw,
    PauseGame,
    PressClock,
    ReleaseTouched,
    Resign,
    ResumeGame,
    RollDie,
    SayAdjust,
    SetClock,
    SetClockTimes,
    SetConduct,
    TakeBackLast,
    TurnBoard,
)
from ..game.conduct import CONDUCTS
from ..game.events import Header, Way
from ..game.opening import WAY_OF
from ..game.rolling import MOST_ADDED, duel_command, entered
from ..journal.agreement import another
from ..journal.rules_named import named_rules
from ..languages import Language, translation
from ..session.umpire import check_help
from ..simulation.table import TypedHands
from ..table.loop import Clock, Table
from ..words.accounts import account_lines
from ..words.gesture_words import gesture_lines
from ..words.words import Speaker


@dataclass(frozen=True, slots=True)
class Verb:
    """A word that can be typed: what may follow it, and what it does, in English."""

    usage: str
    meaning: Sentence


Does: TypeAlias = Callable[[Sequence[str]], list[str]]
"""Takes the words that follow, and returns what there is to say."""


class Quit(Exception):
    """The person at the terminal wants to stop."""


TOUCHES: Mapping[str, Verb] = {
    "SQUARE": Verb("d2", _("lift what stands there, or put down")),
    "SQUARES": Verb("d2 d3 ...", _("move, or slide over squares")),
    "lift": Verb("d2", _("lift a piece")),
    "put": Verb("d4 [P]", _("put down, from hand or box")),
    "off": Verb("", _("put what is held into the box")),
    "tilt": Verb("d2", _("knock a piece over for a while")),
    "stuck": Verb("e5", _("let a switch stick")),
    "dead": Verb("e5", _("let a switch die")),
    "mend": Verb("e5", _("mend a switch")),
    "tidy": Verb("", _("put all pieces where they belong")),
}
"""What hands at a simulated board do, in the order of the help."""

VERBS: Mapping[str, Verb] = {
    "answer": Verb("d5", _("say which piece was taken")),
    "right": Verb("", _("the board is right, a switch is not")),
    "roll": Verb("[3|10 3 7]", _("roll the die; or enter a real one")),
    "duel": Verb("[7 4|won|lost]", _("fight for a square entered")),
    "number": Verb("17", _("add a number to the die's seed")),
    "hint": Verb("[piece|move|why]", _("be told what to play")),
    "back": Verb("", _("take the last ply back")),
    "begins": Verb("[black|orange]", _("say who begins")),
    "bias": Verb("[counter]clockwise", _("say how the centre is crossed")),
    "account": Verb("", _("what the game and its series cost")),
    "resign": Verb("[black|orange]", _("give up")),
    "offer": Verb("[black|orange]", _("offer a draw")),
    "accept": Verb("", _("take the draw that is offered")),
    "decline": Verb("", _("want no draw")),
    "draw": Verb("", _("both agree on a draw")),
    "gestures": Verb("", _("what hands can ask for")),
    "new": Verb("[RULES]", _("begin another game")),
    "turned": Verb("j10 i10", _("say where a1 and b1 lie")),
    "correct": Verb("POSITION", _("play on from a position text")),
    "why": Verb("d2 d5", _("why a piece may go there or not")),
    "clock": Verb("10+5", _("set the clock before the first ply")),
    "times": Verb("5:00 4:30", _("set what the clocks show")),
    "press": Verb("", _("press the clock, or start it")),
    "pause": Verb("", _("let the clock stand")),
    "resume": Verb("", _("go on")),
    "conduct": Verb("strict", _("friendly, strict or tournament")),
    "adjust": Verb("", _("say it before you put pieces right")),
    "release": Verb("", _("what was touched is free again")),
    "arbiter": Verb("PIN back", _("correct a tournament game")),
    "board": Verb("", _("what is counted of the board")),
    "position": Verb("", _("print the position text")),
    "?": Verb("", _("this help")),
    "quit": Verb("", _("leave; the game goes on next time")),
}
"""What is told to the table, in the order of the help."""


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
        self._arbiter_pin: str | None = None
        self._does: dict[str, Does] = {
            "answer": lambda words: self._tell(AnswerQuestion(self._square(words))),
            "right": lambda words: self._tell(BoardIsRight()),
            "roll": self._roll,
            "duel": self._duel,
            "number": self._number,
            "hint": self._hint,
            "back": lambda words: self._tell(TakeBackLast()),
            "resign": lambda words: self._tell(Resign(self._side(words))),
            "offer": lambda words: self._tell(OfferDraw(self._side(words))),
            "accept": lambda words: self._tell(AcceptDraw()),
            "decline": lambda words: self._tell(DeclineDraw()),
            "begins": lambda words: self._tell(ChooseFirst(self._side(words))),
            "bias": self._bias,
            "account": lambda words: self._account(),
            "draw": lambda words: self._tell(AgreeDraw()),
            "gestures": lambda words: gesture_lines(self._language),
            "new": self._new,
            "turned": lambda words: self._tell(TurnBoard(*self._squares(words))),
            "correct": self._correct,
            "why": self._why,
            "clock": lambda words: self._tell(SetClock(" ".join(words))),
            "times": lambda words: self._tell(_times(words)),
            "press": lambda words: self._tell(PressClock()),
            "pause": lambda words: self._tell(PauseGame()),
            "resume": lambda words: self._tell(ResumeGame()),
            "conduct": lambda words: self._tell(_conduct(words)),
            "adjust": lambda words: self._tell(SayAdjust()),
            "release": lambda words: self._tell(ReleaseTouched()),
            "arbiter": self._as_arbiter,
            "position": lambda words: [format_position(self._table.view.position)],
            "?": lambda words: self.help(),
            "help": lambda words: self.help(),
            "quit": self._quit,
        }
        if statistics is not None:
            self._does["board"] = lambda words: statistics()
        self._verbs = {name: verb for name, verb in VERBS.items() if name in self._does}

    def do(self, line: str) -> list[str]:
        """Do one line and return what there is to say; Quit, or a refusal of the table's."""
        words = line.split()
        if not words:
            return []
        if words[0] in self._does:
            return self._does[words[0]](words[1:])
        if not words[0][-1].isdigit():
            near = near_miss(words[0], self._does)
            raise CommandRefused(
                _("{word}: no such word{near} (? for help)"), word=words[0], near=near
            )
        return self._touch([parse_square(word) for word in words])

    def help(self) -> list[str]:
        """Return a line for every word."""
        lines = []
        for name, verb in self._verbs.items():
            typed = verb.usage if name.isupper() else f"{name} {verb.usage}"
            meaning = translation(self._language)(verb.meaning)
            lines.append(f"{typed.strip():24} {meaning}")
        return lines

    def _tell(self, command: Command) -> list[str]:
        if self._arbiter_pin is not None:
            command = AsArbiter(self._arbiter_pin, command)
        news = self._table.obey(command, self._clock.now())
        return self._speaker.lines(news)

    def _as_arbiter(self, words: Sequence[str]) -> list[str]:
        """Do what follows the PIN, as the arbiter says it."""
        if len(words) < 2 or words[1] not in self._does:
            raise CommandRefused(
                _("say the arbiter's PIN and what to do, such as arbiter 123456 back")
            )
        self._arbiter_pin = words[0]
        try:
            return self._does[words[1]](words[2:])
        finally:
            self._arbiter_pin = None

    def _square(self, words: Sequence[str]) -> Square:
        if len(words) != 1:
            raise CommandRefused(_("say one square, such as d2"))
        return parse_square(words[0])

    def _touch(self, way: Sequence[Square]) -> list[str]:
        raise CommandRefused(_("a real board's pieces are moved by hand (? for what can be typed)"))

    def _roll(self, words: Sequence[str]) -> list[str]:
        return self._tell(entered(",".join(words), self._table.record) if words else RollDie())

    def _duel(self, words: Sequence[str]) -> list[str]:
        return self._tell(duel_command(",".join(words) or None, self._table.view.fight))

    def _number(self, words: Sequence[str]) -> list[str]:
        if len(words) != 1 or not words[0].isdecimal() or len(words[0]) > len(str(MOST_ADDED)):
            raise CommandRefused(
                _("say one number up to {most}, such as number 17"), most=MOST_ADDED
            )
        return self._tell(AddNumber(int(words[0])))

    def _hint(self, words: Sequence[str]) -> list[str]:
        helps = {wanted.name.lower(): wanted for wanted in Help}
        if words and words[0] not in helps:
            near = near_miss(words[0], helps)
            raise CommandRefused(
                _("{word}: say {names}{near}"), word=words[0], names=", ".join(helps), near=near
            )
        return self._tell(AskAdvice(helps[words[0]] if words else None))

    def _side(self, words: Sequence[str]) -> Side:
        """Return the side that is meant: who is to move, where none is named."""
        sides = {side.word: side for side in Side}
        if not words:
            return self._table.view.position.side
        if words[0] not in sides:
            raise CommandRefused(
                _("{word}: say black or orange{near}"),
                word=words[0],
                near=near_miss(words[0], sides),
            )
        return sides[words[0]]

    def _bias(self, words: Sequence[str]) -> list[str]:
        ways: dict[str, Way] = {way: way for way in WAY_OF.values()}
        if len(words) != 1 or words[0] not in ways:
            near = near_miss(" ".join(words), ways)
            raise CommandRefused(
                _("{word}: say clockwise or counterclockwise{near}"),
                word=" ".join(words),
                near=near,
            )
        return self._tell(ChooseBias(ways[words[0]]))

    def _account(self) -> list[str]:
        return account_lines(self._table.record, self._table.archive, self._speaker)

    def _new(self, words: Sequence[str]) -> list[str]:
        now, record = self._clock.now(), self._table.record
        rules = named_rules(words[0]) if words else parse_rules(record.header.rules)
        header = Header.of(Position.start(rules), now)
        begun = another(record, header, self._table.archive)
        return self._tell(NewGame(begun.header, begun.events))

    def _correct(self, words: Sequence[str]) -> list[str]:
        rules = self._table.view.position.rules
        return self._tell(Correct(parse_position(" ".join(words), rules)))

    def _squares(self, words: Sequence[str]) -> tuple[Square, Square]:
        if len(words) != 2:
            raise CommandRefused(_("say two squares, such as why d2 d5"))
        return parse_square(words[0]), parse_square(words[1])

    def _why(self, words: Sequence[str]) -> list[str]:
        check_help(self._table.record)
        position = self._table.view.position
        start, end = self._squares(words)
        return [
            sentences(explain(position, start, end), position.rules, translation(self._language))
        ]

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


def _conduct(words: Sequence[str]) -> SetConduct:
    word = " ".join(words)
    if word not in CONDUCTS:
        raise CommandRefused(
            _("{word}: say friendly, strict or tournament{near}"),
            word=word,
            near=near_miss(word, CONDUCTS),
        )
    return SetConduct(CONDUCTS[word].name)


def _times(words: Sequence[str]) -> SetClockTimes:
    seconds = [parse_seconds(word, otherwise=-1.0) for word in words]
    if len(seconds) != 2 or not all(1 <= each <= 24 * 3600 for each in seconds):
        raise CommandRefused(
            _("say what Black's and what Orange's clock shows, such as times 5:00 4:30")
        )
    return SetClockTimes(*seconds)
