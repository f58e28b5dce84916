"""A table without eyes: a whole game by sound alone, and what each touch is answered with."""

import re
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from jetan_table.boards.screen import TypedHands
from jetan_table.cli import main
from jetan_table.game.events import ConductAgreed
from jetan_table.journal.journal import Journal
from jetan_table.languages import worded_in
from jetan_table.light.ears import HOW, Guide, around_in_words, lifted_in_words
from jetan_table.light.speech import BadVoice, Voice, can_speak
from jetan_table.light.words import Speaker
from jetan_table.people.board import steady_board
from jetan_table.session.umpire import allows_help
from jetan_table.table.games import Opened
from rules import PIECES, Position, parse_rules, parse_square
from rules.position import letters
from tests.jetan_table.hands import header, seen
from tests.jetan_table.light.test_speech import ASKING, await_until
from tests.jetan_table.sitting import Evening, sitting

SIDES = ("Black", "Orange")
LETTERS = {
    piece.kind.word.capitalize(): letter for letter, piece in PIECES.items() if letter.isupper()
}
"""What a piece is called, and its letter: hands know a piece by its shape."""
PLACE = re.compile(
    r"(Black|Orange), (\w+?)(?:s: \d+ of \d+\. Put one on each of|: put it on) ([^.]+)\."
)
PLY = re.compile(r"(Black|Orange): (\w+) (\w+) (to|takes on|flees to) (\w+)\.")
TURN = re.compile(r"(Black|Orange) to move")
GOALS = re.compile(r"It may go to ([^.]+)\.")
PREY = re.compile(r"It may take: ([^.]+)\.")
ASKED = re.compile(r"(?:Where did|Did) the piece from \w+ [^?]*\?")
LED = re.compile(r"Put the (\w+)(?: from (\w+))? on (\w+)\.")
END = re.compile(r"(?:Black|Orange) wins: |drawn|draw:|A draw")
WORTH = ("Panthan", "Padwar", "Warrior", "Thoat", "Dwar", "Flier", "Chief", "Princess")
TRIED = 3
"""How many pieces somebody lifts before they play one."""


class Blind:
    """Somebody who plays both sides, and knows of the table what was spoken, and nothing else."""

    def __init__(self, evening: Evening, rng: Random) -> None:
        self.script: list[str] = []
        """All that was said, in order."""
        self._new: list[str] = []
        self._evening, self._rng = evening, rng
        self.men: dict[str, tuple[str, str]] = {}
        """What stands on each square, as it was heard: a side, and what the piece is called."""
        evening.table.welcome(Guide(self._hear, self._hear, Speaker("en")))

    def _hear(self, words: str) -> None:
        self._new.append(words)
        self.script.append(words)

    def listen(self, wait_s: float = 1.5) -> str:
        """Wait, and return what was said since the last time."""
        self._evening.wait(wait_s)
        heard, self._new = " ".join(self._new), []
        for side, piece, start, _how, end in PLY.findall(heard):
            self.men.pop(start, None)
            self.men[end] = side, piece
        return heard

    def set_up(self) -> None:
        """Put every piece where the table says, until it says whose turn it is."""
        heard = self.listen()
        while not TURN.search(heard):
            assert PLACE.search(heard), "\n".join(self.script)
            side, piece, squares = PLACE.findall(heard)[-1]
            for square in (each for each in squares.split(", ") if each not in self.men):
                letter = LETTERS[piece]
                letter = letter if side == "Black" else letter.lower()
                self._evening.put(square, letter, 0.3)
                self.men[square] = side, piece
            heard = self.listen()
        self.turn = TURN.findall(heard)[-1]

    def play(self) -> str | None:
        """Play one ply for the side whose turn it is; return how the game has ended, or None."""
        own = [square for square, (side, _piece) in self.men.items() if side == self.turn]
        offers: list[tuple[int, float, str, str]] = []
        for start in self._rng.sample(own, len(own)):
            heard = self._lift(start)
            takes = [each.split(" ") for each in ", ".join(PREY.findall(heard)).split(", ") if each]
            goals = [each for each in ", ".join(GOALS.findall(heard)).split(", ") if each]
            # A Chief that falls to another than a Chief only draws.
            is_chief = self.men[start][1] == "Chief"
            offers += [
                (1 + WORTH.index(prey), self._rng.random(), start, at)
                for prey, at in takes
                if prey != "Chief" or is_chief
            ]
            offers += [(0, self._rng.random(), start, goal) for goal in goals]
            self._put_back(start)
            if len(offers) >= TRIED or any(worth > 6 for worth, *_ in offers):
                break
        _worth, _luck, start, end = max(offers)
        self._lift(start)
        if end in self.men:
            self._evening.take(end, 0.4)
        self._evening.put(end, None, 0.0)
        return self._until_told(end)

    def _lift(self, square: str) -> str:
        self._evening.lift(square, 0.0)
        heard = self.listen(1.0)
        side, piece = self.men[square]
        assert f"{side}: {piece} {square}." in heard, heard
        return heard

    def _put_back(self, square: str) -> None:
        self._evening.put(square, None, 0.0)
        assert "nothing has happened" in self.listen(5.0)

    def _until_told(self, end: str) -> str | None:
        """Hear the ply that was played; answer by a touch what the table asks of it."""
        for _again in range(8):
            heard = self.listen(3.0)
            if END.search(heard):
                return heard
            if ASKED.search(heard):
                self._evening.lift(end, 1.0)
                self._evening.put(end, None, 0.0)
            if turns := TURN.findall(heard):
                self.turn = turns[-1]
                return None
        raise AssertionError("\n".join(["nothing was said of the ply:", *self.script[-12:]]))


