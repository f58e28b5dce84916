"""One game as its events tell it: a `Record` is those events, folded in order.

The table's own die is known by a commitment to its secret seed; players may add numbers before its
first throw, and the seed is shown once the game is over. A fight in the arena lasts from the ply
that entered a square until somebody has won it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final, TypeAlias

from hardware.ports import FaultKind
from rules import (
    REST,
    BadValue,
    Duel,
    Game,
    Move,
    Piece,
    Position,
    Roll,
    RulesError,
    Side,
    Square,
    Termination,
    Throw,
    _,
    entered_by,
    fight,
    format_move,
    format_rules,
    format_square,
    letters,
    parse_move,
    parse_position,
    parse_rules,
    parse_square,
)
from rules.ledger import Account, Wager, account_of
from rules.text import LOST, WON, parse_roll, parse_throw

from . import events as happened
from .agreements import Clocks, Conduct, wager_of
from .commands import New, NewGame
from .events import (
    RESULTS,
    BadRecord,
    DiceEvent,
    DieCommit,
    DieNumber,
    DieSeed,
    Ending,
    Entry,
    Event,
    Header,
    Question,
)
from .terms import NO_TERMS, SETTLED, Matter, Opening, Terms, begun_anew, check_settling

SEVERAL: Final = "+"
"""Separator of the seeds, and of the commitments, of a die that has several; Black's is first."""


@dataclass(frozen=True, slots=True)
class TableDie:
    """The table's own die in a game, as far as it is known."""

    commit: str
    """The SHA-256 of its secret seed, in hex."""
    added: tuple[int, ...] = ()
    is_thrown: bool = False
    """True once it has been thrown, even for a ply that was taken back."""
    seed: str | None = None
    """The seed, in hex, once the game is over."""


def thrown(die: TableDie | None) -> TableDie:
    """Return the table's die after a throw; BadRecord where it has no secret seed."""
    if die is None or die.seed is not None:
        raise BadRecord(_("the table's die was rolled without a secret seed"))
    return replace(die, is_thrown=True)


def die_after(die: TableDie | None, event: DiceEvent) -> TableDie:
    """Return the die after an event of its own; BadRecord where they are out of order."""
    match event:
        case DieCommit(commit=commit) if die is None:
            return TableDie(commit)
        case DieNumber(number=number) if die is not None and not die.is_thrown:
            return replace(die, added=(*die.added, number))
        case DieSeed(seed=seed) if die is not None and die.seed is None:
            return replace(die, seed=seed)
    raise BadRecord(_("{event!r} comes at the wrong time"), event=event)


def duel_occasion(position: Position, move: Move, earlier: int) -> str:
    """Return the name of a throw, which no other of its game has: `12 Wd4xd5 duel 1`.

    It is the number and the text of the ply, played from `position`, and the number of the throw
    after `earlier` ones; ` attack` or ` defence` after it tells the two dice apart.
    """
    return f"{position.ply_number} {format_move(move, position)} duel {earlier + 1}"


@dataclass(frozen=True, slots=True)
class Fight:
    """The fight that a ply began, while nobody has won it."""

    before: Position
    move: Move
    at: float
    """Time of the ply, in seconds on the table clock."""
    entered: Position
    """The board meanwhile: the piece that entered is alone on its square."""
    throws: tuple[Throw, ...] = ()
    """The throws so far, all of them equal: another decides."""

    @classmethod
    def begin(cls, before: Position, move: Move, at: float) -> Fight:
        """Return the fight that a ply begins; IllegalMove where it is not legal."""
        return cls(before, move, at, before.play(move))

    @property
    def number(self) -> int:
        return self.before.ply_number

    @property
    def square(self) -> Square:
        """The square fought for."""
        return self.move.to_square

    @property
    def attacker(self) -> Piece:
        """The piece that entered."""
        return self._fighter(self.move.from_square)

    @property
    def defender(self) -> Piece:
        """The piece that stood there."""
        return self._fighter(self.square)

    def _fighter(self, square: Square) -> Piece:
        piece = self.before.piece_at(square)
        assert piece is not None  # the move takes
        return piece

    @property
    def occasion(self) -> str:
        """Name of the next throw, from which the table's die makes it."""
        return duel_occasion(self.before, self.move, len(self.throws))

    def after(self, text: str) -> Fight | Duel:
        """Return the fight after a throw (`7,4`), or its result, which players may enter as `won`.

        Raises BadText or BadValue for a text that makes no sense: once dice were thrown, dice
        decide.
        """
        if text in (WON, LOST):
            if self.throws:
                raise BadValue(
                    _("duel {told}: the dice have begun to decide, throw them again"), told=text
                )
            return Duel(text == WON)
        throws = (*self.throws, parse_throw(text))
        return fight(self.before, self.move, throws) or replace(self, throws=throws)


