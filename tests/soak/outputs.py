"""Hostile outputs of models: step by step, at once, in turns with tools or code, to items.

A case is one run of ``luban eval`` against a server that answers as no model should. Whatever it
says, the run ends with a verdict on every episode, and each call takes a bounded line of the log.
"""

import json
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from bridge.recording.log import LogError, read_log
from tests.agents.server import Reply, calling, chat_server, saying
from tests.hostile import TEXTS, VALUES
from tests.soak.budget import Budget, Finding, Row, make_rng
from tests.soak.commands import Ended, Runner, verdict_of
from tests.soak.mutating import TOKENS, bytes_of, document_of

__all__ = ["attack"]

RUN = 600
"""Outputs of a run, about: to begin one and to report on it takes as long as hundreds."""
CALL = 400
"""Bytes of the arguments of a call, as a log has them, that means nothing."""
LEVELS = "burr-three-bars,packing-easy-01,cubebench-d02-1-full-symbolic"
CUBE = "cubebench-d02-1-full-symbolic,cubebench-d03-1-full-symbolic"
CODE = ("--mode", "code", "--sandbox", "weak")
STATE = ("--observation", "state", "--video", "none")


@dataclass(frozen=True, slots=True)
class Way:
    """A way in which models are asked.

    Attributes:
        words: what ``luban eval`` is told.
        code: whether what they say is run.
        plan: whether one answer holds many actions.
    """

    words: Sequence[str]
    code: bool = False
    plan: bool = False


WAYS: Sequence[Way] = (
    Way((LEVELS, *STATE, "--budget", "100", "--k", "2")),
    Way((LEVELS, *STATE, "--budget", "50", "--mode", "one-shot", "--k", "8"), plan=True),
    Way((CUBE, "--mode", "no-code", "--turns", "75", "--k", "4")),
    # Code may reckon for as long as a run takes, which is half an hour unless it is told otherwise.
    Way((CUBE, *CODE, "--turns", "75", "--k", "4", "--seconds", "5"), code=True),
    Way(("cube-bench", "--task", "move-effect", "--n", "200")),
    Way(("cube-bench", "--task", "all", "--n", "8")),
)


def attack(budget: Budget, seed: int) -> Row:
    """Have about ``budget.count`` outputs given."""
    row = Row("outputs", "hostile outputs of models")
    row.notes["bytes of an action"] = 0
    place = budget.work("outputs")
    # Reports draw, and who has drawn has threads, which a fork of it would wait for in vain.
    with Runner() as runner, Runner() as reporter:
        for case in budget.cases(RUN):
            folder = place / str(case)
            folder.mkdir()
            if _case(budget, runner, row, folder, case, seed):
                _report(budget, reporter, row, folder, case, seed)
            shutil.rmtree(folder)
            budget.watch(row)
    return row


