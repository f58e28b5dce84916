"""The results of a trial: its recording, its lessons about switches, and its verdict.

The recording is saved with its truth. Each piece that was put down or lifted by name is counted for
what is known of the switches. The verdict names each fault with its mend and gives the figures, in
words and for programs.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import islice
from pathlib import Path
from statistics import quantiles
from typing import Final

import msgspec

from hardware.ports import Change, Observation, Occupancy, Switch, SwitchCounts
from hardware.sensors import SquareHistories
from rules import (
    SQUARES,
    MoveKind,
    Notice,
    Position,
    Sentence,
    Square,
    Worded,
    _,
    format_position,
    format_rules,
    format_square,
    parse_rules,
)

from ...files import write_whole
from ...languages import Language, say_in, translation
from ...people.truth import (
    LAST_WAIT,
    PlyRow,
    ReadingVerdict,
    Truth,
    happened,
    ply_row,
    result_of,
    score,
    start_rows,
)
from ...reading.scene import NEVER_COUNTED, Rates
from ...replay.recordings import (
    Looks,
    LooksHeader,
    Recording,
    RecordingHeader,
    format_looks,
    format_recording,
    microseconds,
)
from ...replay.replay import advance, replay_of_recording
from ...table.switches import take_up, teach_switches
from .course import REST, RULES, CameraFigures, InstructionDone, Manner, ScriptedPly, TrialLog

MADE_BY = "jetan trial"


def recording_of(log: TrialLog) -> Recording | Looks:
    """Return the recording of a trial's game, from its beginning."""
    start = Position.start(parse_rules(RULES))
    rules = {"text": format_rules(start.rules)}
    t_end_us = microseconds(log.ended_at - log.began_at + LAST_WAIT)
    if log.script.looks:
        first = Observation(0.0, log.begun_with)
        later = (replace(each, at=_since_begun(log, each)) for each in log.observations)
        return Looks(LooksHeader(rules=rules, t_end_us=t_end_us, made_by=MADE_BY), (first, *later))
    header = RecordingHeader(
        rules=rules,
        start_rows=start_rows(start),
        closed=tuple(map(format_square, sorted(log.standing))),
        t_end_us=t_end_us,
        made_by=MADE_BY,
    )
    return Recording(header, tuple(_changes(log)))


def _since_begun(log: TrialLog, observation: Observation) -> float:
    return max(observation.at - log.began_at, 0.0)


def _changes(log: TrialLog) -> Iterator[Change]:
    occupancy = Occupancy()
    occupancy.occupied = set(log.standing)
    for observation in log.observations:
        for square, is_occupied in occupancy.update(observation):
            yield Change(_since_begun(log, observation), Switch(square), is_occupied)


def truth_of(log: TrialLog, name: str) -> Truth:
    """Return the plies of a trial, as far as it went; `name` is the recording's file."""
    stirs = () if log.camera is None else log.camera.stirs
    rows: list[PlyRow] = []
    position = Position.start(parse_rules(RULES))
    script, done = log.script, list(log.played)
    for ply in script.plies:
        asked = len(list(script.instructions(ply)))
        if len(done) < asked:
            break
        own = [each for each in done[:asked] if each.instruction.ply == ply.number]
        done = done[asked:]
        timed = [_landed(each, stirs) for each in own] if script.looks else own
        rows += _rows(ply, timed, script.looks, log.began_at)
        position = ply.before.play(ply.move)
    return Truth(
        recording=name,
        board="grid",
        rules=format_rules(position.rules),
        plies=rows,
        juggernaut_moves=[],
        incidents=[],
        fault=None,
        result=result_of(position.outcome),
        final_position=format_position(position),
    )


