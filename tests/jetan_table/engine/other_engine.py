"""An engine of somebody else: it knows what the protocol asks of one, and no more.

It plays the first move it finds, and writes down the words it was told in the file it is given.
"""

import sys
from pathlib import Path

from rules import format_move, parse_move, parse_position, parse_rules

OTHER_ENGINE = (sys.executable, "-m", "tests.jetan_table.engine.other_engine")
"""Its command line, but for the file."""


def main() -> None:
    heard, rules, position = Path(sys.argv[1]), parse_rules("appendix"), None
    for line in sys.stdin:
        with heard.open("a") as file:
            file.write(line)
        match line.split():
            case ["setoption", "name", "Rules", "value", value]:
                rules = parse_rules(value)
            case ["position", *words]:
                text, _, moves = " ".join(words).partition(" moves ")
                position = parse_position(text, rules)
                for move in moves.split():
                    position = position.play(parse_move(move, position))
            case ["go", *_] if position is not None:
                print("bestmove", format_move(position.moves()[0], position), flush=True)
            case ["quit"]:
                return


if __name__ == "__main__":
    main()
