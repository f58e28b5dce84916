"""Replays: a recording's switches, or a kept game's observations, read once more.

Nothing is looked at before its time, so that no reading depends on anything that comes later.
Readings become lines: JSON objects for programs, which `docs/recordings.md` describes, or words for
people. A question that is answered late gets a `ply` line only if no other ply has been reported
since: these lines are in the order of plies.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Protocol, TypeVar

import msgspec
from msgspec import structs

from hardware.ports import Observation, Occupancy
from rules import (
    Move,
    MoveKind,
    Occupant,
    Position,
    Rules,
    RulesError,
    Side,
    _,
    format_move,
    format_position,
    format_square,
    parse_rules,
    parse_square,
)

from ..game.events import (
    Answer,
    DieCommit,
    DieNumber,
    DieRoll,
    DuelReport,
    Entry,
    Fault,
    Follows,
    GameId,
    Ply,
    Preamble,
    Question,
    Recall,
    TakeBack,
    Wander,
)
from ..game.events import Header as GameHeader
from ..game.record import Record
from ..journal.archive import Archive
from ..languages import ENGLISH, Language, say_in, worded_in
from ..light.news import event_in_words
from ..reading.readings import Evidence, FoundAgain, GameLost, Reading, Standing, Step
from ..reading.table_reader import ReadBy, by_looks, by_switches
from .recordings import (
    BadRecording,
    Board,
    Looks,
    LooksHeader,
    RecordedSensor,
    Recording,
    RecordingHeader,
    microseconds,
)

T_co = TypeVar("T_co", covariant=True)
T = TypeVar("T")

BEGINNING = Preamble | DieCommit | DieNumber
"""The events that decide the first position: who begins, and the bias."""

LAST_WAIT = 12.0
"""Seconds after the last observation of a game until its reader is asked no more."""

MOSTLY = 0.9
"""Share of the occupied squares beyond which evidence of sides shows that a camera worked alone."""

RULES_OF: Mapping[Board, str] = {
    "grid": "appendix,thoat=jumps",
    "ninth-ray-cw": "ninth-ray-clockwise,thoat=jumps",
    "ninth-ray-ccw": "ninth-ray-counterclockwise,thoat=jumps",
}
"""The rules of a recording that does not name its own as a rules text."""


class TimedSensor(Protocol):
    """A sensor that knows when it has something to tell next."""

    @property
    def due(self) -> float | None:
        """Time of the next observation, in seconds; None after the last."""
        ...

    def poll(self, now: float) -> Iterable[Observation]:
        """Return the observations since the last call, oldest first."""
        ...


class Listener(Protocol[T_co]):
    """A reader of observations, which may also have news at the time `due`."""

    @property
    def due(self) -> float | None: ...

    def observe(self, observation: Observation) -> Iterable[T_co]: ...

    def tick(self, now: float) -> Iterable[T_co]: ...


def advance(source: TimedSensor, listener: Listener[T], until: float) -> Iterator[T]:
    """Let time pass up to `until` seconds, and yield the listener's news meanwhile."""
    while True:
        dues = [due for due in (source.due, listener.due) if due is not None]
        now = min(dues, default=None)
        # The sensor goes first: of two things due at once, what was seen is known before time
        # decides.
        if now is None or now > until:
            return
        for observation in source.poll(now):
            yield from listener.observe(observation)
        if listener.due is not None and listener.due <= now:
            yield from listener.tick(now)


@dataclass(frozen=True, slots=True)
class Decision:
    """The result of a fight."""

    at: float
    """Time, in seconds from the beginning."""
    is_won: bool
    """True if the piece that attacked has won."""
    standing: Standing


