"""What the hall's page itself says."""

from __future__ import annotations

from collections.abc import Mapping

from rules.sentences import Sentence, _

from ..languages import LANGUAGES, Language, translation

HALL_PAGE: Mapping[str, Sentence] = {
    "title": _("The hall"),
    "wall": _("All boards"),
    "away": _("no connection to the hall, trying again …"),
    "live": _("live"),
    "late-plies": _("shown {count} moves late"),
    "late-minutes": _("shown {count} minutes late"),
    "black": _("Black"),
    "orange": _("Orange"),
    "to-move": _("to move"),
    "offline": _("the table is away"),
    "asks": _("the table asks"),
    "ill": _("the board is ill"),
    "no-tables": _("No table has told this hall anything yet."),
    "plies": _("{count} moves"),
    "won-black": _("Black won"),
    "won-orange": _("Orange won"),
    "draw": _("draw"),
    "moves": _("Moves"),
    "before-first": _("before the first move"),
    "round": _("Round {number}"),
    "standings": _("Standings"),
    "place": _("Place"),
    "player": _("Player"),
    "points": _("Points"),
    "opponents": _("Points of the opponents"),
    "bye": _("no opponent: a point"),
    "arbiter": _("Arbiter"),
    "pin": _("The hall’s PIN"),
    "enter": _("Enter"),
    "leave": _("Leave"),
    "answer": _("It was {square}"),
    "right": _("The board is right"),
    "back": _("Take back"),
    "stop-clocks": _("Stop the clocks"),
    "start-clocks": _("Let the clocks go on"),
    "set-position": _("Set up this position"),
    "set-position-why": _("The table shows on its lamps what is to be moved."),
    "position": _("Position text"),
    "adjudicate": _("The game is over"),
    "forget": _("Forget this table"),
    "sure": _("{what}: sure?"),
    "tournament": _("Tournament"),
    "players": _("Players, one a line, the strongest first"),
    "tables": _("Tables, one a line"),
    "system": _("Who meets whom"),
    "berger": _("everybody everybody (Berger)"),
    "swiss": _("Swiss"),
    "rules": _("Rules"),
    "clock": _("Clock"),
    "conduct": _("Conduct"),
    "friendly": _("friendly"),
    "strict": _("strict"),
    "begin": _("Begin"),
    "pair": _("Pair the next round"),
    "unpair": _("Undo the pairs"),
    "said": _("The table has been told."),
    "games": _("Games of the round"),
    "as-csv": _("As a table (CSV)"),
}
"""Every text of the hall's page by its key; `{names}` are filled in there."""

HALL_WORDS: Mapping[Language, Mapping[str, str]] = {
    language: {key: str(translation(language)(text)) for key, text in HALL_PAGE.items()}
    for language in LANGUAGES
}
"""The same in words, by language."""