def bare_board(journal: Journal, opened: Opened, seed: int, between_s: float) -> TypedHands:
    """Hands at a board on which nothing stands yet; all pieces are in the box."""
    position = opened.record.position
    board = steady_board({}, Random(seed), None, position.rules.board)
    hands = TypedHands(board, {}, between_s)
    hands.box += letters(position).values()
    return hands


@pytest.mark.parts
def test_a_whole_game_is_played_by_sound_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From an empty board to the end; nobody looks at anything."""
    monkeypatch.setattr("tests.jetan_table.sitting.typed_hands", bare_board)
    with sitting(tmp_path) as evening:
        player = Blind(evening, Random(7))
        player.set_up()
        assert len(player.men) == 40
        ended = None
        for _ply in range(400):
            ended = player.play()
            if ended:
                break
        assert ended, "the game never ended"
        assert evening.record.ending is not None
        # Only now somebody looks: what was heard is what was played, and nothing else.
        spoken = [
            f"{start}{end}" for *_who, start, _how, end in PLY.findall(" ".join(player.script))
        ]
        played = [squares(move) for move in evening.record.moves]
        assert spoken == played
        assert len(played) > 20
        assert "It may take: " in " ".join(player.script)


def squares(move: str) -> str:
    """The two squares of a move's text."""
    return "".join(re.findall(r"[a-j]\d+", move))


class Ears:
    """Somebody who hears a table; what was said since they last listened."""

    def __init__(self, evening: Evening) -> None:
        self._said: list[str] = []
        evening.table.welcome(Guide(self._said.append, self._said.append, Speaker("en")))

    def heard(self) -> str:
        words = " ".join(self._said)
        self._said.clear()
        return words


def test_a_touch_says_what_it_may_do_and_another_what_is_around(evening: Evening) -> None:
    ears = Ears(evening)
    evening.wait(1.0)
    assert ears.heard() == f"{HOW} Black to move."
    evening.lift("d2")
    assert ears.heard() == "Black: Panthan d2. It may go to c3, d3, e3."
    evening.put("d2", wait_s=0.5)
    assert ears.heard() == "Put back: nothing has happened."
    evening.lift("d2", 0.5)
    ears.heard()
    evening.put("d2", wait_s=0.5)
    assert ears.heard() == (
        "Black: Panthan d2. Beside it, Black: Dwar c1, Flier d1, Chief e1, Panthan c2, "
        "Panthan e2. Nothing threatens it."
    )
    evening.wait(10.0)
    evening.lift("d2", 0.5)
    ears.heard()
    evening.put("d2", wait_s=0.5)
    assert ears.heard() == "Put back: nothing has happened.", "too late for a second touch"
    assert evening.record.moves == ()


