"""What everybody is shown of what is amiss."""

from jetan_table.notices import Notice
from jetan_table.web.notice_state import notice_state
from rules.sentences import Worded, _


def test_nobody_is_told_what_the_machine_calls_its_user() -> None:
    found = Worded(_("{user} is not in {missing}"), user="dejah", missing="gpio")
    mend = Worded(
        _("sudo usermod -aG {missing} {user}, then log in anew"), missing="gpio", user="dejah"
    )
    shown = notice_state(Notice("groups", "warn", found, mend))
    assert shown.found["en"] == "$USER is not in gpio"
    assert shown.mend["en"] == "sudo usermod -aG gpio $USER, then log in anew"
