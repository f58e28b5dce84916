"""Plain values: tuples with names as `typing` makes them, at a smaller price."""

import subprocess
import sys
import typing

from rules.plain import NamedTuple, NewType
from tests.tidy.tree import ROOT


class Ours(NamedTuple):
    """Two places, one of them with a default, and a word of its own."""

    name: str
    length: int = 3

    @property
    def word(self) -> str:
        return self.name * self.length


class Theirs(typing.NamedTuple):
    name: str
    length: int = 3


def test_values_are_made_shown_and_compared_as_those_of_typing() -> None:
    ours, theirs = Ours("a"), Theirs("a")
    assert tuple(ours) == tuple(theirs) == ("a", 3)
    assert hash(ours) == hash(theirs)
    assert repr(ours) == repr(theirs).replace("Theirs", "Ours")
    assert ours._replace(length=5) == Ours("a", 5)
    assert Ours._fields == Theirs._fields
    assert typing.get_type_hints(Ours) == typing.get_type_hints(Theirs)
    assert ours.word == "aaa"
    assert (Ours.__doc__ or "").startswith("Two places")
    assert not hasattr(ours, "__dict__")


def test_a_new_type_is_its_base_at_play() -> None:
    assert NewType("Length", int)(3) == 3


def test_a_position_is_ready_without_typing_and_patterns() -> None:
    code = (
        f"import sys; sys.path.insert(0, {str(ROOT)!r})\n"
        "from rules import Position, parse_rules\n"
        "Position.start(parse_rules('appendix'))\n"
        "print(*sorted({'typing', 're', 'dataclasses'} & set(sys.modules)))"
    )
    bare = [sys.executable, "-I", "-S", "-c", code]  # without what an environment imports itself
    printed = subprocess.run(bare, check=True, capture_output=True, text=True).stdout
    assert printed.split() == []
