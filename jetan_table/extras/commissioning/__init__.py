"""From parts to a first game: the machine examined, the board wired, set up and proved."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from .. import Extra

if TYPE_CHECKING:
    from rules import Notice

    from ...page.house import PagePart
    from ...session.session import Guest
    from ...wiring import Seating

__all__ = ("EXTRA",)


class Commissioning(Extra):
    """Examines, sets up, tries and repairs a table."""

    commands = {
        "camera doctor": "Check what a camera shows.",
        "doctor": "Check this machine, and say how to mend it.",
        "setup": "Set a table up on the page, to its first game.",
        "trial": "Test a board or a camera by a game of known moves.",
        "wire": "Find out how the board is wired.",
    }
    needs = ("hall", "updates")

    def keeps(self) -> Mapping[str, type]:
        from .setup import IGNORED_IN, SET_UP_KEPT_IN, KeptIgnored, SetUpProgress

        return {SET_UP_KEPT_IN: SetUpProgress, IGNORED_IN: KeptIgnored}

    @contextmanager
    def guests(self, seating: Seating) -> Iterator[Sequence[Guest]]:
        if not seating.is_paged:
            yield ()
            return
        from .page import fitter_of
        from .setup import begin_anew

        fitter = fitter_of(seating)
        if fitter.set_up is not None:
            seating.then.append(partial(begin_anew, fitter.set_up, seating))
        yield (fitter,)

    def examine_table(self, folder: Path, config: Path | None) -> Iterator[Notice]:
        from .doctor import findings_here

        return findings_here(folder, config)

    def page(self) -> PagePart:
        from .page import CommissioningPage

        return CommissioningPage()


EXTRA = Commissioning()
