"""A player who sees nothing but the lamps keeps up with the table, whatever the dice do."""

from pathlib import Path
from random import Random

import pytest

from jetan_table.game.events import Header
from jetan_table.journal.journal import Journal
from jetan_table.light.lamps import Cue, cues
from jetan_table.session.view import Phase
from jetan_table.table.dice import BY_ITSELF_S, Dice, Seeds
from rules import PRESETS, MoveKind, PlayedPly, Square, letters, parse_rules
from tests.jetan_table.hands import header
from tests.jetan_table.sitting import Evening

IN_A_MELEE = "q9/10/2dwa5/2ppp5/2PPP5/2DWA5/10/10/10/9Q b - - 0 30"
PLIES = 5
MOST_TOUCHES = 12
"""So many touches at most lead from a roll or a fight to the right board: a few for each piece."""


class Newcomer(Evening):
    """Plays legal moves, and for all else follows the lamps; the dice roll by themselves."""

    def __init__(self, journal: Journal, begun: Header, seed: int) -> None:
        dice = Dice(Seeds(journal.folder / "seeds", Random(seed).randbytes), rolls_itself=True)
        super().__init__(journal, begun, seed=seed, between_s=0.3, dice=dice)
        self.chance = Random(seed)

    def follow(self) -> None:
        """Do what the lamps say until they say nothing more."""
        for _ in range(MOST_TOUCHES):
            self.wait(BY_ITSELF_S + 1.0)
            shown = cues(self.view)
            wrong = [square for square, cue in shown.items() if cue is Cue.WRONG]
            belongs = [square for square, cue in shown.items() if cue is Cue.BELONGS]
            dice = Cue.DICE in shown.values()
            if wrong:
                self.hands.lift(wrong[0], self.clock.now())
                if not belongs:
                    self.hands.drop()  # nothing says where it might go
            elif belongs:
                self.put_ready(belongs[0])
            elif not dice:
                return
        raise AssertionError(f"led on and on: {self.view}")

    def put_ready(self, square: Square) -> None:
        """Put what is in the hand, or else the one piece that lies ready and lacks."""
        lacking = letters(self.view.position)[square]
        at_hand = self.hands.in_hand or [letter for letter in self.hands.box if letter == lacking]
        self.hands.put(square, self.clock.now(), at_hand[-1])

    def play_any(self) -> None:
        """Play any ply, but none that ends the game, and mostly one that takes."""
        position = self.view.position
        moves = [move for move in position.moves() if position.play(move).outcome is None]
        takes = [move for move in moves if move.kind is MoveKind.CAPTURE]
        move = self.chance.choice(takes or moves)
        self.play(move)


def evening(
    folder: Path, rules: str, seed: int, plies: int, start: str | None = None
) -> list[PlayedPly]:
    """Play so many plies, if the game does not end before; return those played."""
    journal = Journal(folder)
    newcomer = Newcomer(journal, header(parse_rules(rules), start), seed)
    newcomer.follow()
    for number in range(1, plies + 1):
        if newcomer.view.record.ending:
            break
        newcomer.play_any()
        newcomer.follow()
        view = newcomer.view
        assert len(view.record.moves) == number
        assert view.record.ending or view.phase is Phase.PLAYING
        if not view.record.ending:
            assert newcomer.hands.standing == letters(view.position)
    journal.close()
    return list(newcomer.record.game.plies)


@pytest.mark.parametrize("preset", PRESETS)
def test_the_juggernaut_under_all_rules(tmp_path: Path, preset: str) -> None:
    played = evening(tmp_path, f"{preset}+juggernaut", seed=3, plies=PLIES)
    assert all(len(ply.rolls) == 1 for ply in played)


@pytest.mark.parametrize("rules", ["manator-arena", "ninth-ray-clockwise,duel=arena"])
def test_fights_on_both_boards(tmp_path: Path, rules: str) -> None:
    played = evening(tmp_path, rules, seed=5, plies=2 * PLIES, start=IN_A_MELEE)
    assert {ply.duel.attacker_won for ply in played if ply.duel} == {True, False}


@pytest.mark.soak("reading")
@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("preset", PRESETS)
def test_long_evenings_with_everything(tmp_path: Path, preset: str, seed: int) -> None:
    # In an arena the Princess never fights, so that she takes under none of these rules.
    everything = f"{preset}+juggernaut,duel=arena,princess-takes=no"
    assert evening(tmp_path, everything, seed, plies=60)
