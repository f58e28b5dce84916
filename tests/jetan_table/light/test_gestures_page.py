"""The page of the evening shows the gestures as the table obeys them."""

from xml.etree import ElementTree

from docs.gestures_page import BOARDS, FOLDER, PAGE, lifted, pictures, with_table
from jetan_table.languages import LANGUAGES
from jetan_table.light.words import GESTURE_ROWS, gesture_lines
from jetan_table.session.gestures import Deed, sign_of
from rules import Position, parse_rules


def test_the_pictures_are_as_their_script_draws_them() -> None:
    kept = {path.name: path.read_text() for path in FOLDER.glob("*.svg")}
    assert {name: kept.get(name) for name in pictures()} == pictures(), (
        "run python -m docs.gestures_page"
    )
    for text in pictures().values():
        ElementTree.fromstring(text)


def test_the_table_is_as_its_script_writes_it() -> None:
    page = PAGE.read_text()
    assert page == with_table(page), "run python -m docs.gestures_page"


def test_every_gesture_by_lifting_is_pictured_as_it_is_obeyed() -> None:
    for board, rules in BOARDS.items():
        start = Position.start(parse_rules(rules))
        for deed in set(Deed) - {Deed.NEW_GAME}:
            gesture = sign_of(start, lifted(board, deed))
            assert gesture is not None
            assert gesture.deed is deed


def test_every_gesture_is_told_in_every_language() -> None:
    assert set(GESTURE_ROWS) == set(Deed)
    for language in LANGUAGES:
        assert len(gesture_lines(language)) == 1 + len(Deed)
