"""Files of meshes, as other programs read them."""

import io
import zipfile
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
import trimesh

from bridge.episode.episode import Episode
from bridge.episode.records import Obs, Options
from bridge.meshes.animation import trace_plan
from bridge.meshes.files import encode_meshes
from bridge.meshes.formats import MeshFormat
from bridge.meshes.pieces import list_assembled_bodies, list_bodies, make_pieces
from pysim.catalog import AnyLevel, find_level, list_shipped_levels
from pysim.geometry.solids import Dimensions, compute_volume
from pysim.physics.lattice import LatticeWorld
from pysim.puzzle import Outcome
from pysim.render.palette import PALETTE
from tests.meshes.glb import Glb
from tests.sampling import levels_by_day

USUAL = Dimensions()
PISTON = find_level("burr-piston")
MOVING = [v for v in list_shipped_levels() if v.family != "portal"]
CORE = "{http://schemas.microsoft.com/3dmanufacturing/core/2015/02}"


def assemble(level: AnyLevel) -> bytes:
    bodies = list_assembled_bodies(level)
    assert bodies is not None
    return encode_meshes(level.id, make_pieces(bodies, USUAL), MeshFormat.GLB)


def encode_plan(level: AnyLevel) -> Glb:
    pieces = make_pieces(list_bodies(level), USUAL, is_grounded=False)
    tracks = trace_plan(level, level.plan, USUAL.edge)
    return Glb(encode_meshes(level.id, pieces, MeshFormat.GLB, tracks))


def load(data: bytes, format: MeshFormat) -> trimesh.Scene:
    if format is MeshFormat.THREE_MF:
        pytest.importorskip("lxml")
        pytest.importorskip("networkx")
    options = {"split_objects": True, "group_material": False} if format is MeshFormat.OBJ else {}
    scene = trimesh.load_scene(io.BytesIO(data), file_type=format.value, **options)
    assert isinstance(scene, trimesh.Scene)
    return scene


@pytest.mark.parametrize("format", [f for f in MeshFormat if f is not MeshFormat.STL])
def test_trimesh_reads_every_piece_by_its_name_watertight_and_of_its_volume(
    format: MeshFormat,
) -> None:
    bodies = list_assembled_bodies(PISTON)
    assert bodies is not None
    scene = load(encode_meshes("piston", make_pieces(bodies, USUAL), format), format)
    scale = 1000.0 if format is MeshFormat.GLB else 1.0
    assert set(scene.geometry) == {body.name for body in bodies}
    for body in bodies:
        mesh = scene.geometry[body.name]
        assert mesh.is_watertight and mesh.is_winding_consistent
        assert mesh.volume == pytest.approx(compute_volume(body.shape, USUAL), rel=1e-5)
    assert scene.extents * scale == pytest.approx([59.7] * 3, abs=1e-3)


def test_stl_of_several_pieces_holds_them_all() -> None:
    bodies = list_assembled_bodies(PISTON)
    assert bodies is not None
    data = encode_meshes("piston", make_pieces(bodies, USUAL), MeshFormat.STL)
    mesh = trimesh.load_mesh(io.BytesIO(data), file_type="stl")
    assert mesh.is_watertight and mesh.body_count == len(bodies)
    assert mesh.volume == pytest.approx(sum(compute_volume(b.shape, USUAL) for b in bodies))
    assert mesh.bounds == pytest.approx(np.array([[0.0] * 3, [59.7] * 3]), abs=1e-3)


def test_3mf_has_millimetres_colours_and_one_object_that_keeps_pieces_together() -> None:
    bodies = list_assembled_bodies(PISTON)
    assert bodies is not None
    data = encode_meshes("piston", make_pieces(bodies, USUAL), MeshFormat.THREE_MF)
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        assert package.testzip() is None
        assert package.namelist()[0] == "[Content_Types].xml"
        for name in package.namelist():
            ElementTree.fromstring(package.read(name))
        model = ElementTree.fromstring(package.read("3D/3dmodel.model"))
    assert model.get("unit") == "millimeter"
    materials = model.findall(f".//{CORE}base")
    expected = ["#" + bytes(PALETTE[body.colour]).hex() for body in bodies]
    assert [base.get("displaycolor") for base in materials] == expected
    objects = {one.get("id"): one for one in model.findall(f".//{CORE}object")}
    assert len(objects) == len(bodies) + 1
    (item,) = model.findall(f".//{CORE}build/{CORE}item")
    parts = objects[item.get("objectid")].findall(f".//{CORE}component")
    named = [objects[part.get("objectid")].get("name") for part in parts]
    assert named == [body.name for body in bodies]
    for one, number in zip(list(objects.values())[:-1], range(len(bodies)), strict=True):
        assert (one.get("pid"), one.get("pindex")) == ("1", str(number))


def test_the_same_pieces_give_the_same_bytes() -> None:
    for format in MeshFormat:
        pieces = make_pieces(list_bodies(PISTON), USUAL)
        again = make_pieces(list_bodies(PISTON), USUAL)
        assert encode_meshes("x", pieces, format) == encode_meshes("x", again, format)


