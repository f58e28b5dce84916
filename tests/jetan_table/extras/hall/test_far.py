"""Two tables far apart: clumsy hands and a bad line, and in the end one game on both disks."""

import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from random import Random

import click
import pytest
from msgspec.structs import replace

from jetan_table.boards.screen import TypedHands
from jetan_table.extras.hall import topics
from jetan_table.extras.hall.broker import Broker
from jetan_table.extras.hall.far import FarPlayer
from jetan_table.extras.hall.far_match import (
    FarState,
    accepted,
    check_match,
    is_unpressed,
    match_text,
    read_state,
    side_of_match,
)
from jetan_table.extras.hall.link import BrokerLink, Links
from jetan_table.extras.hall.options import FarOptions
from jetan_table.extras.hall.payloads import encode
from jetan_table.extras.hall.seats import BrokerFiles
from jetan_table.extras.hall.settings import HallSettings
from jetan_table.extras.hall.table_link import played_far, telling
from jetan_table.game.agreements import BadTimeControl
from jetan_table.game.clock import Times
from jetan_table.game.commands import (
    AcceptDraw,
    CommandRefused,
    Correct,
    DeclineDraw,
    OfferDraw,
    PressClock,
    Resign,
    TakeBackLast,
)
from jetan_table.game.events import Ending, GameId
from jetan_table.game.record import Record
from jetan_table.journal.archive import Archive
from jetan_table.settings import Settings
from jetan_table.table.dice import Seeds
from rules import (
    Move,
    MoveKind,
    Position,
    RulesError,
    Side,
    format_position,
    parse_move,
    parse_rules,
)
from rules.sentences import Worded
from tests.jetan_table.extras.hall.line import BadLine
from tests.jetan_table.extras.hall.mosquitto import Mosquitto, free_port, until
from tests.jetan_table.sitting import STEP_S, Evening, sitting

pytestmark = pytest.mark.needs("mosquitto")

CODE = "TARSTA"
START = format_position(Position.start(parse_rules("appendix")))