def _landed(done: InstructionDone, stirs: Sequence[float]) -> InstructionDone:
    """Return the change of one look, timed just before it, when the hands had gone.

    `stirs` are the times at which the camera saw something move: hands are gone after the last one.
    """
    # A camera sees a move only when the hands have gone. Delays are counted from there, as they are
    # from the touch for switches.
    first = next((at for at in done.seen_at if at is not None), None)
    if first is None:
        return done
    at = max((each for each in stirs if done.asked_at <= each <= first), default=first)
    return replace(done, seen_at=[at] * len(done.seen_at))


def _rows(
    ply: ScriptedPly, done: Sequence[InstructionDone], looks: bool, began: float
) -> list[PlyRow]:
    """Return a ply's row, or two if it is taken back and made again between two rests."""
    if ply.manner is not Manner.TAKEN_BACK:
        return [_row(ply, done, looks, began)]
    rests = [n for n, each in enumerate(done) if each.instruction.words == REST]
    first = _row(ply, done[: rests[0]], looks, began)
    again = _row(ply, done[rests[1] + 1 :], looks, began)
    first.taken_back_us = microseconds(_last(done[rests[1] - 1]) - began)
    first.takeback = Manner.TAKEN_BACK.value
    return [first, again]


def _row(ply: ScriptedPly, done: Sequence[InstructionDone], looks: bool, began: float) -> PlyRow:
    own = next(each for each in done if each.instruction.squares[:1] != (ply.other,))
    move, before = ply.move, ply.before
    row = ply_row(before, move, _first(own) - began, _last(done[-1]) - began, [ply.manner.value])
    # What one hand can hide from a switch is which of several pieces was taken: those are the
    # candidates.
    moves = (each for each in before.moves() if each.from_square == move.from_square)
    taken = [format_square(each.to_square) for each in moves if each.kind is MoveKind.CAPTURE]
    if move.kind is MoveKind.CAPTURE and len(taken) > 1:
        row.candidates = taken
        row.ambiguous = ply.manner is Manner.AT_ONCE and not looks
    return row


def _first(done: InstructionDone) -> float:
    """Return the time of its first change, or of the request if nothing was seen."""
    return next((at for at in done.seen_at if at is not None), done.asked_at)


def _last(done: InstructionDone) -> float:
    """Return the time of its last change, or of people's word if it was not seen."""
    last = done.seen_at[-1] if done.seen_at else None
    return done.done_at if last is None else last


def save(recording: Recording | Looks, truth: Truth, folder: Path) -> Path:
    """Write a recording and its truth into a folder; return the recording's path. OSError."""
    path = folder / f"{truth.recording}.jsonl"
    text = format_looks(recording) if isinstance(recording, Looks) else format_recording(recording)
    write_whole(path, text.encode())
    write_whole(path.with_name(f"{truth.recording}.truth.json"), msgspec.json.encode(truth) + b"\n")
    return path


TAUGHT = _(
    "Its switches are known by {placed} pieces put down, {missed} of them missed; "
    "before by {was_placed}, {was_missed} missed."
)
ERRED = _("{square}: missed {missed} of {placed}; before {was_missed} of {was_placed}.")
UNDO = _("jetan trial --undo forgets what this trial has taught.")


def counted(log: TrialLog, counts: Mapping[Square, SwitchCounts]) -> dict[Square, SwitchCounts]:
    """Return counts including a trial's touches; one that may go unseen counts if it showed.

    A piece that was lit and not named may have been another one.
    """
    rates = Rates(counts)
    for done in log.done:
        for (square, is_put_down), at in zip(done.instruction.wants, done.seen_at, strict=True):
            if at is None and (done.instruction.may_hide or done.instruction.by_light):
                continue
            if is_put_down:
                rates.put_down(square, is_shown=at is not None)
            elif at is None:
                rates.count_ghost(square)
    return rates.counts


