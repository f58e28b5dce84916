"""`jetan engine`: the table's player for other programs, by lines on standard input and output."""

import os
import select
import sys
import time

from .options import command


@command(
    "jetan engine",
    "printf 'position start\\ngo movetime 500\\n' | jetan engine",
    "printf 'setoption name Level value dwar\\nposition start moves b2b3\\ngo depth 3\\n' "
    "| jetan engine",
)
def engine() -> None:
    """Play by a line protocol after UCI's manner (docs/api/engine.md), until `quit`.

    The lines: jetan, isready, newgame, setoption name NAME value VALUE, position TEXT|start
    [moves ...], go depth|nodes|movetime N|infinite|ponder, stop, ponderhit, quit.
    """
    from ..engine.library import QuickSearch
    from ..engine.protocol import LineBuffer
    from ..engine.server import EngineServer

    def say(line: str) -> None:
        print(line, flush=True)

    broken = select.poll()
    broken.register(sys.stdout, 0)  # a reader that is gone is an error, which needs no asking for
    lines, quick = LineBuffer(sys.stdin.fileno()), QuickSearch(os.environ)
    EngineServer(lines, say, time.perf_counter, quick, lambda: not broken.poll(0)).serve()
