"""Commands that people give a table: typed, by a button of the page, or by the pieces they hold.

One struct serves the page, which posts it as JSON (`do` names its kind), the terminal, which makes
one of a typed line (`command_of`), and the session, which carries it out. Squares, sides, positions
and dice are texts in it: their meaning depends on the game, and is found where the command is
carried out. Its help stands beside it as data: how it is typed, what it is for, who may give it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import reduce
from operator import or_
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    ClassVar,
    Final,
    Literal,
    TypeAlias,
    get_args,
    get_type_hints,
)

import msgspec

from rules import Sentence, _, near_miss, parse_square

from ..errors import TableError
from .events import MOST_TOKENS, ConductName, Event, Header, SideName, Way, kinds_of

MOST_ADDED: Final = 999_999_999
"""Largest number that a player may add to the die's seed."""

SquareName = Annotated[str, msgspec.Meta(pattern="^[a-j](10|[1-9])$", description="such as d2")]
Line = Annotated[str, msgspec.Meta(min_length=1, max_length=400)]
Name = Annotated[str, msgspec.Meta(max_length=40)]
Dice = Annotated[str, msgspec.Meta(max_length=20)]
ClockText = Annotated[str, msgspec.Meta(min_length=1, max_length=10, description="such as 4:30")]
HelpName: TypeAlias = Literal["piece", "move", "why", "off"]

Permitted: TypeAlias = Literal["players", "arbiter", "arbiter once played"]
"""The people who may give a command in a tournament game: its players, or the arbiter alone, from
the beginning or once a ply has been played. In any other game the players may give all of them."""


class CommandRefused(TableError, ValueError):
    """A command or a text that a game or a board cannot follow, or not now."""


NO_MOVE_NOW: Final = _("no move can be made just now: see what the table asks or waits for")


class Help(IntEnum):
    """The size of a hint; whoever asks again gets the next."""

    PIECE = 1
    MOVE = 2
    WHY = 3

    @property
    def more(self) -> Help:
        """The next, or the same where there is none."""
        return Help(min(self + 1, Help.WHY))


class Command(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="do"):
    """Base of all commands; its tag is the word that is typed, unless `word` is another."""

    word: ClassVar[str] = ""
    usage: ClassVar[str] = ""
    """The words to type after it, as the help shows them."""
    purpose: ClassVar[Sentence] = Sentence("")
    """Its use, as the help puts it."""
    typed_places: ClassVar[int] = 9
    """Number of its values that can be typed, from the first; pages have the others."""
    mend: ClassVar[Sentence | None] = None
    """Refusal of words that it does not take; None quotes `usage` instead."""
    permitted: ClassVar[Permitted] = "players"


class AnswerQuestion(Command, frozen=True, tag="answer"):
    """The piece asked about stood on `square`; or that square is the corner asked about."""

    usage: ClassVar = "d5"
    purpose: ClassVar = _("say which piece was taken")
    mend: ClassVar = _("say one square, such as d2")

    square: SquareName


MOST_BOARDS = 3
"""Most boards to choose from that are shown when the game is lost."""


class BoardIsRight(Command, frozen=True, tag="right"):
    """Everything stands where it should: switches that say otherwise have failed.

    Where the game is lost it is the `board` of that number that stands there, of those shown.
    """

    usage: ClassVar = "[2]"
    purpose: ClassVar = _("the board is right, a switch is not; or which of those shown it is")
    permitted: ClassVar = "arbiter"

    board: Annotated[int, msgspec.Meta(ge=1, le=MOST_BOARDS)] = 1


class RollDie(Command, frozen=True, tag="roll"):
    """Roll the table's own die; or a die of people's own has `shown` this: `3`, `10,3,7`.

    It is for the Juggernaut, for who begins, or (the table's own) for both sides of a fight.
    """

    usage: ClassVar = "[3|10 3 7]"
    purpose: ClassVar = _("roll the die; or enter a real one")

    shown: Dice | None = None


