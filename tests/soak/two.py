"""Two processes on one folder: one of them works, the other says so, and the result is whole.

A case is one race, of one of the long commands or of two servers.
"""

import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from bridge.recording.log import read_log
from bridge.rpc.client import ServerError
from tests.soak.budget import Budget, Finding, Row, make_rng
from tests.soak.commands import Runner, verdict_of
from tests.soak.long import LONG, Content, Long, prepared
from tests.soak.servers import ServerProcess, begin_server

__all__ = ["attack"]

EPISODES = 20


def attack(budget: Budget, seed: int) -> Row:
    """Run ``budget.count`` races."""
    row = Row("two-at-once", "races of two processes")
    place = budget.work("two-at-once")
    whole: dict[str, Content] = {}
    with Runner() as runner:
        prepared(runner, place)
        for case in budget.cases():
            number = case % (len(LONG) + 1)
            if number == len(LONG):
                _servers(budget, row, place / str(case), case, seed)
            else:
                _commands(budget, runner, row, place, LONG[number], whole, case, seed)
            row.number += 1
            budget.watch(row)
    return row


def _commands(
    budget: Budget,
    runner: Runner,
    row: Row,
    place: Path,
    long: Long,
    whole: dict[str, Content],
    case: int,
    seed: int,
) -> None:
    if long.name not in whole:
        folder = place / f"{long.name}-whole"
        folder.mkdir()
        assert (ended := long.run(runner, folder)).status == 0, ended.words
        whole[long.name] = long.content(folder / "out")
    folder = place / f"{long.name}-{case}"
    folder.mkdir()
    begun = [runner.start(list(long.arguments), folder)]
    time.sleep(make_rng(seed, "two-at-once", case).choice((0, 0, 0.05, 0.3)))
    begun.append(runner.start(list(long.arguments), folder))
    ended = [runner.wait(pid) for pid in begun]
    for one in ended:
        if verdict := verdict_of(one):
            budget.tell(row, Finding(case, verdict, f"{long.name}: {one.words}"), seed)
    # Who came too late may have to be told again; nothing may be needed but that.
    again = ended[0] if 0 in (one.status for one in ended) else long.run(runner, folder)
    if 0 not in (*(one.status for one in ended), again.status):
        words = f"{long.name}: nobody has done it: {[one.words for one in (*ended, again)]}"
        budget.tell(row, Finding(case, "lost", words), seed)
    elif long.content(folder / "out") != whole[long.name]:
        budget.tell(row, Finding(case, "lost", f"{long.name}: the folder differs"), seed)


def _servers(budget: Budget, row: Row, folder: Path, case: int, seed: int) -> None:
    """Two servers keep their episodes in one folder, all under one name."""
    with ThreadPoolExecutor(2) as pool:
        servers = list(pool.map(begin_server, [folder] * 2))
        try:
            names = [name for found in pool.map(_episodes, servers) for name in found]
        except ServerError as error:
            budget.tell(row, Finding(case, "lost", f"two servers: {error}"), seed)
            return
        finally:
            row.worst = max(row.worst, *(server.peak for server in servers))
            for server in servers:
                server.kill()
    if len(set(names)) != len(names):
        budget.tell(row, Finding(case, "lost", "two servers: two episodes of one name"), seed)
    for name in names:
        if read_log(folder / "runs" / name / "episode.jsonl").ending is None:
            budget.tell(row, Finding(case, "lost", f"two servers: {name} has no end"), seed)


def _episodes(server: ServerProcess) -> list[str]:
    """The names of the folders of some episodes, played one after another."""
    names = []
    with server.client() as client:
        for _ in range(EPISODES):
            episode = client.start(
                "burr-three-bars", observation="state", run_name="one", stream=False
            )
            names.append(episode.run_name)
            episode.end()
    return names
