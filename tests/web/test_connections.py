"""Pages and connections that ask for nothing, and those who come meanwhile."""

import asyncio
import socket
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from bridge.web.connections import PATIENCE, Places
from pysim.puzzle import Outcome
from tests.sampling import by_day
from tests.waiting import wait_for
from tests.web.servers import Page, Server, plan_calls, serve
from tests.web.test_playing import LOCK

PLACES = Places()
MANY = PLACES.others + 88
BEGINNINGS = [b"", b"GET / HTTP/1.1\r\nHost: 127"]


def play(server: Server) -> str:
    with Page(server) as page:
        page.begin(type="start", level=0)
        for call in plan_calls(LOCK):
            turn = page.act(call)
    return str(turn["state"]["outcome"])


def is_closed(connection: socket.socket) -> bool:
    try:
        return connection.recv(1, socket.MSG_DONTWAIT) == b""
    except BlockingIOError:
        return False
    except ConnectionError:
        return True


@pytest.mark.parametrize("beginning", by_day(BEGINNINGS[::-1], name=ascii))
def test_connections_without_a_request_keep_nobody_out(tmp_path: Path, beginning: bytes) -> None:
    with serve([LOCK.id], tmp_path) as server:
        held = [socket.create_connection(("127.0.0.1", server.port))]
        time.sleep(0.5)
        held += [socket.create_connection(("127.0.0.1", server.port)) for _ in range(MANY - 1)]
        for connection in held:
            connection.sendall(beginning)
        wait_for(lambda: sum(map(is_closed, held)) >= MANY - PLACES.others or None)
        assert is_closed(held[0])  # The oldest go.
        assert play(server) == Outcome.SOLVED
        for connection in held:
            connection.close()


@pytest.mark.slow
@pytest.mark.parametrize("beginning", [b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\nGE", *BEGINNINGS])
def test_connection_without_its_next_request_is_closed(tmp_path: Path, beginning: bytes) -> None:
    with serve([LOCK.id], tmp_path) as server:
        connection = socket.create_connection(("127.0.0.1", server.port))
        connection.sendall(beginning)
        connection.settimeout(2 * PATIENCE + 5.0)
        while connection.recv(2**16):
            connection.sendall(b"T")  # Which keeps no connection open.
        connection.close()


def test_page_that_is_quiet_gives_way_to_one_more(tmp_path: Path) -> None:
    async def crowd(server: Server) -> None:
        address = server.origin.replace("http", "ws", 1) + "/api/play"
        held = [await connect(address, origin=server.origin) for _ in range(PLACES.pages)]
        await held[0].send('{"type": "look"}')  # It isn't quiet any more.
        await held[0].recv()
        assert await asyncio.to_thread(play, server) == Outcome.SOLVED
        with pytest.raises(ConnectionClosed, match="1013"):
            await asyncio.wait_for(held[1].recv(), PATIENCE)
        for page in (held[0], held[-1]):
            await page.send('{"type": "look"}')
            assert "error" in await page.recv()
        for page in held:
            page.transport.abort()

    with serve([LOCK.id], tmp_path) as server, ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, crowd(server)).result()  # Browsers have a loop in this one.


def test_places_leave_room_for_logs_where_few_files_may_be_open() -> None:
    few = Places().limit_to(1024)
    assert 2 * few.pages + few.others < 1024 < Places().limit_to(2**20).pages + 1
    assert Places().limit_to(10) == Places(2, 1)
