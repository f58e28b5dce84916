"""Sequences shown to a table as a live camera shows them: many pictures a second, resting hands.

The pictures go through the camera, board, table and journal of `jetan play --camera`, in virtual
time: the same pictures give the same game, however quick the machine is.
"""

import json
import re
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import cv2
import msgspec
import numpy as np

from jetan_table.boards.camera import CameraBoard, TableCamera
from jetan_table.game.commands import AnswerQuestion, BoardIsRight, Command
from jetan_table.game.events import (
    Amended,
    Answer,
    Entry,
    Event,
    Header,
    Ply,
    Question,
    Recall,
    TakeBack,
    Wander,
)
from jetan_table.journal.journal import Journal
from jetan_table.session.view import Phase, View
from jetan_table.settings import Settings
from jetan_table.table.games import begin_game
from jetan_table.table.loop import Table
from jetan_table.wiring import join
from rules import Position, Square, format_square, parse_square
from vision.camera import Clarity
from vision.geometry import Picture
from vision.sources import Frame, pictures_in

from .ledger import Account, Done, Figures
from .sequences import corners_and_markers, first_position, in_words, shown_and_true

STANDS_S = 2.5
"""For so long each picture of a board at rest is shown."""

NOISE = 2.0
"""Each picture differs from the one before by such noise, in grey levels."""

PUMPS_S, PUMPS_STOPS, PUMPS_TINT = 7.0, 0.7, 0.1
"""A camera that pumps makes its pictures brighter and darker by so many stops, and warmer and
colder by such a share, once in so many seconds."""

SETTLES_S = 0.5
"""What is judged of a board at rest counts from so long after it has come to rest."""

FAR_BEHIND = 3
"""A table that is more steps behind should say that it is lost, or ask."""

BEGAN_AT = 1000.0


class Look(NamedTuple):
    """One picture of a live camera, and what it shows."""

    at: float
    picture: Picture
    shown: int
    """So many of the true steps have been played when it is taken."""
    rests_for: float
    """For how many seconds no hand has been in the picture; -1 where one is."""
    position: Mapping[str, str]
    """What stands where, in words."""


@dataclass(frozen=True, slots=True)
class LiveShow:
    """How pictures are shown live: so many a second, with hands that rest for so long in each."""

    fps: float
    rest_s: float
    pumps: bool = False
    answered: bool = False
    """Whether what the table asks is answered, by the truth."""

    def looks(self, frames: Sequence[tuple[Picture, int, Mapping[str, Any]]]) -> Iterator[Look]:
        """Yield the pictures of a live camera.

        `frames` are pictures, how many steps each shows, and the truth of each. One that says for
        how long it lasts does so; others last as long as such pictures do.
        """
        noise = _noise(frames[0][0].shape[:2])
        at, until, number = 0.0, 0.0, 0
        rested = 0.0
        for picture, shown, truth in frames:
            is_settled, position = truth["settled"], truth["position"]
            rested = rested if is_settled else 0.0
            usual = at - until + (STANDS_S if is_settled else self.rest_s)
            until += truth.get("lasts_s", usual)
            while at < until:
                clean = _pumped(picture, at) if self.pumps else picture
                noisy = cv2.add(clean, next(noise), dtype=cv2.CV_8U)
                rests_for = rested if is_settled else -1.0
                yield Look(at, np.asarray(noisy, np.uint8), shown, rests_for, position)
                number += 1
                rested += is_settled / self.fps
                at = number / self.fps


def _noise(size: tuple[int, ...]) -> Iterator[Any]:
    """Yield noise for one picture of a height and width after another, made once and shifted."""
    random, (height, width) = np.random.default_rng(1), size
    grain = random.normal(0.0, NOISE, (height + 180, width + 220, 3)).round().astype(np.int16)
    while True:
        down, right = random.integers(0, 180), random.integers(0, 220)
        yield grain[down : down + height, right : right + width]


def _pumped(picture: Picture, at: float) -> Picture:
    wave = np.sin(2 * np.pi * at / PUMPS_S)
    light = 2 ** (PUMPS_STOPS * wave)
    tint = 1 + PUMPS_TINT * np.sin(2 * np.pi * at / PUMPS_S + 1.0)
    linear = (np.arange(256) / 255) ** 2.2
    tables = [linear * light * each for each in (1 / tint, 1.0, tint)]
    bent = [np.clip(255 * each ** (1 / 2.2), 0, 255).astype(np.uint8) for each in tables]
    pumped: Picture = cv2.LUT(picture, np.stack(bent, axis=-1)[None])
    return pumped


