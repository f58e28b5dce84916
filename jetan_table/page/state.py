"""What a page shows of the table: plain data in groups, made from view, record and hands.

The groups come first, then what makes them; fights, the die and notices at the end.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Final

import msgspec
from msgspec import to_builtins
from msgspec.structs import replace as changed

from hardware.ports import FaultKind
from rules import (
    Game,
    Move,
    Position,
    Rules,
    Side,
    Square,
    Throw,
    Worded,
    _,
    explain,
    format_position,
    format_square,
    letters,
    parse_position,
    squares_of,
)
from rules.sentences import Notice
from rules.text import format_roll, format_throw

from ..boards.screen import ScreenBoard, TypedHands
from ..game.agreements import TimeExtra, format_time_control
from ..game.clock import Clocks
from ..game.dice import Fight
from ..game.events import Ending, Question
from ..game.record import Record
from ..languages import LANGUAGES, Language, plain, said_in, say_in, without_folders
from ..light.lamps import Cue, cues
from ..light.words import NOTHING_IS_CONFIRMED, speaker
from ..notices import Act, Severity, about, lamps_of, severity
from ..session.tabletop import HandMove
from ..session.umpire import allows_help
from ..session.view import View
from ..table.loop import Table


class GameState(msgspec.Struct, frozen=True, kw_only=True):
    """The game that is played; `few` and `quiet` are the counters of a position text."""

    number: int = msgspec.field(name="game")
    """Its number in the journal."""
    rules: str
    """As a rules text."""
    board: str
    """The name of its topology, as `/api/boards` has them."""
    black: str
    orange: str
    conduct: str
    phase: str
    side: str
    """Who is to move."""
    position: str
    """The confirmed one."""
    escapes: list[str]
    """The sides whose Princess still has her escape."""
    few: int | None
    quiet: int
    first_number: int
    """The number of the first of the `moves`."""
    moves: list[str]
    """The plies that stand."""
    last_path: list[str]
    """The way the last ply went."""
    taken: str
    """The letters of the pieces that have left the board since the start."""
    over: Ending | None


class BoardState(msgspec.Struct, frozen=True, kw_only=True):
    """What stands on the board, and what its lamps show."""

    standing: dict[str, str]
    """As simulated hands know, or as switches and history tell."""
    lifted: list[str]
    """The squares of pieces in the air."""
    faults: dict[str, str]
    """How switches fail, by their squares: `stuck` or `dead`."""
    cues: dict[str, str]
    """The lamps that are on, by the names of `/api/about`."""
    threats: list[str]
    """The squares threatened to the Princess of the side to move."""
    palette: str
    brightness: float
    """Of the lamps, as a share of full."""


class TermsState(msgspec.Struct, frozen=True, kw_only=True):
    """What was agreed for the game, and what of it is open or runs now."""

    opening: OpeningState
    ledger: LedgerState | None
    """None where it is played for nothing."""
    clock: ClockState | None
    """None where there is none."""
    is_paused: bool
    touched: list[str]
    """What must be moved or taken."""
    offers_draw: str | None
    """Who offers a draw."""
    die: DieState | None
    """None where nothing is rolled for."""
    fight: FightState | None
    duels: list[FoughtState]
    """The fights that are decided."""


class DemandState(msgspec.Struct, frozen=True, kw_only=True):
    """What the table says, and what it wants of people."""

    said: dict[Language, list[str]]
    """All it has to say, by language."""
    trouble: str | None
    """Why nothing is confirmed now."""
    asks: Question | None
    is_led: bool
    """Whether people are led to a position, or back to one."""
    boards: int
    """So many are told of, where the game is lost."""
    step: StepState | None
    wish: WishState | None
    gesture: str | None
    """What hands are about to ask for by pieces they hold."""
    notices: list[NoticeState] = []
    """What is amiss, the worst first, without what stands in `said` and what people ignore."""


class MeansState(msgspec.Struct, frozen=True, kw_only=True):
    """By what people can play and be helped from a page."""

    is_screen: bool
    """Whether the board is a picture, on which moves are made by naming them."""
    may_simulate: bool
    """Whether it can be otherwise."""
    hands: HandsState | None
    """None where no simulated hands can be moved from here."""
    is_typed: bool
    """Whether words can be typed."""
    helps: bool
    """Whether the players' conduct allows any help with play."""
    watch: WatchState | None = None
    """None where people play."""


