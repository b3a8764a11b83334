"""Former names of keyword arguments."""

import inspect
from pathlib import Path

import pytest

import luban
from bridge.rpc.client import connect
from bridge.rpc.server import LubanServer
from pysim.former_names import accept_former_keywords


@accept_former_keywords(old="new", older="new")
def double(*, new: int = 1) -> int:
    """Return twice a number."""
    return 2 * new


@pytest.mark.parametrize("name", ["old", "older"])
def test_former_keyword_warns_and_is_taken(name: str) -> None:
    with pytest.warns(DeprecationWarning, match=f"{name} is now new") as told:
        assert double(**{name: 4}) == 8
    assert told[0].filename == __file__


def test_keyword_of_today_gives_no_warning() -> None:
    assert double(new=3) == 6 and double() == 2
    assert double.__doc__ == "Return twice a number."
    assert list(inspect.signature(double).parameters) == ["new", "former"]


def test_both_names_at_once_are_refused() -> None:
    with pytest.raises(TypeError, match="old is now new: give one of them"):
        double(old=1, new=2)


def test_unknown_keyword_is_refused() -> None:
    with pytest.raises(TypeError, match="oldest"):
        double(oldest=1)


def test_start_takes_former_keywords_here_and_on_a_server(tmp_path: Path) -> None:
    former = {"obs": "state", "history_window": 2, "picture_size": 64, "picture_format": "raw"}
    today = {"observation": "state", "history": 2, "image_size": 64, "image_format": "raw"}
    with LubanServer(tmp_path) as server, connect(server.address) as client:
        for start in (luban.start, client.start):
            with pytest.warns(DeprecationWarning, match="is now"):
                first = start("burr-half-lap", **former)
            second = start("burr-half-lap", **today)
            assert first.observe().text() == second.observe().text()
            first.end(), second.end()
        with pytest.warns(DeprecationWarning, match="mode is now observation"):
            client.start("burr-half-lap", mode="state").end()


def test_gymnasium_takes_former_keywords() -> None:
    gymnasium = pytest.importorskip("gymnasium", reason="NOT TESTED: no gymnasium")
    with pytest.warns(DeprecationWarning, match="is now (observation|image_size)"):
        env = gymnasium.make("luban.envs:Luban/Burr-v0", obs="text", picture_size=64)
    seen, _ = env.reset()
    assert set(seen) == {"budget", "text"}
    env.close()


def test_inspect_tasks_take_former_options() -> None:
    pytest.importorskip("inspect_ai", reason="NOT TESTED: no inspect_ai")
    from luban.inspect_tasks import levels

    with pytest.warns(DeprecationWarning, match="is now"):
        task = levels("burr-half-lap", obs="state", window=2, size=64)
    assert len(task.dataset) == 1
