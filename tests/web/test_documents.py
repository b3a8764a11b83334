"""Plans and levels as documents for a page."""

import pytest

from bridge.web.messages import JsonObject, encode_page_scene
from bridge.web.replays import build_plan_document
from pysim.catalog import AnyLevel, find_family, list_shipped_levels
from tests.sampling import levels_by_day


def list_bodies(part: JsonObject) -> dict[str, object]:
    bodies = part.get("bodies", [])
    assert isinstance(bodies, list)
    return {body["name"]: body for body in bodies if isinstance(body, dict)}


@pytest.mark.parametrize(
    "level", levels_by_day([level for level in list_shipped_levels() if level.plan])
)
def test_changes_of_a_plan_lead_from_scene_to_scene_of_the_rules(level: AnyLevel) -> None:
    assert level.plan is not None
    rules, document = find_family(level).rules, build_plan_document(level)
    state, steps, shown = rules.initial(level), document["steps"], document["scene"]
    assert isinstance(steps, list) and isinstance(shown, dict)
    bodies = list_bodies(shown)
    for action, step in zip(level.plan.actions, steps, strict=True):
        state = rules.apply(level, state, action).state
        assert isinstance(step, dict) and isinstance(step["change"], dict)
        expected = list_bodies(encode_page_scene(rules.scene(level, state)))
        changed, gone = list_bodies(step["change"]), step["change"].get("gone", [])
        assert isinstance(gone, list)
        assert all(bodies.get(name) != body for name, body in changed.items())
        bodies = {name: b for name, b in (bodies | changed).items() if name not in gone}
        assert bodies == expected