@dataclass(frozen=True, slots=True)
class TableState:
    """A table at one moment, in groups: squares are names, pieces the letters of position texts."""

    game: GameState
    board: BoardState
    terms: TermsState
    demands: DemandState
    means: MeansState
    brought: tuple[msgspec.Struct, ...] = ()
    """The groups of features."""

    def in_trouble(self, why: Worded) -> TableState:
        """Return it with why nothing is confirmed now."""
        words = {each: [say_in(each, NOTHING_IS_CONFIRMED, why=why)] for each in LANGUAGES}
        return replace(self, demands=changed(self.demands, said=words, trouble=why))

    def flat(self) -> dict[str, Any]:
        """Return it as pages and programs get it: one object in which the groups lie together."""
        groups = (self.game, self.board, self.terms, self.demands, self.means, *self.brought)
        plainly = [to_builtins(group, enc_hook=plain) for group in groups]
        return {name: value for group in plainly for name, value in group.items()}


STATE_GROUPS = (GameState, BoardState, TermsState, DemandState, MeansState)


class HandsState(msgspec.Struct, frozen=True):
    """What simulated hands hold, what lies in the box, and which switches were made to ail."""

    in_hand: list[str]
    box: list[str]
    ailing: dict[str, str]


class StepState(msgspec.Struct, frozen=True):
    """The next hand move that leads back: a letter, and squares (none: the hand, or off)."""

    letter: str
    from_square: str | None
    to_square: str | None


class WishState(msgspec.Struct, frozen=True):
    """A move that a player without hands asks for."""

    from_square: str
    to_square: str


class ClockState(msgspec.Struct, frozen=True):
    """Both clocks as they stood at `at`, seconds on the table clock (the stream tells its `time`).

    `control` is the time control as people write it. `running` is whose runs, unless it `stands`;
    None before the start. The first `free_s` of its time from then on cost nothing; in an
    hourglass, `gains`, the other clock gets what this one uses. Less than `low_s` is little time.
    `takes_press` is whether a press means anything.
    """

    control: str
    black_s: float
    orange_s: float
    at: float
    running: str | None
    stands: bool
    free_s: float
    gains: bool
    low_s: float
    takes_press: bool


class LedgerState(msgspec.Struct, frozen=True):
    """What a game is played for, and what it has cost so far, in tokens.

    `prices` are by the letters of kinds; `heads` is what the heads that Black and Orange have lost
    cost them, `gain` what Black has gained, which Orange has lost.
    """

    series: str | None
    stake: int
    prices: dict[str, int]
    for_bias: bool
    heads: tuple[int, int]
    gain: int


class OpeningState(msgspec.Struct, frozen=True):
    """What is `due` to be settled (`first` or `bias`), `by` whom; or how it was, by language."""

    due: str | None
    by: str | None
    told: dict[Language, list[str]]


class WatchState(msgspec.Struct, frozen=True):
    """A table that plays both sides on a screen: how often, and whether it stands still."""

    every_s: float
    is_paused: bool