def teach(log: TrialLog, folder: Path, language: Language) -> Iterator[str]:
    """Add a trial's counts to those in the data folder, and yield lines about both. OSError."""
    before, trouble = take_up(folder)
    if trouble is not None:
        yield say_in(language, _("{why}"), why=trouble)
    after = counted(log, before)
    teach_switches(folder, after)
    yield say_in(language, TAUGHT, **_figures(Rates(after).total, Rates(before).total))
    for square, counts in sorted(after.items()):
        was = before.get(square, NEVER_COUNTED)
        if counts.missed > was.missed:
            name = format_square(square)
            yield say_in(language, ERRED, square=name, **_figures(counts, was))
    yield say_in(language, UNDO)


def _figures(counts: SwitchCounts, was: SwitchCounts) -> dict[str, int]:
    return {
        "placed": counts.placed,
        "missed": counts.missed,
        "was_placed": was.placed,
        "was_missed": was.missed,
    }


FEW_BLINKS: Final = 2
"""Openings under a standing piece from which a switch counts as weak."""

TIGHT_MS: Final = 0.5
"""Milliseconds to the hold-off within which the longest bounce makes a switch noisy."""

LATE_S: Final = 0.05
"""Seconds of lateness from which a look may miss a sliding piece."""

NO_PLIES: Final = (ReadingVerdict.AMENDED, ReadingVerdict.EXTRA)


FAULTS: Final[Mapping[str, tuple[Sentence, Sentence]]] = {
    "dead": (
        _("These switches did not respond: {squares}."),
        _("Look at the reed and its two wires."),
    ),
    "stuck": (
        _("These switches are always closed: {squares}."),
        _("Look for a magnet or a solder bridge beneath; else change the reed."),
    ),
    "deaf": (
        _("These switches missed a touch now and then: {squares}."),
        _("Move the reed to the middle of its square, or take a stronger magnet."),
    ),
    "weak": (
        _("These switches let go under a piece: {squares}."),
        _("Take a stronger magnet, or a more sensitive reed."),
    ),
    "noisy": (
        _("These switches bounce nearly as long as the hold-off: {squares}."),
        _("Set [reed] debounce_ms higher, or change the reed."),
    ),
    "files": (
        _("Wires are exchanged: what happens on these files shows on others: {squares}."),
        _("Exchange the wires, or run jetan wire."),
    ),
    "ranks": (
        _("Wires are exchanged: what happens on these ranks shows on others: {squares}."),
        _("Exchange the wires, or run jetan wire."),
    ),
    "wires": (
        _("Switches are wired in another order than the settings say: {squares}."),
        _("Run jetan wire."),
    ),
    "lamps": (
        _("Lamps run in another order than the settings say: {squares}."),
        _("Run jetan wire, or set [lamps] order."),
    ),
    "mirrored": (
        _("The camera's picture is mirrored: {squares}."),
        _("Turn mirroring off where the camera is set; phones call it the selfie view."),
    ),
    "covered": (
        _("Hardly anything is to be seen: the lens is covered, or there is too little light."),
        _("Uncover the lens, and turn a lamp on."),
    ),
    "unfound": (
        _("The camera does not find the board in its picture."),
        _("Show all of the board, straight from above; jetan camera doctor says more."),
    ),
    "alike": (
        _("What stands on these squares at the start is not seen: {squares}."),
        _("Mark pieces that look like their squares with a pale dot on top, or light them better."),
    ),
    "bumped": (
        _("The camera or the board was moved, and the board found again: {squares} times."),
        _("Screw the camera tight."),
    ),
    "lost": (
        _("The board was out of sight in {squares} % of all looks."),
        _("Screw the camera tight, and keep the board in its picture."),
    ),
}
"""Each fault of a board, with its mend. A camera's doctor reports faults of its pictures."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The verdict on a board: faults and figures."""

    faults: Mapping[str, Sequence[str]]
    """Faults by the names of `FAULTS`, with squares, files, ranks, pairs of them as `a>b`, or a
    figure."""
    counts: Mapping[str, int]
    """The number of plies for each word of `ReadingVerdict`."""
    count: int
    """The number of plies and take-backs."""
    plies: int
    asked: int
    vain: int
    """The number of instructions that showed less than they should."""
    ms: Mapping[str, tuple[float, float, float]]
    """Median, 99th percentile and maximum in milliseconds: delays from landing to report, lateness
    of looks, duration of looks and lamps, age of a camera's pictures."""
    step_ms: float
    """The time from one look at the board to the next, as set."""
    cpu_share: float
    margins_ms: Mapping[Square, float]
    blinks: Mapping[Square, int]
    """The number of times each weak switch opened under a standing piece."""
    camera: CameraFigures | None

    @property
    def notices(self) -> Sequence[Notice]:
        """The notices about the board, and about a camera's pictures."""
        of_camera = () if self.camera is None else self.camera.notices
        return (*(_notice_of(name, befell) for name, befell in self.faults.items()), *of_camera)

    @property
    def is_sound(self) -> bool:
        """True if nothing has to be repaired."""
        return not (self.notices or self.counts.get("wrong") or self.counts.get("never"))


