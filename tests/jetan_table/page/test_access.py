"""Who is let in, who leaves for that, who may change anything, and logs that nobody can fill."""

import logging
from contextlib import suppress

import pytest

from jetan_table.page.access import (
    AT_A_TABLE,
    EVERY_S,
    GRACE_S,
    IN_A_HALL,
    KNOWN_S,
    LOG,
    MANY_GUESSES,
    MOST_KINDS,
    MOST_KNOWN,
    MOST_TOKENS,
    TOKEN_S,
    Access,
    Refused,
    TooManyTries,
    Visit,
    bearer,
    makes_room,
    note_refusal,
    quiet_logs,
    seldom,
    who_leaves,
)
from jetan_table.table.pin import (
    FIRST_WAIT_S,
    FREE_FIRSTS,
    FREE_TRIES,
    HALF_LIFE_S,
    KNOWN_WAIT_S,
    MOST_WAIT_S,
)

NOW = 1000.0
WRONG = "that is not the table's PIN"
UNKNOWN = "token is no longer valid|only who knows the table's PIN"


def visit(address: str, age_s: float = 0.0, waits: bool = True, is_known: bool = False) -> Visit:
    return Visit(address, lambda: None, NOW - age_s, waits, is_known)


def crowd(address: str, count: int, is_known: bool = False) -> list[Visit]:
    """Visits that are being answered, the oldest first."""
    ages = range(count, 0, -1)
    return [visit(address, age_s, waits=False, is_known=is_known) for age_s in ages]


def test_where_there_is_room_nobody_leaves() -> None:
    there = crowd("a", AT_A_TABLE.of_one - 1) + crowd("b", AT_A_TABLE.of_one)
    assert who_leaves(there, visit("a"), NOW) is None


def test_who_asks_nothing_leaves_before_who_is_there_longest() -> None:
    there = crowd("a", AT_A_TABLE.of_one - 2)
    idle, fresh = visit("a", GRACE_S + 0.1), visit("a", GRACE_S - 0.1)
    assert who_leaves([*there, fresh, idle], visit("a"), NOW) is idle
    assert who_leaves([*there, fresh, visit("a", 0.1)], visit("a"), NOW) is there[0]


def test_nobody_leaves_for_others_at_a_crowded_address() -> None:
    there = crowd("a", AT_A_TABLE.of_one)
    other = visit("b", 99)
    leaver = who_leaves([other, *there], visit("a"), NOW)
    assert leaver is there[0]


def test_where_all_is_full_one_of_the_largest_crowd_leaves() -> None:
    there = [visit(f"{number}", 99) for number in range(AT_A_TABLE.connections - 2)]
    pair = crowd("pair", 2)
    assert who_leaves([*there, *pair], visit("new"), NOW) is pair[0]


def test_who_is_known_stays_and_takes_no_strangers_room() -> None:
    known = crowd("a", MOST_KNOWN - 1, is_known=True)
    strangers = crowd("a", AT_A_TABLE.of_one - 1)
    assert who_leaves([*known, *strangers], visit("a"), NOW) is None
    more = [*known, *strangers, visit("a")]
    assert who_leaves(more, visit("a"), NOW) is strangers[0]


def test_too_many_who_are_known_are_let_alone_no_longer() -> None:
    known = crowd("a", MOST_KNOWN, is_known=True)
    assert who_leaves(known, visit("a"), NOW) is known[0]


def test_a_place_among_followers_is_always_kept_for_who_is_known() -> None:
    there = [one for name in "abcd" for one in crowd(name, AT_A_TABLE.followers_of_one)]
    assert makes_room(there, visit("a", is_known=True)) == (True, None)
    assert makes_room(there, visit("a")) == (False, None)


def test_strangers_share_what_room_there_is() -> None:
    half = AT_A_TABLE.followers // 4
    there = [one for name in "abcd" for one in crowd(name, half)]
    assert makes_room(there[1:], visit("e")) == (True, None)
    assert makes_room(there, visit("e")) == (True, there[0])
    assert makes_room(there, visit("b")) == (False, None)


def test_who_is_known_takes_no_room_of_followers() -> None:
    known = crowd("a", AT_A_TABLE.followers, is_known=True)
    assert makes_room(known, visit("a")) == (True, None)