def state_of(
    table: Table,
    hands: TypedHands | None,
    is_typed: bool = True,
    screen: ScreenBoard | None = None,
    notices: Sequence[Notice] = (),
    watch: WatchState | None = None,
    brought: tuple[msgspec.Struct, ...] = (),
) -> TableState:
    """Return what a page shows of the table now; `brought` are the groups of features."""
    view, record = _outward(table.view), table.record
    is_screen = screen is not None and not screen.simulates
    helps = allows_help(record)
    repair, gesture = view.leading.repair, view.gesture
    standing = letters(view.position) if is_screen else hands.standing if hands else view.standing
    return TableState(
        _game(table),
        BoardState(
            standing={format_square(square): standing[square] for square in sorted(standing)},
            lifted=names(view.lifted),
            faults={format_square(at): kind.value for at, kind in record.faults.items()},
            cues={} if view.trouble else _cues(_unwished(view) if is_screen else view),
            threats=_threats(view.position) if helps else [],
            palette=table.lighting.palette,
            brightness=table.lighting.brightness,
        ),
        _terms(view, record),
        DemandState(
            said=_said(view, is_screen),
            trouble=None if view.trouble is None else view.trouble.found,
            asks=view.question,
            is_led=repair is not None or view.leading.placing is not None,
            boards=len(view.lost),
            step=_step(repair) if repair else None,
            wish=WishState(*names(view.help.wish[:2])) if view.help.wish else None,
            gesture=gesture.gesture.deed.value if gesture else None,
            notices=[notice_state(each) for each in notices],
        ),
        MeansState(
            is_screen=is_screen,
            may_simulate=screen is not None,
            hands=_hands(hands) if hands else None,
            is_typed=is_typed,
            helps=helps,
            watch=watch,
        ),
        brought,
    )


def _outward(view: View) -> View:
    """Return a view that may be told to anybody: where files lie is nobody's business."""
    trouble = view.trouble and replace(view.trouble, found=without_folders(view.trouble.found))
    return replace(view, trouble=trouble, notes=tuple(map(without_folders, view.notes)))


def _game(table: Table) -> GameState:
    view, record, position = table.view, table.record, table.view.position
    return GameState(
        number=table.game,
        rules=record.rules_text,
        board=position.rules.board.name,
        black=record.header.black,
        orange=record.header.orange,
        conduct=record.conduct.name,
        phase=view.phase.value,
        side=position.side.word,
        position=format_position(position),
        escapes=sorted(side.word for side in position.escapes),
        few=position.few_counter,
        quiet=position.quiet_plies,
        first_number=view.record.game.start.ply_number,
        moves=list(view.record.moves),
        last_path=_last_path(record),
        taken=_taken(record),
        over=view.record.ending,
    )


def _terms(view: View, record: Record) -> TermsState:
    clocks, offer = view.record.clocks, view.record.offer
    return TermsState(
        opening=_opening(record),
        ledger=_ledger(record),
        clock=_clock(clocks) if clocks else None,
        is_paused=view.record.is_paused,
        touched=names(view.touched),
        offers_draw=None if offer is None else offer.word,
        die=die_state(view, record),
        fight=fight_state(view.fight),
        duels=duel_states(record.game),
    )


def _said(view: View, is_screen: bool) -> dict[Language, list[str]]:
    """Return what the table says; on a screen nobody holds a piece, or carries out a wish.

    A lesson's words, or an exercise's, are shown on their own.
    """
    if view.help.is_told_apart:
        view = replace(view, help=replace(view.help, taught={}))
    listed = replace(view.record, faults={})
    view = replace(view, record=listed, notices=())
    if is_screen:
        view = _unwished(replace(view, lifted=()))
    return {language: speaker(language).sentences(view, False) for language in LANGUAGES}


def _unwished(view: View) -> View:
    """Return the view without a wish: on a screen nobody carries it out by hand."""
    return replace(view, help=replace(view.help, wish=None, why=()))


def names(squares: Iterable[Square]) -> list[str]:
    """Return squares by their names."""
    return list(map(format_square, squares))


def _cues(view: View) -> dict[str, str]:
    meanings = cues(view)
    return {format_square(square): cue_name(meanings[square]) for square in sorted(meanings)}


def cue_name(cue: Cue) -> str:
    """Return a cue's name as states tell it: `last-move`."""
    return cue.name.lower().replace("_", "-")


