"""A suite of another package: pairs, rounds in one conversation, and several right answers."""

import json
from pathlib import Path

import pytest

from bridge.agents.journal import JOURNAL_NAME
from bridge.items.log import LOG_NAME, ItemLog, ItemRunSettings
from bridge.items.results import ItemResults, compute_results
from bridge.items.runner import run_items
from bridge.items.suites import Asker, Subset, limit_subsets
from pysim.items import Item
from tests.agents.server import Reply, chat_server, saying
from tests.items.dice import BENCH, L_SHAPE, WAYS, Cells, DiceOptions, DiceSuite, Words


def ask(folder: Path, agent: str, options: DiceOptions, **given: str) -> ItemResults:
    suite = DiceSuite()
    settings = ItemRunSettings(
        "dice", "1", suite.subsets(options), agent, picture_size=64, options=given
    )
    log = ItemLog.begin(folder, settings)
    assert run_items(log, suite) == []
    return compute_results(folder, suite)


def test_a_bench_with_item_suites_is_an_asker() -> None:
    assert isinstance(BENCH, Asker)


def test_the_oracle_is_right_in_all_pairs_rounds_and_shapes(tmp_path: Path) -> None:
    found = ask(tmp_path, "oracle", DiceOptions(n=4, spin=1))
    for subset, scores in found.scores:
        assert scores["accuracy"] == scores["parse_rate"] == 1.0
        assert scores["trials"] == 4
        assert scores["items"] == (12 if subset.variant == "rounds" else 4)
    pairs = dict(found.scores[0][1])
    assert (pairs["groups"], pairs["group_accuracy"]) == (2, 1.0)
    (table,) = found.tables
    assert [row[:3] for row in table.rows] == [
        ["oracle", "pairs", "4"],
        ["oracle", "rounds", "12"],
        ["oracle", "shapes", "4"],
    ]
    assert found.make_summary()["items"] == 20


def test_free_options_come_back_from_the_header(tmp_path: Path) -> None:
    ask(tmp_path, "oracle", DiceOptions(task="pairs", n=2, spin=3))
    header = json.loads((tmp_path / LOG_NAME).read_text().splitlines()[0])
    assert header["parts"] == [{"variant": "pairs", "spin": 3, "<b>": [1, 2], "count": 2}]
    (subset,) = ItemLog.read(tmp_path).settings.parts
    assert subset == Subset("pairs", 2, {"spin": 3, "<b>": [1, 2]})
    assert hash(subset) == hash(Subset("pairs", 2, {"spin": 3, "<b>": [1, 2]}))


@pytest.mark.parametrize("name", ["variant", "count", "scores"])
def test_an_option_cant_have_a_name_that_logs_need(name: str) -> None:
    with pytest.raises(ValueError, match=f"can't be called {name}"):
        Subset("x", 1, {name: 1})


def test_a_limit_leaves_shorter_subsets_alone() -> None:
    subsets = [Subset("a", 2), Subset("b", 9)]
    assert [s.count for s in limit_subsets(subsets, 3)] == [2, 3]
    assert limit_subsets(subsets, 0) == tuple(subsets)


def test_rounds_are_asked_in_one_conversation(tmp_path: Path) -> None:
    """The model sees what it said before, with the pictures of then; other tasks stand alone."""
    with chat_server(lambda request, number: saying(WAYS[number % 4])) as chat:
        ask(tmp_path, "openai:m", DiceOptions(task="rounds", n=1), base_url=chat.url)
        assert [len(request["messages"]) for request in chat.requests] == [2, 4, 6]
        last = chat.requests[-1]["messages"]
    assert [message["role"] for message in last] == [
        "system", "user", "assistant", "user", "assistant", "user"
    ]  # fmt: skip
    assert [m["content"] for m in last if m["role"] == "assistant"] == ["up", "right"]
    asked = [m["content"] for m in last if m["role"] == "user"]
    assert [parts[0]["text"][:7] for parts in asked] == ["Step 0:", "Step 1:", "Step 2:"]
    assert "well" in asked[1][0]["text"]
    assert "wrong" in asked[2][0]["text"]
    pictures = [
        part["image_url"]["url"] for parts in asked for part in parts if "image_url" in part
    ]
    assert len(set(pictures)) == 3


def test_a_conversation_that_was_cut_off_goes_on_where_it_was(tmp_path: Path) -> None:
    def answer(request: object, number: int) -> Reply:
        return saying(WAYS[number % 4])

    options = DiceOptions(task="rounds", n=1)
    with chat_server(answer) as chat:
        ask(tmp_path, "openai:m", options, base_url=chat.url)
        for name, lines in ((LOG_NAME, 3), (JOURNAL_NAME, 2)):
            file = tmp_path / name
            file.write_bytes(b"".join(file.read_bytes().splitlines(keepends=True)[:lines]))
        ask(tmp_path, "openai:m", options, base_url=chat.url)
        assert chat.requests[3]["messages"] == chat.requests[2]["messages"]
        assert len(chat.requests) == 4


def test_each_rotation_of_a_shape_is_right_and_another_shape_is_not() -> None:
    (trial,) = DiceSuite().trials(Subset("shapes", 1))
    item = trial.ask(trial.start())
    assert item is not None
    assert item.check("5,5,5 5,5,6 5,5,7 5,4,7")
    assert not item.check("0,0,0 1,0,0 2,0,0 1,1,0")
    assert not item.check("no idea")


def test_a_key_that_refuses_the_gold_answer_is_a_mistake() -> None:
    from pysim.answer_keys import SameShape

    with pytest.raises(ValueError, match="does not take its own gold answer"):
        Item("x", "", "", (), Cells(), L_SHAPE, key=SameShape.from_cells(L_SHAPE[:3]))


def test_keys_and_conversations_are_part_of_the_digest() -> None:
    from pysim.answer_keys import OneOf

    items = [
        Item("x", "s", "t", (), Words(WAYS), "up", key=key, follows=follows)
        for key in (None, OneOf(("up", "left")), OneOf(("up", "down")))
        for follows in (False, True)
    ]
    assert len({item.digest for item in items}) == 6


@pytest.mark.parametrize("count", [1, 40])
def test_who_guesses_gets_few_pairs_right(tmp_path: Path, count: int) -> None:
    found = ask(tmp_path, "random", DiceOptions(task="pairs", n=2 * count))
    scores = dict(found.scores[0][1])
    accuracy, pairs = scores["accuracy"], scores["group_accuracy"]
    assert isinstance(accuracy, float)
    assert isinstance(pairs, float)
    assert pairs <= accuracy
