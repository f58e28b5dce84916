"""Packets: golden bytes, round trips, and what damage does to them."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.errors import BadPacket
from firmware_bridge.messages import (
    LONGEST,
    MESSAGES,
    Greet,
    Message,
    Packet,
    Ping,
    ShowColours,
    SwitchEvent,
    Unpacker,
    format_packet,
    has_rest,
    pack,
    parse_packet,
    parts_of,
    stuff,
    unpack,
    unstuff,
)
from tests.firmware_bridge.golden import SENT, Golden, read_golden

LIMITS = {"B": 0xFF, "H": 0xFFFF, "I": 0xFFFFFFFF}


@st.composite
def messages(draw: st.DrawFn) -> Message:
    kind = draw(st.sampled_from(MESSAGES))
    values = [
        draw(st.binary(max_size=300) if code == "rest" else st.integers(0, LIMITS[code]))
        for _, code in parts_of(kind)
    ]
    return kind(*values)  # type: ignore[arg-type]  # drawn by the parts' own types


@given(st.binary(max_size=1000))
def test_stuffed_bytes_have_no_zero_and_come_back(data: bytes) -> None:
    stuffed = stuff(data)
    assert 0 not in stuffed
    assert unstuff(stuffed) == data
    assert len(stuffed) <= len(data) + 1 + len(data) // 254


@pytest.mark.parametrize("size", [0, 1, 253, 254, 255, 508, 509])
def test_blocks_end_where_they_must(size: int) -> None:
    data = bytes(number % 255 + 1 for number in range(size))
    for whole in (data, data + b"\0", b"\0" + data):
        assert unstuff(stuff(whole)) == whole


@pytest.mark.parametrize("stuffed", [b"\x05abc", b"\x00", b"\xff" + bytes(10)])
def test_a_block_cut_short_is_no_packet(stuffed: bytes) -> None:
    with pytest.raises(BadPacket):
        unstuff(stuffed)


@given(messages(), st.integers(0, 255))
def test_packet_and_bytes_are_a_round_trip(message: Message, sequence: int) -> None:
    assert Unpacker().feed(format_packet(sequence, message)) == [(sequence, message)]


@pytest.mark.parametrize("golden", read_golden(), ids=lambda golden: golden.name)
def test_golden_packets_are_written_and_read(golden: Golden) -> None:
    message = unpack(golden.code, golden.payload)
    assert type(message).__name__ == golden.name
    assert format_packet(golden.sequence, message) == golden.packet
    assert Unpacker().feed(golden.packet) == [(golden.sequence, message)]


def test_every_message_has_a_golden_packet() -> None:
    assert {type(message) for _, message in SENT} == set(MESSAGES)
    assert len(read_golden()) == len(SENT)


def test_packets_are_found_however_the_stream_is_cut() -> None:
    stream = b"".join(golden.packet for golden in read_golden())
    rng = Random(1)
    for _ in range(20):
        unpacker, found = Unpacker(), list[Packet]()
        at = 0
        while at < len(stream):
            size = rng.randint(1, 40)
            found += unpacker.feed(stream[at : at + size])
            at += size
        assert [message for _, message in found] == [message for _, message in SENT]
        assert unpacker.bad_packets == 0


@pytest.mark.parametrize("golden", read_golden()[:12], ids=lambda golden: golden.name)
def test_one_flipped_bit_is_never_a_packet(golden: Golden) -> None:
    for at in range(1, len(golden.packet) - 1):
        for bit in range(8):
            harmed = bytearray(golden.packet)
            harmed[at] ^= 1 << bit
            assert Unpacker().feed(bytes(harmed)) == []


def test_garbage_before_a_packet_does_not_take_it_along() -> None:
    unpacker = Unpacker()
    assert unpacker.feed(b"\x12\x99garbage" + format_packet(1, Ping(5))) == [(1, Ping(5))]
    assert unpacker.bad_packets == 1


def test_bytes_without_end_are_thrown_away() -> None:
    unpacker = Unpacker()
    for _ in range(1000):
        assert unpacker.feed(b"\x55" * LONGEST) == []
    assert unpacker.feed(format_packet(1, Ping(5))) == [(1, Ping(5))]
    assert unpacker.bad_packets == 1


@pytest.mark.parametrize("megabytes", [1, pytest.param(10, marks=pytest.mark.soak("line"))])
def test_random_bytes_do_no_harm(megabytes: int) -> None:
    rng, unpacker, sent = Random(1), Unpacker(), (9, SwitchEvent(1, 2, 3, 1))
    for _ in range(megabytes * 100):
        unpacker.feed(rng.randbytes(10_000))
        assert unpacker.feed(format_packet(*sent))[-1] == sent


@pytest.mark.parametrize(
    ("code", "payload"),
    [(0x7F, b""), (Ping.CODE, b"123"), (Greet.CODE, b"123"), (SwitchEvent.CODE, b"")],
)
def test_what_is_no_message_is_refused(code: int, payload: bytes) -> None:
    with pytest.raises(BadPacket):
        unpack(code, payload)


def test_a_packet_shorter_than_any_is_refused() -> None:
    with pytest.raises(BadPacket, match="shorter"):
        parse_packet(stuff(b"ab"))


def test_only_the_last_part_may_have_any_length() -> None:
    for kind in MESSAGES:
        codes = [code for _, code in parts_of(kind)]
        assert "rest" not in codes[:-1]
        assert has_rest(kind) == (codes[-1:] == ["rest"])
    assert pack(ShowColours(b"abc")) == b"abc"