def _last_path(record: Record) -> list[str]:
    game, fight = record.game, record.fight
    if fight is not None:
        return path_of(fight.before, fight.move)
    return path_of(game.positions[-2], game.plies[-1].move) if game.plies else []


def _taken(record: Record) -> str:
    before, now = (Counter(each.pieces().values()) for each in (record.game.start, record.stands))
    return "".join(sorted(piece.letter for piece in (before - now).elements()))


def path_of(position: Position, move: Move) -> list[str]:
    """Return the squares a legal move goes over, both ends included; an escape has only those."""
    return _path(format_position(position), position.rules, move.from_square, move.to_square)


@lru_cache(maxsize=512)
def _path(text: str, rules: Rules, start: Square, end: Square) -> list[str]:
    # By the text: a position remembers what was asked of it, and so is a hundred times as large.
    return names(explain(parse_position(text, rules), start, end).path or (start, end))


@lru_cache(maxsize=8)
def _threats(position: Position) -> list[str]:
    return names(squares_of(position.threats()))


def _step(step: HandMove) -> StepState:
    ends = (step.from_square, step.to_square)
    return StepState(step.letter, *(None if end is None else format_square(end) for end in ends))


def _clock(clocks: Clocks) -> ClockState:
    return ClockState(
        control=format_time_control(clocks.control),
        black_s=clocks.left.black,
        orange_s=clocks.left.orange,
        at=clocks.at,
        running=None if clocks.running is None else clocks.running.word,
        stands=bool(clocks.stops),
        free_s=clocks.free_left_s,
        gains=clocks.control.extra is TimeExtra.HOURGLASS,
        low_s=clocks.low_s,
        takes_press=clocks.takes_press,
    )


def _ledger(record: Record) -> LedgerState | None:
    wager, account = record.wager, record.account
    if wager is None or account is None:
        return None
    return LedgerState(
        series=record.series,
        stake=wager.stake,
        prices={kind.value: price for kind, price in wager.prices.items()},
        for_bias=wager.for_bias,
        heads=(account.heads[Side.BLACK], account.heads[Side.ORANGE]),
        gain=account.balance(Side.BLACK),
    )


def _opening(record: Record) -> OpeningState:
    opening, due = record.opening, record.unsettled
    events = [event for event in (opening.first_told, opening.bias_told) if event]
    lines = {each: [speaker(each).preamble(event) for event in events] for each in LANGUAGES}
    return OpeningState(due, opening.settler if due else None, lines)


def _hands(hands: TypedHands) -> HandsState:
    ailing = {format_square(square): fault for square, fault in hands.ailing.items()}
    return HandsState(list(hands.in_hand), list(hands.box), ailing)


# Fights, and the die

MOST_ROLLS = 12
"""So many of the latest rolls are shown."""


class DieState(msgspec.Struct, frozen=True):
    """The table's die: whether it is to be rolled for the Juggernaut, and what it has shown since.

    `history` are the latest rolls, each with the number of its ply, the newest last.
    `commit` is what the table's own seed was sealed by, `added` the players' numbers, `seed` itself
    once the game is over; None and empty where the table has no die.
    """

    is_due: bool
    rolls: list[str]
    history: list[tuple[int, str]]
    commit: str | None
    added: list[int]
    seed: str | None


class FightState(msgspec.Struct, frozen=True):
    """A fight that is open: for which square, who fights by their letters, what was thrown so far.

    `values` are what their pieces add to their throws; who entered comes first.
    """

    square: str
    attacker: str
    defender: str
    values: tuple[int, int]
    throws: list[str]


class FoughtState(msgspec.Struct, frozen=True):
    """A fight that is decided: the number of its ply, who fought, what was thrown, and who won.

    `values` are what the fighters' pieces added to their throws; nothing was thrown where players
    told who won.
    """

    number: int
    attacker: str
    defender: str
    values: tuple[int, int]
    throws: list[str]
    attacker_won: bool