def test_a_threat_and_a_victim_are_told(tmp_path: Path) -> None:
    with sitting(tmp_path, header(start="9q/10/10/10/10/4d5/4P5/10/10/C8Q b BO - 0 1")) as evening:
        ears = Ears(evening)
        evening.wait(1.0)
        ears.heard()
        evening.lift("e5")
        assert ears.heard() == "Orange: Dwar e5. It can be taken from e4."
        evening.put("e5", wait_s=0.5)
        ears.heard()
        evening.lift("e4")
        assert "It may take: Dwar e5." in ears.heard()
        evening.put("e4", wait_s=0.5)
        evening.lift("e4", 0.5)
        ears.heard()
        evening.put("e4", wait_s=0.5)
        around = ears.heard()
        assert "Beside it, Orange: Dwar e5." in around


def test_a_question_is_asked_aloud_and_answered_by_touch(tmp_path: Path) -> None:
    with sitting(tmp_path, header(start=ASKING)) as evening:
        ears = Ears(evening)
        evening.wait(1.0)
        ears.heard()
        evening.take("d5")
        assert ears.heard().startswith("Black: Dwar d5.")
        evening.wait(30.0)
        asked = ears.heard()
        assert "Where did the piece from d5 go: e7 or d8? Lift it there and put it back." in asked
        evening.lift("e7")
        evening.put("e7")
        assert "Black: Dwar d5 takes on e7." in ears.heard()
        assert evening.record.moves == ("Dd5xe7",)


def test_a_tournament_tells_nobody_where_a_piece_may_go() -> None:
    start, d2 = Position.start(parse_rules("appendix")), parse_square("d2")
    view = seen(start, ConductAgreed("tournament"), lifted=(d2,))
    assert [worded_in("en", each) for each in lifted_in_words(view, d2)] == ["Black: Panthan d2."]
    *_beside, last = around_in_words(start, d2, allows_help(view.record))
    assert worded_in("en", last).startswith("Beside it, Black: ")


def test_answers_to_touches_make_way_and_news_are_said_whole(tmp_path: Path) -> None:
    spoken, go_on = tmp_path / "said", tmp_path / "go on"
    speaks = tmp_path / "speaks"
    speaks.write_text(
        f"#!/bin/sh\necho \"$2 in $1\" >> '{spoken}'\n"
        f"while [ ! -e '{go_on}' ]; do sleep 0.02; done\n"
        f"echo 'end of '\"$2\" >> '{spoken}'\n"
    )
    speaks.chmod(0o755)

    def lines() -> list[str]:
        return spoken.read_text().splitlines() if spoken.exists() else []

    with closing(Voice("de", command=f"'{speaks}' {{language}} {{text}}")) as voice:
        voice.answer("Panthan d2; rm -rf /")
        await_until(lambda: len(lines()) == 1)
        voice.answer("Panthan e2")
        await_until(lambda: len(lines()) == 2)
        voice.say("a move")
        await_until(lambda: len(lines()) == 3)
        voice.answer("Flier")
        voice.say("another move")
        voice.answer("Dwar")
        go_on.touch()
        await_until(lambda: len(lines()) >= 6)
    assert lines() == [
        "Panthan d2; rm -rf / in de",
        "Panthan e2 in de",
        "a move in de",
        "end of a move",
        "another move Dwar in de",
        "end of another move Dwar",
    ]


@pytest.mark.parametrize(("command", "why"), [("'", "No closing quotation"), (" ", "no program")])
def test_a_command_that_no_shell_would_take_is_refused(command: str, why: str) -> None:
    with pytest.raises(BadVoice, match=why):
        can_speak(command)


def test_a_table_that_cannot_speak_is_not_played_by_ear(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = tmp_path / "table.toml"
    settings.write_text("[sound]\nby_ear = true\ncommand = 'no-such-speaker'\n")
    options = ["--config", str(settings), "--data", str(tmp_path / "games")]
    assert main(["play", "--plain", *options]) == 2
    assert "must speak: no-such-speaker is not installed" in capsys.readouterr().err
