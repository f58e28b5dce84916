"""A hand that lifts and puts pieces before a reader, and what that tells, in short."""

from __future__ import annotations

from dataclasses import dataclass

from hardware.ports import Observation
from hardware.reeds import reed_evidence
from jetan_table.game.events import Answer, Fault, Follows, Ply, Question, TakeBack, Wander
from jetan_table.reading.readings import JetanGame, Reading, Standing
from jetan_table.reading.switch_reader import SwitchReader
from rules import Position, format_square, parse_position, parse_rules, parse_square

RULES = parse_rules("appendix,thoat=jumps")
FACING = "4q5/pppp6/4p5/10/10/4D2p2/10/10/PPPP6/5Q4 b BO - 0 1"


@dataclass
class Table:
    """A reader, and a hand that lifts and puts pieces at given seconds."""

    reader: SwitchReader
    at: float = 0.0
    """Time up to which the hands have played."""

    def hands(self, script: str, until: float | None = None) -> list[str]:
        """Play `TIME-SQUARE` (lifted) and `TIME+SQUARE` (put down); return what is told by it."""
        news: list[Reading[Standing]] = []
        at = 0.0
        for word in script.split():
            sign = "+" if "+" in word else "-"
            time, square = word.split(sign)
            at = float(time)
            news += self.wait(at)
            evidence = reed_evidence(sign == "+")
            news += self.reader.observe(Observation(at, {parse_square(square): evidence}))
        self.at = at + 1.0 if until is None else until
        news += self.wait(self.at)
        return [line(reading) for reading in news]

    def wait(self, until: float) -> list[Reading[Standing]]:
        news: list[Reading[Standing]] = []
        while self.reader.due is not None and self.reader.due <= until:
            news += self.reader.tick(self.reader.due)
        return news


def line(reading: Reading[Standing]) -> str:
    names = [format_square(square) for square in reading.step.squares] if reading.step else []
    match reading.event:
        case Ply(number=number):
            return f"{number} {'-'.join(names)}"
        case TakeBack(number=number):
            return f"back {number}"
        case Question(number=number, candidates=candidates):
            return f"{number}? {' '.join(candidates)}"
        case Answer(number=number):
            return f"{number}! {names[1]}"
        case Wander():
            return f"* {'-'.join(names)}"
        case Follows(square=square):
            return f"{square} follows"
        case Fault(square=square, fault=fault):
            return f"{fault} {square}"
        case _:
            return type(reading.event).__name__


def table(placement: str | None = None) -> Table:
    position = Position.start(RULES) if placement is None else parse_position(placement, RULES)
    return Table(SwitchReader(JetanGame(), Standing(position)))


def facing() -> Table:
    """A black Dwar on e5 that can take on e8 and h5; some Panthans to answer with."""
    return table(FACING)
