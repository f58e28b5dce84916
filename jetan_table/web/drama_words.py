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
    "end-analyse": _("Analyse"),
    "end-guess": _("Guess"),
    "show-it": _("Show it"),
    "turning-point": _("Look at the turning point"),
    "keepsake-foot": _("Jetan, the chess of Mars"),
    "keepsake-wait": _("The last moves are being drawn …"),
    "keepsake-picture": _("Picture (PNG)"),
    "keepsake-animation": _("Animation (GIF)"),
    "keepsake-send": _("Send: {what}"),
    "taken": _("Taken: {pieces}"),
    "fight-won": _("The {piece} wins the fight for {square}."),
    "fight-held": _("The {piece} holds {square}."),
    "fight-list-won": _("fight won {throws}"),
    "fight-list-lost": _("fight lost {throws}"),
    "thrown-again": _("Equal at first, and thrown again: {throws}"),
    "rolled-step": _("The Juggernaut steps to {square}."),
    "rolled-leap": _("The Juggernaut appears on {square}."),
    "rolled-crush": _("The Juggernaut crushes the {piece} on {square}."),
    "rolled-rest": _("The Juggernaut rests."),
    "rolled-off": _("That leads off the board: the die is rolled again."),
}