def _notice_of(fault: str, befell: Sequence[str]) -> Notice:
    what, mend = FAULTS[fault]
    return Notice(fault, "fail", Worded(what, squares=", ".join(befell)), mend)


def judged(log: TrialLog, recording: Recording | Looks, truth: Truth) -> Verdict:
    """Return the verdict on a trial, whose recording is read once more and held to its truth."""
    camera, histories = log.camera, log.histories
    # The reading is measured on the saved recording, not on the live one, so that `jetan replay`
    # shows the very figures of the verdict.
    replay = replay_of_recording(recording, truth.recording)
    readings = list(advance(replay.source, replay.reader(), replay.ends_at))
    scores = score(happened(truth), readings) if truth.plies else []
    counts = Counter(each.verdict.value for each in scores)
    delays = [each.delay_s for each in scores if each.sort == "ply"]
    timed = {
        "delay": [delay for delay in delays if delay is not None],
        "scan_late": log.late,
        "scan_takes": log.polls,
        "lamps_take": log.shows,
        "age": () if camera is None else camera.ages_s,
    }
    return Verdict(
        faults=_faults(log) if camera is None else _seen_faults(log, camera),
        counts={verdict.value: counts[verdict.value] for verdict in ReadingVerdict},
        count=sum(each.verdict not in NO_PLIES for each in scores),
        plies=len(truth.plies),
        asked=len(log.done),
        vain=sum(each.is_vain for each in log.done),
        ms={name: summary([MS * each for each in values]) for name, values in timed.items()},
        step_ms=MS * log.step_s,
        cpu_share=log.cpu_share,
        margins_ms=log.margins_ms,
        blinks={square: histories.of[square].blinks for square in _weak(histories)},
        camera=camera,
    )


def is_fit(log: TrialLog) -> bool:
    """Return True if a board can be played on after its check: it is seen, and in order."""
    return bool(log.begun_with) and not _faults_of_order(log)


def _seen_faults(log: TrialLog, camera: CameraFigures) -> dict[str, Sequence[str]]:
    """Return what is wrong with a camera, and with what it sees."""
    faults = {**_faults_of_order(log), **camera.faults}
    otherwise = sorted(log.missing | log.extra) if log.begun_with else []
    if otherwise and "mirrored" not in faults:
        faults["alike"] = list(map(format_square, otherwise))
    return faults


def _faults(log: TrialLog) -> dict[str, Sequence[str]]:
    # Exchanged wires make good switches look dead and silent ones look alive. As long as they are
    # exchanged, nothing is said of single switches.
    faults, histories = _faults_of_order(log), log.histories
    missed, shown = _missed(log)
    if not faults.keys() & {"files", "ranks", "wires"}:
        stuck = [square for square in missed if histories.of[square].occupied and not shown[square]]
        stuck += [square for square in sorted(log.extra) if square not in stuck]
        dead = [square for square in missed if square not in stuck and not shown[square]]
        deaf = [square for square in missed if square not in (*stuck, *dead)]
        # Order matters: a weak switch also misses touches, and "weak" tells the better mend.
        weak = _weak(histories)
        for fault, squares in (
            ("stuck", stuck),
            ("dead", dead),
            ("deaf", [square for square in deaf if square not in weak]),
            ("weak", weak),
        ):
            if squares:
                faults[fault] = list(map(format_square, squares))
    noisy = [at for at in SQUARES if log.margins_ms.get(at, TIGHT_MS) < TIGHT_MS]
    if noisy:
        faults["noisy"] = list(map(format_square, noisy))
    return faults


