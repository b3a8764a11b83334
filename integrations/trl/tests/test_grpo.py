"""A real step of ``GRPOTrainer`` on a tiny vision-language model; needs torchvision."""

from pathlib import Path
from typing import Any

import pytest
import torch
from luban_trl import make_dataset, make_environment
from trl import GRPOConfig, GRPOTrainer

import luban
from bridge.episode.tools import ToolCall

LEVEL = "sight-canary-01"


class PlayingTrainer(GRPOTrainer):
    """The trainer, whose first rollout of two plays the plan and whose second does not.

    The model generates as ever; its answers are replaced by calls.
    """

    def _generate_single_turn(
        self, prompt_ids: Any, images: Any, fields: Any, num_generations: int, **more: Any
    ) -> Any:
        done, probabilities = super()._generate_single_turn(
            prompt_ids, images, fields, num_generations, **more
        )
        self.turns.append(([len(some) for some in images], fields["image_grid_thw"].shape[0]))
        turn = len(self.turns) - 1
        plan = [ToolCall.of(action) for action in luban.load(LEVEL).plan.actions]
        calls = [plan[turn : turn + 1], [ToolCall("make_move", {"move": "B"})] * (turn < 2)]
        for place, (call,) in ((place, some) for place, some in enumerate(calls) if some):
            text = (
                f'<tool_call>\n{{"name": "{call.name}", "arguments": {call.arguments_json()}}}\n'
                "</tool_call><|im_end|>"
            )
            done[place] = self.processing_class.tokenizer(text)["input_ids"]
        return done, probabilities


def test_step_changes_the_model_and_pictures_of_all_turns_reach_it(
    tiny_model: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TRL_EXPERIMENTAL_SILENCE", "1")
    model, processor = tiny_model
    args = GRPOConfig(
        output_dir=str(tmp_path),
        per_device_train_batch_size=2,
        num_generations=2,
        max_completion_length=1200,
        max_steps=1,
        learning_rate=1e-3,
        logging_steps=1,
        report_to=[],
        use_cpu=True,
        save_strategy="no",
        generation_kwargs={"max_new_tokens": 8, "max_length": None},
    )
    trainer = PlayingTrainer(
        model=model,
        args=args,
        train_dataset=make_dataset(LEVEL).remove_columns("environment"),
        environment_factory=make_environment("rubik", observation="image", image_size=64),
        processing_class=processor,
    )
    trainer.turns = []
    before = {name: value.detach().clone() for name, value in model.named_parameters()}
    trainer.train()
    log = trainer.state.log_history[0]
    assert log["rewards/RubikEnv/mean"] == 0.5
    # The first look, and a picture more after each action of both rollouts.
    assert trainer.turns == [([1, 1], 2), ([2, 2], 4), ([3, 3], 6)]
    changed = [n for n, value in model.named_parameters() if not torch.equal(before[n], value)]
    assert log["grad_norm"] > 0 and any(".visual." in name for name in changed)
