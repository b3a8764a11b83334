"""The same actions give the same hashes and rewards on all surfaces, on tasks of every family.

The packages of ``integrations`` check the same for verifiers, OpenEnv and TRL.
"""

import pytest

from bridge.operations.sight.protocol import discover_adapters
from tests.adapters.task_parity import FAMILIES, NIGHT, check_parity, list_tasks

SURFACES = [name for name in discover_adapters() if name != "python"]


@pytest.mark.parametrize("family", FAMILIES)
def test_grpc_gives_the_hashes_and_rewards_of_python(family: str) -> None:
    assert check_parity("grpc", list_tasks(family, 1)) == 1


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::ResourceWarning")
@pytest.mark.filterwarnings("ignore:The 'initial' parameter is deprecated:DeprecationWarning")
@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("name", SURFACES)
def test_every_surface_gives_the_hashes_and_rewards_of_python(name: str, family: str) -> None:
    assert check_parity(name, list_tasks(family, NIGHT)) == NIGHT
