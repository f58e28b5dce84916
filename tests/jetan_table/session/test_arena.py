"""Duels of the arena at a table: entered, decided, carried out by hands, and kept on the disk."""

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from jetan_table.board.repair import HandMove
from jetan_table.game.commands import (
    AnswerQuestion,
    BoardIsRight,
    Command,
    CommandRefused,
    Correct,
    DecideFight,
    Resign,
    RollDie,
    TakeBackLast,
)
from jetan_table.game.events import (
    Cleared,
    DieCommit,
    DuelTold,
    Ending,
    Entry,
    Event,
    Header,
    Ply,
    Settled,
    TakeBack,
)
from jetan_table.game.placement import letters
from jetan_table.game.record import Record
from jetan_table.journal.archive import Archive, GameId
from jetan_table.journal.game_files import game_text
from jetan_table.journal.journal import Journal
from jetan_table.journal.opening import open_game
from jetan_table.lamps.cues import Cue, cues
from jetan_table.reading.readings import Played
from jetan_table.replay.replay import advance, replay_of_game
from jetan_table.session.session import News, Session
from jetan_table.session.view import Phase
from jetan_table.settings import Settings
from jetan_table.simulation.manners import PROFILES
from jetan_table.table.fairness import die_of_tags, judge, rolls_of_game, rolls_of_journal
from jetan_table.table.loop import EagerClock
from jetan_table.terminal.replay_lamps import watch_in_lines
from jetan_table.wiring import seat_people
from rules import BadValue, Kind, Rules, parse_rules, parse_square
from rules.duel import Duel, Throw
from rules.game_reader import parse_game
from tests.jetan_table.hands import Hands, header
from tests.jetan_table.sitting import Evening, sitting

ARENA = parse_rules("manator-arena")
START = "9q/10/5c4/10/4d5/10/4A5/10/3C6/Q9 b BO - 0 1"
"""Black's Padwar on e4 (worth 2) may enter e6, which a Dwar (worth 4) defends."""

BEGUN = header(ARENA, START)
E4, E6 = parse_square("e4"), parse_square("e6")


def entered(rules: Rules = ARENA, start: str = START) -> Hands:
    """Hands that have just put the Padwar on e6, and the Dwar aside."""
    hands = Hands(Session(Record.begin(header(rules, start))))
    hands.take("e4", "e6")
    return hands


def tell(hands: Hands, command: Command) -> None:
    hands.news += hands.session.obey(command, hands.at)
    hands.wait(1.0)


def events(news: Sequence[News]) -> list[Event]:
    return [item.event for item in news if isinstance(item, Entry)]


def in_journal(folder: Path) -> list[Event]:
    archive = Archive.open(folder)
    happened = [entry.event for entry in archive.entries(GameId(1))]
    archive.close()
    return [event for event in happened if not isinstance(event, DieCommit)]


@contextmanager
def arena(folder: Path, begun: Header | None = BEGUN) -> Iterator[Evening]:
    """Sit down in the arena; its page of the journal goes on where it was left."""
    with sitting(folder, begun) as evening:
        evening.wait(1.0)
        yield evening


def enter(evening: Evening) -> None:
    evening.hands.take(E6, evening.clock.now())
    evening.move("e4", "e6")
    assert evening.table.view.dice.fight is not None


def test_a_square_that_is_entered_is_fought_for() -> None:
    hands = entered()
    view = hands.session.view
    assert view.dice.fight is not None
    assert (view.dice.fight.attacker.kind, view.dice.fight.defender.kind) == (
        Kind.PADWAR,
        Kind.DWAR,
    )
    assert (view.moves, view.phase) == (("Ae4xe6",), Phase.PLAYING)
    assert cues(view)[E6] is Cue.DICE
    assert view.standing[E6] == "A"
    assert hands.session.record.game.plies == ()


