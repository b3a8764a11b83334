"""The notebook ``examples/tour.ipynb`` runs from top to bottom in an empty folder."""

import os
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.pages import PAGES, ROOT

nbclient = pytest.importorskip("nbclient", reason="NOT TESTED: no nbclient")
nbformat = pytest.importorskip("nbformat", reason="NOT TESTED: no nbformat")
pytest.importorskip("ipykernel", reason="NOT TESTED: no ipykernel")

TOUR = ROOT / "examples" / "tour.ipynb"
KERNEL = "tour"


def read_tour() -> Any:
    return nbformat.read(TOUR, as_version=4)


@pytest.fixture
def kernels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A kernel of this interpreter, whichever kernels the machine has."""
    from jupyter_client.kernelspec import KernelSpecManager

    folder = tmp_path / "jupyter"
    monkeypatch.setenv("JUPYTER_PATH", str(folder))
    monkeypatch.setenv("JUPYTER_PLATFORM_DIRS", "1")
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")]))
    spec = folder / "kernels" / KERNEL
    spec.mkdir(parents=True)
    command = f'["{sys.executable}", "-m", "ipykernel_launcher", "-f", "{{connection_file}}"]'
    (spec / "kernel.json").write_text(
        f'{{"argv": {command}, "display_name": "tour", "language": "python"}}'
    )
    assert KERNEL in KernelSpecManager().find_kernel_specs()
    return folder


def run_tour(folder: Path, *, slow: bool) -> list[Any]:
    """Run the notebook in a folder, without its slow cells if they are not wanted."""
    tour = read_tour()
    tour.cells = [c for c in tour.cells if slow or "slow" not in c.metadata.get("tags", ())]
    client = nbclient.NotebookClient(
        tour, kernel_name=KERNEL, timeout=600, resources={"metadata": {"path": str(folder)}}
    )
    client.execute()
    return [cell for cell in tour.cells if cell.cell_type == "code"]


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")
@pytest.mark.parametrize("slow", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_tour_runs_in_an_empty_folder(tmp_path: Path, kernels: Path, slow: bool) -> None:
    folder = tmp_path / "empty"
    folder.mkdir()
    cells = run_tour(folder, slow=slow)
    printed = "".join(str(out.get("text", "")) for cell in cells for out in cell.outputs)
    assert "BLOCKED by purple" in printed and "SOLVED in 1 step" in printed
    assert "1 of 1 solved" in printed
    shown = [kind for cell in cells for out in cell.outputs for kind in out.get("data", {})]
    assert "image/png" in shown and "text/html" in shown
    assert not [out for cell in cells for out in cell.outputs if out.get("name") == "stderr"]


def test_tour_is_kept_without_outputs() -> None:
    cells = [cell for cell in read_tour().cells if cell.cell_type == "code"]
    assert len(cells) > 10
    assert not any(cell.outputs or cell.execution_count for cell in cells)


def test_tour_is_linked_from_the_site() -> None:
    assert "(../examples/tour.ipynb)" in PAGES["notebook"]
