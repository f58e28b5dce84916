"""What a trial says of a board: each fault by its name and mend, and the figures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import quantiles
from typing import Final

from hardware.debounce import Bouncing
from hardware.square_history import SquareHistories
from rules import SQUARES, Square, format_square
from rules.topology import FILES

from ..replay.looks import Looks
from ..replay.recordings import Recording
from ..replay.replay import advance, replay_of_recording
from ..simulation.scoring import ReadingVerdict, happened, score
from ..simulation.truth import Truth
from .faults import BoardFault
from .leader import DemandDone
from .running import Course, WorkTimes

FEW_BLINKS: Final = 2
"""A switch that opened so often under a piece that stood there is a weak one."""

TIGHT_MS: Final = 0.5
"""A switch whose longest bounce is nearer than this to the hold-off is a noisy one."""

LATE_S: Final = 0.05
"""A look at the board that comes later than this may miss a piece that is slid."""

NONE: Final = (ReadingVerdict.AMENDED, ReadingVerdict.EXTRA)


@dataclass(frozen=True, slots=True)
class SightFigures:
    """What a camera gave."""

    looks_hz: float
    """So many pictures a second were looked at."""
    ages_s: Sequence[float]
    """How old each was when it was looked at, in seconds."""
    rested: float
    """The share of looks that showed the board at rest."""
    doubts: Mapping[Square, float]
    """Of squares that were in doubt, in what share of the looks at rest; the worst first."""
    square_px: float | None
    """Of the worst picture: how wide the farthest square was; None where no board was found."""
    elevation: float | None
    step: float | None
    blur: float | None


@dataclass(frozen=True, slots=True)
class CameraSaid:
    """What a trial has of its camera: figures, what was wrong, and when something moved."""

    figures: SightFigures
    faults: Mapping[BoardFault, Sequence[str]]
    stirs: Sequence[float]


@dataclass(frozen=True, slots=True)
class Verdict:
    """All that a trial says of a board."""

    faults: Mapping[BoardFault, Sequence[str]]
    """By fault what it befell: squares, files or ranks, or pairs of them as `a>b`; or a figure."""
    counts: Mapping[str, int]
    """How many plies were read how, by the words of `ReadingVerdict`."""
    delays_s: Sequence[float]
    """From each landing to its report."""
    vain: int
    """How many demands showed less than they should."""
    asked: int
    margins_ms: Mapping[Square, float]
    """By how much the hold-off was longer than a switch's longest bounce, where it was measured."""
    blinks: Mapping[Square, int]
    tempo: WorkTimes
    plies: int
    count: int
    """How many plies and take-backs there were."""
    sight: SightFigures | None = None
    """What a camera gave, where one looked."""

    @property
    def is_sound(self) -> bool:
        """Whether nothing is to be mended."""
        return not self.faults and not self.counts.get("wrong") and not self.counts.get("never")


def is_fit(course: Course) -> bool:
    """Whether a board whose check is over can be played on: it is seen, and as it is."""
    return bool(course.begun_with) and not _faults_of_order(course)


def judge(
    course: Course,
    histories: SquareHistories,
    bouncing: Mapping[Square, Bouncing],
    hold_off_ms: float,
    tempo: WorkTimes,
    recording: Recording | Looks,
    truth: Truth,
    camera: CameraSaid | None = None,
) -> Verdict:
    """Return what a trial says of its board, or of its `camera`."""
    replay = replay_of_recording(recording, truth.recording)
    readings = list(advance(replay.source, replay.reader(), replay.ends_at))
    scores = score(happened(truth), readings) if truth.plies else []
    plies = [each for each in scores if each.sort == "ply"]
    counts = Counter(each.verdict.value for each in scores)
    margins = {
        square: hold_off_ms - how.longest_s * 1000
        for square, how in bouncing.items()
        if how.longest_s is not None
    }
    return Verdict(
        faults=_faults(course, histories, margins)
        if camera is None
        else _seen_faults(course, camera),
        counts={verdict.value: counts[verdict.value] for verdict in ReadingVerdict},
        delays_s=[each.delay_s for each in plies if each.delay_s is not None],
        vain=sum(each.is_vain for each in course.done),
        asked=len(course.done),
        margins_ms=margins,
        blinks={square: histories.of[square].blinks for square in _weak(histories)},
        tempo=tempo,
        plies=len(truth.plies),
        count=sum(each.verdict not in NONE for each in scores),
        sight=None if camera is None else camera.figures,
    )


def _seen_faults(course: Course, camera: CameraSaid) -> dict[BoardFault, list[str]]:
    """Return what is wrong with a camera, and with what it sees."""
    faults = _faults_of_order(course)
    faults |= {fault: list(befell) for fault, befell in camera.faults.items()}
    otherwise = sorted(course.missing | course.extra) if course.begun_with else []
    if otherwise and BoardFault.MIRRORED not in faults:
        faults[BoardFault.ALIKE] = list(map(format_square, otherwise))
    return faults


