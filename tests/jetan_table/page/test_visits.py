"""Who is let in, and who leaves for that."""

from jetan_table.page.access import (
    AT_A_TABLE,
    GRACE_S,
    IN_A_HALL,
    MOST_KNOWN,
    Visit,
    makes_room,
    who_leaves,
)

NOW = 1000.0


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
