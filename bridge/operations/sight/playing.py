"""Parts that adapters share: a loop over an episode, rewards, and pictures as they arrive."""

import base64
import binascii
import socket
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, TypeVar

from bridge.episode.observation import View
from bridge.episode.protocol import PlayableEpisode
from bridge.episode.rewards import Reward, RewardRule
from bridge.operations.sight.protocol import Decide, Played, Received
from pysim.catalog import AnyLevel
from pysim.errors import InputError
from pysim.puzzle import ActionError, Outcome

__all__ = [
    "decode_base64",
    "decode_view",
    "play_out",
    "read_data_url",
    "receive",
    "serve_app",
    "sum_rewards",
]

T = TypeVar("T")


def play_out(level: AnyLevel, episode: PlayableEpisode, decide: Decide) -> Played:
    """Let an agent act on an episode until it is over."""
    hashes = [episode.state_hash]
    while episode.outcome is None:
        seen = episode.observe()
        with suppress(ActionError):
            episode.step(decide(Received(seen.text(), seen.views)))
        hashes.append(episode.state_hash)
    solved = episode.outcome is Outcome.SOLVED
    return Played(solved, tuple(hashes), sum_rewards(level, hashes, solved=solved))


def sum_rewards(level: AnyLevel, hashes: list[str], *, solved: bool) -> float:
    """Return the rewards for progress, as a trainer computes them from state hashes."""
    earned = RewardRule(Reward.PROGRESS).begin(level)
    for after in hashes[1:]:
        earned.reward(after, solved=solved and after == hashes[-1], refused=False)
    return earned.total


def decode_view(name: str, data: bytes) -> View:
    """Return a picture as it arrived, with the size that is found in it; 0 x 0 if in vain."""
    for format_, magic in (("png", b"\x89PNG"), ("jpeg", b"\xff\xd8")):
        if data.startswith(magic):
            with suppress(InputError):
                height, width, _ = View(name, 0, 0, format_, data).rgb().shape
                return View(name, width, height, format_, data)
    return View(name, 0, 0, "unknown", data)


def decode_base64(name: str, text: str) -> View:
    """Return a picture that arrived in base64."""
    try:
        return decode_view(name, base64.b64decode(text, validate=True))
    except (binascii.Error, ValueError):
        return View(name, 0, 0, "unknown", text.encode())


def read_data_url(name: str, url: str) -> View:
    """Return a picture that arrived as a data URL."""
    return decode_base64(name, url.partition(";base64,")[2])


def receive(
    texts: Sequence[str], pictures: Sequence[T], decode: Callable[[str, T], View]
) -> Received:
    """Return texts and pictures as they arrived; texts such as ``View net:`` name the pictures.

    Args:
        decode: makes a view of a name, which may be empty, and a picture.
    """
    marks = [text for text in texts if text.startswith("View ") and text.endswith(":")]
    names = [*(mark[5:-1] for mark in marks), *[""] * len(pictures)]
    views = tuple(decode(*pair) for pair in zip(names, pictures, strict=False))
    return Received("\n\n".join(texts), views)


@contextmanager
def serve_app(app: Any, port: int) -> Iterator[str]:
    """Serve an ASGI application of a surface, and give its URL.

    Args:
        port: of this machine; 0 picks a free one.

    Raises:
        OSError: the port is in use.
    """
    import uvicorn  # Not above: only some surfaces have it.

    listening = socket.create_server(("127.0.0.1", port))
    server = uvicorn.Server(uvicorn.Config(app, log_level="error"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    try:
        while not server.started and thread.is_alive():
            time.sleep(0.005)
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join()
