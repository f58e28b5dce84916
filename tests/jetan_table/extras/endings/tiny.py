"""Small tables of endings, solved in a moment."""

from pathlib import Path

from jetan_table.engine.endings import parse_material
from jetan_table.extras.endings.solving import Solver
from rules import parse_rules


def packed(folder: Path, rules: str) -> Path:
    """Solve Chief and Princess against a Princess; return the folder that holds the file."""
    solver = Solver(parse_rules(rules), folder / "work", folder)
    groups = solver.in_order([parse_material("CQ-Q")])
    for group in groups:
        solver.solve(group, lambda: 0.0)
    made = folder / "tables"
    made.mkdir()
    solver.pack([each for group in groups for each in group], made / "three.jetan-endings")
    return made
