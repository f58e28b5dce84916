"""A player of the table's own: it searches, errs as people do where it should, and explains."""

from .. import Extra


class Opponent(Extra):
    """Who plays, advises and explains without hands."""

    commands = {
        "match": "Let two players play, and tell the stronger.",
    }


EXTRA = Opponent()
