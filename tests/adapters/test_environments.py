"""What policies' libraries expect of the Gymnasium environments."""

import subprocess
import sys

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium", reason="NOT TESTED: no gymnasium")

from bridge.adapters.vocabulary import vocabulary_of  # noqa: E402
from pysim.catalog import find_family, find_level  # noqa: E402
from tests.adapters.test_gymnasium import make  # noqa: E402
from tests.commands import ROOT  # noqa: E402


def test_an_id_is_known_without_an_import() -> None:
    code = (
        "import gymnasium\n"
        "env = gymnasium.make('luban.envs:Luban/Burr-v0', level='burr-three-bars')\n"
        "print(env.reset(seed=0)[1]['success'])\n"
    )
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, cwd=ROOT
    )
    assert (done.stdout, done.stderr) == ("False\n", "")


def test_options_of_a_reset_are_refused_by_name() -> None:
    env = make("burr-three-bars")
    with pytest.raises(
        ValueError, match="reset\\(\\) has no option 'level'; there are split, difficulty, task"
    ):
        env.reset(options={"level": "burr-piston"})
    env.reset(options={})
    env.close()


@pytest.mark.parametrize("feedback", ["full", "none"])
def test_action_masks_are_what_policies_that_mask_ask_for(feedback: str) -> None:
    """As sb3-contrib does it: by name, through all wrappers, as booleans."""
    env = gymnasium.wrappers.TimeLimit(make("burr-three-bars", feedback=feedback), 5)
    with pytest.raises(RuntimeError, match="no episode"):
        env.get_wrapper_attr("action_masks")()
    _, info = env.reset(seed=0)
    mask = env.get_wrapper_attr("action_masks")()
    assert mask.dtype == np.bool_ and mask.shape == (env.action_space.n,)
    assert (mask == info["action_mask"]).all()
    level = find_level("burr-three-bars")
    legal = set(find_family(level).rules.legal(level, find_family(level).rules.initial(level)))
    if feedback == "full":
        chosen = {vocabulary_of(level).actions[k] for k in np.flatnonzero(mask)}
        assert chosen <= legal and chosen
    else:
        assert mask.all()
    env.close()
