"""What a tutor says, in every language."""

from __future__ import annotations

from rules import format_square
from rules.sentences import _
from rules.words import sentences

from ..languages import Language, say_in, translation
from .teaching import Teaching

INVITATION = _(
    "You know Jetan now. Play your first game: the table shows you a good move each time."
)
HOW_TO_TYPE = _("Type moves like `e3 d4`; `?` shows all words, `quit` leaves.")


def heading(teaching: Teaching, language: Language) -> str:
    """Return which lesson it is: `Lesson 2 of 14: Warrior.`"""
    return say_in(
        language,
        _("Lesson {number} of {count}: {title}."),
        number=teaching.number,
        count=teaching.count,
        title=say_in(language, teaching.lesson.title),
    )


def answer_to_try(teaching: Teaching, language: Language) -> str:
    """Return what there is to say to the last try; empty where nobody has tried yet."""
    if teaching.is_solved:
        praise = say_in(language, _("Well done!"))
        return f"{praise} {say_in(language, INVITATION)}" if teaching.is_done else praise
    tried = teaching.tried
    if tried is None:
        return ""
    why = sentences(tried, teaching.position.rules, translation(language))
    if not tried.is_legal:
        return why
    wanted = teaching.wanted[0]
    return say_in(
        language,
        _("{why} But here go from {start} to {end}."),
        why=why,
        start=format_square(wanted.from_square),
        end=format_square(wanted.to_square),
    )


def taught(teaching: Teaching, language: Language) -> list[str]:
    """Return all that a tutor has to say now, line by line."""
    praise = say_in(language, _("Well done!")) + " " if teaching.is_after_another else ""
    lines = [praise + heading(teaching, language)]
    if not teaching.is_solved:
        lines.append(say_in(language, teaching.lesson.words))
    answer = answer_to_try(teaching, language)
    return [*lines, answer] if answer else lines
