"""The disk whose plug is pulled: what a cut leaves of folders that were given another name."""

from random import Random

import pytest

from tests.faults.disk import Call, Disk, Loss

WRITTEN = b"a game"
SYNC_WORK = (Call("open", ("3", "0", "/disk")), Call("sync", ("3", "0")), Call("close", ("3",)))


def disk_with_a_game() -> Disk:
    return Disk({"/disk": None, "/disk/games": None, "/disk/games/1": WRITTEN})


def left(disk: Disk, loss: Loss) -> dict[str, bytes | None]:
    """What a cut leaves, but for the folder around all."""
    found = disk.after_cut(loss, Random(1))
    assert found.pop("/disk", b"") is None
    return found


def do(disk: Disk, *calls: Call) -> None:
    for call in calls:
        disk.do(call)


RENAMED = Call("rename", ("/disk/games", "/disk/games.lost-1"))
BEFORE = {"/disk/games": None, "/disk/games/1": WRITTEN}
AFTER = {"/disk/games.lost-1": None, "/disk/games.lost-1/1": WRITTEN}


def test_a_renamed_folder_takes_its_files_along() -> None:
    disk = disk_with_a_game()
    do(disk, RENAMED, *SYNC_WORK)
    for loss in Loss:
        assert left(disk, loss) == AFTER


def test_a_cut_before_the_sync_of_its_folder_leaves_all_under_the_old_name_or_the_new() -> None:
    disk = disk_with_a_game()
    do(disk, RENAMED)
    assert left(disk, Loss.ALL) == BEFORE
    assert left(disk, Loss.NONE) == AFTER
    found = [disk.after_cut(Loss.SOME, Random(seed)) for seed in range(20)]
    assert all(one in ({"/disk": None, **BEFORE}, {"/disk": None, **AFTER}) for one in found)
    assert len({len(str(one)) for one in found}) == 2


@pytest.mark.parametrize("is_synced", [False, True])
def test_what_was_new_in_a_folder_is_as_certain_under_its_new_name(is_synced: bool) -> None:
    """A file that was not certain of its name is none the more so by its folder's new one."""
    disk = disk_with_a_game()
    new = (
        Call("open", ("4", "1", "/disk/games/2")),
        Call("write", ("4", "0", "3"), b"new"),
        Call("sync", ("4", "0")),
    )
    folder = "/disk/games.lost-1"
    sync_folder = (Call("open", ("5", "0", folder)), Call("sync", ("5", "0")))
    do(disk, *new, RENAMED, *SYNC_WORK, *(sync_folder if is_synced else ()))
    kept = {f"{folder}/2": b"new"}
    assert left(disk, Loss.ALL) == AFTER | (kept if is_synced else {})
    assert left(disk, Loss.NONE) == AFTER | kept


def test_another_folder_of_the_old_name_holds_only_its_own() -> None:
    """As where the texts of a lost journal are put away, and new ones begun."""
    disk = disk_with_a_game()
    again = (Call("mkdir", ("/disk/games",)), Call("open", ("6", "1", "/disk/games/1")))
    do(disk, RENAMED, *again, *SYNC_WORK)
    assert left(disk, Loss.ALL) == AFTER | {"/disk/games": None}
    assert left(disk, Loss.NONE) == AFTER | {"/disk/games": None, "/disk/games/1": b""}