def die_state(view: View, record: Record) -> DieState | None:
    """Return what is shown of the die; None where nothing is rolled for."""
    if view.position.juggernaut is None and view.record.die is None:
        return None
    own = view.record.die
    faces = () if record.game.plies else view.record.opening.faces
    rolls = view.record.rolls
    if not rolls and not record.game.plies and view.record.start_roll is not None:
        rolls = (view.record.start_roll,)
    numbered = enumerate(record.game.plies, record.game.start.ply_number)
    rolled = [(number, format_roll(roll)) for number, ply in numbered for roll in ply.rolls]
    return DieState(
        view.is_roll_due,
        [format_roll(roll) for roll in rolls] or list(map(str, faces)),
        rolled[-MOST_ROLLS:],
        own.commit if own else None,
        list(own.added) if own else [],
        own.seed if own else None,
    )


def fight_state(fight: Fight | None) -> FightState | None:
    """Return what is shown of an open fight; None without one."""
    if fight is None:
        return None
    fighters = _fighters(fight.before, fight.move, fight.throws)
    return FightState(format_square(fight.square), *fighters)


def duel_states(game: Game) -> list[FoughtState]:
    """Return what is shown of the fights that are decided in a game."""
    if game.start.rules["duel"] == "off":
        return []
    numbered = enumerate(zip(game.positions, game.plies, strict=False), game.start.ply_number)
    return [
        FoughtState(number, *_fighters(before, ply.move, duel.throws), duel.attacker_won)
        for number, (before, ply) in numbered
        if (duel := ply.duel) is not None
    ]


def _fighters(
    before: Position, move: Move, throws: Iterable[Throw]
) -> tuple[str, str, tuple[int, int], list[str]]:
    """Return who fights by a move, who entered first, what they add, and what was thrown."""
    pieces = before.pieces()
    attacker, defender = pieces[move.from_square], pieces[move.to_square]
    values = before.rules.worth(attacker.kind), before.rules.worth(defender.kind)
    return attacker.letter, defender.letter, values, [format_throw(throw) for throw in throws]


# Notices

ADDRESS = re.compile(r"\w+://\S+")
"""Where a camera or a board is reached: it may hold a password."""
FAULTS: Final = {
    FaultKind.DEAD: _("switch {square} sees no piece"),
    FaultKind.STUCK: _("switch {square} sees a piece that is not there"),
}


class NoticeState(msgspec.Struct, frozen=True):
    """Something amiss: its id, how bad it is, and by language what it is, breaks, and mends it."""

    id: str
    severity: Severity
    found: dict[Language, str]
    breaks: dict[Language, str]
    mend: dict[Language, str]
    act: Act | None = None
    """What the table can do about it, if its owner asks."""
    lamps: tuple[str, ...] = ()
    """The squares whose lamps say it."""


def notice_state(notice: Notice) -> NoticeState:
    """Return a notice as it is told to anybody: it does not say where files lie.

    Nor does it tell addresses, or who the machine calls its user: a shell knows.
    """

    def said(text: str) -> dict[Language, str]:
        words = without_folders(text)
        if isinstance(words, Worded) and "user" in words.values:
            words = Worded(words.template, **{**words.values, "user": "$USER"})
        told_in = {each: said_in(each, words) for each in LANGUAGES}
        return {each: ADDRESS.sub("…", text) for each, text in told_in.items()}

    follows = about(notice)
    return NoticeState(
        id=notice.id,
        severity=severity(notice),
        found=said(notice.found),
        breaks=said(follows.breaks),
        mend=said(notice.mend),
        act=follows.act,
        lamps=lamps_of(notice),
    )


def of_table(table: Table) -> Iterator[Notice]:
    """Yield what a table that plays knows to be amiss: its board, its disk and its switches."""
    yield from table.troubles
    for square, kind in sorted(table.view.record.faults.items()):
        found = Worded(FAULTS[kind], square=format_square(square))
        yield Notice("switches", "warn", found, _("check it and its wires"), format_square(square))
    yield from table.view.notices
