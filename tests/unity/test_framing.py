"""Side channel messages, byte by byte and in any number."""

from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridge.unity.framing import CHANNEL, pack_frame, unpack_frames, unpack_messages

channels = st.uuids() | st.just(CHANNEL)


def test_a_message_stands_behind_its_channel_and_its_length() -> None:
    # As System.Guid.ToByteArray() writes it: the first three parts back to front.
    uuid = bytes.fromhex("0e6f3c5d0b8a524c9a3e1f6b2d7c9e41")
    assert pack_frame(b"abc") == uuid + b"\x03\x00\x00\x00" + b"abc"


@given(st.lists(st.tuples(channels, st.binary(max_size=40)), max_size=6))
def test_what_was_framed_is_found_again(sent: list[tuple[UUID, bytes]]) -> None:
    data = b"".join(pack_frame(payload, channel) for channel, payload in sent)
    assert [(channel, bytes(payload)) for channel, payload in unpack_frames(data)] == sent
    own = [payload for channel, payload in sent if channel == CHANNEL]
    assert [bytes(payload) for payload in unpack_messages(data)] == own


@given(st.binary(max_size=30), st.integers(1, 1000))
def test_a_message_that_is_cut_off_is_refused(payload: bytes, cut: int) -> None:
    data = pack_frame(payload)
    with pytest.raises(ValueError, match=r"cut off|claims"):
        list(unpack_frames(data[: -min(cut, len(data) - 1)]))


def test_a_negative_length_is_refused() -> None:
    with pytest.raises(ValueError, match="claims -1 bytes"):
        list(unpack_frames(CHANNEL.bytes_le + b"\xff\xff\xff\xff"))