def test_who_wins_has_the_square_and_play_goes_on() -> None:
    hands = entered()
    tell(hands, DecideFight("9,4"))
    view = hands.session.view
    assert (view.dice.fight, view.phase, view.leading.repair) == (None, Phase.PLAYING, None)
    assert view.dice.duel == Duel(True, (Throw(9, 4, by_hand=True),))
    hands.move("f8", "f7")
    assert [type(event) for event in events(hands.news)] == [Ply, DuelTold, Ply]


def test_who_loses_is_led_off_and_who_stood_there_back() -> None:
    hands = entered()
    tell(hands, DecideFight("3,4"))
    view = hands.session.view
    assert (view.phase, view.leading.repair) == (Phase.SETTING_UP, HandMove("A", E6, None))
    assert cues(view)[E6] is Cue.WRONG
    hands.lift("e6")
    view = hands.session.view
    assert view.leading.placing is not None
    assert (view.leading.placing.letter, view.leading.placing.squares) == ("d", (E6,))
    hands.put("e6")
    hands.wait()
    assert hands.session.view.phase is Phase.PLAYING
    assert hands.session.view.standing[E6] == "d"
    hands.move("f8", "f7")
    assert events(hands.news) == [
        Ply(1, "Ae4xe6"),
        DuelTold(1, "3,4 hand"),
        Cleared("e6"),
        Settled(),
        Ply(2, "Cf8-f7"),
    ]


def test_a_tie_is_thrown_again_and_dice_that_have_begun_decide() -> None:
    hands = entered()
    tell(hands, DecideFight("6,4"))
    assert hands.session.view.dice.fight is not None
    assert hands.session.view.dice.fight.throws == (Throw(6, 4, by_hand=True),)
    with pytest.raises(CommandRefused, match="begun to decide"):
        tell(hands, DecideFight("won"))
    tell(hands, DecideFight("10,1"))
    (ply,) = hands.session.record.game.plies
    assert ply.duel == Duel(True, (Throw(6, 4, True), Throw(10, 1, True)))


def test_players_may_fight_it_out_themselves() -> None:
    hands = entered()
    tell(hands, DecideFight("lost"))
    (ply,) = hands.session.record.game.plies
    assert ply.duel == Duel(False)
    assert hands.session.view.leading.repair == HandMove("A", E6, None)


def test_no_dice_show_an_eleven() -> None:
    hands = entered()
    with pytest.raises(BadValue, match=r"must be 1\.\.10"):
        tell(hands, DecideFight("11,4"))


def test_nothing_follows_while_a_fight_is_open() -> None:
    hands = entered()
    hands.move("f8", "f7")
    assert hands.session.view.leading.repair == HandMove(
        "c", parse_square("f7"), parse_square("f8")
    )
    hands.move("f7", "f8")
    assert events(hands.news) == [Ply(1, "Ae4xe6")]
    with pytest.raises(CommandRefused, match="fight is open"):
        hands.session.obey(RollDie("3"), hands.at)


def test_nobody_fights_where_no_square_was_entered() -> None:
    hands = Hands(Session(Record.begin(BEGUN)))
    for command in (DecideFight("1,2"), DecideFight("won")):
        with pytest.raises(CommandRefused, match="nobody fights"):
            hands.session.obey(command, hands.at)


def test_hands_that_put_both_back_have_taken_the_ply_back() -> None:
    hands = entered()
    hands.lift("e6")
    hands.put("e4")
    hands.put("e6")
    hands.wait()
    assert events(hands.news) == [Ply(1, "Ae4xe6"), TakeBack(1, "hands")]
    assert hands.session.view.dice.fight is None


@pytest.mark.parametrize("is_won", [None, True, False])
def test_an_entered_square_taken_back_in_words_is_led_back(is_won: bool | None) -> None:
    hands = entered()
    if is_won is not None:
        tell(hands, DecideFight("won" if is_won else "lost"))
    tell(hands, TakeBackLast())
    assert hands.session.record.position == hands.session.record.game.start
    assert hands.session.view.leading.repair == HandMove("A", E6, E4)
    hands.lift("e6")
    hands.put("e4")
    hands.put("e6")
    hands.wait()
    hands.move("d2", "d3")
    assert hands.session.view.moves == ("Cd2-d3",)


