"""The verdict of a trial in words, and as one JSON object."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from rules import SQUARES, Square, format_square
from rules.sentences import _

from ..languages import Language, say_in
from .running import WorkTimes
from .verdict import LATE_S, SightFigures, Verdict, summary

MS = 1000

READ = _(
    "Of {count} moves and take-backs {right} were read right, {wrong} wrong, {asked} asked about, "
    "{never} missed; {amended} amended, {extra} that were none."
)
DELAY = _(
    "From a landing to its report: {usual:.2f} s; 1 of 100 takes {rare:.2f}, the most {most:.2f}."
)
LOOKS = _(
    "A look at the board is due every {step:.1f} ms: half come {usual:.1f} ms late, 1 of 100 "
    "{rare:.1f}, the latest {most:.1f}; each takes {takes:.1f} ms."
)
LAMPS = _("Lamps take {usual:.1f} ms to be shown; 1 of 100 {rare:.1f}, the most {most:.1f}.")
CPU = _("All of it takes {share:.0%} of one core.")
VAIN = _("Of {asked} things that were asked, {vain} showed less than they should.")
MARGIN = _("Switches that bounce nearest to the hold-off, by how much is left: {squares}.")
BLINKS = _("Switches that let go for moments, and how often: {squares}.")
EYES = _(
    "The camera gives {hz:.1f} looks a second, {rested:.0%} of them at a board at rest; a picture "
    "is {usual:.0f} ms old when it is looked at, 1 of 100 {rare:.0f}, the most {most:.0f}."
)
PICTURE = _(
    "Its picture at the worst: the farthest square {square_px:.0f} pixels wide, from "
    "{elevation:.0f} degrees above, lines {blur:.1f} pixels wide, {step:.0f} grey levels "
    "from dark to light."
)
DOUBTS = _("Squares most often in doubt, and in how many of 100 looks: {squares}.")
LANDED = _(
    "From hands gone to the report: {usual:.2f} s; 1 of 100 takes {rare:.2f}, the most {most:.2f}."
)
SLOW = _("The board is looked at too late for pieces that are slid: close other programs.")
STOPPED = _("No game was played: mend this first, and try again.")
SOUND = _("This board is fit to play on.")
PARTS = ("median", "p99", "most")
NAMED = 5
"""So many switches are named."""


def lines(verdict: Verdict, language: Language) -> Iterator[str]:
    """Yield what people are told of a board."""
    say = partial(say_in, language)
    for fault, squares in verdict.faults.items():
        yield say(fault.what, squares=", ".join(squares))
        yield f"  -> {say(fault.mend)}"
    if verdict.sight is not None:
        yield from _of_sight(verdict.sight, say)
    if not verdict.plies:
        yield say(STOPPED)
        return
    yield say(READ, count=verdict.count, **verdict.counts)
    usual, rare, most = summary(verdict.delays_s)
    yield say(DELAY if verdict.sight is None else LANDED, usual=usual, rare=rare, most=most)
    if verdict.sight is None:
        yield from _of_switches(verdict.tempo, say)
    yield say(CPU, share=verdict.tempo.cpu_share)
    yield say(VAIN, asked=verdict.asked, vain=verdict.vain)
    tightest = sorted(verdict.margins_ms.items(), key=lambda pair: pair[1])[:NAMED]
    if tightest:
        yield say(MARGIN, squares=", ".join(f"{_at(at)} {ms:.1f} ms" for at, ms in tightest))
    if verdict.blinks:
        blinks = list(verdict.blinks.items())[:NAMED]
        yield say(BLINKS, squares=", ".join(f"{_at(at)} {count}" for at, count in blinks))
    if verdict.is_sound:
        yield say(SOUND)


def _of_switches(tempo: WorkTimes, say: Callable[..., str]) -> Iterator[str]:
    usual, rare, most = (MS * each for each in summary(tempo.late))
    takes = MS * summary(tempo.polls)[0]
    yield say(LOOKS, step=MS * tempo.step_s, usual=usual, rare=rare, most=most, takes=takes)
    if rare > MS * LATE_S:
        yield say(SLOW)
    usual, rare, most = (MS * each for each in summary(tempo.shows))
    yield say(LAMPS, usual=usual, rare=rare, most=most)


def _of_sight(sight: SightFigures, say: Callable[..., str]) -> Iterator[str]:
    usual, rare, most = (MS * each for each in summary(sight.ages_s))
    hz, rested = sight.looks_hz, sight.rested
    yield say(EYES, hz=hz, rested=rested, usual=usual, rare=rare, most=most)
    if sight.square_px is not None:
        yield say(
            PICTURE,
            square_px=sight.square_px,
            elevation=sight.elevation,
            blur=sight.blur,
            step=sight.step,
        )
    doubts = list(sight.doubts.items())[:NAMED]
    if doubts:
        yield say(DOUBTS, squares=", ".join(f"{_at(at)} {100 * share:.0f}" for at, share in doubts))


def as_object(verdict: Verdict) -> dict[str, object]:
    """Return the verdict as JSON has it; times in milliseconds."""
    tempo, sight = verdict.tempo, verdict.sight
    timed = {
        "delay": verdict.delays_s,
        "scan_late": tempo.late,
        "scan_takes": tempo.polls,
        "lamps_take": tempo.shows,
    }
    return {
        "is_sound": verdict.is_sound,
        "faults": {fault.name.lower(): list(squares) for fault, squares in verdict.faults.items()},
        "plies": verdict.plies,
        "read": dict(verdict.counts),
        "asked": verdict.asked,
        "vain": verdict.vain,
        "ms": {
            name: dict(zip(PARTS, (round(MS * each, 3) for each in summary(values)), strict=True))
            for name, values in timed.items()
        },
        "cpu_share": round(tempo.cpu_share, 3),
        **(
            {"reeds": {_at(each): _reed(verdict, each) for each in SQUARES}}
            if sight is None
            else {}
        ),
        **({"camera": _sight(sight)} if sight is not None else {}),
    }


def _sight(sight: SightFigures) -> dict[str, object]:
    ages = dict(zip(PARTS, (round(MS * each, 1) for each in summary(sight.ages_s)), strict=True))
    return {
        "looks_hz": round(sight.looks_hz, 2),
        "at_rest": round(sight.rested, 3),
        "age_ms": ages,
        "square_px": sight.square_px,
        "elevation": sight.elevation,
        "step": sight.step,
        "blur_px": sight.blur,
        "doubts": {_at(square): round(share, 3) for square, share in sight.doubts.items()},
    }


def _reed(verdict: Verdict, square: Square) -> dict[str, float | int | None]:
    margin = verdict.margins_ms.get(square)
    return {
        "margin_ms": None if margin is None else round(margin, 2),
        "blinks": verdict.blinks.get(square, 0),
    }


def _at(square: Square) -> str:
    return format_square(square)
