"""What docs/service.md promises is proved on each surface it names."""

from tests.promises import SURFACES, marks, promised, proved
from tests.tidy.tree import assert_none


def test_the_table_says_what_is_proved_and_no_more() -> None:
    """Where it does not: `python -m tests.promises`."""
    by_tests = proved()
    wrong = [
        f"{each.line}: {sorted(heard ^ each.proved)}"
        for each in promised()
        if (heard := by_tests.get(each.line, frozenset())) != each.proved
    ]
    assert_none(wrong)


def test_every_mark_is_of_a_line_and_of_surfaces_that_there_are() -> None:
    lines = {each.line for each in promised()}
    assert len(lines) > 20
    assert_none(
        f"{name}: {line}: {sorted(surfaces)}"
        for name, line, surfaces in marks()
        if line not in lines or not surfaces <= set(SURFACES)
    )


def test_all_that_is_promised_is_proved() -> None:
    """Whoever promises more proves more; `python -m tests.promises` names what is not."""
    assert_none(f"{each.line}: {sorted(each.unproved)}" for each in promised() if each.unproved)