class DecideFight(Command, frozen=True, tag="duel"):
    """Throw for both sides of a fight; or tell what real dice show, or who won.

    `told` is `7,4` (by the piece that entered first), or how that piece fared: `won`, `lost`.
    """

    usage: ClassVar = "[7 4|won|lost]"
    purpose: ClassVar = _("fight for a square")

    told: Dice | None = None


class AddNumber(Command, frozen=True, tag="number"):
    """Add a number that a player has thought of to the seed of the table's die."""

    usage: ClassVar = "17"
    purpose: ClassVar = _("add a number to the die's seed")
    mend: ClassVar = _("say one number up to {most}, such as number 17")

    number: Annotated[int, msgspec.Meta(ge=0, le=MOST_ADDED)]


class AskAdvice(Command, frozen=True, tag="hint"):
    """The side to move asks for a hint of the size `wanted`; None: of the next size.

    `off` ends the hints.
    """

    usage: ClassVar = "[piece|move|why|off]"
    purpose: ClassVar = _("ask for a hint")
    mend: ClassVar = _("{word}: say {names}{near}")

    wanted: HelpName | None = None


class TakeBackLast(Command, frozen=True, tag="back"):
    """Undo the last ply; the table then leads the pieces back."""

    purpose: ClassVar = _("take the last move back")
    permitted: ClassVar = "arbiter"


DiceCommand: TypeAlias = RollDie | DecideFight | AddNumber


class ChooseFirst(Command, frozen=True, tag="first"):
    """`side` moves first: people agree so, or whose choice it is says so."""

    word: ClassVar = "begins"
    usage: ClassVar = "[black|orange]"
    purpose: ClassVar = _("say who begins")
    mend: ClassVar = _("{word}: say black or orange{near}")

    side: SideName | None = None


class ChooseBias(Command, frozen=True, tag="bias"):
    """The disk's centre is crossed `way`: agreed, or said by whose choice it is."""

    usage: ClassVar = "[counter]clockwise"
    purpose: ClassVar = _("say how the centre is crossed")
    mend: ClassVar = _("{word}: say clockwise or counterclockwise{near}")

    way: Way


class Resign(Command, frozen=True, tag="resign"):
    """`side` gives up; None: who is to move."""

    usage: ClassVar = "[black|orange]"
    purpose: ClassVar = _("resign")
    mend: ClassVar = _("{word}: say black or orange{near}")

    side: SideName | None = None


class OfferDraw(Command, frozen=True, tag="offer"):
    """`side` offers a draw; where the other side has offered one, it accepts.

    None: who is to move.
    """

    usage: ClassVar = "[black|orange]"
    purpose: ClassVar = _("offer a draw")
    mend: ClassVar = _("{word}: say black or orange{near}")

    side: SideName | None = None


class AcceptDraw(Command, frozen=True, tag="accept"):
    """The side that is offered a draw accepts."""

    purpose: ClassVar = _("accept the draw that is offered")


class DeclineDraw(Command, frozen=True, tag="decline"):
    """The side that is offered a draw wants none."""

    purpose: ClassVar = _("decline the draw")


class AgreeDraw(Command, frozen=True, tag="draw"):
    """Both sides agree on a draw."""

    purpose: ClassVar = _("both agree on a draw")


class Adjudicate(Command, frozen=True, tag="adjudicate"):
    """The game is over, and this is how: the arbiter has decided it."""

    usage: ClassVar = "black|orange|draw"
    purpose: ClassVar = _("decide how the game has ended")
    mend: ClassVar = _("{word}: say black, orange or draw{near}")
    permitted: ClassVar = "arbiter"

    result: SideName | Literal["draw"]


EndingCommand: TypeAlias = Resign | OfferDraw | AcceptDraw | DeclineDraw | AgreeDraw | Adjudicate