class DuelAwareReader:
    """A reader for games with fights: it is given their results, which no switch shows."""

    def __init__(self, read_by: ReadBy, start: Standing, decided: Iterable[Decision]) -> None:
        self._read_by, self._decided = read_by, deque(decided)
        self._reader = read_by(start, {})
        self._occupancy = Occupancy()

    @property
    def due(self) -> float | None:
        dues = (self._reader.due, self._decided[0].at if self._decided else None)
        return min((due for due in dues if due is not None), default=None)

    def observe(self, observation: Observation) -> list[Reading[Standing]]:
        readings = self._decide(observation.at)
        self._occupancy.update(observation)
        return readings + self._reader.observe(observation)

    def tick(self, now: float) -> list[Reading[Standing]]:
        return self._decide(now) + self._reader.tick(now)

    def _decide(self, now: float) -> list[Reading[Standing]]:
        """Read on from the position after a fight that has been decided by now."""
        readings: list[Reading[Standing]] = []
        while self._decided and self._decided[0].at <= now:
            standing = self._decided.popleft().standing
            # No switch shows who won a fight, so that reader ends here; the next one starts from
            # the true position and from all that is occupied now.
            self._reader = self._read_by(standing, self._reader.belief.faults)
            readings += self._reader.observe(Observation(now, self._occupancy.evidence))
        return readings


@dataclass(frozen=True, slots=True)
class Replay:
    """A recording or a game to be read once more. Times are seconds from its beginning."""

    name: str
    start: Position
    """The position that should stand there first."""
    source: TimedSensor
    ends_at: float
    """Time until which a reader's timers run on."""
    decided: tuple[Decision, ...] = ()
    read_by: ReadBy = by_switches

    def reader(self) -> DuelAwareReader:
        return DuelAwareReader(self.read_by, Standing(self.start), self.decided)


def replay_of_recording(
    recording: Recording | Looks, name: str, rules: Rules | None = None
) -> Replay:
    """Prepare a recording of switches or of looks, by `rules` or by those its header names.

    A Juggernaut in the header is one in the rules. BadRecording where those are another board's.
    """
    header = recording.header
    chosen = rules or _rules_of(header, name)
    board = parse_rules(RULES_OF[header.board])["board"]
    if chosen["board"] != board:
        raise BadRecording(
            _("{name}: played on {board}, these rules on {other}: use rules of its board"),
            name=name,
            board=board,
            other=chosen["board"],
        )
    square = None
    if header.juggernaut is not None:
        square = parse_square(header.juggernaut)
        if chosen["juggernaut"] == "off":
            chosen = chosen.changed({"juggernaut": header.juggernaut})
    start = Position.start(chosen, Side[header.first_move.upper()], square)
    if isinstance(recording, Looks):
        source = ArchivedSensor(recording.observations)
        return Replay(name, start, source, recording.ends_at, read_by=by_looks)
    return Replay(name, start, RecordedSensor(recording), recording.ends_at)


def replay_of_game(archive: Archive, game: GameId) -> Replay:
    """Prepare the observations of a kept game; NoSuchGame if there is none."""
    header = archive.header(game)
    entries = list(archive.entries(game))
    start = Record.fold(header, _beginning(entries)).game.start
    observations = [
        replace(observation, at=observation.at - header.started)
        for observation in archive.observations(game)
    ]
    ends_at = observations[-1].at + LAST_WAIT if observations else 0.0
    decided = tuple(_decisions(header, entries))
    read_by = by_looks if _is_seen_alone(observations) else by_switches
    return Replay(f"game {game}", start, ArchivedSensor(observations), ends_at, decided, read_by)


def _is_seen_alone(observations: Iterable[Observation]) -> bool:
    """Return True if a camera alone made these: it knows the side of nearly all pieces at once.

    A switch has the same evidence for both sides, so beside one every piece is first seen without a
    side. A camera's own doubts are few.
    """
    # Only clear evidence of a man counts: an empty square, or a Juggernaut, has no side.
    sided = [
        evidence[Occupant.BLACK] != evidence[Occupant.ORANGE]
        for observation in observations
        for evidence in observation.squares.values()
        if evidence is not None
        and max(evidence) > evidence[Occupant.EMPTY]
        and evidence[Occupant.NEUTRAL] <= max(evidence[1:3])
    ]
    return bool(sided) and sum(sided) > MOSTLY * len(sided)