def test_names_that_mean_something_in_a_format_are_kept() -> None:
    (piece,) = make_pieces(list_bodies(PISTON)[:1], USUAL)
    odd = type(piece)('<&">', piece.solid, piece.transform, piece.colour, piece.paint)
    for format in (MeshFormat.GLB, MeshFormat.THREE_MF):
        assert set(load(encode_meshes("a & b", [odd], format), format).geometry) == {'<&">'}


# -- glTF ------------------------------------------------------------------------------------------


@pytest.mark.by_day(4)
@pytest.mark.parametrize("level", levels_by_day(MOVING))
def test_glb_keeps_the_rules_of_its_specification(level: AnyLevel) -> None:
    still, moving = Glb(assemble(level)), encode_plan(level)
    assert "animations" not in still.document
    (animation,) = moving.document["animations"]
    assert animation["name"] == "plan"


@pytest.mark.by_day(8)
@pytest.mark.parametrize("level", levels_by_day(MOVING))
def test_animation_ends_with_every_piece_where_an_episode_has_it(level: AnyLevel) -> None:
    glb, world = encode_plan(level), LatticeWorld()
    episode = Episode(level, world, options=Options(obs=Obs.STATE))
    for action in level.plan.actions:
        episode.step(action)
    assert episode.outcome is Outcome.SOLVED
    end = max(float(array.max()) for array in find_times(glb))
    first, last = list_bodies(level), episode.scene.bodies
    for time, bodies in ((0.0, first), (end, last)):
        for body in bodies:
            expected = body.pose.transform()
            expected[:3, 3] *= USUAL.edge
            assert glb.find_pose(body.name, time) == pytest.approx(expected, abs=1e-3)


def find_times(glb: Glb) -> list[np.ndarray]:
    samplers = glb.document["animations"][0]["samplers"]
    return [glb.arrays[sampler["input"]] for sampler in samplers]


def test_a_piece_that_turns_stays_as_far_from_its_axis() -> None:
    """Corners of a cube turn around its middle: their distance from it is 3 ** 0.5 cells."""
    level = next(v for v in MOVING if v.family == "rubik")
    glb = encode_plan(level)
    corners = [b.name for b in list_bodies(level) if 0 not in b.pose.offset]
    assert len(corners) == 8
    end = max(float(array.max()) for array in find_times(glb))
    for time in np.linspace(0.0, end, 400):
        for name in corners:
            distance = np.linalg.norm(glb.find_pose(name, time)[:3, 3])
            assert distance == pytest.approx(3.0**0.5 * USUAL.edge, rel=0.005)


def test_gltf_is_in_metres_with_y_up() -> None:
    """A lock that lies flat in the house, z up, is low along y for everybody else."""
    level = next(v for v in MOVING if v.family == "nets")
    flat = make_pieces(list_bodies(level), USUAL)
    scene = load(encode_meshes("net", flat, MeshFormat.GLB), MeshFormat.GLB)
    height = USUAL.edge - 2.0 * USUAL.tolerance
    assert scene.extents[1] * 1000.0 == pytest.approx(height, abs=1e-3)
    assert min(scene.extents[0], scene.extents[2]) * 1000.0 > 5 * height
    assert scene.bounds[0][1] == pytest.approx(0.0, abs=1e-6), "it stands on the ground"


def test_stickers_are_painted_on_the_faces_that_have_them() -> None:
    level = next(v for v in MOVING if v.family == "rubik")
    glb = Glb(assemble(level))
    materials = {m["name"]: n for n, m in enumerate(glb.document["materials"])}
    plastic = materials["#" + bytes(PALETTE["black"]).hex()]
    for body, mesh in zip(list_bodies(level), glb.document["meshes"], strict=True):
        painted = {p["material"]: glb.arrays[p["indices"]] for p in mesh["primitives"]}
        expected = {materials["#" + bytes(PALETTE[s.colour]).hex()] for s in body.stickers}
        assert set(painted) == expected | {plastic}
        positions = glb.arrays[mesh["primitives"][0]["attributes"]["POSITION"]]
        for sticker in body.stickers:
            own = painted[materials["#" + bytes(PALETTE[sticker.colour]).hex()]]
            way = np.array(sticker.side.vector)
            assert np.allclose(positions[own[:, 0]] @ way, USUAL.edge / 2 - USUAL.tolerance)


def test_colours_are_written_as_linear_light() -> None:
    bodies = list_bodies(PISTON)
    glb = Glb(encode_meshes("x", make_pieces(bodies, USUAL), MeshFormat.GLB))
    for body, material in zip(bodies, glb.document["materials"], strict=True):
        linear = np.array(material["pbrMetallicRoughness"]["baseColorFactor"][:3])
        shown = np.where(linear <= 0.0031308, 12.92 * linear, 1.055 * linear ** (1 / 2.4) - 0.055)
        assert np.round(255.0 * shown).tolist() == list(PALETTE[body.colour])


def test_a_format_is_known_by_the_ending_of_a_name() -> None:
    assert MeshFormat.from_path(Path("x.STL")) is MeshFormat.STL
    assert MeshFormat.from_path(Path("a.b/x.3mf")) is MeshFormat.THREE_MF
    assert MeshFormat.from_path(Path("stl")) is None and MeshFormat.from_path(Path("x.ply")) is None
