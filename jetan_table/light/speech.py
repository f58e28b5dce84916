"""News said aloud at a table: by espeak-ng if it is installed, or by another program."""

import re
import shlex
import shutil
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import replace
from threading import Condition, Thread
from typing import Final

from rules import SIDES, Move, MoveKind, Position, Side, Worded, _, format_square, joined, noun

from ..errors import TableError
from ..game.record import Record
from ..languages import Language
from ..session.session import Certain, Guest
from ..session.view import View
from .news import TO_MOVE
from .words import Speaker

COUNTING = re.compile(r"\d+ s\b")
"""A count of seconds in a sentence: its change is no news."""


PLIES = {
    MoveKind.MOVE: _("{piece} {start} to {end}"),
    MoveKind.CAPTURE: _("{piece} {start} takes on {end}"),
    MoveKind.ESCAPE: _("{piece} {start} flees to {end}"),
}


class Announcer(Guest):
    """Says aloud what is new at a table: the last ply, and what the terminal would say of it.

    Whose turn it is and what is in the air is not said: everybody at the table sees that.
    """

    def __init__(self, say: Callable[[str], None], speaker: Speaker) -> None:
        """`say` says words aloud, instead of what is still waiting."""
        self._say, self._speaker = say, speaker
        self._seen: tuple[Record, View] | None = None
        self._said: frozenset[str] = frozenset()

    def follow(self, certain: Certain) -> None:
        """Look at the table, and say what has not been said."""
        record, view = certain.record, certain.view
        if self._seen is not None and self._seen[1] == view:
            return
        sentences = self._sentences(view)
        # Sentences are compared without their seconds, or a countdown would be read out all
        # evening.
        keys = frozenset(COUNTING.sub("", sentence) for sentence in sentences)
        new = [sentence for sentence in sentences if COUNTING.sub("", sentence) not in self._said]
        before, self._seen, self._said = self._seen, (record, view), keys
        if before is not None:
            new = [*self._ply(before[0], record), *new]
        if new:
            self._say(" ".join(new))

    def _ply(self, before: Record, record: Record) -> list[str]:
        """Return the last ply in words, where it is new."""
        is_same = before.header is record.header
        if not is_same or len(record.game.plies) <= len(before.game.plies):
            return []
        ply = ply_in_words(record.game.positions[-2], record.game.plies[-1].move)
        return self._speaker.all_of([ply])

    def _sentences(self, view: View) -> list[str]:
        sentences = self._speaker.sentences(replace(view, lifted=()), is_typed=False)
        return [sentence for sentence in sentences if self._is_told(sentence)]

    def _is_told(self, sentence: str) -> bool:
        # Lifted pieces and whose turn it is change with every ply; hearing them would be tiresome.
        return sentence not in {self._speaker.say(TO_MOVE, side=SIDES[side.word]) for side in Side}


def ply_in_words(before: Position, move: Move) -> str:
    """Return a ply that was played from a position, for ears."""
    piece = before.piece_at(move.from_square)
    sentence = Worded(
        PLIES[move.kind],
        piece="" if piece is None else noun(piece.kind, before.rules).name,
        start=format_square(move.from_square),
        end=format_square(move.to_square),
    )
    return joined((SIDES[before.side.word], ": ", sentence, "."), "")


PROGRAM: Final = "espeak-ng"
"""The program that speaks: it has English and German voices and needs no network."""

LONGEST_S: Final = 30.0
"""Seconds after which a sentence is given up: the sound card hangs."""


OWN: Final = f"{PROGRAM} --stdin -v {{language}}"
"""Its command line, as a template: the sentence comes by standard input."""
TEXT: Final = "{text}"
"""What stands in a command line for the sentence; without it that comes by standard input."""


class BadVoice(TableError, ValueError):
    """A command line that no shell would take, or that names no program."""


def words_of(command: str) -> list[str]:
    """Return the words of a command line that speaks, the table's own where it is empty; BadVoice.

    No shell reads them: what is spoken is never a command.
    """
    try:
        words = shlex.split(command or OWN)
    except ValueError as error:
        raise BadVoice(_("{command!r}: {why}"), command=command, why=error) from None
    if not words:
        raise BadVoice(_("{command!r}: names no program"), command=command)
    return words


def speaker_of(command: str = "") -> str:
    """Return the program that speaks."""
    return words_of(command)[0]


def can_speak(command: str = "") -> bool:
    """Return True if the program that speaks is installed."""
    return shutil.which(speaker_of(command)) is not None


class Voice:
    """Says one sentence at a time, on a thread of its own, so that the table never waits.

    Of what is to be said while it speaks only the newest is kept: what was is no news any more.
    Answers to a touch wait for news, and are cut off by whatever is said next.
    """

    def __init__(self, language: Language, options: Sequence[str] = (), command: str = "") -> None:
        """`options` are more words of the command line, as `-w FILE`.

        `command` is another program's: `{language}` and `{text}` in it are filled in.
        """
        template = (*words_of(command), *options)
        self._command = [word.replace("{language}", language) for word in template]
        self._waiting: str | None = None
        self._is_news = False
        """True if what waits is, or begins with, what has happened."""
        self._may_be_cut = False
        """True while an answer to a touch is spoken."""
        self._is_closed = False
        self._spoken: subprocess.Popen[bytes] | None = None
        self._changed = Condition()
        self._thread = Thread(target=self._speak, name="voice", daemon=True)
        self._thread.start()

    def say(self, words: str) -> None:
        """Say this next, instead of what is still waiting."""
        with self._changed:
            self._waiting, self._is_news = words, True
            self._cut()

    def answer(self, words: str) -> None:
        """Say this next, but after news that are still waiting."""
        with self._changed:
            news = f"{self._waiting} " if self._waiting and self._is_news else ""
            self._waiting, self._is_news = news + words, bool(news)
            self._cut()

    def _cut(self) -> None:
        """End an answer that is spoken, and let what waits be said."""
        if self._may_be_cut and self._spoken is not None:
            self._spoken.kill()
        self._changed.notify()

    def close(self) -> None:
        """Fall silent."""
        with self._changed:
            self._is_closed = True
            if self._spoken is not None:
                self._spoken.kill()
            self._changed.notify()
        self._thread.join()

    def _speak(self) -> None:
        while (words := self._next()) is not None:
            self._say(words)

    def _next(self) -> str | None:
        """Wait for the next words, and return them; None when nothing more is to be said."""
        with self._changed:
            self._spoken = None
            self._changed.wait_for(lambda: self._waiting is not None or self._is_closed)
            words, self._waiting = self._waiting, None
            self._may_be_cut, self._is_news = not self._is_news, False
            return None if self._is_closed else words

    def _say(self, words: str) -> None:
        quiet = subprocess.DEVNULL
        command = [word.replace(TEXT, words) for word in self._command]
        try:
            spoken = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=quiet, stderr=quiet)
        except OSError:  # the program has gone since the table began
            return
        # `close` may have come between: a program that was not known then is ended here.
        with self._changed:
            self._spoken = spoken
            if self._is_closed or (self._may_be_cut and self._waiting is not None):
                spoken.kill()
        with spoken:
            try:
                spoken.communicate(words.encode(), LONGEST_S)
            except subprocess.TimeoutExpired:
                spoken.kill()
