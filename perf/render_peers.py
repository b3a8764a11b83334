"""Other renderers on the scene of ``perf.render``, each in a process of its own.

``python -m perf.render_peers NAME`` prints view-frames per second at 512 and 256 pixels; a
process of its own, because some of them end it where a graphics library is missing.
"""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from pysim.geometry import merge_boxes
from pysim.geometry.meshes import build_box_mesh
from pysim.render.camera import Camera
from pysim.render.palette import parse_color
from pysim.scene import Body, Scene

__all__ = ["PEERS", "bullet_frames", "rate_of"]

_GREY = [0.88, 0.88, 0.86, 1.0]

Frames = Callable[[int], object]
"""Draws all views of the scene at a size."""


def bullet_frames(scene: Scene, cameras: tuple[Camera, ...], plugin: bool = False) -> Frames:
    """PyBullet: colour, depth and ids of each view; no smoothing, no shadow.

    The ground is a thin box where ours is drawn.
    """
    import pybullet

    client = pybullet.connect(pybullet.DIRECT)
    kind = pybullet.ER_TINY_RENDERER
    if plugin:
        import pkgutil

        found = pkgutil.get_loader("eglRenderer")
        assert found is not None
        pybullet.loadPlugin(found.get_filename(), "_eglRendererPlugin")  # type: ignore[attr-defined]
        kind = pybullet.ER_BULLET_HARDWARE_OPENGL
    for body in scene.bodies:
        boxes = merge_boxes(body.shape)
        visual = pybullet.createVisualShapeArray(
            shapeTypes=[pybullet.GEOM_BOX] * len(boxes),
            halfExtents=[[length / 2.0 for length in box.size] for box in boxes],
            visualFramePositions=[_middle(box.low, box.high) for box in boxes],
            rgbaColors=[[*_colour(body), 1.0]] * len(boxes),
            physicsClientId=client,
        )
        position = body.pose.transform()[:3, 3].tolist()
        pybullet.createMultiBody(0, -1, visual, position, physicsClientId=client)

    place, extents = _ground(scene)
    plate = pybullet.createVisualShape(pybullet.GEOM_BOX, halfExtents=extents, rgbaColor=_GREY)
    pybullet.createMultiBody(0, -1, plate, place, physicsClientId=client)

    def draw(size: int) -> object:
        return [
            pybullet.getCameraImage(
                size,
                size,
                viewMatrix=camera.compute_view().T.ravel().tolist(),
                projectionMatrix=camera.compute_projection().T.ravel().tolist(),
                renderer=kind,
                shadow=0,
                physicsClientId=client,
            )
            for camera in cameras
        ]

    return draw


def _bullet_egl(scene: Scene, cameras: tuple[Camera, ...]) -> Frames:
    return bullet_frames(scene, cameras, plugin=True)


def _pyrender(scene: Scene, cameras: tuple[Camera, ...]) -> Frames:
    """Colour and depth, directional light with shadow; it has no ids in the same draw."""
    os.environ["PYOPENGL_PLATFORM"] = "egl"
    np.infty = np.inf  # type: ignore[attr-defined]  # pyrender 0.1.45 was made for numpy 1
    import pyrender
    import trimesh

    stage = pyrender.Scene(ambient_light=[0.4, 0.4, 0.4])
    for body in scene.bodies:
        mesh = pyrender.Mesh.from_trimesh(_mesh(body), smooth=False)
        stage.add(mesh, pose=body.pose.transform())
    sun = np.linalg.inv(cameras[0].compute_view())
    stage.add(pyrender.DirectionalLight(intensity=3.0), pose=sun)
    place, extents = _ground(scene)
    plate = trimesh.creation.box(extents=np.array(extents) * 2.0)
    pose = np.eye(4)
    pose[:3, 3] = place
    stage.add(pyrender.Mesh.from_trimesh(plate, smooth=False), pose=pose)
    engine = pyrender.OffscreenRenderer(64, 64)

    def draw(size: int) -> object:
        engine.viewport_width = engine.viewport_height = size
        pictures = []
        for camera in cameras:
            lens = pyrender.PerspectiveCamera(np.radians(camera.fov_deg), camera.near, camera.far)
            node = stage.add(lens, pose=np.linalg.inv(camera.compute_view()))
            flags = pyrender.RenderFlags.SHADOWS_DIRECTIONAL
            pictures.append(engine.render(stage, flags=flags))
            stage.remove_node(node)
        return pictures

    return draw


