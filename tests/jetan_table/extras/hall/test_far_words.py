"""What a far table says of its clock and its die is held to what can be."""

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from hardware.die import commitment, throws
from jetan_table.extras.hall.far import FarPlayer
from jetan_table.extras.hall.far_match import FarState, accepted, find_bent, side_of_match
from jetan_table.extras.hall.payloads import DieShare, encode, match_topic
from jetan_table.game.agreements import Clocks, Times
from jetan_table.game.commands import CommandRefused, SetClock, SetClockTimes
from jetan_table.table.dice import Seeds
from rules import Position, Side, format_position, parse_rules
from tests.jetan_table.sitting import Evening, sitting

SEED = bytes(range(32))
OWN = DieShare("0" * 64)
FAR = DieShare(commitment(SEED), {"1 Pd2-d3 1": throws(SEED, (), "1 Pd2-d3 1")}, SEED.hex())


FACE, *MORE = FAR.faces["1 Pd2-d3 1"]


@pytest.mark.parametrize(
    ("own", "far", "is_bent"),
    [
        (OWN, FAR, False),
        (OWN, replace(FAR, seed=""), False),
        (OWN, replace(FAR, faces={"1 Pd2-d3 1": (FACE % 10 + 1, *MORE)}), True),
        (OWN, replace(FAR, seed="11" * 32, faces={}), True),
        (replace(OWN, commit=FAR.commit), replace(FAR, seed="", faces={}), True),
    ],
    ids=["all of its seed", "not shown yet", "a bent face", "another seed", "the other's seal"],
)
def test_a_far_share_is_held_to_its_seal(own: DieShare, far: DieShare, is_bent: bool) -> None:
    assert (find_bent(own, far) is not None) is is_bent


CODE = "TARSTA"
GLASS, TEN = "hourglass 3", "10+5"


class Sitter:
    """Black at a table of a match; what the far table says comes from the test."""

    def __init__(self, evening: Evening, folder: Path, clock: str) -> None:
        start = format_position(Position.start(parse_rules("appendix")))
        own = side_of_match("Tara", "black", "appendix", start, clock)
        seeds = Seeds(folder / "seeds", Random(1).randbytes)
        self.evening = evening
        self.far = FarPlayer(CODE, "alpha", FarState(own), folder / "far.json", seeds)
        self.word = accepted(own, "alpha", "Gahan")
        evening.table.welcome(self.far)
        self.say()
        evening.set_up(3.0)

    @property
    def clocks(self) -> Clocks:
        clocks = self.evening.record.clocks
        assert clocks is not None
        return clocks.until(self.evening.clock.now())

    @property
    def notes(self) -> str:
        return "\n".join(self.evening.view.guest_notes)

    def say(self, left_s: float | None = None, plies: tuple[str, ...] | None = None) -> None:
        """Let the far table say its newest word."""
        plies = self.word.plies if plies is None else plies
        self.word = replace(self.word, rev=self.word.rev + 1, left_s=left_s, plies=plies)
        self.far.take_in(match_topic(CODE, "beta"), encode(self.word))
        self.evening.wait(1.0)

    def play(self, start: str, end: str) -> None:
        """Let hands play a ply, and the far table say that it stands there, too."""
        self.evening.move(start, end)
        self.word = replace(self.word, plies=self.evening.record.moves)

    def answer(self, left_s: float, *plies: str) -> None:
        """Let the far side answer, and hands carry that out."""
        self.say(left_s, (*self.word.plies, *plies))
        wish = self.evening.view.help.wish
        assert wish is not None
        self.evening.hands.move([wish.from_square, wish.to_square], self.evening.clock.now())
        self.evening.wait(3.0)


@pytest.fixture
def at_table(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Sitter]:
    with sitting(tmp_path) as evening:
        yield Sitter(evening, tmp_path, request.param)


# What no clock shows: nothing that is a time, or more than both had together.
@pytest.mark.parametrize("left_s", [-5.0, 400.0, 1e308])
@pytest.mark.parametrize("at_table", [GLASS], indirect=True)
def test_no_far_word_takes_the_time_out_of_an_hourglass(at_table: Sitter, left_s: float) -> None:
    at_table.play("d2", "d3")
    at_table.answer(170.0, "Pd9-d8")
    assert at_table.clocks.began == pytest.approx(Times(190.0, 170.0), abs=0.1)
    at_table.play("e2", "e3")
    at_table.say(170.0)
    at_table.answer(left_s, "Pe9-e8")
    assert_untouched(at_table, 360.0)


@pytest.mark.parametrize("left_s", [-1e308, 620.0])
@pytest.mark.parametrize("at_table", [TEN], indirect=True)
def test_no_far_word_shows_a_time_that_nobody_has(at_table: Sitter, left_s: float) -> None:
    at_table.play("d2", "d3")
    at_table.answer(left_s, "Pd9-d8")
    assert_untouched(at_table, 1205.0)


def assert_untouched(at_table: Sitter, most_s: float) -> None:
    """The game goes on, by this table's own clocks, and people are told what was refused."""
    at_table.evening.wait(5.0)
    left = at_table.clocks.left
    assert at_table.evening.record.ending is None
    assert all(100.0 < each <= 605.0 for each in left), left
    assert sum(left) <= most_s + 0.01
    assert "left_s" in at_table.notes


@pytest.mark.parametrize(("at_table", "left_s"), [(TEN, 605.0), (TEN, 0.5)], indirect=["at_table"])
def test_a_time_that_can_be_is_shown(at_table: Sitter, left_s: float) -> None:
    at_table.play("d2", "d3")
    at_table.answer(left_s, "Pd9-d8")
    assert at_table.clocks.left.of(Side.ORANGE) == pytest.approx(left_s, abs=0.01)
    assert not at_table.notes


@pytest.mark.parametrize("at_table", [GLASS], indirect=True)
def test_an_hourglass_never_takes_more_than_its_player_has_used(at_table: Sitter) -> None:
    """However little the far side says it thought, this one has what it had after its own ply."""
    at_table.play("d2", "d3")
    at_table.answer(180.0, "Pd9-d8")
    for own, far in ((("e2", "e3"), "Pe9-e8"), (("f2", "f3"), "Pf9-f8")):
        at_table.play(*own)
        after = at_table.clocks
        had = after.turns[-1].ended
        at_table.say(had.orange)
        at_table.answer(had.orange, far)
        assert at_table.clocks.began.black == pytest.approx(had.black, abs=0.02)
        at_table.say(had.orange + 1.0)
        assert "left_s" in at_table.notes
        assert at_table.clocks.began.black == pytest.approx(had.black, abs=0.02)


@pytest.mark.parametrize("at_table", [TEN], indirect=True)
def test_a_word_that_is_refused_is_told_until_another_is_taken_in(at_table: Sitter) -> None:
    word = encode(replace(at_table.word, rev=90)).replace(b'"rev":90', b'"rev":1.5')
    at_table.far.take_in(match_topic(CODE, "gamma"), word)
    at_table.evening.wait(1.0)
    assert not at_table.notes
    at_table.far.take_in(match_topic(CODE, "beta"), word)
    at_table.evening.wait(1.0)
    assert "rev" in at_table.notes
    at_table.say()
    assert not at_table.notes


@pytest.mark.parametrize("at_table", [TEN], indirect=True)
def test_neither_table_sets_the_clocks_alone(at_table: Sitter) -> None:
    for command in (SetClock("20"), SetClockTimes("5:00", "5:00")):
        with pytest.raises(CommandRefused):
            at_table.evening.tell(command)
    assert at_table.clocks.left == Times(600.0, 600.0)
