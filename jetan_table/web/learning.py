"""The lessons, the puzzles and the move cards as documents."""

from __future__ import annotations

from typing import Any

from rules import parse_rules

from ..languages import Language, say_in
from ..lessons.cards import cards
from ..lessons.course import GRID, course
from ..lessons.puzzles import LEVELS, THEMES, read_daily


def lessons_document(language: Language) -> list[dict[str, Any]]:
    """Return the names and titles of all lessons, in their order."""
    return [
        {"name": lesson.name, "title": say_in(language, lesson.title)}
        for lesson in course(GRID, may_change=True)
    ]


def puzzles_document(language: Language) -> dict[str, Any]:
    """Return the themes of puzzles, from the easiest, with their names, levels and numbers."""
    puzzles = read_daily()
    return {
        "count": len(puzzles),
        "themes": [
            {
                "theme": task.value,
                "level": LEVELS[task],
                "title": say_in(language, THEMES[task]),
                "numbers": [puzzle.number for puzzle in puzzles if puzzle.task is task],
            }
            for task in sorted(LEVELS, key=LEVELS.__getitem__)
        ],
    }


def cards_document(rules: str, language: Language) -> list[dict[str, Any]]:
    """Return the move cards of all pieces by these rules."""
    return [
        {"letter": card.letter, "name": card.name, "sentences": card.sentences}
        for card in cards(parse_rules(rules), language)
    ]
