"""Who reaches the pages, what they may do there, and what no byte of a message tells."""

import json
import signal
import ssl
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bridge.web.guarding import POLICY
from pysim.catalog import encode_level, find_level
from pysim.puzzle import Outcome
from tests.adapters.secrets import (
    always_secret,
    every_form,
    found_in,
    hidden_cells,
    picture_texts,
    secret_in_pictures_only,
    without_pictures,
)
from tests.commands import Luban
from tests.rpc.certificates import certificate
from tests.sampling import by_day, more
from tests.web.screens import open_screen
from tests.web.servers import Page, Server, client, plan_calls, serve
from tests.web.test_playing import LOCK, SHORT

HOSTILE = (
    "</script></title><script>window.pwned = 1</script>"
    '<img src=x onerror="window.pwned = 2">{{7*7}}&lt;\u202e'
)
MODES: list[dict[str, bool]] = [{}, {"practice": True}, {"pictures": True}]
Answer = tuple[int, Any, bytes]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serve([level.id for level in SHORT], tmp_path_factory.mktemp("runs")) as started:
        yield started


class _Stay(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *arguments: Any) -> None:
        return None


def get(address: str, **headers: str) -> Answer:
    """The status, the headers and the body of an answer."""
    opener = urllib.request.build_opener(_Stay)
    request = urllib.request.Request(address, headers=headers)
    try:
        with opener.open(request, timeout=30) as answer:
            return answer.status, answer.headers, answer.read()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.headers, error.read()


PATHS = ("/", "/static/app.js", "/static/app.css", "/api/home", "/api/levels/0", "/nothing")


@pytest.mark.parametrize("path", PATHS)
def test_every_answer_has_the_policy(server: Server, path: str) -> None:
    _, headers, _ = get(server.origin + path)
    assert headers["content-security-policy"] == POLICY
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["x-frame-options"] == "DENY"
    assert "unsafe" not in POLICY and "*" not in POLICY


@pytest.mark.parametrize("path", ["/static/../application.py", "/static/%2e%2e/serving.py"])
def test_no_other_file_is_served(server: Server, path: str) -> None:
    assert get(server.origin + path)[0] == 404


@pytest.mark.parametrize("host", ["evil.example", "evil.example:80", "127.0.0.1.evil.example:9"])
def test_name_that_leads_here_from_elsewhere_is_refused(server: Server, host: str) -> None:
    assert get(server.origin, host=host)[0] == 421


@pytest.mark.parametrize(
    "origin", ["https://evil.example", "http://127.0.0.1:1", "null", "http://localhost"]
)
def test_websocket_of_another_site_is_refused(server: Server, origin: str) -> None:
    with pytest.raises(Exception, match="403"), Page(server, origin=origin):
        pass


def test_websocket_without_an_origin_is_refused(server: Server) -> None:
    address = server.origin.replace("http", "ws", 1) + "/api/play"
    with pytest.raises(Exception, match="403"), client.connect(address):
        pass


def test_no_byte_to_a_playing_page_tells_a_secret(server: Server) -> None:
    """Of families, by day each in one mode, with refusals, a reload and a second page."""
    others: set[str] = set()
    for number, level in list(enumerate(SHORT))[: more(3, night=len(SHORT))]:
        calls = plan_calls(level)
        for turn in range(more(1, night=len(MODES))):
            mode = MODES[(number + turn) % len(MODES)]
            with Page(server) as page:
                head, _ = page.begin(type="start", level=number, **mode)
                page.ask(type="act", name="fly", arguments={"where": HOSTILE})
                for call in calls[:-1]:
                    page.act(call)
                page.ask(type="undo")
                if head["key"]:
                    page.begin(type="resume", key=head["key"])
                page.ask(type="resume", key="0123456789abcdef.x")
                page.ask(type="give_up")
                told: list[str | bytes] = [*page.sent, get(f"{server.origin}/api/home")[2]]
            secrets = always_secret(level, calls[:-1], server.runs) | others
            assert found_in(without_pictures(told), every_form(secrets)) == set()
            if mode.get("pictures"):
                assert picture_texts(told)
                hidden = hidden_cells(level, calls) | secret_in_pictures_only(level, calls)
                assert found_in(without_pictures(told), every_form(hidden)) == set()
            others |= {head["key"]} - {""}