RESTED = Roll(REST, by_hand=True)
"""The roll that is assumed when the next side plays and nobody has moved the Juggernaut."""


@dataclass(frozen=True, slots=True)
class Record:
    """A game so far, as far as its events tell it."""

    header: Header
    game: Game
    """The certain part: no ply that a question is about, nor one that is still fought for."""
    times: tuple[float, ...] = ()
    """Time of each ply, in seconds on the table clock."""
    question: Question | None = None
    """The open question about something that the board could not show."""
    held: tuple[Entry, ...] = ()
    """Events after the open question, more questions among them; only its answer tells from which
    position they were played."""
    faults: Mapping[Square, FaultKind] = field(default_factory=dict)
    """The squares whose switches have failed, and how."""
    ending: Ending | None = None
    die: TableDie | None = None
    terms: Terms = NO_TERMS
    offer: Side | None = None
    """The side that offers a draw, until the other one has played or declined."""
    remains: Mapping[Square, str] = field(default_factory=dict)
    """Letters of pieces that stand where another one belongs: killed by the Juggernaut, beaten in a
    fight, taken back, or left by an earlier game. Switches cannot tell the two apart, so the record
    does, until the square is lifted or play has gone on."""
    is_settled: bool = True
    """False from a roll, a fight or words that changed the position until the board shows it."""
    fight: Fight | None = None
    """The fight for the last ply, while nobody has won it."""
    start_roll: Roll | None = None
    """The roll that put the Juggernaut on its first square, if one did."""
    opening: Opening = SETTLED
    """The settling of who begins, and of the way across a disk's centre."""
    series: str | None = None
    wager: Wager | None = None
    set_up: Position | None = None
    """The first position, if people have corrected the game after its first ply."""

    @classmethod
    def begin(cls, header: Header) -> Record:
        """Return a game before its first event."""
        start = parse_position(header.start, parse_rules(header.rules))
        return cls(header, Game.begin(start))

    @classmethod
    def read(cls, header: Header, entries: Iterable[Entry]) -> Record:
        """Return the game the journal tells; BadRecord where its events do not fit together."""
        try:
            return cls.fold(header, entries)
        except RulesError as error:
            raise BadRecord(_("the journal does not fit its rules: {why}"), why=error) from error

    @classmethod
    def fold(cls, header: Header, entries: Iterable[Entry]) -> Record:
        """Return the game after some events; BadRecord or a RulesError where one cannot be."""
        record = cls.begin(header)
        for entry in entries:
            record = record.after(entry)
        return record

    @property
    def position(self) -> Position:
        """The position, as far as it is certain."""
        return self.game.position

    @property
    def clocks(self) -> Clocks | None:
        """The players' clocks, where the game has them."""
        return self.terms.clocks

    @property
    def conduct(self) -> Conduct:
        """The players' manners, and the help that they may ask for."""
        return self.terms.conduct

    @property
    def is_paused(self) -> bool:
        """True while the players pause a game that is not over."""
        return self.terms.is_paused and self.ending is None

    @property
    def stands(self) -> Position:
        """The position that the board should show; during a fight, the entering piece alone."""
        return self.position if self.fight is None else self.fight.entered

    @property
    def unsettled(self) -> Matter | None:
        """The matter to be settled before the first ply; None once the game is over."""
        return None if self.ending else self.opening.due

    @property
    def rules_text(self) -> str:
        """The rules it is played by, with the bias that was settled before it."""
        return format_rules(self.game.start.rules)

    @property
    def account(self) -> Account | None:
        """The cost of the game so far, by its wager; None if it has none."""
        if self.wager is None:
            return None
        return account_of(self.game, self.wager, self.set_up)

    @property
    def last_move(self) -> Move | None:
        """The last ply, also where it is still fought for."""
        if self.fight is not None:
            return self.fight.move
        return self.game.plies[-1].move if self.game.plies else None

    @property
    def rolls(self) -> tuple[Roll, ...]:
        """The rolls for the Juggernaut since the last ply."""
        return self.game.plies[-1].rolls if self.game.plies else ()

    @property
    def duel(self) -> Duel | None:
        """The result of the last ply's fight, if it was one."""
        return self.game.plies[-1].duel if self.game.plies else None

    @property
    def last_number(self) -> int:
        """Number of the last certain ply; one less than the first ply's at the start."""
        return self.position.ply_number - 1

    @property
    def moves(self) -> tuple[str, ...]:
        """Texts of the plies, those that wait for an answer included."""
        positions = self.game.positions
        certain = [
            format_move(ply.move, before)
            for ply, before in zip(self.game.plies, positions, strict=False)
        ]
        return (*certain, *self._uncertain.values())

    @property
    def last_played(self) -> int:
        """Number of the last ply, even one that waits for an answer or a fight's end."""
        return max(self._uncertain, default=self.last_number)

    @property
    def _uncertain(self) -> dict[int, str]:
        """Texts, as far as known, of the plies that wait for an answer or a fight's end."""
        moves: dict[int, str] = {}
        if self.fight is not None:
            moves[self.fight.number] = format_move(self.fight.move, self.fight.before)
        waiting = [self.question] if self.question else []
        for event in (*waiting, *(entry.event for entry in self.held)):
            match event:
                case Question(number=number, is_ply=True):
                    moves[number] = event.move("?")
                case (
                    happened.Ply(number=number, move=move)
                    | happened.Answer(number=number, move=move)
                ):
                    moves[number] = move
                case happened.TakeBack(number=number):
                    moves.pop(number, None)
                case happened.Amended() as amended:
                    moves = {n: move for n, move in moves.items() if n < amended.first}
                    moves |= amended.moves
        return moves

    def after(self, entry: Entry) -> Record:
        """Return the game after one more event; BadRecord or a RulesError where it cannot be."""
        record = self
        # The terms come last: clocks need the game before the event and after it.
        if not isinstance(entry.event, happened.TermsEvent):
            record = self._ready_for(entry.event)._on_board(entry)
        return replace(record, terms=self.terms.after(entry, self.game, record.game))

    def _ready_for(self, event: Event) -> Record:
        """Return the game as it may be before an event; BadRecord where a fight is in its way."""
        if self.fight is not None and isinstance(
            event,
            (happened.Ply, Question, happened.Amended, happened.Wander, happened.DieRoll),
        ):
            raise BadRecord(
                _("move {number} is fought for: who has won comes first"), number=self.fight.number
            )
        if not self.is_settled and isinstance(
            event,
            (happened.Ply, Question, happened.Amended, happened.Wander, happened.Recall),
        ):
            # A reader begins only on a board that stands right.
            return replace(self, remains={}, is_settled=True)
        return self

    def _on_board(self, entry: Entry) -> Record:
        """Return the game after an event's part for the board; its terms are as before."""
        match entry.event:
            case event if self.question and isinstance(event, happened.HandsEvent):
                return self._while_asked(self.question, entry)
            case Question() as question:
                return replace(self, question=question)
            case happened.Ply(number=number, move=text):
                return self._played(number, text, entry.at)
            case happened.Answer(number=number, move=text):
                raise BadRecord(
                    _("move {number} ({text}) was not asked about, and is answered"),
                    number=number,
                    text=text,
                )
            case happened.TakeBack() as undone:
                return self._taken_back(undone)
            case happened.Amended() as amended:
                return self.amended(amended, entry.at)
            case happened.Wander(after=number, to_square=name):
                self._must_be_last(number)
                return replace(self, game=self.game.move_juggernaut(parse_square(name)))
            case happened.Recall(after=number):
                self._must_be_last(number)
                return replace(self, game=_unrolled(self.game), ending=None)
            case event if isinstance(event, happened.Correction | happened.Preamble):
                return self._begun_anew(event)
            case happened.DrawOffer() | happened.DrawDeclined() | Ending() as words:
                return self._after_words(words)
        return self._beside(entry.event)

    def _beside(self, event: Event) -> Record:
        """Return the game after an event that is no play: of dice, or of the board's parts."""
        match event:
            case _ if isinstance(event, DiceEvent):
                return self._after_dice(event)
            case happened.Remains():
                return replace(self, remains=event.by_square, is_settled=False)
            case happened.Cleared(square=name):
                left = {s: at for s, at in self.remains.items() if s != parse_square(name)}
                return replace(self, remains=left)
            case happened.Settled():
                return replace(self, remains={}, is_settled=True)
            case happened.Fault() | happened.Follows():
                return replace(self, faults=_faults_after(self.faults, event))
        raise BadRecord(_("{event!r} is no event of a game"), event=event)

    def _played(self, number: int, text: str, at: float) -> Record:
        if number != self.last_number + 1:
            raise BadRecord(
                _("move {number} ({text}) follows move {last_number}"),
                number=number,
                text=text,
                last_number=self.last_number,
            )
        # A ply says that the side before has finished: a Juggernaut that nobody moved has rested.
        game = self.game.roll(RESTED) if self.game.awaits_roll else self.game
        move = parse_move(text, game.position)
        offer = self.offer if self.offer is game.position.side else None
        if game.position.is_fought(move):
            fight = Fight.begin(game.position, move, at)
            return replace(self, game=game, fight=fight, offer=offer)
        return replace(self, game=game.play(move), times=(*self.times, at), offer=offer)

    def _fought(self, event: happened.DuelReport) -> Record:
        fight = self.fight
        if fight is None or event.number != fight.number:
            raise BadRecord(_("move {number} is not fought for"), number=event.number)
        # A die of the table's that has been thrown takes no more numbers: its outcome would be
        # chosen.
        by_table = event.told not in (WON, LOST) and not parse_throw(event.told).by_hand
        record = replace(self, die=thrown(self.die)) if by_table else self
        after = fight.after(event.told)
        if isinstance(after, Fight):
            return replace(record, fight=after)
        record = record._led_to(self.game.play(fight.move, after))
        return replace(record, times=(*self.times, fight.at), fight=None)

    def _taken_back(self, event: happened.TakeBack) -> Record:
        game, times = self.game, self.times
        if self.fight is None:
            self._must_be_last(event.number)
            game, times = game.take_back(), times[:-1]
        elif event.number != self.fight.number:
            raise BadRecord(
                _("move {number} is not the last one, {fought} is"),
                number=event.number,
                fought=self.fight.number,
            )
        game = _unrested(game)
        record = self._led_to(game) if event.by == "words" else replace(self, game=game)
        return replace(record, times=times, fight=None, ending=None)

    def amended(self, event: happened.Amended, at: float) -> Record:
        """Return the game with other plies than had been told, those between them played again.

        A ply that stands keeps its time, the fight that it began and the Juggernaut's rolls.
        """
        first, game = self.game.start.ply_number, self.game
        played = dict(enumerate(game.plies, first))
        while game.plies and game.position.ply_number > event.first:
            game = game.take_back()
        for number in range(min(event.first, game.position.ply_number), event.last + 1):
            if number < first or number not in {**played, **event.moves}:
                raise BadRecord(_("move {number} has not been played"), number=number)
            before = played.get(number)
            game = game.roll(RESTED) if game.awaits_roll else game
            if before is None or number in event.moves:
                game = game.play(parse_move(event.moves[number], game.position))
            else:
                squares = "".join(map(format_square, before.move[:2]))
                game = game.play(parse_move(squares, game.position), before.duel)
            for roll in () if before is None else before.rolls:
                game = game.roll(roll)
        count = len(game.plies)
        times = (*self.times[:count], *[at] * (count - len(self.times)))
        return replace(self, game=_unrested(game), times=times, ending=None)

    def _corrected(self, position: Position) -> Record:
        """Return the game going on from a position that people name, side to move included."""
        return Record(
            self.header,
            Game.begin(position),
            faults=self.faults,
            die=self.die,
            opening=replace(self.opening, first=None),
            series=self.series,
            wager=self.wager,
            set_up=self.set_up or (self.game.start if self.game.plies else None),
        )

    def _begun_anew(self, event: happened.Correction | happened.Preamble) -> Record:
        """Return the game after an event that decides where it begins, and for what."""
        match event:
            case happened.Correction(position=text):
                return self._corrected(parse_position(text, self.position.rules))
            case happened.SeriesAgreed(name=name):
                return replace(self, series=name)
            case happened.WagerAgreed():
                return replace(self, wager=wager_of(event))
            case _:
                check_settling(self.game, event)
                game = Game.begin(begun_anew(self.game.start, event))
                is_thrown = (
                    isinstance(event, happened.FirstMove | happened.Bias) and event.by == "table"
                )
                die = thrown(self.die) if is_thrown else self.die
                return replace(self, game=game, opening=self.opening.after(event), die=die)

    def _after_dice(self, event: happened.DiceEvent) -> Record:
        if isinstance(event, happened.DuelReport):
            return self._fought(event)
        if not isinstance(event, happened.DieRoll):
            return replace(self, die=die_after(self.die, event))
        roll = parse_roll(event.roll)
        if self.question is not None:
            raise BadRecord(_("the die was rolled while a question was open"))
        die = self.die if roll.by_hand else thrown(self.die)
        if not self.game.plies:
            # Before the first ply the roll is a teleport: it says where the Juggernaut begins.
            game = Game.begin(entered_by(self.position, roll))
            return replace(self._led_to(game), die=die, start_roll=roll)
        self._must_be_last(event.after)
        return replace(self._led_to(self.game.roll(roll)), die=die)

    def _led_to(self, game: Game) -> Record:
        """Return the record of a game whose position the hands have still to build."""
        # The pieces do not move by themselves: switches would take the old one for the new one, so
        # the letters of all that has still to change are kept, and reading waits until it has.
        stood, wanted = letters(self.stands) | dict(self.remains), letters(game.position)
        is_settled = self.is_settled and stood == wanted
        return replace(self, game=game, remains=_remains_of(stood, wanted), is_settled=is_settled)

    def _after_words(self, event: happened.DrawOffer | happened.DrawDeclined | Ending) -> Record:
        """Return the game after an offer, a refusal or an end."""
        match event:
            case happened.DrawOffer(side=word):
                return replace(self, offer=Side[word.upper()])
            case happened.DrawDeclined():
                return replace(self, offer=None)
            case Ending() as ending:
                return replace(self, game=self._ended(ending), ending=ending, offer=None)

    def _ended(self, ending: Ending) -> Game:
        """Return the game as people have ended it; one that the rules ended stays as it is."""
        if self.game.outcome is not None:
            return self.game
        loser = Side.ORANGE if ending.result == "black" else Side.BLACK
        match ending.termination:
            case Termination.AGREED.value:
                return self.game.agree()
            case Termination.RESIGNED.value if ending.result in RESULTS.values():
                return self.game.resign(loser)
            case Termination.TIME.value:
                return self.game.lose_on_time(loser)
        return self.game

    # Events after a question are folded only once it is answered: each legal answer leads to
    # another position, and only the true one lets the later plies be legal. The answer itself comes
    # late.
    def _while_asked(self, question: Question, entry: Entry) -> Record:
        """Return the game after an event that may answer the open question, or end it."""
        before = replace(self, question=None, held=())
        match entry.event:
            case happened.Answer(number=number, move=text) if (
                question.is_ply and number == question.number
            ):
                record = before._played(number, text, entry.at)
            case happened.Wander(after=number) if not question.is_ply and number == question.number:
                record = before._on_board(entry)
            case happened.TakeBack(number=number) if question.is_ply and number == question.number:
                return before
            case happened.Amended() as amended if amended.first <= question.number:
                return before.amended(amended, entry.at)
            case happened.Recall(after=number) if not question.is_ply and number == question.number:
                return before
            case _:
                return replace(self, held=(*self.held, entry))
        # Now the plies since then have a position to be played from.
        for held in self.held:
            record = record._on_board(held)
        return record

    def _must_be_last(self, number: int) -> None:
        if not self.game.plies or number != self.last_number:
            raise BadRecord(
                _("move {number} is not the last one, {last_number} is"),
                number=number,
                last_number=self.last_number,
            )


