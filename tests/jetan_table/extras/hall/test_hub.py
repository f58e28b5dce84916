"""What a hall believes: the newest word of each table, checked; all else is refused by name, and
what is said is documented for boards that others build.
"""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random

import msgspec
import pytest
from msgspec.structs import replace

from docs.hall_schemas import FILE, text
from jetan_table.extras.hall.hub import HallArchive, Hub
from jetan_table.extras.hall.payloads import (
    GAME,
    HEALTH,
    MOST_PAYLOAD_BYTES,
    ONLINE,
    PAYLOADS,
    BadWord,
    Health,
    Payload,
    SaidClock,
    SaidGame,
    decode,
    encode,
    schemas,
    table_topic,
    text_hash,
)
from rules import Game, Position, parse_move, parse_rules
from rules.text import GameText, format_game, result_word
from tests.tidy.tree import ROOT


def test_the_documented_schemas_are_those_of_the_program() -> None:
    assert FILE.read_text(encoding="utf-8") == text(), "python -m docs.hall_schemas"


@pytest.mark.parametrize("kind", PAYLOADS)
def test_every_payload_has_its_topic_in_the_page_and_refuses_what_it_does_not_know(
    kind: type[Payload],
) -> None:
    page = (ROOT / "docs" / "hall.md").read_text(encoding="utf-8")
    assert f"`{kind.topic}`" in page
    assert kind.topic in schemas()
    for name in kind.__struct_fields__:
        assert name == "v" or f"`{name}`" in page, f"docs/hall.md says nothing of {name}"
    with pytest.raises(BadWord):
        decode(msgspec.json.encode({"v": 1, "nothing": 0}), kind)


ALPHA = table_topic("alpha", GAME)


def game_of(plies: int, seed: int = 1) -> Game:
    """A game of chance."""
    rng = Random(seed)
    game = Game.begin(Position.start(parse_rules("appendix")))
    while len(game.plies) < plies and game.outcome is None:
        game = game.play(rng.choice(sorted(game.position.moves())))
    return game


def told_game(game: Game, rev: int, number: int = 1, **tags: str) -> SaidGame:
    text = format_game(GameText(game, tags))
    return SaidGame(
        game=number,
        rev=rev,
        plies=len(game.plies),
        hash=text_hash(text),
        jgn=text,
        result=result_word(game.outcome),  # type: ignore[arg-type]
    )


@pytest.fixture
def hub(tmp_path: Path) -> Iterator[Hub]:
    with closing(HallArchive(tmp_path)) as archive:
        yield Hub(archive)


def test_the_newest_word_counts_and_the_same_again_is_nothing(hub: Hub) -> None:
    for rev in (2, 4, 7):
        content = encode(told_game(game_of(rev), rev))
        assert hub.take_in(ALPHA, content) is hub.tables["alpha"]
        assert hub.take_in(ALPHA, content) is None
    text = hub.tables["alpha"].text
    assert text is not None
    assert len(text.game.plies) == 7
    assert text.game == game_of(7)
    assert not hub.refused


def test_plies_taken_back_and_played_otherwise_are_read_rightly(hub: Hub) -> None:
    hub.take_in(ALPHA, encode(told_game(game_of(9), 9)))
    other = game_of(5)
    rng = Random(99)
    for _count in range(6):
        other = other.play(rng.choice(sorted(other.position.moves())))
    hub.take_in(ALPHA, encode(told_game(other, 20)))
    text = hub.tables["alpha"].text
    assert text is not None
    assert text.game == other


def test_every_game_by_chance_is_read_ply_by_ply_as_it_is_as_a_whole(hub: Hub) -> None:
    for seed in range(5):
        whole = game_of(30, seed)
        for count in range(0, len(whole.plies) + 1, 3):
            part = Game(whole.positions[: count + 1], whole.plies[:count])
            hub.take_in(ALPHA, encode(told_game(part, seed * 100 + count, seed)))
            text = hub.tables["alpha"].text
            assert text is not None
            assert text.game == part


GOOD = told_game(game_of(4), 10)
CLOCK = SaidClock("10+5", 605.0, 600.0, 1.8e9, "black")
WELL = Health(board="pins", version="1", since=1.8e9)


def timed(**wrong: float) -> tuple[str, bytes, str]:
    """Return a game whose clock shows something that none does."""
    return ALPHA, encode(replace(GOOD, rev=11, clock=replace(CLOCK, **wrong))), "not understood"


def ill(**wrong: float) -> tuple[str, bytes, str]:
    """Return a health with a number that none has."""
    health = encode(replace(WELL, **wrong))
    return table_topic("alpha", HEALTH), health, "not understood"