def test_a_piece_that_goes_on_elsewhere_has_entered_nothing() -> None:
    hands = entered()
    hands.lift("e6")
    hands.put("c4")
    hands.put("e6")
    hands.wait()
    assert hands.session.view.question is None
    assert hands.session.view.moves == ("Ae4-c4",)
    assert hands.session.view.dice.fight is None


def test_a_chief_who_loses_ends_the_game() -> None:
    hands = Hands(
        Session(Record.begin(header(ARENA, "9q/10/10/4d5/10/10/4C5/10/10/Q9 b BO - 0 1")))
    )
    hands.take("e4", "e7")
    tell(hands, DecideFight("lost"))
    assert hands.session.view.ending == Ending("draw", "chief taken by another piece")


def test_a_question_which_square_was_entered_comes_first() -> None:
    hands = Hands(Session(Record.begin(header(ARENA, START.replace("4A5/10", "4A1d3/10")))))
    hands.lift("e4")
    hands.wait(20.0)
    question = hands.session.view.question
    assert question is not None
    assert set(question.candidates) == {"e6", "g4"}
    hands.session.obey(AnswerQuestion("e6"), hands.at)
    fight = hands.session.view.dice.fight
    assert fight is not None
    assert fight.square == E6


def test_resigning_leaves_the_fight_undecided() -> None:
    hands = entered()
    tell(hands, Resign("black"))
    assert hands.session.view.dice.fight is None
    with pytest.raises(CommandRefused, match="nobody fights"):
        tell(hands, DecideFight("won"))


def test_a_correction_ends_a_fight() -> None:
    hands = entered()
    tell(hands, Correct(START.replace(" b ", " o ")))
    assert hands.session.view.dice.fight is None


def test_the_juggernaut_rolls_when_the_fight_is_decided() -> None:
    hands = entered(parse_rules("manator-arena,juggernaut=j9"), START.replace("q/10/", "q/9*/"))
    assert not hands.session.view.dice.is_due
    tell(hands, DecideFight("won"))
    assert hands.session.view.dice.is_due


def test_the_table_throws_for_both_and_anybody_can_check_it(tmp_path: Path) -> None:
    with arena(tmp_path) as evening:
        enter(evening)
        evening.tell(RollDie())
        while evening.table.view.dice.fight is not None:
            evening.tell(RollDie())
        evening.tell(Resign("black"))
        record = evening.table.record
    archive = Archive.open(tmp_path)
    verdict = judge(record.die, rolls_of_journal(BEGUN, archive.entries(GameId(1))))
    archive.close()
    assert (verdict.is_fair, verdict.by_table > 0, verdict.by_hand) == (True, True, 0)
    text = parse_game(game_text(record))
    assert text.game.plies == record.game.plies
    assert judge(die_of_tags(text.tags), rolls_of_game(text.game, text.tags)) == verdict


def test_a_touch_of_the_square_throws(tmp_path: Path) -> None:
    with arena(tmp_path) as evening:
        enter(evening)
        evening.hands.lift(E6, evening.clock.now())
        evening.hands.put(E6, evening.clock.now())
        evening.wait(3.0)
        assert any(isinstance(event, DuelTold) for event in in_journal(tmp_path))