def _faults(
    course: Course, histories: SquareHistories, margins: Mapping[Square, float]
) -> dict[BoardFault, list[str]]:
    faults = _faults_of_order(course)
    missed, shown = _missed(course)
    if not faults.keys() & {BoardFault.FILES, BoardFault.RANKS, BoardFault.WIRES}:
        stuck = [square for square in missed if histories.of[square].occupied and not shown[square]]
        stuck += [square for square in sorted(course.extra) if square not in stuck]
        dead = [square for square in missed if square not in stuck and not shown[square]]
        deaf = [square for square in missed if square not in (*stuck, *dead)]
        weak = _weak(histories)
        for fault, squares in (
            (BoardFault.STUCK, stuck),
            (BoardFault.DEAD, dead),
            (BoardFault.DEAF, [square for square in deaf if square not in weak]),
            (BoardFault.WEAK, weak),
        ):
            if squares:
                faults[fault] = list(map(format_square, squares))
    noisy = [square for square in SQUARES if margins.get(square, TIGHT_MS) < TIGHT_MS]
    if noisy:
        faults[BoardFault.NOISY] = list(map(format_square, noisy))
    return faults


def _weak(histories: SquareHistories) -> list[Square]:
    return [square for square in histories.weak if histories.of[square].blinks >= FEW_BLINKS]


def _missed(course: Course) -> tuple[list[Square], Counter[Square]]:
    """Return the squares of which something was not seen, and how often any one was."""
    missed = set(course.missing)
    shown = Counter[Square]()
    lit_alone = [each for each in course.done if each.demand.by_light]
    for done in course.done:
        for (square, _level), at in zip(done.demand.wants, done.seen_at, strict=True):
            if at is not None:
                shown[square] += 1
            elif not done.demand.may_hide and done not in lit_alone:
                missed.add(square)
    return sorted(missed), shown


def _faults_of_order(course: Course) -> dict[BoardFault, list[str]]:
    """Return what is wrong with the order of wires and lamps, by what showed instead.

    A camera may show the board mirrored.
    """
    own = _told_of_itself(course)
    by_words: list[tuple[Square, Square]] = []
    by_light: list[tuple[Square, Square]] = []
    for each in course.done:
        instead = _instead(each)
        if instead is not None and (each.demand.by_light or instead not in own):
            pair = each.demand.squares[0], instead
            (by_light if each.demand.by_light else by_words).append(pair)
    if by_words and course.script.looks:
        is_mirrored = all(asked % 10 == 9 - shown % 10 for asked, shown in by_words)
        return {BoardFault.MIRRORED: [_squares(pair) for pair in by_words]} if is_mirrored else {}
    if by_words:
        fault, pairs = _kind_of_order(by_words)
        return {fault: pairs}
    if by_light:
        return {BoardFault.LAMPS: [_squares(pair) for pair in by_light]}
    return {}


def _told_of_itself(course: Course) -> frozenset[Square]:
    """Return the squares that showed what was asked of them by name: no other wire is theirs.

    One of them that shows something besides is a weak one.
    """
    return frozenset(
        square
        for done in course.done
        for (square, _level), at in zip(done.demand.wants, done.seen_at, strict=True)
        if at is not None and not done.demand.by_light
    )


def _instead(done: DemandDone) -> Square | None:
    """Return the square that showed what was asked of another, which did not; None for none."""
    missing = [want for want, at in zip(done.demand.wants, done.seen_at, strict=True) if at is None]
    if len(done.demand.squares) > 1 or not missing:
        return None
    return next((s.square for s in done.strays if s.is_occupied is missing[0][1]), None)


def _kind_of_order(pairs: Sequence[tuple[Square, Square]]) -> tuple[BoardFault, list[str]]:
    """Return whether whole files or ranks are exchanged, and which."""
    if all(asked // 10 == shown // 10 for asked, shown in pairs):
        files = {_pair(FILES[a % 10], FILES[b % 10]) for a, b in pairs}
        return BoardFault.FILES, sorted(files)
    if all(asked % 10 == shown % 10 for asked, shown in pairs):
        ranks = {_pair(str(a // 10 + 1), str(b // 10 + 1)) for a, b in pairs}
        return BoardFault.RANKS, sorted(ranks)
    return BoardFault.WIRES, [_squares(pair) for pair in pairs]


def _squares(pair: tuple[Square, Square]) -> str:
    return _pair(format_square(pair[0]), format_square(pair[1]))


def _pair(asked: str, shown: str) -> str:
    return f"{asked}>{shown}"


def summary(values: Sequence[float]) -> tuple[float, float, float]:
    """Return the median, the 99th of a hundred and the most of some values; noughts for none."""
    if not values:
        return 0.0, 0.0, 0.0
    if len(values) == 1:
        return values[0], values[0], values[0]
    cuts = quantiles(values, n=100, method="inclusive")
    return cuts[49], cuts[98], max(values)