class FarTable:
    """One of the two tables, with people whose hands are clumsy by chance."""

    def __init__(self, evening: Evening, far: FarPlayer, links: Links, link: BrokerLink) -> None:
        self.evening, self.far, self.links, self.link = evening, far, links, link
        self.clumsiness = 0.0

    @property
    def record(self) -> Record:
        return self.evening.table.record

    def is_own_turn(self) -> bool:
        return self.record.position.side is self.far.own_side

    def step(self, seconds: float = 0.2) -> None:
        """Let time pass; the table looks often, for the far one may tell something at any time."""
        clock = self.evening.clock
        until = clock.now() + seconds
        while clock.now() < until:
            self.evening.table.step(clock.now())
            clock.sleep(STEP_S)

    def play(self, move: Move) -> None:
        """Let hands play, and the table read it."""
        before = self.record
        hands, clock = self.evening.hands, self.evening.clock
        hands.move([move.from_square, move.to_square], clock.now())
        for _count in range(40):
            self.step(0.1)
            if self.record is not before:
                return

    def tidy(self) -> None:
        """Let hands set right what the table leads them to."""
        hands: TypedHands = self.evening.hands
        hands.set_up(self.evening.table.view.position, self.evening.clock.now())
        self.step(3.0)

    def live(self, rng: Random) -> None:
        """Do what people would do now, or something else."""
        self.step()
        view = self.evening.table.view
        if self.record.ending is not None:
            return
        if is_unpressed(self.record) and not self.is_own_turn() and rng.random() < 0.2:
            self.evening.tell(PressClock())
        if view.leading.repair is not None or view.leading.missing or view.leading.extra:
            self.tidy()
        elif view.help.wish is not None:
            move = view.help.wish
            if rng.random() < self.clumsiness:
                move = rng.choice(sorted(self.record.position.moves()))
            self.play(move)
        elif not view.notes and rng.random() < self.clumsiness / 25:
            with suppress(CommandRefused):
                self.evening.tell(TakeBackLast())
        elif view.notes:
            if any("asks to" in note for note in view.notes):
                self.evening.tell(rng.choice((TakeBackLast(), DeclineDraw())))
        elif self.is_own_turn():
            self.play(rng.choice(self.choices()))

    def choices(self) -> list[Move]:
        """Return the plies that people choose from: any, or such as bring a fight about."""
        moves = sorted(self.record.position.moves())
        if self.record.game.start.rules["duel"] == "off":
            return moves
        fights = [move for move in moves if move.kind is MoveKind.CAPTURE]
        way = 1 if self.far.own_side is Side.BLACK else -1
        moves.sort(key=lambda move: way * (move.to_square // 10 - move.from_square // 10))
        return fights or moves[-5:]


@contextmanager
def far_table(folder: Path, name: str, port: int, state: FarState) -> Iterator[FarTable]:
    path = folder / name / "far" / f"{CODE}.json"
    seeds = Seeds(folder / name / "seeds", Random(name).randbytes)
    far = FarPlayer(CODE, name, read_state(path) or state, path, seeds)
    reads = [topics.match_topic(CODE, "+")]
    link = BrokerLink(Broker("127.0.0.1", port), f"far-{name}", reads, far.take_in, again_s=0.3)
    links = Links([link], time.monotonic)
    with sitting(folder / name) as evening, closing(links.start()):
        evening.table.welcome(far.start(link))
        yield FarTable(evening, far, links, link)


def states(rules: str = "appendix", clock: str = "none") -> tuple[FarState, FarState]:
    start = format_position(Position.start(parse_rules(rules)))
    invitation = side_of_match("Tara", "black", rules, start, clock)
    return FarState(invitation), FarState(accepted(invitation, "alpha", "Gahan"))


@contextmanager
def match(
    folder: Path, ports: tuple[int, int], rules: str = "appendix", clock: str = "none"
) -> Iterator[tuple[FarTable, FarTable]]:
    one, other = states(rules, clock)
    with (
        far_table(folder, "alpha", ports[0], one) as alpha,
        far_table(folder, "beta", ports[1], other) as beta,
    ):
        together(
            alpha, beta, lambda: alpha.record.header.black == "Tara" and both_begun(alpha, beta)
        )
        for table in (alpha, beta):
            table.tidy()
        yield alpha, beta


@pytest.fixture
def pair(
    tmp_path: Path, mosquitto: Mosquitto, request: pytest.FixtureRequest
) -> Iterator[tuple[FarTable, FarTable]]:
    """Two tables at one broker that play by the rules and the clock of a test."""
    asked = getattr(request, "param", ("appendix", "none"))
    with match(tmp_path, (mosquitto.port,) * 2, *asked) as both:
        yield both


@pytest.fixture
def alpha(pair: tuple[FarTable, FarTable]) -> FarTable:
    return pair[0]


@pytest.fixture
def beta(pair: tuple[FarTable, FarTable]) -> FarTable:
    return pair[1]


def both_begun(alpha: FarTable, beta: FarTable) -> bool:
    return alpha.record.header.orange == beta.record.header.orange == "Gahan"


def differences(*tables: FarTable) -> str:
    """Say what each of two tables has, where they do not come together."""
    return "\n".join(
        f"{match_text(t.record)}\n{t.record.ending}\n{t.far._state}\n{t.evening.table.view.notes}"
        f"\n{t.evening.table.view.leading}\n{t.record.question}"
        for t in tables
    )


def together(alpha: FarTable, beta: FarTable, is_so: object) -> None:
    assert callable(is_so)
    ends = time.monotonic() + 30
    while not is_so():
        assert time.monotonic() < ends, differences(alpha, beta)
        for table in (alpha, beta):
            table.step(0.05)
        time.sleep(0.002)


def agree(alpha: FarTable, beta: FarTable) -> None:
    together(alpha, beta, lambda: match_text(alpha.record) == match_text(beta.record))


def kept_text(folder: Path, game: GameId) -> str:
    with closing(Archive.open(folder)) as archive:
        return match_text(archive.record(game))


def test_a_ply_of_one_board_is_carried_out_on_the_other(alpha: FarTable, beta: FarTable) -> None:
    alpha.play(parse_move("Pd2-d3", alpha.record.position))
    together(alpha, beta, lambda: beta.evening.table.view.help.wish is not None)
    wish = beta.evening.table.view.help.wish
    assert wish is not None
    # Hands that play something else are led back.
    beta.play(parse_move("Pe2-e3", beta.record.position))
    together(alpha, beta, lambda: beta.record.moves == ())
    beta.tidy()
    assert beta.evening.table.view.help.wish == wish
    beta.play(wish)
    assert beta.record.moves == alpha.record.moves == ("Pd2-d3",)
    beta.play(parse_move("Pe9-e8", beta.record.position))
    agree_after_wish(beta, alpha)


@pytest.mark.parametrize("pair", [("cazaux", "none")], indirect=True)
def test_hands_do_not_end_the_game_for_the_far_side(alpha: FarTable, beta: FarTable) -> None:
    alpha.play(parse_move("Qf1~g7", alpha.record.position))
    agree_after_wish(alpha, beta)
    beta.play(parse_move("Ph9-h8", beta.record.position))
    together(alpha, beta, lambda: alpha.evening.table.view.help.wish is not None)
    alpha.play(parse_move("Fd10xg7", alpha.record.position))  # takes the Princess
    together(alpha, beta, lambda: alpha.record.moves == ("Qf1~g7",))
    assert alpha.record.ending is None
    alpha.tidy()
    agree_after_wish(beta, alpha)


def test_neither_table_speaks_for_the_other(alpha: FarTable, beta: FarTable) -> None:
    alpha.play(parse_move("Pd2-d3", alpha.record.position))
    for command in (Resign("orange"), OfferDraw("orange"), Correct(START)):
        with pytest.raises(CommandRefused):
            alpha.evening.tell(command)
    assert alpha.record.ending is None
    agree_after_wish(alpha, beta)


def agree_after_wish(alpha: FarTable, beta: FarTable) -> None:
    together(alpha, beta, lambda: beta.evening.table.view.help.wish is not None)
    wish = beta.evening.table.view.help.wish
    assert wish is not None
    beta.play(wish)
    agree(alpha, beta)


def test_two_who_give_up_at_the_same_moment_have_drawn(alpha: FarTable, beta: FarTable) -> None:
    for table in (alpha, beta):
        table.evening.tell(Resign())
    together(alpha, beta, lambda: alpha.record.ending and beta.record.ending)
    assert alpha.record.ending == beta.record.ending == Ending("draw", "agreed")
    agree(alpha, beta)


def test_who_gives_up_has_lost_without_the_ply_that_was_under_way(
    alpha: FarTable, beta: FarTable
) -> None:
    alpha.play(parse_move("Pd2-d3", alpha.record.position))
    beta.evening.tell(Resign())
    together(alpha, beta, lambda: alpha.record.ending and beta.record.ending)
    assert alpha.record.ending == beta.record.ending == Ending("black", "resigned")
    assert alpha.record.moves == ()
    agree(alpha, beta)


def test_who_gives_up_twice_has_lost_though_nobody_hears(
    alpha: FarTable, beta: FarTable, mosquitto: Mosquitto
) -> None:
    mosquitto.kill()
    beta.evening.tell(Resign())
    beta.step(1.0)
    assert any("is told" in note for note in beta.evening.table.view.notes)
    beta.evening.tell(Resign())
    assert beta.record.ending == Ending("black", "resigned")
    mosquitto.start()
    agree(alpha, beta)


def test_a_draw_is_offered_here_and_taken_there(alpha: FarTable, beta: FarTable) -> None:
    alpha.evening.tell(OfferDraw())
    together(alpha, beta, lambda: beta.record.offer is not None)
    for command in (AcceptDraw(), DeclineDraw()):
        with pytest.raises(CommandRefused):
            alpha.evening.tell(command)
    beta.evening.tell(AcceptDraw())
    together(alpha, beta, lambda: alpha.record.ending and beta.record.ending)
    assert alpha.record.ending is not None
    assert alpha.record.ending.result == "draw"
    agree(alpha, beta)


def test_a_draw_that_is_declined_there_is_offered_no_more_here(
    alpha: FarTable, beta: FarTable
) -> None:
    for asker, asked in ((alpha, beta), (beta, alpha), (alpha, beta)):
        asker.evening.tell(OfferDraw())
        together(alpha, beta, lambda asked=asked: asked.record.offer is not None)
        asked.evening.tell(DeclineDraw())
        assert asker.record.offer is asker.far.own_side
        together(alpha, beta, lambda asker=asker: asker.record.offer is None)
        assert asker.record.ending is None
    alpha.play(parse_move("Pd2-d3", alpha.record.position))
    agree_after_wish(alpha, beta)


def test_plies_are_taken_back_when_both_sides_say_so(alpha: FarTable, beta: FarTable) -> None:
    with pytest.raises(CommandRefused, match="no move"):
        alpha.evening.tell(TakeBackLast())
    alpha.play(parse_move("Pd2-d3", alpha.record.position))
    agree_after_wish(alpha, beta)
    beta.play(parse_move("Pe9-e8", beta.record.position))
    agree_after_wish(beta, alpha)
    played = plies_of(alpha, beta)
    ask_back(alpha, beta)
    assert plies_of(alpha, beta) == played == (2, 2)
    with pytest.raises(CommandRefused, match="has been asked"):
        alpha.evening.tell(TakeBackLast())
    beta.evening.tell(DeclineDraw())
    together(alpha, beta, lambda: not alpha.evening.table.view.notes)
    assert plies_of(alpha, beta) == played
    ask_back(alpha, beta)
    beta.evening.tell(TakeBackLast())
    together(alpha, beta, lambda: plies_of(alpha, beta) == (0, 0))
    for table in (alpha, beta):
        table.tidy()
    alpha.play(parse_move("Pe2-e3", alpha.record.position))
    agree_after_wish(alpha, beta)
    assert beta.record.moves == ("Pe2-e3",)


def plies_of(*tables: FarTable) -> tuple[int, ...]:
    return tuple(len(table.record.moves) for table in tables)


def ask_back(asker: FarTable, asked: FarTable) -> None:
    asker.evening.tell(TakeBackLast())
    together(asker, asked, lambda: any("asks to" in n for n in asked.evening.table.view.notes))


def test_hands_that_play_for_the_far_side_after_a_take_back_are_led_back(
    alpha: FarTable, beta: FarTable
) -> None:
    alpha.play(parse_move("Pd2-d3", alpha.record.position))
    agree_after_wish(alpha, beta)
    beta.play(parse_move("Pe9-e8", beta.record.position))
    together(alpha, beta, lambda: alpha.evening.table.view.help.wish is not None)
    ask_back(beta, alpha)
    alpha.evening.tell(TakeBackLast())
    # Beta has yet to take its ply back when hands play another one for it, and answer that.
    alpha.play(parse_move("Pf9-f8", alpha.record.position))
    alpha.play(parse_move("Pe2-e3", alpha.record.position))
    together(alpha, beta, lambda: plies_of(alpha, beta) == (1, 1))
    for table in (alpha, beta):
        table.tidy()
    beta.play(parse_move("Pg9-g8", beta.record.position))
    agree_after_wish(beta, alpha)
    assert alpha.record.moves == ("Pd2-d3", "Pg9-g8")


def test_no_clock_pays_for_the_line(tmp_path: Path, mosquitto: Mosquitto) -> None:
    with ExitStack() as ends:
        line = ends.enter_context(closing(BadLine(mosquitto.port, 1, trouble=0.0)))
        ports = (mosquitto.port, line.port)
        alpha, beta = ends.enter_context(match(tmp_path, ports, clock="10"))
        alpha.play(parse_move("Pd2-d3", alpha.record.position))
        agree_after_wish(alpha, beta)
        # Orange's clock is beta's: what it ran at alpha until the ply was certain is given back.
        together(alpha, beta, lambda: own_left(alpha, "orange") == 600.0)
        line.close()
        until(lambda: not beta.link.is_up)
        clocks = beta.record.clocks
        assert clocks is not None
        beta.play(parse_move("Pe9-e8", beta.record.position))
        left = own_left(beta, "orange")
        # An hour passes at both tables while the line is cut.
        for table in (alpha, beta):
            for _count in range(36):
                table.evening.clock.sleep(100.0)
                table.step(0.02)
        assert own_left(beta, "orange") == left
        assert own_left(alpha, "orange") == 600.0
        assert alpha.record.ending is None
        assert beta.record.ending is None
        assert not beta.link.is_up
        beta.step()
        assert any("no connection" in note for note in beta.evening.table.view.notes)


@pytest.mark.parametrize("pair", [("appendix", "10+5 buttons")], indirect=True)
def test_a_ply_goes_over_the_line_once_its_player_has_pressed(
    alpha: FarTable, beta: FarTable
) -> None:
    alpha.play(parse_move("Pd2-d3", alpha.record.position))
    for _count in range(20):
        for table in (alpha, beta):
            table.step(0.1)
        time.sleep(0.01)
    assert beta.evening.table.view.help.wish is None
    with pytest.raises(CommandRefused, match="for itself"):
        beta.evening.tell(PressClock())
    alpha.evening.tell(PressClock())
    with pytest.raises(CommandRefused, match="for itself"):
        alpha.evening.tell(PressClock())
    agree_after_wish(alpha, beta)
    together(alpha, beta, lambda: running(beta) is Side.ORANGE)
    beta.play(parse_move("Pe9-e8", beta.record.position))
    beta.step(30.0)
    assert running(beta) is Side.ORANGE
    beta.evening.tell(PressClock())
    left = own_left(beta, "orange")
    assert left < 600 - 29 + 5
    agree_after_wish(beta, alpha)
    together(alpha, beta, lambda: running(alpha) is Side.BLACK)
    together(alpha, beta, lambda: abs(own_left(alpha, "orange") - left) < 0.02)


def running(table: FarTable) -> Side | None:
    return None if table.record.clocks is None else table.record.clocks.running


@pytest.mark.parametrize("pair", [("appendix", "hourglass 3")], indirect=True)
def test_an_hourglass_runs_the_same_at_both_tables(alpha: FarTable, beta: FarTable) -> None:
    alpha.play(parse_move("Pd2-d3", alpha.record.position))
    agree_after_wish(alpha, beta)
    beta.step(20.0)
    beta.play(parse_move("Pe9-e8", beta.record.position))
    agree_after_wish(beta, alpha)
    used = 180.0 - own_left(beta, "orange")
    assert used > 19.0
    together(alpha, beta, lambda: abs(began_with(alpha).orange - (180.0 - used)) < 0.02)
    alpha.step(30.0)
    alpha.play(parse_move("Pe2-e3", alpha.record.position))
    agree_after_wish(alpha, beta)
    black = own_left(alpha, "black")
    assert black < 180.0 + used - 29.0
    together(alpha, beta, lambda: abs(began_with(beta).black - black) < 0.02)
    for table in (alpha, beta):
        whole = own_left(table, "black") + own_left(table, "orange")
        assert abs(whole - 360.0) < 0.05


def began_with(table: FarTable) -> Times:
    clocks = table.record.clocks
    assert clocks is not None
    return clocks.began


def own_left(table: FarTable, side: str) -> float:
    clocks = table.record.clocks
    assert clocks is not None
    return float(getattr(clocks.until(table.evening.clock.now()).left, side))


def test_a_match_goes_on_after_both_tables_were_off(tmp_path: Path, mosquitto: Mosquitto) -> None:
    ports = (mosquitto.port,) * 2
    with match(tmp_path, ports) as (alpha, beta):
        alpha.play(parse_move("Pd2-d3", alpha.record.position))
        agree_after_wish(alpha, beta)
    mosquitto.kill()
    mosquitto.start()
    one, other = states()
    with (
        far_table(tmp_path, "alpha", ports[0], one) as alpha,
        far_table(tmp_path, "beta", ports[1], other) as beta,
    ):
        for table in (alpha, beta):
            table.tidy()
        beta.play(parse_move("Pe9-e8", beta.record.position))
        assert beta.record.moves == ("Pd2-d3", "Pe9-e8")
        agree_after_wish(beta, alpha)


def test_a_third_table_is_not_let_in(alpha: FarTable, beta: FarTable) -> None:
    third = accepted(alpha.far._state.side, "alpha", "Cluros")
    alpha.far.take_in(topics.match_topic(CODE, "gamma"), encode(third))
    alpha.far.take_in(topics.match_topic(CODE, "beta"), b"garbage")
    alpha.play(parse_move("Pd2-d3", alpha.record.position))
    agree_after_wish(alpha, beta)
    assert alpha.far._state.side.other == "beta"


def test_a_far_ply_that_cannot_be_stops_the_game(alpha: FarTable, beta: FarTable) -> None:
    forged = replace(alpha.far._state.side, rev=99, plies=("Pd2-d9",), stands=1)
    beta.far.take_in(topics.match_topic(CODE, "alpha"), encode(forged))
    beta.step(1.0)
    notes = beta.evening.table.view.notes
    assert any("contradicts" in note for note in notes)
    assert isinstance(notes[-1], Worded)
    assert beta.record.moves == ()
    mended = replace(forged, rev=100, plies=(), stands=0)
    beta.far.take_in(topics.match_topic(CODE, "alpha"), encode(mended))
    beta.step(1.0)
    assert not beta.evening.table.view.notes


@pytest.mark.parametrize(
    ("rules", "clock"),
    [("appendix", "10+5 levers"), ("nothing", "none")],
)
def test_what_two_tables_cannot_play_is_refused(rules: str, clock: str) -> None:
    with pytest.raises((BadTimeControl, RulesError)):
        check_match(rules, clock)


def test_a_match_is_invited_to_and_accepted_by_its_code(tmp_path: Path) -> None:
    files = BrokerFiles(tmp_path / "broker")
    for name in ("alpha", "beta"):
        files.seat(name, lambda name=name: f"secret of {name}")  # type: ignore[misc]
    port = free_port()
    files.write_config(port, "127.0.0.1")
    with Mosquitto(tmp_path, files.config, port), ExitStack() as ends:
        players = []
        evenings = []
        for name in ("alpha", "beta"):
            evening = ends.enter_context(sitting(tmp_path / name))
            hall = HallSettings(
                broker=f"mqtt://127.0.0.1:{port}", table=name, password=str(files.secret(name))
            )
            teller = ends.enter_context(telling(Settings(extras=(hall,)), 0.0, time.monotonic))
            evening.table.welcome(teller)
            player = played_far(
                FarOptions(CODE, "black"),
                Settings(extras=(hall,)),
                "appendix",
                tmp_path / name,
                teller,
            )
            assert player is not None
            evening.table.welcome(player)
            players.append(player)
            evenings.append(evening)
        assert [player.own_side.word for player in players] == ["black", "orange"]
        ends_at = time.monotonic() + 20
        while any(evening.table.record.header.orange != "beta" for evening in evenings):
            assert time.monotonic() < ends_at
            for evening in evenings:
                evening.wait(0.1)
        evenings[0].move("d2", "d3")
        while evenings[1].table.view.help.wish is None:
            assert time.monotonic() < ends_at
            evenings[1].wait(0.1)
    assert FarOptions("new", "black").code("ABCDEF") == "ABCDEF"
    for wrong in ("short", "sevenxx", "123456"):
        with pytest.raises(click.UsageError):
            FarOptions(wrong, "black").code("")