class New(Command, frozen=True, tag="new"):
    """Leave this game and begin another by a rules text, from its start or a position text.

    Without `rules` it is the next game of the same people; without `clock` or `conduct` it is
    played as this one.
    It may belong to a series, and be played for a stake and prices of heads (`2`, `C=30`); what is
    not told is as in the last game of the series. `first` and `bias` are told, rolled, or left to
    whoever has won that choice.
    """

    usage: ClassVar = "[RULES]"
    typed_places: ClassVar = 1
    purpose: ClassVar = _("begin another game")
    permitted: ClassVar = "arbiter once played"

    rules: Line | None = None
    black: Name = "?"
    orange: Name = "?"
    position: Line | None = None
    clock: Line | None = None
    conduct: ConductName | None = None
    series: Name | None = None
    stake: Annotated[int, msgspec.Meta(ge=0, le=MOST_TOKENS)] | None = None
    prices: Line | None = None
    for_bias: bool | None = None
    first: SideName | Literal["roll", "winner"] | None = None
    bias: Way | Literal["roll", "winner"] | None = None


class TurnBoard(Command, frozen=True, tag="turned"):
    """The board lies otherwise: the squares that the table calls so are really a1 and b1."""

    usage: ClassVar = "j10 i10"
    purpose: ClassVar = _("say where a1 and b1 lie")
    mend: ClassVar = _("say two squares, such as why d2 d5")

    a1: SquareName
    b1: SquareName


class Correct(Command, frozen=True, tag="correct"):
    """Play on from a position text, whatever was read."""

    usage: ClassVar = "POSITION"
    purpose: ClassVar = _("play on from a position text")
    permitted: ClassVar = "arbiter"

    position: Line


class SetClock(Command, frozen=True, tag="clock"):
    """Play this game, before its first ply, with a time control as people write one."""

    usage: ClassVar = "10+5"
    purpose: ClassVar = _("set the clock before the first move")

    control: Line


class SetClockTimes(Command, frozen=True, tag="times"):
    """Set the time that each clock shows."""

    usage: ClassVar = "5:00 4:30"
    purpose: ClassVar = _("set what the clocks show")
    mend: ClassVar = _("say what Black's and what Orange's clock shows, such as times 5:00 4:30")
    permitted: ClassVar = "arbiter"

    black: ClockText
    orange: ClockText


class PressClock(Command, frozen=True, tag="press"):
    """Press the clock: to start it, to end a turn where buttons do that, to end a pause."""

    purpose: ClassVar = _("press the clock, or start it")


class PauseGame(Command, frozen=True, tag="pause"):
    """Let the clock stand, until somebody plays or says that the game goes on."""

    purpose: ClassVar = _("stop the clock")


class ResumeGame(Command, frozen=True, tag="resume"):
    """The pause is over."""

    purpose: ClassVar = _("go on")


class SetConduct(Command, frozen=True, tag="conduct"):
    """Keep to a conduct in this game, before its first ply."""

    usage: ClassVar = "strict"
    purpose: ClassVar = _("friendly, strict or tournament")
    mend: ClassVar = _("{word}: say friendly, strict or tournament{near}")
    permitted: ClassVar = "arbiter once played"

    conduct: ConductName


class SayAdjust(Command, frozen=True, tag="adjust"):
    """The pieces lifted next are only put right (j'adoube)."""

    purpose: ClassVar = _("say it before you put pieces right")


class ReleaseTouched(Command, frozen=True, tag="release"):
    """Pieces that were touched need not be moved or taken."""

    purpose: ClassVar = _("what was touched is free again")
    permitted: ClassVar = "arbiter"


class NoteMove(Command, frozen=True, tag="note"):
    """Remark on the last move: its game text has the words as a comment; taking it back ends it."""

    usage: ClassVar = "TEXT"
    purpose: ClassVar = _("remark on the last move")

    text: Line


TermsCommand: TypeAlias = (
    SetClock
    | SetClockTimes
    | PressClock
    | PauseGame
    | ResumeGame
    | SetConduct
    | ReleaseTouched
    | NoteMove
)