def test_a_hall_has_room_for_hundreds_who_watch() -> None:
    there = [one for name in "ab" for one in crowd(name, IN_A_HALL.followers_of_one)]
    assert len(there) >= 300
    assert makes_room(there[1:], visit("a"), IN_A_HALL) == (True, None)
    assert makes_room(there, visit("a"), IN_A_HALL) == (False, None)
    assert who_leaves(there, visit("a"), NOW, IN_A_HALL) is None


def record(words: str, at: float, error: Exception | None = None) -> logging.LogRecord:
    cause = None if error is None else (type(error), error, None)
    made = logging.LogRecord("log", logging.WARNING, "", 0, words, (), cause)
    made.created = at
    return made


def test_each_kind_is_said_once_a_minute_with_how_often_it_was() -> None:
    lets = seldom()
    assert lets(record("one", 0))
    assert not any(lets(record("one", at)) for at in range(1, 60))
    assert lets(record("two", 1))
    again = record("one", EVERY_S)
    assert lets(again)
    assert again.getMessage() == "one (and 59 more like it)"
    assert not lets(record("one", EVERY_S + 1))


def test_what_follows_from_different_errors_is_of_different_kinds() -> None:
    lets = seldom()
    assert lets(record("failed", 0, ValueError("a")))
    assert not lets(record("failed", 0, ValueError("b")))
    assert lets(record("failed", 0, KeyError("a")))


def test_kinds_without_end_are_one() -> None:
    lets = seldom()
    passed = [lets(record(f"words {number}", 0)) for number in range(1000)]
    assert sum(passed) == MOST_KINDS + 1