def _vtk(scene: Scene, cameras: tuple[Camera, ...]) -> Frames:
    """Colour with 4 samples a pixel, and depth; no shadow, no ids."""
    import vtk
    from vtk.util.numpy_support import numpy_to_vtk, numpy_to_vtkIdTypeArray, vtk_to_numpy

    renderer, window = vtk.vtkRenderer(), vtk.vtkRenderWindow()
    window.SetOffScreenRendering(1)
    window.SetMultiSamples(4)
    window.AddRenderer(renderer)
    for body in scene.bodies:
        mesh, data = _mesh(body), vtk.vtkPolyData()
        points, cells = vtk.vtkPoints(), vtk.vtkCellArray()
        points.SetData(numpy_to_vtk(mesh.vertices, deep=True))
        faces = np.column_stack([np.full(len(mesh.faces), 3), mesh.faces]).ravel()
        cells.ImportLegacyFormat(numpy_to_vtkIdTypeArray(faces.astype(np.int64), deep=True))
        data.SetPoints(points)
        data.SetPolys(cells)
        mapper, actor = vtk.vtkPolyDataMapper(), vtk.vtkActor()
        mapper.SetInputData(data)
        actor.SetMapper(mapper)
        actor.GetProperty().SetColor(*_colour(body))
        actor.SetPosition(*body.pose.transform()[:3, 3].tolist())
        renderer.AddActor(actor)

    plate, mapper, actor = vtk.vtkCubeSource(), vtk.vtkPolyDataMapper(), vtk.vtkActor()
    place, extents = _ground(scene)
    for axis, length in zip("XYZ", extents, strict=True):
        getattr(plate, f"Set{axis}Length")(2.0 * length)
    mapper.SetInputConnection(plate.GetOutputPort())
    actor.SetMapper(mapper)
    actor.SetPosition(*place)
    renderer.AddActor(actor)

    def draw(size: int) -> object:
        window.SetSize(size, size)
        pictures = []
        for camera in cameras:
            eye = renderer.GetActiveCamera()
            eye.SetPosition(*camera.eye)
            eye.SetFocalPoint(*camera.target)
            eye.SetViewUp(*camera.up)
            eye.SetViewAngle(camera.fov_deg)
            eye.SetClippingRange(camera.near, camera.far)
            window.Render()
            for kind in (False, True):
                reader = vtk.vtkWindowToImageFilter()
                reader.SetInput(window)
                reader.ReadFrontBufferOff()
                if kind:
                    reader.SetInputBufferTypeToZBuffer()
                reader.Update()
                pictures.append(vtk_to_numpy(reader.GetOutput().GetPointData().GetScalars()))
        return pictures

    return draw


PEERS: dict[str, tuple[Callable[[Scene, tuple[Camera, ...]], Frames], str]] = {
    "bullet_egl": (_bullet_egl, "pybullet"),
    "pyrender": (_pyrender, "pyrender"),
    "vtk": (_vtk, "vtk"),
}
"""Name -> what makes it, and the package that it needs."""


def rate_of(name: str, timeout: float = 180.0) -> dict[str, float] | str:
    """View-frames per second by size, or why there are none."""
    command = [sys.executable, "-m", "perf.render_peers", name]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=timeout)
    except subprocess.TimeoutExpired:
        return f"not measured: no answer in {timeout:g} s"
    if done.returncode == 0:
        line = next(line for line in done.stdout.splitlines() if line.startswith("{"))
        rates: dict[str, float] = json.loads(line)
        return rates
    said = done.stderr.strip().splitlines()
    why = said[-1] if said else f"it ended with status {done.returncode}"
    return f"not measured: {why} (needs: pip install {PEERS[name][1]})"


def _ground(scene: Scene) -> tuple[list[float], list[float]]:
    """Middle and half extents of a thin box, on which the pieces stand."""
    assert scene.table is not None
    half = 2.0 * max(scene.table.size)
    x, y, _ = _middle(scene.table.low, scene.table.high)
    return [x, y, scene.table.low[2] - 0.75], [half, half, 0.25]


def _colour(body: Body) -> list[float]:
    return [component / 255.0 for component in parse_color(body.colour)]


def _middle(low: tuple[int, int, int], high: tuple[int, int, int]) -> list[float]:
    return [(a + b) / 2.0 for a, b in zip(low, high, strict=True)]


def _mesh(body: Body) -> Any:
    """Return a painted mesh in body coordinates."""
    mesh: Any = build_box_mesh(body.shape)
    mesh.visual.face_colors = [*parse_color(body.colour), 255]
    return mesh


def main() -> None:
    """Measure the peer that ``argv[1]`` names."""
    from perf.render import SIZES, cameras_of, crowd

    scene = crowd()
    draw = PEERS[sys.argv[1]][0](scene, cameras_of(scene))
    rates = {}
    for size in SIZES:
        draw(size)
        began, rounds = time.perf_counter(), 0
        while time.perf_counter() - began < 1.0:
            draw(size)
            rounds += 1
        rates[str(size)] = 4 * rounds / (time.perf_counter() - began)
    print(json.dumps(rates))


if __name__ == "__main__":
    main()
