"""Writes the lessons' positions into `docs/learn.md`: `python -m docs.lessons_sheet`."""

from pathlib import Path
from typing import Final

from jetan_table.extras.lessons.course import GRID, course

PAGE: Final = Path(__file__).parent / "learn.md"
BEGIN, END = "<!-- sheet -->\n", "<!-- /sheet -->"


def sheet() -> str:
    """Return the table of all lessons: what stands where; capitals are Black's."""
    pieces = "pieces (small letters: Orange; Q the Princess, `*` the Juggernaut)"
    rows = [f"| lesson | {pieces} |", "|---|---|"]
    for number, lesson in enumerate(course(GRID, may_change=True), start=1):
        rows.append(f"| {number} {lesson.title} | `{lesson.pieces}` |")
    return "\n".join(rows) + "\n"


def page(text: str) -> str:
    """Return the page with the sheet as the lessons have it now."""
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}{sheet()}{END}{after}"


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