FORGED = {
    "an old revision": (ALPHA, encode(told_game(game_of(2), 3)), "old"),
    "a hash of another text": (ALPHA, encode(replace(GOOD, rev=11, hash="0" * 64)), "false"),
    "other plies than told": (
        ALPHA,
        encode(
            replace(GOOD, rev=11, jgn=GOOD.jgn + "\n", hash=text_hash(GOOD.jgn + "\n"), plies=9)
        ),
        "false",
    ),
    "an illegal ply": (
        ALPHA,
        encode(
            replace(
                GOOD,
                rev=11,
                jgn=(bad := GOOD.jgn.replace("1. ", "1. Pa2-a9 ", 1)),
                hash=text_hash(bad),
            )
        ),
        "false",
    ),
    "an unknown key": (ALPHA, encode(GOOD)[:-1] + b',"more":1}', "not understood"),
    "another version": (ALPHA, encode(GOOD).replace(b'"v":1', b'"v":2'), "not understood"),
    "too many bytes": (ALPHA, b" " * (MOST_PAYLOAD_BYTES + 1), "too large"),
    "no JSON": (ALPHA, b"\xff\x00", "not understood"),
    "deep nesting": (ALPHA, b"[" * 60_000, "not understood"),
    "another online": (table_topic("alpha", ONLINE), b"2", "not understood"),
    "another's topic": ("jetan/table/alpha/other", b"1", "no topic"),
    "a clock without end": timed(black_s=1e308),
    "a clock that ran out long ago": timed(orange_s=-5.0),
    "a moment that no calendar has": timed(at=1e15),
    "a moment before there were any": timed(at=-1.0),
    "a beginning that no calendar has": ill(since=-1e308),
    "lamps brighter than all": ill(brightness=1.5),
    "no table's name": ("jetan/table/Al pha/online", b"1", "no topic"),
}


@pytest.mark.parametrize("what", FORGED)
def test_what_cannot_be_so_is_refused_by_name_and_changes_nothing(hub: Hub, what: str) -> None:
    hub.take_in(ALPHA, encode(GOOD))
    topic, content, why = FORGED[what]
    assert hub.take_in(topic, content) is None
    assert hub.refused == {why: 1}
    assert hub.tables["alpha"].said_game == GOOD
    assert hub.tables["alpha"].health is None
    assert hub.tables.keys() == {"alpha"}


def test_times_that_can_be_are_taken_in(hub: Hub) -> None:
    for rev, left_s in enumerate((0.0, -0.4, 86_400.0, 900_000.0), 11):
        word = replace(GOOD, rev=rev, clock=replace(CLOCK, black_s=left_s))
        assert hub.take_in(ALPHA, encode(word)) is not None
    assert hub.take_in(table_topic("alpha", HEALTH), encode(WELL)) is not None


def test_any_garbage_is_refused(hub: Hub) -> None:
    rng = Random(4)
    good = encode(GOOD)
    hub.take_in(ALPHA, good)
    for _count in range(1000):
        spoiled = bytearray(good)
        for _times in range(rng.randint(1, 8)):
            spoiled[rng.randrange(len(spoiled))] = rng.randrange(256)
        hub.take_in(rng.choice([ALPHA, "x", "jetan/table//game"]), bytes(spoiled))
    assert hub.tables.keys() == {"alpha"}
    shown = hub.tables["alpha"].text
    assert shown is not None
    assert shown.game == game_of(4)
    assert sum(hub.refused.values()) > 600


def test_a_hall_that_comes_back_knows_what_it_knew(tmp_path: Path) -> None:
    with closing(HallArchive(tmp_path)) as archive:
        hub = Hub(archive)
        hub.take_in(ALPHA, encode(told_game(game_of(9), 9, 1)))
        hub.take_in(ALPHA, encode(told_game(game_of(3), 14, 2)))
    with closing(HallArchive(tmp_path)) as archive:
        again = Hub(archive)
        assert again.tables["alpha"].said_game == hub.tables["alpha"].said_game
        assert len(archive.games("alpha")) == 2
        again.forget("alpha")
        assert again.take_in(ALPHA, encode(told_game(game_of(1), 1))) is not None


def test_words_move_by_the_hash_alone_only_where_the_text_is_the_same(hub: Hub) -> None:
    hub.take_in(ALPHA, encode(GOOD))
    other = parse_move("Pd2-d3", Position.start(parse_rules("appendix")))
    false = told_game(Game.begin(Position.start(parse_rules("appendix"))).play(other), 12)
    assert hub.take_in(ALPHA, encode(replace(false, hash=GOOD.hash))) is None
    assert hub.refused["false"] == 1
