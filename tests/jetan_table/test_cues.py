"""Cues, palettes and lights: what squares mean, and that it can be seen by everybody."""

from itertools import combinations
from pathlib import Path

import pytest

from hardware.ports import RGB
from hardware.supply import capped, current_ma
from jetan_table.cues import Cue, cues
from jetan_table.events import Question
from jetan_table.lights import Dimming, Lamp, lights
from jetan_table.palette import PALETTES, RHYTHMS, Rhythm
from jetan_table.repair import HandMove, Placing
from jetan_table.terminal_board import MARKS
from jetan_table.view import Phase, View
from rules import Position, Square, parse_rules, parse_square

START = Position.start(parse_rules("appendix"))
BRIGHT = Dimming(1.0, 100_000)
LAMP_OF = tuple(Lamp(99 - square) for square in range(100))
MATRICES = {
    # Machado, Oliveira, Fernandes 2009, severity 1, on linear RGB.
    "normal": ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
    "protan": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deutan": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritan": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}


def names(*wanted: str) -> frozenset[Square]:
    return frozenset(map(parse_square, wanted))


def lab(colour: RGB, eye: str) -> tuple[float, float, float]:
    """CIE L*a*b* (D65) of a lamp's colour as an eye of that kind sees it."""
    linear = [(value / 255) ** 2.2 for value in colour]
    seen = [
        min(max(sum(m * c for m, c in zip(row, linear, strict=True)), 0.0), 1.0)
        for row in MATRICES[eye]
    ]
    red, green, blue = seen
    xyz = (
        (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505,
        0.2126 * red + 0.7152 * green + 0.0722 * blue,
        (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.089,
    )
    fx, fy, fz = (v ** (1 / 3) if v > 0.008856 else 7.787 * v + 16 / 116 for v in xyz)
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


def colour_distance(one: RGB, other: RGB, eye: str) -> float:
    pairs = zip(lab(one, eye), lab(other, eye), strict=True)
    return float(sum((a - b) ** 2 for a, b in pairs) ** 0.5)


def rhythm_distance(one: Rhythm, other: Rhythm) -> float:
    """Mean difference in brightness over 12 s, for the shift at which they look most alike."""
    times = [at / 20 for at in range(240)]
    shifts = [shift / 20 for shift in range(60)]
    return min(
        sum(abs(one.level(at) - other.level(at + shift)) for at in times) / len(times)
        for shift in shifts
    )


@pytest.mark.parametrize(("one", "other"), list(combinations(Cue, 2)))
def test_any_two_meanings_differ_by_rhythm_alone(one: Cue, other: Cue) -> None:
    assert rhythm_distance(RHYTHMS[one], RHYTHMS[other]) > 0.09


@pytest.mark.parametrize("eye", MATRICES)
@pytest.mark.parametrize(
    "meanings", [(Cue.LEGAL, Cue.CAPTURE), (Cue.WRONG, Cue.BELONGS), (Cue.LEGAL, Cue.WRONG)]
)
def test_the_standard_colours_that_must_never_be_mixed_up_differ_to_every_eye(
    eye: str, meanings: tuple[Cue, Cue]
) -> None:
    one, other = (PALETTES["standard"].looks[cue].colour for cue in meanings)
    assert colour_distance(one, other, eye) > 35


@pytest.mark.parametrize("eye", ["protan", "deutan"])
def test_the_red_green_palette_tells_all_meanings_apart_by_colour_too(eye: str) -> None:
    told = [Cue.WRONG, Cue.BELONGS, Cue.QUESTION, Cue.CAPTURE, Cue.LEGAL]
    looks = PALETTES["red-green"].looks
    for one, other in combinations(told, 2):
        assert colour_distance(looks[one].colour, looks[other].colour, eye) > 50, (one, other)


def test_mono_is_one_colour() -> None:
    assert len({look.colour for look in PALETTES["mono"].looks.values()}) == 1


def test_of_two_meanings_the_more_urgent_is_shown() -> None:
    view = View(
        Phase.PLAYING,
        START,
        lifted=(parse_square("d2"),),
        legal=names("d3", "e3"),
        repair=HandMove("P", parse_square("e3"), parse_square("d2")),
        faults={},
    )
    assert cues(view) == {
        parse_square("e3"): Cue.WRONG,
        parse_square("d2"): Cue.BELONGS,
        parse_square("d3"): Cue.LEGAL,
    }


def test_the_last_move_is_dark_while_a_piece_is_in_the_air() -> None:
    last = (parse_square("d2"), parse_square("d3"))
    at_rest = View(Phase.PLAYING, START, last_move=last)
    assert cues(at_rest) == dict.fromkeys(last, Cue.LAST_MOVE)
    lifted = View(Phase.PLAYING, START, last_move=last, lifted=(parse_square("e9"),))
    assert cues(lifted) == {parse_square("e9"): Cue.LIFTED}


def test_set_up_shows_all_squares_of_the_kind_to_be_put_and_no_others() -> None:
    placing = Placing("W", (parse_square("a1"), parse_square("j1")), 2)
    view = View(Phase.SETTING_UP, START, missing=names("a1", "j1", "e1"), placing=placing)
    assert cues(view) == dict.fromkeys(names("a1", "j1"), Cue.BELONGS)


def test_candidates_take_turns() -> None:
    question = Question(1, "d5", ("d8", "e7"))
    asked = dict.fromkeys(names(*question.candidates), Cue.QUESTION)
    lit = []
    for at in (0.1, 0.7):
        shown = lights(asked, PALETTES["standard"], at, LAMP_OF, BRIGHT)
        lit.append({square for square in asked if any(shown[LAMP_OF[square]])})
    assert lit in ([names("d8"), names("e7")], [names("e7"), names("d8")])


def test_lamps_are_lit_where_they_are_wired_and_dimmed_by_night() -> None:
    shown = lights({Square(0): Cue.LEGAL}, PALETTES["mono"], 0.0, LAMP_OF, BRIGHT)
    assert [index for index, colour in enumerate(shown) if any(colour)] == [99]
    night = lights({Square(0): Cue.LEGAL}, PALETTES["mono"], 0.0, LAMP_OF, Dimming(0.2, 100_000))
    assert 0 < sum(night[99]) <= 0.21 * sum(shown[99])


@pytest.mark.parametrize("limit_ma", [50.0, 150.0, 700.0, 5900.0])
def test_the_lamps_never_draw_more_than_the_supply_gives(limit_ma: float) -> None:
    white: list[RGB] = [(255, 255, 255)] * 90 + [(1, 1, 1)] * 10
    shown = capped(white, limit_ma)
    assert current_ma(shown) <= max(limit_ma, 100.0)
    assert (limit_ma < 150) or any(any(colour) for colour in shown)


def test_the_page_explains_every_mark() -> None:
    page = (Path(__file__).parents[2] / "docs" / "playing.md").read_text()
    assert all(f"| `{mark}` |" in page for mark in MARKS.values())