def _weak(histories: SquareHistories) -> list[Square]:
    return [square for square in histories.weak if histories.of[square].blinks >= FEW_BLINKS]


def _missed(log: TrialLog) -> tuple[list[Square], Counter[Square]]:
    """Return the squares of which something was not seen, and how often any one was."""
    missed = set(log.missing)
    shown = Counter[Square]()
    for done in log.done:
        for (square, _level), at in zip(done.instruction.wants, done.seen_at, strict=True):
            if at is not None:
                shown[square] += 1
            elif not done.instruction.may_hide and not done.instruction.by_light:
                missed.add(square)
    return sorted(missed), shown


def _faults_of_order(log: TrialLog) -> dict[str, Sequence[str]]:
    """Return what is wrong with the order of wires and lamps, by what showed instead.

    A camera may show the board mirrored.
    """
    # A square that answered to its own name is wired right. When it changes in another's place, it
    # is weak or somebody has touched it.
    own = _told_of_itself(log)
    by_words: list[tuple[Square, Square]] = []
    by_light: list[tuple[Square, Square]] = []
    for each in log.done:
        instead = _instead(each)
        if instead is not None and (each.instruction.by_light or instead not in own):
            pair = each.instruction.squares[0], instead
            (by_light if each.instruction.by_light else by_words).append(pair)
    if by_words and log.script.looks:
        is_mirrored = all(asked % 10 == 9 - shown % 10 for asked, shown in by_words)
        return {"mirrored": [_squares(pair) for pair in by_words]} if is_mirrored else {}
    if by_words:
        fault, pairs = _kind_of_order(by_words)
        return {fault: pairs}
    if by_light:
        return {"lamps": [_squares(pair) for pair in by_light]}
    return {}


def _told_of_itself(log: TrialLog) -> frozenset[Square]:
    """Return the squares that showed what was asked of them by name: no other wire is theirs.

    One of them that shows something besides is a weak one.
    """
    return frozenset(
        square
        for done in log.done
        for (square, _level), at in zip(done.instruction.wants, done.seen_at, strict=True)
        if at is not None and not done.instruction.by_light
    )


def _instead(done: InstructionDone) -> Square | None:
    """Return the square that changed instead of the one asked for, or None."""
    missing = [
        want for want, at in zip(done.instruction.wants, done.seen_at, strict=True) if at is None
    ]
    # With two squares asked for, nobody can tell which of them the stray change stands for.
    if len(done.instruction.squares) > 1 or not missing:
        return None
    shown = (flip.square for flip, _at in done.strays if flip.is_occupied is missing[0][1])
    return next(shown, None)