def _beginning(entries: Iterable[Entry]) -> Iterator[Entry]:
    """Yield the events that decide the first position of a game."""
    has_begun = False
    for entry in entries:
        has_begun = has_begun or isinstance(entry.event, Ply | Question)
        is_start = isinstance(entry.event, DieRoll) and not has_begun
        if is_start or isinstance(entry.event, BEGINNING):
            yield entry


def _decisions(header: GameHeader, entries: Iterable[Entry]) -> Iterator[Decision]:
    """Yield the results of the fights of a kept game."""
    record = Record.begin(header)
    for entry in entries:
        record = record.after(entry)
        if isinstance(entry.event, DuelReport) and record.fight is None:
            duel = record.game.plies[-1].duel
            is_won = duel is not None and duel.attacker_won
            standing = Standing(record.position, record.game.awaits_roll)
            yield Decision(entry.at - header.started, is_won, standing)


class ArchivedSensor:
    """Observations that were kept, oldest first, as a sensor."""

    def __init__(self, observations: Sequence[Observation]) -> None:
        self._observations = observations
        self._next = 0

    @property
    def due(self) -> float | None:
        is_over = self._next == len(self._observations)
        return None if is_over else self._observations[self._next].at

    def poll(self, now: float) -> list[Observation]:
        first = self._next
        while self.due is not None and self.due <= now:
            self._next += 1
        return list(self._observations[first : self._next])


def _rules_of(header: RecordingHeader | LooksHeader, name: str) -> Rules:
    text = header.rules.get("text")
    if not isinstance(text, str):
        return parse_rules(RULES_OF[header.board])
    try:
        return parse_rules(text)
    except RulesError as error:
        raise BadRecording(_("{name}:1: rules.text: {why}"), name=name, why=error) from error


# ------------------------------------------------------------------ lines


LOST = _("I have lost track of the game: is this the board? {boards}")
FOUND = _("I can follow the game again.")


class PlyKinds:
    """Kinds of plies, one after another from `start` on: a move, a capture or an escape."""

    def __init__(self, start: Position) -> None:
        self._after = {start.ply_number - 1: start}

    def kind(self, number: int, step: Step[Standing]) -> MoveKind:
        """Return the kind of ply `number`; the one before it may still be in question."""
        before, after = self._after.get(number - 1), step.after.position
        self._after[number] = after
        if step.capture:
            return MoveKind.CAPTURE
        has_escaped = before is not None and before.escapes != after.escapes
        return MoveKind.ESCAPE if has_escaped else MoveKind.MOVE


class JsonLines:
    """Readings as lines of JSON, in order; `with_evidence` adds to each ply why it is believed."""

    def __init__(self, with_evidence: bool = False) -> None:
        self._with_evidence = with_evidence
        self._asked: int | None = None

    def title(self, name: str) -> str:
        """Return the line that names the recording of the lines after it."""
        return _json({"recording": name})

    def lines(self, reading: Reading[Standing]) -> list[str]:
        """Return the line for the next reading."""
        line = self.as_object(reading) | {"t_us": microseconds(reading.at)}
        match reading.event:
            case Question(number=number):
                self._asked = number
            case Ply() | TakeBack():
                self._asked = None
        if self._with_evidence and reading.evidence is not None:
            line["evidence"] = _evidence(reading.evidence)
        return [_json(line)]

    def as_object(self, reading: Reading[Standing]) -> dict[str, object]:
        """Return a reading's object, without its time."""
        squares = _squares(reading.step)
        match reading.event:
            case Ply(number=number):
                return {"ply": number, **squares, **({"unsure": True} if reading.is_unsure else {})}
            case Answer(number=number):
                return {"ply" if number == self._asked else "answered": number, **squares}
            case TakeBack(number=number):
                return {"takeback": number}
            case Question() as question:
                return _question(question)
            case Wander(after=number):
                return {"juggernaut": number, **squares}
            case Recall(after=number):
                return {"recalled": number}
            case Fault(square=square):
                return {"fault": square}
            case Follows(square=square):
                return {"follows": square}
            case GameLost(number=number, positions=positions):
                boards = [format_position(each.position) for each in positions]
                return {"lost": number, "boards": boards}
            case FoundAgain(number=number):
                return {"found": number}