def _case(budget: Budget, runner: Runner, row: Row, folder: Path, case: int, seed: int) -> bool:
    """One run; whether there is nothing to be found wrong with it."""
    random = make_rng(seed, "outputs", case)
    way = WAYS[case // RUN % len(WAYS)]
    said: list[bytes] = []

    def answer(request: object, number: int) -> Reply:
        reply = hostile_reply(random, way)
        row.number += 50 if way.plan and "actions" in reply.body else 1
        said.append(reply.data[:10_000])
        return reply

    with chat_server(answer) as chat:
        told = {"base_url": chat.url, "pause": "0.001", "timeout": "120", "retries": "1"}
        words = ["eval", *way.words, "--agent", "openai:x", "--workers", "1", "--out", "run"]
        words += [word for name in told.items() for word in ("--set", "=".join(name))]
        pid = runner.start(words, folder)
        ended = runner.wait(pid)
    if verdict := verdict_of(ended):
        budget.tell(row, _finding(case, verdict, ended.words, said), seed)
    elif ended.status or "failed" in ended.err:
        budget.tell(row, _finding(case, "crashed", f"a run failed: {ended.words}", said), seed)
    elif words_ := _logged(row, folder / "run"):
        budget.tell(row, _finding(case, "lost", words_, said), seed)
    else:
        return True
    return False


def _report(budget: Budget, runner: Runner, row: Row, folder: Path, case: int, seed: int) -> None:
    """The page about it can be made."""
    ended: Ended = runner.run(["report", "run", "--out", "page.html"], folder, 60)
    row.worst = max(row.worst, ended.peak)
    if ended.status:
        words = f"no report of a run: {ended.words}"
        budget.tell(row, Finding(case, verdict_of(ended) or "lost", words), seed)


def _finding(case: int, verdict: str, words: str, said: Sequence[bytes]) -> Finding:
    return Finding(case, verdict, words, {"said.txt": b"\n".join(said[-200:])})  # type: ignore[arg-type]


def _logged(row: Row, run: Path) -> str:
    """What is wrong with the logs of a run; empty if nothing is."""
    for path in run.glob("episodes/*/*/episode.jsonl"):
        try:
            log = read_log(path)
        except LogError as error:
            return str(error)
        if log.ending is None:
            return f"{path} has no end"
        for line in path.read_bytes().splitlines():
            document = json.loads(line)
            if document["type"] == "step":
                size = _size(line, document["call"]["arguments"])
                row.notes["bytes of an action"] = max(size, int(row.notes["bytes of an action"]))
                if size > CALL:
                    return f"{path}: a call of {size} bytes"
    return ""


def _size(line: bytes, arguments: object) -> int:
    """Bytes that the arguments of a call take in a line of a log."""
    for plain in (True, False):
        text = json.dumps(arguments, separators=(",", ":"), ensure_ascii=plain).encode(
            errors="surrogatepass"
        )
        if text in line:
            return len(text)
    return len(line)  # They are written in some other way, of which nothing is known.


# -- what is said ---------------------------------------------------------------------------------

_TEXTS = [text for name, text in TEXTS.items() if name != "ten megabytes"]
_UNWRITABLE = ("ten megabytes", "a huge number", "nested deep")
_VALUES = [value for name, value in VALUES.items() if name not in _UNWRITABLE]
_DEEP = "[" * 5000 + "]" * 5000
_CALLS: Sequence[tuple[str, dict[str, object]]] = (
    ("slide", {"pieces": ["red"], "direction": "+x", "distance": 1}),
    ("rotate", {"piece": "red", "axis": "z", "quarter_turns": 1}),
    ("place", {"piece": "red", "rotation": "+X+Y+Z", "cell": [0, 0, 0], "direction": "-z"}),
    ("turn", {"move": "R"}),
    ("make_move", {"moves": ["R", "U'"]}),
    ("finish", {}),
)
_CODE: Sequence[str] = (
    "print(make_move('R'))",
    "for m in (None, [[]], 1e300, '\\ud800', 'x' * 10**5):\n    try: make_move(m)\n"
    "    except ValueError as error: print(error)",
    "raise ValueError('\\udfff' * 10**5)",
    "print('\\x1b[2J' * 10**5)",
    "import os, sys\nos.write(2, b'\\xff{' * 100)\nsys.stdout.write('\\x00')",
    "def f(): return f()\nf()",
    "x = []\nfor _ in range(9000): x = [x]\nmake_move(x)",
    "open('/etc/passwd').read()",
    "import os\nfor n in range(3, 20):\n    try: os.write(n, b'{}\\n')\n    except OSError: pass",
    "import os\nos._exit(3)",
    "exec('(' * 300 + ')' * 300)",
    "[0] * 10**10",
)


def hostile_reply(random: Random, way: Way) -> Reply:
    """What a model says to one question."""
    kind = random.random()
    if kind < 0.05:
        return _many(random)
    if way.code:
        return saying(f"Hm.\n```python\n{_program(random)}\n```")
    if way.plan and kind < 0.8:
        actions = [{"name": _name(random), "arguments": _arguments(random)} for _ in range(50)]
        return saying(json.dumps({"actions": actions}))
    if kind < 0.75:
        arguments = _arguments(random)
        text = arguments if isinstance(arguments, str) else json.dumps(arguments)
        return calling(_name(random), random.choice((*[text] * 30, _DEEP, "9" * 5000)))
    if kind < 0.8:
        return calling(random.choice(_VALUES), random.choice(_VALUES))
    answers = ("ANSWER: A", "<ANSWER> B </ANSWER>", "yes", "[['R']]", "R U R'")
    return saying(random.choice((*_TEXTS, *_VALUES, *answers)))


def _many(random: Random) -> Reply:
    """Several calls in one answer."""
    document = json.loads(calling("", "").body)
    calls = [(_name(random), json.dumps(_arguments(random))) for _ in range(random.randrange(20))]
    made = [{"function": {"name": name, "arguments": text}} for name, text in calls]
    document["choices"][0]["message"]["tool_calls"] = made
    return Reply(json.dumps(document))


def _name(random: Random) -> str:
    known = random.choice(_CALLS)[0]
    return random.choice((known, known, random.choice(_TEXTS)[:1000]))


def _arguments(random: Random) -> object:
    kind = random.random()
    if kind < 0.6:
        return document_of(random, random.choice(_CALLS)[1])
    if kind < 0.7:
        return bytes_of(random, json.dumps(random.choice(_CALLS)[1]).encode()).decode(
            "utf-8", "replace"
        )
    return {random.choice(("pieces", "x", "\ud800")): random.choice(_VALUES)}


def _program(random: Random) -> str:
    program = random.choice(_CODE)
    if random.random() < 0.5:
        return program
    damaged = bytes_of(random, program.encode()).decode("utf-8", "surrogateescape")
    return damaged + random.choice(TOKENS).decode("utf-8", "surrogateescape")
