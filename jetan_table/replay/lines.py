"""What a reader reports, line by line: JSON objects for programs, words for people.

`docs/recordings.md` describes the objects. A question that is answered late has the answer as its
`ply` line only while no other ply has been reported since: the lines are in the order of plies.
"""

from __future__ import annotations

import msgspec

from rules import Move, MoveKind, Position, format_move, format_position, format_square
from rules.sentences import _

from ..game.events import Question
from ..languages import ENGLISH, Language
from ..light.words import Speaker
from ..reading.jetan_game import Standing
from ..reading.readings import (
    Answered,
    Asked,
    Evidence,
    Failed,
    Followed,
    FoundAgain,
    GameLost,
    Played,
    Reading,
    Recalled,
    Step,
    TakenBack,
    Wandered,
)
from ..session.umpire import event_told
from .recordings import microseconds

LOST = _("I have lost track of the game: is this the board? {boards}")
FOUND = _("I can follow the game again.")


class PlyKinds:
    """Tells a capture and an escape from a plain move, ply by ply, from `start` on."""

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
    """Readings as JSON objects, in order. `with_evidence` says on each ply why it is believed."""

    def __init__(self, with_evidence: bool = False) -> None:
        self._with_evidence = with_evidence
        self._asked: int | None = None

    def title(self, name: str) -> str:
        """Return the line that says which recording the lines after it are of."""
        return _json({"recording": name})

    def lines(self, reading: Reading[Standing]) -> list[str]:
        """Return the line for the next reading."""
        line = self.as_object(reading) | {"t_us": microseconds(reading.at)}
        if isinstance(reading, Asked):
            self._asked = reading.question.number
        elif isinstance(reading, Played | TakenBack):
            self._asked = None
        if self._with_evidence and isinstance(reading, Played):
            line["evidence"] = _evidence(reading.evidence)
        return [_json(line)]

    def as_object(self, reading: Reading[Standing]) -> dict[str, object]:
        """Return what a reading says, without its time."""
        match reading:
            case Played(number=number, step=step, evidence=Evidence(is_unsure=True)):
                return {"ply": number, **_squares(step), "unsure": True}
            case Played(number=number, step=step):
                return {"ply": number, **_squares(step)}
            case Answered(number=number, step=step):
                return {"ply" if number == self._asked else "answered": number, **_squares(step)}
            case TakenBack(number=number):
                return {"takeback": number}
            case Asked(question=question):
                return _question(question)
            case Wandered(after_number=number, step=step):
                return {"juggernaut": number, **_squares(step)}
            case Recalled(after_number=number):
                return {"recalled": number}
            case Failed(square=square):
                return {"fault": format_square(square)}
            case Followed(square=square):
                return {"follows": format_square(square)}
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
        self._speaker = Speaker(language)
        self._say = self._speaker.say

    def title(self, name: str) -> str:
        return f"{name}:"

    def lines(self, reading: Reading[Standing]) -> list[str]:
        """Return the line for the next reading, and one more for its evidence if wanted."""
        lines = [f"{reading.at:9.3f}  {self._sentence(reading)}"]
        if self._with_evidence and isinstance(reading, Played):
            lines.append(f"{'':11}{self._why(reading.evidence)}")
        return lines

    def _sentence(self, reading: Reading[Standing]) -> str:
        move = ""
        match reading:
            case GameLost(positions=positions):
                boards = (format_position(each.position) for each in positions)
                shown = (f"\n  {number}: {board}" for number, board in enumerate(boards, 1))
                return self._say(LOST, boards="".join(shown))
            case FoundAgain():
                return self._say(FOUND)
            case Played(number=number, step=step) | Answered(number=number, step=step):
                move = self._move(number, step)
        if isinstance(reading, Played) and reading.evidence.is_unsure:
            return self._say(_("likely {number} {move}"), number=reading.number, move=move)
        return self._speaker.told(event_told(reading, move))

    def _why(self, evidence: Evidence) -> str:
        """Say why a ply is believed."""
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
    """Return where a piece may have gone; or, from null, where it went and which it may be."""
    if asked.from_square is not None:
        return {"ask": asked.candidates, "ply": asked.number, "from": asked.from_square}
    return {"ask": [asked.to_square], "ply": asked.number, "from": None, "pieces": asked.candidates}


def _squares(step: Step[Standing]) -> dict[str, str]:
    return {"from": format_square(step.from_square), "to": format_square(step.to_square)}


def _json(line: dict[str, object]) -> str:
    return msgspec.json.encode(line).decode()