class WordLines:
    """Readings as lines of words, in order, each with its time in seconds."""

    def __init__(
        self, start: Position, with_evidence: bool = False, language: Language = ENGLISH
    ) -> None:
        """Begin at `start`, the position before the first ply."""
        self._with_evidence = with_evidence
        self._kinds = PlyKinds(start)
        self._language, self._say = language, partial(say_in, language)

    def title(self, name: str) -> str:
        return f"{name}:"

    def lines(self, reading: Reading[Standing]) -> list[str]:
        """Return the line for the next reading, and one more for its evidence if wanted."""
        lines = [f"{reading.at:9.3f}  {self._sentence(reading)}"]
        if self._with_evidence and reading.evidence is not None:
            lines.append(f"{'':11}{self._why(reading.evidence)}")
        return lines

    def _sentence(self, reading: Reading[Standing]) -> str:
        match reading.event:
            case GameLost(positions=positions):
                boards = (format_position(each.position) for each in positions)
                shown = (f"\n  {number}: {board}" for number, board in enumerate(boards, 1))
                return self._say(LOST, boards="".join(shown))
            case FoundAgain():
                return self._say(FOUND)
            case Ply() | Answer() as event:
                assert reading.step is not None, "it tells a step"
                move = self._move(event.number, reading.step)
                if reading.is_unsure:
                    return self._say(_("likely {number} {move}"), number=event.number, move=move)
                return worded_in(self._language, event_in_words(structs.replace(event, move=move)))
            case event:
                return worded_in(self._language, event_in_words(event))

    def _why(self, evidence: Evidence) -> str:
        """Return the reasons to believe a ply, in words."""
        times = {
            _("lifted at {at:.3f}"): evidence.lifted_at,
            _("landed at {at:.3f}"): evidence.landed_at,
        }
        reasons = [self._say(how, at=at) for how, at in times.items() if at is not None]
        ahead = self._say(_("{margin:.1f} nats ahead"), margin=evidence.margin)
        doubts = [self._say(_("{why}"), why=doubt) for doubt in evidence.doubts]
        return "; ".join([*reasons, ahead, *doubts])

    def _move(self, number: int, step: Step[Standing]) -> str:
        piece = step.after.position.piece_at(step.to_square)
        letter = "" if piece is None else piece.kind.value
        return letter + format_move(Move(*step.squares, self._kinds.kind(number, step)))


def _evidence(evidence: Evidence) -> dict[str, object]:
    times = {"lifted_us": evidence.lifted_at, "landed_us": evidence.landed_at}
    return {
        **{name: None if at is None else microseconds(at) for name, at in times.items()},
        "margin": round(evidence.margin, 2),
        "doubts": list(map(str, evidence.doubts)),
    }


def _question(asked: Question) -> dict[str, object]:
    """Return a question: the squares a piece may have gone to; or, from null, those it may be."""
    if asked.from_square is not None:
        return {"ask": asked.candidates, "ply": asked.number, "from": asked.from_square}
    return {"ask": [asked.to_square], "ply": asked.number, "from": None, "pieces": asked.candidates}


def _squares(step: Step[Standing] | None) -> dict[str, str]:
    """Return the squares of a step; nothing for a reading without one."""
    if step is None:
        return {}
    return {"from": format_square(step.from_square), "to": format_square(step.to_square)}


def _json(line: dict[str, object]) -> str:
    return msgspec.json.encode(line).decode()