def test_what_is_looked_for_is_on_the_page_of_a_level(server: Server) -> None:
    """So that it can be found."""
    _, _, plan = get(f"{server.origin}/api/levels/0/plan")
    _, _, about = get(f"{server.origin}/api/levels/0")
    found = found_in([plan, about], every_form(always_secret(SHORT[0], [])))
    assert SHORT[0].id in found
    assert len(found) > 2


def test_other_machines_need_a_key(tmp_path: Path) -> None:
    level = SHORT[0].id
    options = ("--host", "0.0.0.0", "--insecure", "--operator-key", "sesame")
    with serve([level], tmp_path, *options) as server:
        here = f"http://127.0.0.1:{server.port}"
        for path in PATHS:
            status, headers, body = get(here + path)
            assert status == 401
            assert headers["content-security-policy"] == POLICY
            assert b"sesame" not in body
        assert get(f"{here}/?key=guess")[0] == 401
        status, headers, _ = get(f"{here}/?key=sesame")
        assert (status, headers["location"]) == (303, "/")
        cookie = headers["set-cookie"]
        assert "HttpOnly" in cookie and "samesite=strict" in cookie.lower()
        assert get(here, cookie="luban-key=sesame")[0] == 200
        there = Server(here, tmp_path, server.process)
        with pytest.raises(Exception, match="403"), Page(there):
            pass


@pytest.mark.parametrize("host", ["0.0.0.0", "192.0.2.7", "::"])
def test_command_lets_other_machines_in_with_tls_only(luban: Luban, host: str) -> None:
    assert "--tls-cert" in luban("web", SHORT[0].id, "--host", host).complaint()


def test_pages_are_served_over_tls(tmp_path: Path) -> None:
    pair = certificate(tmp_path, "web")
    options = ("--tls-cert", str(pair[0]), "--tls-key", str(pair[1]))
    context = ssl.create_default_context(cafile=pair[0])
    with serve([SHORT[0].id], tmp_path, *options) as server:
        assert server.origin.startswith("https://")
        with urllib.request.urlopen(server.origin, context=context, timeout=30) as answer:
            assert answer.headers["content-security-policy"] == POLICY


def test_texts_of_a_level_run_as_no_script(browser: Any, tmp_path: Path) -> None:
    lock = find_level("burr-three-bars")
    document = encode_level(lock) | {"id": "hostile", "name": HOSTILE}
    document["source"] = {"designer": HOSTILE, "reference": HOSTILE}
    document["facts"] = {"moves": 3, "note": HOSTILE}
    path = tmp_path / "hostile.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    with (
        serve([str(path), SHORT[1].id], tmp_path / "runs") as server,
        open_screen(browser, server.address) as screen,
    ):
        screen.go("#/")
        screen.page.wait_for_selector(".card")
        assert screen.text(".card strong") == HOSTILE
        screen.page.click(".card")
        screen.page.wait_for_selector("canvas[data-frames]")
        assert screen.text("h1") == HOSTILE
        screen.page.click("text=Show a plan")
        screen.page.wait_for_selector(".plan-place canvas[data-frames]")
        screen.begin("practice")
        assert screen.text("h1") == HOSTILE
        assert screen.page.evaluate("() => window.pwned ?? 0") == 0
        assert screen.page.locator("img[src=x]").count() == 0


def test_solved_episode_can_not_go_on(server: Server) -> None:
    with Page(server) as page:
        head, _ = page.begin(type="start", level=0)
        for call in plan_calls(SHORT[0]):
            turn = page.act(call)
        assert turn["state"]["outcome"] == Outcome.SOLVED
        assert page.act(call)["type"] == "error"
        _, state = page.begin(type="resume", key=head["key"])
        assert state["outcome"] == Outcome.SOLVED


def test_port_that_is_taken_is_told_in_a_line(luban: Luban, server: Server) -> None:
    words = luban("web", SHORT[0].id, "--port", server.port).complaint()
    assert f"can't listen on 127.0.0.1:{server.port}" in words


@pytest.mark.parametrize("number", by_day([signal.SIGTERM, signal.SIGINT]))
def test_signal_stops_a_server_in_the_middle_of_an_episode(tmp_path: Path, number: int) -> None:
    with serve([LOCK.id], tmp_path) as server, Page(server) as page:
        head, _ = page.begin(type="start", level=0)
        server.process.send_signal(number)
        assert server.process.wait(timeout=30) == 0
    with serve([LOCK.id], tmp_path) as server, Page(server) as page:
        assert page.begin(type="resume", key=head["key"])[0]["type"] == "episode"