def _kind_of_order(pairs: Sequence[tuple[Square, Square]]) -> tuple[str, list[str]]:
    """Return whether whole files or ranks are exchanged, and which."""
    if all(asked // 10 == shown // 10 for asked, shown in pairs):
        files = {_pair(format_square(a)[0], format_square(b)[0]) for a, b in pairs}
        return "files", sorted(files)
    if all(asked % 10 == shown % 10 for asked, shown in pairs):
        ranks = {_pair(format_square(a)[1:], format_square(b)[1:]) for a, b in pairs}
        return "ranks", sorted(ranks)
    return "wires", [_squares(pair) for pair in pairs]


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
MOST_NAMED = 5


def lines(verdict: Verdict, language: Language) -> Iterator[str]:
    """Yield the verdict in sentences."""
    for each in verdict.notices:
        notice = each.in_words(translation(language))
        yield from (notice.found, f"  -> {notice.mend}")
    for template, values in _figures_told(verdict):
        yield say_in(language, template, **values)


def _figures_told(verdict: Verdict) -> Iterator[tuple[Sentence, Mapping[str, object]]]:
    """Yield the sentences that tell a verdict's figures, each with its values."""
    ms, camera = {name: _parts(*three) for name, three in verdict.ms.items()}, verdict.camera
    if camera is not None:
        yield EYES, {"hz": camera.looks_hz, "rested": camera.rested, **ms["age"]}
        if camera.worst is not None:
            yield PICTURE, asdict(camera.worst)
        if camera.doubts:
            percent = ((square, 100 * share) for square, share in camera.doubts.items())
            yield DOUBTS, _named("{:.0f}", percent)
    if not verdict.plies:
        yield STOPPED, {}
        return
    yield READ, {"count": verdict.count, **verdict.counts}
    delay = {name: value / MS for name, value in ms["delay"].items()}
    yield (DELAY if camera is None else LANDED), delay
    if camera is None:
        takes = verdict.ms["scan_takes"][0]
        yield LOOKS, {"step": verdict.step_ms, "takes": takes, **ms["scan_late"]}
        if verdict.ms["scan_late"][1] > MS * LATE_S:
            yield SLOW, {}
        yield LAMPS, ms["lamps_take"]
    yield CPU, {"share": verdict.cpu_share}
    yield VAIN, {"asked": verdict.asked, "vain": verdict.vain}
    tightest = sorted(verdict.margins_ms.items(), key=lambda pair: pair[1])
    if tightest:
        yield MARGIN, _named("{:.1f} ms", tightest)
    if verdict.blinks:
        yield BLINKS, _named("{}", verdict.blinks.items())
    if verdict.is_sound:
        yield SOUND, {}


def _parts(usual: float, rare: float, most: float) -> dict[str, float]:
    return {"usual": usual, "rare": rare, "most": most}


def _named(form: str, figures: Iterable[tuple[Square, float]]) -> dict[str, str]:
    """Return the first few squares, each with its figure."""
    few = (
        f"{format_square(at)} {form.format(figure)}" for at, figure in islice(figures, MOST_NAMED)
    )
    return {"squares": ", ".join(few)}


def as_object(verdict: Verdict) -> dict[str, object]:
    """Return the verdict as JSON has it; times in milliseconds."""
    ms, camera = dict(verdict.ms), verdict.camera
    ages = ms.pop("age")
    shown: dict[str, object] = {
        "is_sound": verdict.is_sound,
        "faults": {name: list(befell) for name, befell in verdict.faults.items()},
        "notices": {} if camera is None else {n.check: str(n.found) for n in camera.notices},
        "plies": verdict.plies,
        "read": dict(verdict.counts),
        "asked": verdict.asked,
        "vain": verdict.vain,
        "ms": {name: _rounded(three, 3) for name, three in ms.items()},
        "cpu_share": round(verdict.cpu_share, 3),
    }
    if camera is None:
        return shown | {"reeds": {format_square(each): _reed(verdict, each) for each in SQUARES}}
    doubts = {format_square(square): round(share, 3) for square, share in camera.doubts.items()}
    return shown | {
        "camera": {
            "looks_hz": round(camera.looks_hz, 2),
            "at_rest": round(camera.rested, 3),
            "age_ms": _rounded(ages, 1),
            "picture": None if camera.worst is None else asdict(camera.worst),
            "doubts": doubts,
        }
    }


def _rounded(three: Sequence[float], digits: int) -> dict[str, float]:
    return dict(zip(PARTS, (round(each, digits) for each in three), strict=True))


def _reed(verdict: Verdict, square: Square) -> dict[str, float | int | None]:
    margin = verdict.margins_ms.get(square)
    return {
        "margin_ms": None if margin is None else round(margin, 2),
        "blinks": verdict.blinks.get(square, 0),
    }
