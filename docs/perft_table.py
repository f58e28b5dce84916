"""Writes `perft.json`: how many games of one to four plies each reading allows from its start.

    python -m docs.perft_table [READING ...]

Whoever writes the rules once more may hold their program to it. What is in the file is kept; a
reading that is new is counted, in a minute or two.
"""

import json
import sys
from pathlib import Path
from typing import Final

from rules import PRESETS, Position, Rules, format_position, perft, preset_rules

FILE: Final = Path(__file__).with_name("perft.json")
DEPTH: Final = 4
ABOUT: Final = (
    "Legal sequences of 1, 2, 3 and 4 plies from the start of each reading, Black first; of the "
    "arena without its fights. A game that has ended earlier counts 0."
)
TOO_LATE: Final = (
    *("chief-taken-by-other", "few-equal", "repetition", "captureless", "duel"),
    "flier-name",
)
"""Options that decide nothing in four plies: no Chief is taken so soon."""


def alike(rules: Rules) -> Rules:
    """Return the same rules for all that allow the same games of so few plies."""
    appendix = preset_rules("appendix")
    late = {name: appendix[name] for name in TOO_LATE}
    return rules.changed(late)


def counted(rules: Rules, depths: int = DEPTH) -> list[int]:
    """Return the counts of a reading, for each depth from 1."""
    start = Position.start(rules)
    return [perft(start, depth) for depth in range(1, depths + 1)]


def main() -> None:
    """Count what is missing, and write the file after each reading."""
    kept = json.loads(FILE.read_text())["readings"] if FILE.exists() else {}
    known = {alike(preset_rules(name)): kept[name]["perft"] for name in kept}
    for name in sys.argv[1:] or PRESETS:
        if name not in kept:
            rules = preset_rules(name)
            counts = known.setdefault(alike(rules), known.get(alike(rules)) or counted(rules))
            start = format_position(Position.start(rules))
            kept[name] = {"start": start, "perft": counts}
            ordered = {each: kept[each] for each in PRESETS if each in kept}
            whole = {"about": ABOUT, "readings": ordered}
            FILE.write_text(json.dumps(whole, indent=1) + "\n")


if __name__ == "__main__":
    main()