def test_a_power_cut_at_every_moment_of_a_lost_fight(tmp_path: Path) -> None:
    with arena(tmp_path) as evening:
        enter(evening)
    with arena(tmp_path, None) as evening:
        fight = evening.table.view.dice.fight
        assert fight is not None
        assert evening.table.view.phase is Phase.PLAYING
        evening.tell(DecideFight("6,4"))
    with arena(tmp_path, None) as evening:
        fight = evening.table.view.dice.fight
        assert fight is not None
        assert fight.throws == (Throw(6, 4, by_hand=True),)
        evening.tell(DecideFight("1,9"))
    with arena(tmp_path, None) as evening:
        assert evening.table.view.leading.repair == HandMove("A", E6, None)
        evening.hands.take(E6, evening.clock.now())
        evening.wait(2.0)
    with arena(tmp_path, None) as evening:
        placing = evening.table.view.leading.placing
        assert placing is not None
        assert (placing.letter, placing.squares) == ("d", (E6,))
        evening.hands.put(E6, evening.clock.now(), "d")
        evening.wait(3.0)
        assert evening.table.view.phase is Phase.PLAYING
        assert evening.hands.standing == letters(evening.table.view.position)
        evening.move("f8", "f7")
        assert evening.table.view.moves == ("Ae4xe6", "Cf8-f7")


def test_players_may_say_that_the_loser_is_off_already() -> None:
    hands = entered()
    tell(hands, DecideFight("lost"))
    tell(hands, BoardIsRight())
    assert hands.session.view.phase is Phase.PLAYING


def test_a_game_with_fights_is_read_once_more(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with arena(tmp_path) as evening:
        enter(evening)
        evening.tell(DecideFight("1,9"))
        evening.hands.take(E6, evening.clock.now())
        evening.wait(1.0)
        evening.hands.put(E6, evening.clock.now(), "d")
        evening.wait(3.0)
        evening.move("f8", "f7")
        evening.move("d2", "d3")
        assert len(evening.table.view.moves) == 3
    archive = Archive.open(tmp_path)
    replay = replay_of_game(archive, GameId(1))
    archive.close()
    readings = list(advance(replay.source, replay.reader(), replay.ends_at))
    played = [reading.step.squares for reading in readings if isinstance(reading, Played)]
    names = (("e4", "e6"), ("f8", "f7"), ("d2", "d3"))
    assert played == [(parse_square(start), parse_square(end)) for start, end in names]
    assert len(readings) == 3
    archive = Archive.open(tmp_path)
    watch_in_lines(replay_of_game(archive, GameId(1)), EagerClock(), "en")
    archive.close()
    shown = capsys.readouterr().out
    assert "The piece that entered e6 has lost the fight." in shown
    assert "confirmed 3 Cd2-d3" in shown


def test_simulated_people_fight_and_carry_out_what_they_throw(tmp_path: Path) -> None:
    with closing(Journal(tmp_path)) as journal:
        clock, begun = EagerClock(), header(ARENA)
        opened = open_game(journal, begun, begun)
        play = seat_people(journal, opened, Settings(), PROFILES["careful"], 0, clock)
        play.run(lambda news: None)
        duels = [ply.duel for ply in play.table.record.game.plies if ply.duel]
        assert play.is_read_rightly()
        assert {duel.attacker_won for duel in duels} == {True, False}


def test_simulated_people_take_back_what_others_left_undecided(tmp_path: Path) -> None:
    with arena(tmp_path) as evening:
        enter(evening)
        evening.tell(DecideFight("6,4"))
    with closing(Journal(tmp_path)) as journal:
        opened = open_game(journal, None, BEGUN)
        play = seat_people(journal, opened, Settings(), PROFILES["careful"], 0, EagerClock())
        assert play.table.record.fight is None
        assert play.table.record.moves == ()


def test_after_a_power_cut_the_square_that_was_looked_at_last_is_not_touched_yet() -> None:
    """It was taken for half a touch, so that every lift was one, and every putting back none."""
    begun = Record.begin(header(ARENA, "q8d/10/5c3A/10/10/10/10/10/3C6/Q9 b BO - 0 1"))
    hands = Hands(Session(begun))
    hands.take("j8", "j10")
    fought = hands.session.record
    again = Hands(Session(fought), fought.stands)
    again.lift("j10")
    assert not again.session.is_throw_wanted
    again.put("j10")
    assert again.session.is_throw_wanted