def test_what_a_stranger_sent_commands_no_terminal_and_fills_no_log(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with quiet_logs():
        for number in range(100):
            note_refusal(ValueError(f"{number} \x1b[2J{'x' * 9999}"), "/\x1b[2J" + "y" * 9999)
    [message] = [one.getMessage() for one in caplog.records if one.name == LOG.name]
    assert "ValueError" in message
    assert message.isprintable()
    assert len(message) < 500


HERE = "192.0.2.7"


class Guarded:
    """A page that is guarded, and the time there."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.given = 0
        self.access = Access("123456", ["Mars", "mars.local"], lambda: self.now, self._token)

    def _token(self) -> str:
        self.given += 1
        return f"token {self.given}"


@pytest.fixture
def guarded() -> Guarded:
    return Guarded()


@pytest.mark.parametrize(
    "host",
    ["127.0.0.1:1922", "[::1]:1922", "192.0.2.7", "localhost:80", "mars", "MARS.local:1922"],
)
def test_addresses_and_own_names_lead_here(guarded: Guarded, host: str) -> None:
    guarded.access.check_host(host)
    assert guarded.access.enter("123456", HERE)


@pytest.mark.parametrize(
    "host", ["evil.example", "mars.example", "", None, "127.0.0.1.evil.example"]
)
def test_other_names_do_not(guarded: Guarded, host: str | None) -> None:
    with pytest.raises(Refused, match="reached by its address, or as localhost, mars"):
        guarded.access.check_host(host)


def test_only_the_own_page_and_programs_ask(guarded: Guarded) -> None:
    guarded.access.check_origin(None, "mars:1922")
    guarded.access.check_origin("http://mars:1922", "Mars:1922")
    for origin in ("http://evil.example", "https://mars:1922", "http://mars:80", "null"):
        with pytest.raises(Refused, match="only the table's own page"):
            guarded.access.check_origin(origin, "mars:1922")


def test_a_token_holds_while_it_is_used(guarded: Guarded) -> None:
    token = guarded.access.enter("123456", HERE)
    for _ in range(3):
        guarded.now += TOKEN_S - 1
        guarded.access.check_token(token)
    guarded.now += TOKEN_S
    with pytest.raises(Refused, match="no longer valid"):
        guarded.access.check_token(token)


@pytest.mark.parametrize(
    "authorization", [None, "", "Bearer", "Bearer ", "Basic token 1", "Bearer other"]
)
def test_nothing_else_is_a_token(guarded: Guarded, authorization: str | None) -> None:
    guarded.access.enter("123456", HERE)
    with pytest.raises(Refused, match=UNKNOWN):
        guarded.access.check_token(bearer(authorization))
    guarded.access.check_token(bearer("bearer token 1"))


def test_who_guesses_wrong_waits_alone_and_longer_each_time(guarded: Guarded) -> None:
    for _ in range(FREE_TRIES):
        with pytest.raises(Refused, match=WRONG):
            guarded.access.enter("000000", HERE)
    waits = []
    for _ in range(10):
        with pytest.raises(TooManyTries) as refused:
            guarded.access.enter("123456", HERE)
        waits.append(refused.value.wait_s)
        assert guarded.access.enter("123456", "192.0.2.8")
        guarded.now += refused.value.wait_s
        with pytest.raises(Refused, match=WRONG):
            guarded.access.enter("000000", HERE)
    assert waits[:4] == [FIRST_WAIT_S * factor for factor in (1, 2, 4, 8)]
    assert waits[-1] == MOST_WAIT_S
    guarded.now += MOST_WAIT_S
    assert guarded.access.enter("123456", HERE)


def test_a_home_has_one_address_of_the_long_sort(guarded: Guarded) -> None:
    for number in range(FREE_TRIES):
        with pytest.raises(Refused, match=WRONG):
            guarded.access.enter("000000", f"2001:db8:0:1::{number:x}")
    for address in ("2001:db8:0:1:ffff::7", "2001:DB8::1:0:0:0:9"):
        with pytest.raises(TooManyTries):
            guarded.access.enter("123456", address)
    assert guarded.access.enter("123456", "2001:db8:0:2::1")
    for number in range(FREE_TRIES):
        with pytest.raises(Refused, match=WRONG):
            guarded.access.enter("000000", f"::ffff:192.0.2.{number}")
    assert guarded.access.enter("123456", "192.0.2.9")


@pytest.mark.parametrize("addresses", [20, 250, None])
def test_somebody_new_gets_in_while_others_guess(guarded: Guarded, addresses: int | None) -> None:
    """Twenty guesses come every five seconds; somebody new tries every second."""
    heard, waited = 0, []
    for turn in range(400):
        guarded.now += 5.0
        for number in range(20 * turn, 20 * turn + 20):
            address = number % addresses if addresses else number
            with pytest.raises(Refused) as refused:
                guarded.access.enter("000000", f"192.0.2.{address}")
            heard += refused.type is Refused
        if turn % 100 == 99 and addresses:
            waited.append(seconds_until_let_in(guarded, f"198.51.100.{turn}"))
    assert heard < (1000 if addresses else FREE_FIRSTS + 500)
    assert guarded.access.guessed > 30
    assert all(wait <= 10 for wait in waited)
    guarded.now += 30.0
    assert guarded.access.enter("123456", "203.0.113.1"), "and at once when nobody guesses"


def test_somebody_new_gets_in_at_once_while_a_crowd_guesses(guarded: Guarded) -> None:
    """Seven hundred and fifty addresses make 45 guesses a second, from the first one on."""
    crowd, waited = Crowd(guarded, 750), list[float]()
    for _minute in range(10):
        crowd.guess_for(60.0)
        waited.append(crowd.seconds_until_let_in(f"198.51.100.{len(waited)}"))
    assert max(waited) == 0.0
    assert crowd.heard < 5000


def test_ever_new_addresses_guess_no_oftener_for_that(guarded: Guarded) -> None:
    """Nothing tells somebody new from them; but who is known gets in, and all do when they rest."""
    held = guarded.access.enter("123456", HERE)
    crowd = Crowd(guarded)
    crowd.guess_for(600.0)
    assert FREE_FIRSTS < crowd.heard < FREE_FIRSTS + 500
    assert guarded.access.enter("123456", "198.51.100.1", held)
    assert guarded.access.enter("123456", "127.0.0.1", is_here=True)
    guarded.now += 30.0
    assert guarded.access.enter("123456", "198.51.100.1")


class Crowd:
    """Strangers with so many addresses, or no end of them, who together guess 45 times a second."""

    def __init__(self, guarded: Guarded, addresses: int | None = None) -> None:
        self._guarded, self._addresses, self._told = guarded, addresses, 0
        self.heard = 0

    def guess_for(self, seconds: float) -> None:
        for _guess in range(int(45 * seconds)):
            self._guarded.now += 1 / 45
            self._told += 1
            address = self._told % self._addresses if self._addresses else self._told
            try:
                self._guarded.access.enter("000000", f"192.0.2.{address}")
            except Refused as refused:
                self.heard += not isinstance(refused, TooManyTries)

    def seconds_until_let_in(self, address: str) -> float:
        """Return how long somebody new waits who tries once a second, while they guess on."""
        began = self._guarded.now
        while self._guarded.now < began + 3600.0:
            with suppress(TooManyTries):
                self._guarded.access.enter("123456", address)
                return self._guarded.now - began
            self.guess_for(1.0)
        raise AssertionError("not let in within an hour")


def seconds_until_let_in(guarded: Guarded, address: str) -> int:
    for second in range(3600):
        try:
            guarded.access.enter("123456", address)
        except TooManyTries:
            guarded.now += 1.0
        else:
            return second
    raise AssertionError("not let in within an hour")


def test_a_few_wrong_pins_are_no_guessing(guarded: Guarded) -> None:
    for number in range(MANY_GUESSES):
        assert guarded.access.guessed == 0
        with pytest.raises(Refused, match=WRONG):
            guarded.access.enter("000000", f"192.0.2.{number}")
    assert guarded.access.guessed == MANY_GUESSES
    guarded.now += 5 * HALF_LIFE_S
    assert guarded.access.guessed == 0


def test_the_token_used_least_lately_is_forgotten_first(guarded: Guarded) -> None:
    first, second = (guarded.access.enter("123456", HERE) for _ in range(2))
    guarded.access.check_token(first)
    for _ in range(MOST_TOKENS - 1):
        guarded.access.enter("123456", HERE)
    guarded.access.check_token(first)
    with pytest.raises(Refused, match=UNKNOWN):
        guarded.access.check_token(second)


@pytest.mark.parametrize(
    "host",
    [
        *("[::1", "[", "]", "a@[b", "[::1]evil.example", "[::1].evil.example", "[::1]:", "[]"),
        *("evil.example@127.0.0.1", "127.0.0.1/evil.example", "127.0.0.1:80:80", "mars:999999"),
        *("mars evil.example", "[127.0.0.1]", "[1.2]", "::1", "m\u00e4rs", "mars\n", "mars:1a"),
    ],
)
def test_what_is_no_host_is_refused_as_that(guarded: Guarded, host: str) -> None:
    with pytest.raises(Refused, match="is none") as refused:
        guarded.access.check_host(host)
    assert refused.value.status == 400


def guess(guarded: Guarded, addresses: int) -> None:
    """Guess at the PIN from so many addresses, until none of them is heard."""
    for number in range(addresses):
        for _ in range(FREE_TRIES + 1):
            with pytest.raises(Refused):
                guarded.access.enter("000000", f"192.0.2.{number}")
            guarded.now += 1.0


def test_strangers_lock_nobody_out_who_has_held_a_token(guarded: Guarded) -> None:
    held = guarded.access.enter("123456", HERE)
    guarded.now += 10 * TOKEN_S
    guess(guarded, 20)
    with pytest.raises(Refused, match=UNKNOWN):
        guarded.access.check_token(held)
    with pytest.raises(TooManyTries):
        guarded.access.enter("123456", "192.0.2.19")
    assert guarded.access.enter("123456", "192.0.2.19", held)


def test_nor_a_program_on_the_machine_itself(guarded: Guarded) -> None:
    guess(guarded, 20)
    assert guarded.access.enter("123456", "127.0.0.1", is_here=True)


def test_who_has_held_a_token_guesses_no_oftener_than_others(guarded: Guarded) -> None:
    held = guarded.access.enter("123456", HERE)
    for _ in range(3 * FREE_TRIES):
        with pytest.raises(Refused):
            guarded.access.enter("000000", HERE, held)
        guarded.now += 1.0
    with pytest.raises(TooManyTries) as refused:
        guarded.access.enter("123456", HERE, held)
    assert refused.value.wait_s <= KNOWN_WAIT_S
    assert guarded.access.enter("123456", HERE)


def test_a_token_is_known_for_a_day_and_a_guessed_one_never(guarded: Guarded) -> None:
    held = guarded.access.enter("123456", HERE)
    guarded.now += KNOWN_S - 1
    assert guarded.access.knows(held)
    guarded.now += 1
    assert not guarded.access.knows(held)
    assert not guarded.access.knows("")
    assert not guarded.access.knows("token 2")


def test_the_own_screen_needs_one_token_alone(guarded: Guarded) -> None:
    player = guarded.access.enter("123456", HERE)
    tokens = {guarded.access.enter_unasked() for _ in range(2 * MOST_TOKENS)}
    assert len(tokens) == 1
    guarded.access.check_token(player)
    guarded.now += TOKEN_S
    assert guarded.access.enter_unasked() not in tokens
