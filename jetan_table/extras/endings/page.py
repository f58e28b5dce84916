"""*Who wins this?*: a page on which few pieces are set, and every answer is seen."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from starlette.requests import Request as HttpRequest
from starlette.responses import Response

from rules import PRESETS, format_move, parse_position, preset_rules

from ...engine.endings import Endings, Worth, find_endings, parse_material, rules_for
from ...game.agreements import named_rules
from ...page.house import Endpoint, House, PagePart
from ...page.pages import page
from ...session.umpire import check_help
from .solving import asked

STATIC: Final = Path(__file__).with_name("static")
HERE: Final = "extras/endings"


class EndingsPage(PagePart):
    """Says who wins, where there are tables."""

    panel = STATIC

    def ways(self) -> Sequence[Endpoint]:
        comes_to = "what a position of few men, and each move in it, comes to if nobody errs"
        return [
            Endpoint("/who-wins", "the page that says who wins", _page, "text/html"),
            Endpoint("/api/endings", "the readings of which there are tables", _readings, "Names"),
            Endpoint("/api/ending", comes_to, _ending, "Ending", needs=("rules", "position")),
        ]


def _page(house: House, request: HttpRequest) -> Response:
    whole = page("who.html", f"{HERE}/who.js", f"{HERE}/who.css", folder=STATIC)
    return Response(whole, media_type="text/html")


def _tables(house: House) -> Endings:
    found: Endings = house.shared.setdefault(Endings, find_endings(os.environ))
    return found


def _readings(house: House, request: HttpRequest) -> list[str]:
    """Return the readings of which there are tables, of whatever men."""
    four = parse_material("CQ-CQ")
    known = {each.rules for head in _tables(house).files.values() for each in head.tables}
    return [name for name in PRESETS if rules_for(preset_rules(name), four) in known]


def _ending(house: House, request: HttpRequest) -> dict[str, Any]:
    check_help(house.mailbox.record)
    rules = named_rules(request.query_params["rules"])
    position = parse_position(request.query_params["position"], rules)
    worth, answers = asked(_tables(house), position)
    moves = [{"move": format_move(move, position), **_told(each)} for move, each in answers.items()]
    return {**_told(worth), "moves": moves}


def _told(worth: Worth) -> dict[str, int]:
    return {"result": worth.result, "plies": worth.plies}
