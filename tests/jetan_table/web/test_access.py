"""Who may change anything."""

import pytest

from jetan_table.table.pin import TRIES_ALL, TRIES_EACH, TRIES_S
from jetan_table.web.access import (
    MOST_TOKENS,
    TOKEN_S,
    Access,
    NoToken,
    StrangeHost,
    StrangeOrigin,
    TooManyTries,
    WrongPin,
)

HERE = "192.0.2.7"


class Hall:
    """A door, and the time there."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.given = 0
        self.door = Access("123456", ["Mars", "mars.local"], lambda: self.now, self._token)

    def _token(self) -> str:
        self.given += 1
        return f"token {self.given}"


@pytest.fixture
def hall() -> Hall:
    return Hall()


@pytest.mark.parametrize(
    "host",
    ["127.0.0.1:1922", "[::1]:1922", "192.0.2.7", "localhost:80", "mars", "MARS.local:1922"],
)
def test_addresses_and_own_names_lead_here(hall: Hall, host: str) -> None:
    hall.door.check_host(host)
    assert hall.door.enter("123456", HERE)


@pytest.mark.parametrize(
    "host", ["evil.example", "mars.example", "", None, "127.0.0.1.evil.example"]
)
def test_other_names_do_not(hall: Hall, host: str | None) -> None:
    with pytest.raises(StrangeHost, match="reached by its address, or as localhost, mars"):
        hall.door.check_host(host)


def test_only_the_own_page_and_programs_ask(hall: Hall) -> None:
    hall.door.check_origin(None, "mars:1922")
    hall.door.check_origin("http://mars:1922", "Mars:1922")
    for origin in ("http://evil.example", "https://mars:1922", "http://mars:80", "null"):
        with pytest.raises(StrangeOrigin, match="only the table's own page"):
            hall.door.check_origin(origin, "mars:1922")


def test_a_token_holds_while_it_is_used(hall: Hall) -> None:
    token = hall.door.enter("123456", HERE)
    for _ in range(3):
        hall.now += TOKEN_S - 1
        hall.door.check_token(f"Bearer {token}")
    hall.now += TOKEN_S
    with pytest.raises(NoToken, match="holds no longer"):
        hall.door.check_token(f"Bearer {token}")


@pytest.mark.parametrize("told", [None, "", "Bearer", "Bearer ", "Basic token 1", "Bearer other"])
def test_nothing_else_is_a_token(hall: Hall, told: str | None) -> None:
    hall.door.enter("123456", HERE)
    with pytest.raises(NoToken):
        hall.door.check_token(told)


def test_wrong_pins_are_heard_only_so_often(hall: Hall) -> None:
    for _ in range(TRIES_EACH):
        with pytest.raises(WrongPin):
            hall.door.enter("000000", HERE)
    with pytest.raises(TooManyTries) as refused:
        hall.door.enter("123456", HERE)
    assert refused.value.wait_s == TRIES_S
    assert hall.door.enter("123456", "192.0.2.8")
    hall.now += TRIES_S
    assert hall.door.enter("123456", HERE)


def test_many_addresses_together_are_heard_only_so_often(hall: Hall) -> None:
    for number in range(TRIES_ALL):
        with pytest.raises(WrongPin):
            hall.door.enter("000000", f"192.0.2.{number}")
    with pytest.raises(TooManyTries):
        hall.door.enter("123456", "198.51.100.1")


def test_the_token_used_least_lately_is_forgotten_first(hall: Hall) -> None:
    first, second = (hall.door.enter("123456", HERE) for _ in range(2))
    hall.door.check_token(f"Bearer {first}")
    for _ in range(MOST_TOKENS - 1):
        hall.door.enter("123456", HERE)
    hall.door.check_token(f"Bearer {first}")
    with pytest.raises(NoToken):
        hall.door.check_token(f"Bearer {second}")
