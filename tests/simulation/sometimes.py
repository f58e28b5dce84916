"""What must happen sometimes: each fault in each phase of play, and each answer to it.

An encounter is a fault, a phase and an answer. Each must happen over a soak, but for those that
cannot, which say why; kept evenings have each fault with each answer, and each phase.
"""

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from jetan_table.session.view import Phase, View

ALONE, BY_HANDS = "alone", "by hands"
"""How a table comes to rest again: with nothing for hands to do, or by what it asks of them."""

SAID, WHOLE, NAMED = "said", "whole", "named"
"""What else it answers: it says what is wrong, has lost nothing, or names what it has lost."""

ANSWERS: Final[Mapping[str, tuple[str, ...]]] = {
    "plug": (ALONE, BY_HANDS),
    "clock": (ALONE, BY_HANDS),
    "machine": (ALONE, BY_HANDS),
    "switch": (ALONE, BY_HANDS),
    "cable": (SAID,),
    "device": (SAID,),
    "disk": (SAID, ALONE),
    "card": (SAID, ALONE),
    "engine": (SAID,),
    "rot": (WHOLE, NAMED),
    "page": ("obeyed", "refused", "malformed"),
}
"""What may strike, and what a table may answer; `card` is a disk that can only be read."""

FAULTS: Final = tuple(ANSWERS)
THINKING, LIFT, IN_AIR, CAPTURE, LANDING = "thinking", "lift", "in the air", "capture", "landing"
DIE, QUESTION, REPAIR = "die rolling", "question open", "repair"
OVER, NEW = "end of game", "new game"
PHASES: Final = (THINKING, LIFT, IN_AIR, CAPTURE, LANDING, DIE, QUESTION, REPAIR, OVER, NEW)


class Encounter(NamedTuple):
    """A fault, the phase it strikes in, and how the table answers it."""

    fault: str
    phase: str
    answer: str

    def __str__(self) -> str:
        return f"{self.fault} in {self.phase}: {self.answer}"

    @property
    def names(self) -> tuple[str, str, str]:
        """What is met by it: the encounter, its fault with its answer, and its phase."""
        return str(self), f"{self.fault}: {self.answer}", f"struck in {self.phase}"


class Impossible(NamedTuple):
    """Encounters that cannot be, and why."""

    why: str
    faults: tuple[str, ...] = FAULTS
    phases: tuple[str, ...] = PHASES
    answers: tuple[str, ...] | None = None

    def __contains__(self, encounter: object) -> bool:
        assert isinstance(encounter, Encounter)
        is_answer = self.answers is None or encounter.answer in self.answers
        return is_answer and encounter.fault in self.faults and encounter.phase in self.phases


IMPOSSIBLE: Final = (
    Impossible(
        "no engine is asked for a ply while none may be made, or once it is made",
        ("engine",),
        (LANDING, DIE, QUESTION, OVER, NEW),
    ),
    Impossible(
        "hands that are asked or led have something to do yet",
        ("plug", "clock", "machine", "switch"),
        (QUESTION, REPAIR),
        (ALONE,),
    ),
    Impossible(
        "a board that stands right, or a game that is over, is led nowhere",
        ("plug", "clock"),
        (THINKING, OVER),
        (BY_HANDS,),
    ),
    Impossible("nobody is led once a game is over", ("machine",), (OVER,), (BY_HANDS,)),
    Impossible(
        "nobody touches anything meanwhile, so nothing is to be written",
        ("disk", "card"),
        (QUESTION, REPAIR, OVER, NEW),
        (SAID,),
    ),
)
EVERY: Final = tuple(
    Encounter(fault, phase, answer)
    for fault in FAULTS
    for phase in PHASES
    for answer in ANSWERS[fault]
)
ENCOUNTERS: Final = tuple(
    encounter for encounter in EVERY if not any(encounter in some for some in IMPOSSIBLE)
)
"""What a soak must meet."""

SMALLER: Final = frozenset(name for encounter in ENCOUNTERS for name in encounter.names[1:])
"""What kept evenings must meet."""


MOST_PLIES: Final = 100_000
"""So many a soak plays."""


def phase_of(view: View, has_plies: bool) -> str:
    """Return the phase that a table is in, by what it shows."""
    lifted = [view.position.piece_at(square) for square in view.lifted]
    sides = {piece.side for piece in lifted if piece is not None}
    found = (
        (OVER, view.phase is Phase.OVER),
        (QUESTION, view.question is not None),
        (DIE, view.fight is not None or view.is_roll_due),
        (NEW, view.phase is Phase.SETTING_UP and not has_plies),
        (REPAIR, view.leading.repair is not None or view.phase is Phase.SETTING_UP),
        (CAPTURE, view.position.side.other in sides),
        (IN_AIR, bool(lifted)),
    )
    return next((phase for phase, holds in found if holds), THINKING)


def lacking(met: Mapping[str, int]) -> list[str]:
    """Return the encounters that never happened, once so many plies were played that all should."""
    if met.get("ply", 0) < MOST_PLIES:
        return []
    return [str(encounter) for encounter in ENCOUNTERS if not met.get(str(encounter))]


def rows(met: Mapping[str, int]) -> Iterator[str]:
    """Yield a table of how often each encounter happened, `-` where it cannot, and then why."""
    width = max(map(len, PHASES)) + 1
    yield " " * 18 + "".join(f"{phase:>{width}}" for phase in PHASES)
    for fault, answers in ANSWERS.items():
        for answer in answers:
            counts = ""
            for phase in PHASES:
                encounter = Encounter(fault, phase, answer)
                count = met.get(str(encounter), 0)
                shown = str(count) if count or encounter in ENCOUNTERS else "-"
                counts += f"{shown:>{width}}"
            yield f"{fault + ': ' + answer:<18}{counts}"
    for some in IMPOSSIBLE:
        encounters = sum(encounter in some for encounter in EVERY)
        yield f"{encounters} cannot be: {some.why}"