def _unrolled(game: Game) -> Game:
    """Return the game with the Juggernaut back where it stood right after the last ply."""
    # A roll cannot be undone by itself: the ply is played again, and waits for its roll anew.
    last = game.plies[-1]
    return game.take_back().play(last.move, last.duel)


def _unrested(game: Game) -> Game:
    """Return the game without a rest of the Juggernaut that the next ply had implied.

    That ply has been taken back, so that the Juggernaut may be moved after all.
    """
    return _unrolled(game) if game.plies and game.plies[-1].rolls == (RESTED,) else game


def ending_of(game: Game) -> Ending | None:
    """Return the end by the rules; None while the game goes on."""
    outcome = game.outcome
    if outcome is None:
        return None
    return Ending(RESULTS[outcome.winner], outcome.termination.value)


def _faults_after(
    faults: Mapping[Square, FaultKind], event: happened.Fault | happened.Follows
) -> dict[Square, FaultKind]:
    """Return the failed switches after one more has failed, or follows again."""
    square = parse_square(event.square)
    left = {other: kind for other, kind in faults.items() if other != square}
    return left | {square: FaultKind(event.fault)} if isinstance(event, happened.Fault) else left


def _remains_of(stood: Mapping[Square, str], wanted: Mapping[Square, str]) -> dict[Square, str]:
    """Return the letters on squares where another piece is wanted: a switch sees no difference."""
    return {s: stood[s] for s, letter in wanted.items() if s in stood and stood[s] != letter}


NextGame: TypeAlias = Callable[[New, Record, float], NewGame]
"""Makes the game that people want after another one, begun at a time."""
