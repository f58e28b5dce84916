"""A hand that lifts and puts pieces before a reader, and what that tells, in short."""

from __future__ import annotations

from dataclasses import dataclass

from hardware.ports import Observation
from hardware.reeds import reed_evidence
from jetan_table.reading.jetan_game import JetanGame, Standing
from jetan_table.reading.readings import (
    Answered,
    Asked,
    Failed,
    Followed,
    Played,
    Reading,
    TakenBack,
    Wandered,
)
from jetan_table.reading.switch_reader import SwitchReader
from rules import Position, format_square, parse_position, parse_rules, parse_square

RULES = parse_rules("appendix,thoat=jumps")
FACING = "4q5/pppp6/4p5/10/10/4D2p2/10/10/PPPP6/5Q4 b BO - 0 1"


@dataclass
class Table:
    """A reader, and a hand that lifts and puts pieces at given seconds."""

    reader: SwitchReader[Standing]

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
        news += self.wait(at + 1.0 if until is None else until)
        return [line(reading) for reading in news]

    def wait(self, until: float) -> list[Reading[Standing]]:
        news: list[Reading[Standing]] = []
        while self.reader.due is not None and self.reader.due <= until:
            news += self.reader.tick(self.reader.due)
        return news


def line(reading: Reading[Standing]) -> str:
    match reading:
        case Played(number=number, step=step):
            return f"{number} {'-'.join(map(format_square, step.squares))}"
        case TakenBack(number=number):
            return f"back {number}"
        case Asked(question=question):
            return f"{question.number}? {' '.join(question.candidates)}"
        case Answered(number=number, step=step):
            return f"{number}! {format_square(step.to_square)}"
        case Wandered(step=step):
            return f"* {'-'.join(map(format_square, step.squares))}"
        case Followed(square=square):
            return f"{format_square(square)} follows"
        case Failed(square=square, kind=kind):
            return f"{kind.value} {format_square(square)}"
        case _:
            return type(reading).__name__


def table(placement: str | None = None) -> Table:
    position = Position.start(RULES) if placement is None else parse_position(placement, RULES)
    return Table(SwitchReader(JetanGame(), Standing(position)))


def facing() -> Table:
    """A black Dwar on e5 that can take on e8 and h5; some Panthans to answer with."""
    return table(FACING)
