"""What the page says of fights, the die, the end, and a game that is watched."""

from __future__ import annotations

from collections.abc import Mapping

from rules.sentences import Sentence, _

DRAMA_WORDS: Mapping[str, Sentence] = {
    "slower": _("Slower"),
    "faster": _("Faster"),
    "halt": _("Pause"),
    "go-on": _("Go on"),
    "watch-pace": _("One move in {seconds} s"),
}
