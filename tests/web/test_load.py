"""Many pages at once; ``perf/web.py`` measures how soon each has its answer."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from bridge.recording.log import read_log
from pysim.puzzle import Outcome
from tests.sampling import more
from tests.web.servers import Page, plan_calls, play_oracle, serve
from tests.web.test_playing import LOCK

PAGES = more(12, night=100)


def test_many_pages_play_at_once(tmp_path: Path) -> None:
    calls = plan_calls(LOCK)

    def play(number: int) -> str:
        with Page(server) as page:
            page.begin(type="start", level=0)
            for call in calls:
                turn = page.act(call)
        return str(turn["state"]["outcome"])

    with serve([LOCK.id], tmp_path) as server, ThreadPoolExecutor(PAGES) as pages:
        assert set(pages.map(play, range(PAGES))) == {Outcome.SOLVED}
    logs = [read_log(path) for path in tmp_path.glob("*/episode.jsonl")]
    assert len(logs) == PAGES
    assert all([s.state_hash for s in log.steps] == play_oracle(LOCK) for log in logs)