@dataclass
class Evening(Account):
    """An account of what a table has told of one sequence."""

    told_over_a_hand: int = 0
    settled: int = 0
    covered: int = 0
    still_ms: list[float] = field(default_factory=list)
    answers: int = 0
    silent: set[int] = field(default_factory=set)
    """How many true steps had been played when the table was far behind without a word."""

    def mind(self, view: View, look: Look) -> None:
        """Take in how the table stands after it saw `look`."""
        says = view.question or view.lost or view.trouble or view.phase is Phase.SETTING_UP
        if not says and look.shown > len(self.told) + FAR_BEHIND:
            self.silent.add(look.shown)

    def reply(self, view: View, look: Look) -> Command | None:
        """Return what people who see what `look` shows say to what the table asks; None: nothing.

        They say it once the hand is gone, and only what is true.
        """
        if look.rests_for < SETTLES_S:
            return None
        for number, board in enumerate(view.lost, 1):
            if in_words(board) == look.position:
                return BoardIsRight(number)
        square = None if view.question is None else self.answer(view.question, look.shown)
        return None if square is None else AnswerQuestion(format_square(square))

    def take(self, event: Event, before: Position, look: Look) -> None:
        """Take in what the table has told while it saw `look`."""
        match event:
            case Ply(number=number, move=text) | Answer(number=number, move=text):
                done = Done(_squares_of(text))
            case Wander(after=number, to_square=end) if before.juggernaut is not None:
                done = Done((before.juggernaut, parse_square(end)), False)
            case TakeBack(number=number) | Recall(after=number):
                self.take_back(number)
                return
            case Amended(moves=moves, last=last):
                self.amend({each: _squares_of(text) for each, text in moves.items()}, last)
                return
            case Question():
                self.ask(event.number, event.is_ply)
                return
            case _:
                return
        self.tell(number, done, look.shown)
        self.told_over_a_hand += look.rests_for < 0

    def figures(self, name: str) -> Figures:
        """Return what was right in the end, and how the camera did."""
        return {
            **super().figures(name),
            f"{name}/answers": self.answers,
            f"{name}/told over a hand": self.told_over_a_hand,
            f"{name}/steps far behind without a word": len(self.silent),
            f"{name}/settled pictures judged covered, %": round(
                100 * self.covered / max(self.settled, 1), 2
            ),
            f"{name}/still picture, CPU ms": round(float(np.median(self.still_ms)), 1),
        }


def _squares_of(text: str) -> tuple[Square, Square]:
    start, end = re.findall(r"[a-j]\d+", text)[:2]
    return parse_square(start), parse_square(end)


def measure_live(folder: Path, show: LiveShow) -> Figures:
    """Return the figures of every sequence in a folder, shown to a table live."""
    figures: Figures = {}
    for path in sorted(folder.glob("*/truth.json")):
        figures |= play_live(path.parent, show).figures(path.parent.name)
    return figures


def play_live(folder: Path, show: LiveShow) -> Evening:
    """Let a table follow one sequence that is shown live."""
    truth = json.loads((folder / "truth.json").read_text())
    shown, true = shown_and_true(truth)
    kept = list(pictures_in(folder).frames())
    frames = [
        (frame.picture, played, each)
        for frame, each, played in zip(kept, truth["frames"], shown, strict=True)
        if frame.picture is not None
    ]
    corners, markers = corners_and_markers(folder, truth)
    evening, now = Evening(true), [BEGAN_AT]
    camera = TableCamera(NoSource(), lambda: now[0], markers, corners)
    with tempfile.TemporaryDirectory() as data, closing(Journal(Path(data))) as journal:
        table = _table(journal, camera, first_position(truth), now[0])
        for look in show.looks(frames):
            now[0] = BEGAN_AT + look.at
            begun = time.process_time()
            camera.take(Frame(f"{look.at:.2f}", now[0], look.picture))
            spent = 1000 * (time.process_time() - begun)
            before = table.record.stands
            happened = table.step(now[0] + 0.01)
            if show.answered and (reply := evening.reply(table.view, look)) is not None:
                happened += table.obey(reply, now[0] + 0.01)
                evening.answers += 1
            for news in happened:
                if isinstance(news, Entry):
                    evening.take(news.event, before, look)
            evening.mind(table.view, look)
            if look.rests_for > SETTLES_S and camera.sight is not None:
                evening.settled += 1
                evening.covered += camera.sight.clarity is Clarity.COVERED
                evening.still_ms.append(spent)
    return evening


def _table(journal: Journal, camera: TableCamera, start: Position, now: float) -> Table:
    opened = begin_game(journal, Header.of(start, now))
    settings = Settings()
    camera_alone = msgspec.structs.replace(settings.table, board="camera")
    settings = msgspec.structs.replace(settings, table=camera_alone)
    table = join(CameraBoard(camera), journal, opened, settings, guests=[camera])
    table.step(now)
    return table


class NoSource:
    """No camera: its pictures are given one by one."""

    are_stills = False

    def frames(self) -> Iterator[Frame]:
        """Yield nothing."""
        return iter(())

    def close(self) -> None:
        """Hold nothing."""
