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
            command = ["eval", "portal-plans", "--n", 2, "--shown", shown, "--size", 32]
            model = ["--agent", "openai:tall", "--base-url", chat.url]
            done = luban(*command, *model, "--out", shown)
            assert done.status == 0 and "Tokens (k)" in done.out, done.err
    luban("eval", "portal-blanks", "--n", 2, "--agent", "random", "--out", "blanks")
    (table,) = luban("tables", "pictures", "text", "--json").json()["tables"]
    rows = [dict(zip(table["head"], row, strict=True)) for row in table["rows"]]
    assert [row["Tokens (k)"] for row in rows] == ["2.6", "1.4"]
    (table,) = luban("tables", "blanks", "--json").json()["tables"]
    row = dict(zip(table["head"], table["rows"][0], strict=True))
    assert (row["Tokens (k)"], row["95% CI"]) == ("–", "0.0–65.8")
