"""What is believed to stand on a board, and how surely: a sensor that learns is taught by it."""

from dataclasses import dataclass

SUREST = 40.0
"""What nothing that is known speaks against is believed so surely, in nats."""

IN_DOUBT = -1
"""In place of an occupant: nobody knows."""


@dataclass(frozen=True, slots=True)
class Believed:
    """What whoever reads a board believes of the looks it has taken in.

    Values only: another thread may use it while the reader goes on.
    """

    occupants: tuple[int, ...]
    """What stands on each square, as `Occupant`; IN_DOUBT where nobody knows."""
    margins: tuple[float, ...]
    """How much likelier that is than anything else on that square, in nats; SUREST at most."""
