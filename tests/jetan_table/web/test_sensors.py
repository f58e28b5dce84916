"""The report of the sensors holds no secrets."""

from jetan_table.web.sensors import without_addresses


def test_an_address_that_may_hold_a_password_is_left_out() -> None:
    line = "no picture from the camera: rtsp://me:secret@cam.local/1: refused"
    assert without_addresses(line) == "no picture from the camera: … refused"
    assert without_addresses("board silent for 3 s") == "board silent for 3 s"
