"""What a camera told is held to what was played by the numbers of the plies."""

from bench.vision.ledger import Account, Done
from rules import Square

ONE, TWO, THREE, FOUR = (Done((Square(each), Square(each + 1))) for each in range(0, 8, 2))
WANDER = Done((Square(50), Square(51)), is_ply=False)


def counted(account: Account) -> tuple[float, float, float]:
    figures = account.figures("x")
    return figures["x/right"], figures["x/wrong"], figures["x/missed"]


def test_a_step_of_the_juggernaut_that_is_not_seen_makes_no_ply_wrong() -> None:
    account = Account([ONE, WANDER, TWO])
    account.tell(1, ONE, 1)
    account.tell(2, TWO, 3)
    assert counted(account) == (2, 0, 1)


def test_a_ply_that_is_not_seen_makes_the_next_one_wrong() -> None:
    account = Account([ONE, TWO, THREE])
    account.tell(1, ONE, 1)
    account.tell(2, THREE, 3)
    assert counted(account) == (1, 1, 1)


def test_what_is_asked_about_keeps_its_place_while_more_is_asked_and_told() -> None:
    account = Account([ONE, TWO, THREE, FOUR])
    account.tell(1, ONE, 1)
    account.ask(2, is_ply=True)
    account.ask(3, is_ply=True)
    account.tell(4, FOUR, 4)
    assert counted(account) == (2, 0, 2)
    account.tell(2, TWO, 4)
    assert counted(account) == (3, 0, 1)
    account.take_back(4)
    account.take_back(3)
    assert account.record == [ONE.squares, TWO.squares]
    assert account.taken_back == 1
