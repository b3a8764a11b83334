"""The tables of M-Portal, in the layout of MARBLE's table 2."""

import json
from pathlib import Path

import pytest

pytest.importorskip("httpx", reason="NOT TESTED: no httpx")

from tests.agents.server import Reply, Request, chat_server
from tests.commands import Luban


def test_tables_have_the_tokens_that_a_model_wrote_for_each_subset(
    luban: Luban, tmp_path: Path
) -> None:
    def told(request: Request, number: int) -> Reply:
        pictures = "image_url" in json.dumps(request)
        usage = {"prompt_tokens": 900, "completion_tokens": 2600 if pictures else 1400}
        message = {"role": "assistant", "content": "Answer: no"}
        choices = [{"message": message, "finish_reason": "stop"}]
        return Reply(json.dumps({"choices": choices, "usage": usage}))

    with chat_server(told) as chat:
        for shown in ("pictures", "text"):
            command = ["eval", "portal-plans", "--n", 2, "--observation", shown, "--image-size", 32]
            model = ["--agent", "openai:tall", "--base-url", chat.url]
            done = luban(*command, *model, "--out", shown)
            assert done.status == 0 and "Tokens (k)" in done.out, done.err
    luban("eval", "portal-blanks", "--n", 2, "--agent", "random", "--out", "blanks")
    table = luban("report", "pictures", "text", "--json").json()["tables"][0]
    rows = [dict(zip(table["head"], row, strict=True)) for row in table["rows"]]
    assert [row["Tokens (k)"] for row in rows if row["Run"] in ("pictures", "text")] == [
        "2.6",
        "1.4",
    ]
    table = luban("report", "blanks", "--json").json()["tables"][0]
    row = dict(zip(table["head"], table["rows"][-1], strict=True))
    assert (row["Tokens (k)"], row["95% CI"]) == ("–", "0.0–65.8")


def test_table_of_several_numbers_of_blanks_has_a_row_for_each_and_the_figure(
    luban: Luban, tmp_path: Path
) -> None:
    command = ["eval", "portal-blanks", "--observation", "text", "--agent", "oracle", "--limit", 2]
    done = luban(*command, "--blanks", "1,3,5", "--out", "run", "--json").json()
    assert [part["variant"] for part in done["parts"]] == [
        "blanks/text/1",
        "blanks/text/3",
        "blanks/text",
    ]
    table, figure = done["tables"]
    assert [row[:3] for row in table["rows"]] == [
        ["Random (computed)", "blanks/text/1", "10"],
        ["Random (computed)", "blanks/text/3", "0.139"],
        ["Random (computed)", "blanks/text/5", "0.00331"],
        *(["oracle", f"blanks/text/{k}", "100.0"] for k in (1, 3, 5)),
    ]
    assert figure["head"] == ["Run", "1", "3", "5"]
    assert figure["rows"][1] == ["oracle blanks/text", "100.0", "100.0", "100.0"]
    luban("report", "run", "--out", "page.html", "--pictures", 0)
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert page.count("Figure 4: accuracy by number of blanks") == 2 and "<svg" in page


def test_table_of_plans_has_both_rows_of_chance(luban: Luban) -> None:
    done = luban(
        "eval", "portal-plans", "--observation", "text", "--agent", "oracle", "--json"
    ).json()
    rows = [row[:3] for row in done["tables"][0]["rows"]]
    assert rows == [
        ["Always yes (computed)", "plans/text", "6.06"],
        ["Coin (computed)", "plans/text", "5.88"],
        ["oracle", "plans/text", "100.0"],
    ]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["portal-blanks", "--blanks", "1,6"], "whole numbers from 1 to 5"),
        (["portal-blanks", "--blanks", "1;3"], "whole numbers from 1 to 5"),
        (["portal-plans", "--unique"], "leave --blanks and --unique to the suites of blanks"),
    ],
)
def test_eval_refuses_numbers_of_blanks_that_can_not_be_asked(
    luban: Luban, words: list[str], message: str
) -> None:
    done = luban("eval", *words, "--agent", "random")
    assert done.status != 0 and message in " ".join(done.err.split())