if TYPE_CHECKING:
    PlayersCommand: TypeAlias = Command
else:
    PlayersCommand = reduce(or_, kinds_of(Command, globals()))
"""The commands that players give themselves, in the order of the help."""


class AsArbiter(Command, frozen=True, tag="arbiter"):
    """The arbiter, who knows the PIN, tells the table a command."""

    usage: ClassVar = "PIN back"
    purpose: ClassVar = _("correct a tournament game")
    mend: ClassVar = _("say the arbiter's PIN and what to do, such as arbiter 123456 back")

    pin: Annotated[str, msgspec.Meta(min_length=1, max_length=40)]
    command: PlayersCommand


AnyCommand: TypeAlias = PlayersCommand | AsArbiter


@dataclass(frozen=True, slots=True)
class NewGame:
    """Leave this game and begin another, with `events` that have happened in it already.

    It comes of a `New`, of a game that is loaded, or of a board as it stands; as news it says that
    all that follows, `events` first, belongs to another game. `is_set_up`: its men have just been
    set up, whatever stood on their squares before.
    """

    permitted: ClassVar[Permitted] = New.permitted

    header: Header
    events: tuple[Event, ...] = ()
    is_set_up: bool = False


def word_of(command: type[Command]) -> str:
    """Return the word by which a command is typed."""
    return command.word or str(command.__struct_config__.tag)


COMMANDS: Final[Mapping[str, type[AnyCommand]]] = {
    word_of(command): command for command in (*get_args(PlayersCommand), AsArbiter)
}
"""Every command by the word that is typed, in the order of the help."""


def command_of(words: Sequence[str]) -> AnyCommand:
    """Return the command of a typed line; the first of `words` is one of COMMANDS.

    Each word after it fills one place; where a command has but one, all of them fill it.
    Raises CommandRefused, or a RulesError about a square, for words that it does not take.
    """
    # The structs are the grammar: places are filled in their order, and msgspec checks each.
    kind, after = COMMANDS[words[0]], list(words[1:])
    if kind is AsArbiter:
        return _by_arbiter(after)
    places = msgspec.structs.fields(kind)[: kind.typed_places]
    given = [" ".join(after)] if len(places) == 1 and after else after
    types = get_type_hints(kind, include_extras=True)
    if len(given) > len(places):
        raise _refused(kind, after)
    for place, text in zip(places, given, strict=False):
        if types[place.name] == SquareName:
            parse_square(text)
    values = {place.name: text for place, text in zip(places, given, strict=False)}
    try:
        return msgspec.convert(values, kind, strict=False)
    except msgspec.ValidationError:
        raise _refused(kind, after, _choices(types[places[0].name])) from None


def _by_arbiter(after: Sequence[str]) -> AsArbiter:
    """Return the arbiter's command of the words after `arbiter`: the PIN and a typed line."""
    if len(after) < 2 or after[1] not in COMMANDS or after[1] == word_of(AsArbiter):
        raise CommandRefused(_("say the arbiter's PIN and what to do, such as arbiter 123456 back"))
    command = command_of(after[1:])
    assert not isinstance(command, AsArbiter)
    return AsArbiter(after[0], command)


def _choices(place: Any) -> list[str]:
    """Return the words that a place chooses from; none where it takes any text."""
    inner = [choice for part in get_args(place) for choice in (part, *get_args(part))]
    return [choice for choice in inner if isinstance(choice, str)]


def _refused(
    kind: type[Command], after: Sequence[str], choices: Sequence[str] = ()
) -> CommandRefused:
    """Return the refusal of the words typed after a command's own."""
    if kind.mend is None:
        return CommandRefused(
            _("say it as in: {example}"), example=f"{word_of(kind)} {kind.usage}".strip()
        )
    word = " ".join(after)
    return CommandRefused(
        kind.mend,
        word=word,
        names=", ".join(choices),
        near=near_miss(word, choices),
        most=MOST_ADDED,
    )
