"""Pictures that stay on a GPU: OpenGL draws them, and CUDA reads them where they are.

Needs an OpenGL renderer on an NVIDIA GPU and ``cuda-bindings``; the arrays are for torch, cupy and
all that read DLPack or ``__cuda_array_interface__``.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pysim.errors import InputError
from pysim.render.camera import Camera
from pysim.render.dlpack import CUDA, make_capsule
from pysim.render.egl import EglRenderer
from pysim.render.egl.copying import Copy, measure_texel
from pysim.render.prepared import PreparedScene
from pysim.render.renderer import PASSES, Pass, RendererUnavailable
from pysim.render.scenery import DIAGRAM, Scenery

__all__ = ["CudaPictures", "CudaPlane", "CudaRenderer"]

_INSTALL = "pip install cuda-bindings"
_DEFAULT_STREAM = 1
"""CUDA's default stream, as array interfaces number it."""


@dataclass(frozen=True, slots=True, eq=False)
class CudaPlane:
    """Pictures of one pass in a GPU's memory, as an array that other libraries take over.

    ``torch.from_dlpack(plane)``, ``cupy.asarray(plane)`` and ``torch.as_tensor(plane)`` give arrays
    of the same memory. It is used again by the next call of the renderer: copy what is kept. Work
    on other streams than CUDA's default one must be finished by then.

    Attributes:
        shape, strides: of the array; strides in bytes.
        dtype: type of its numbers.
        pointer: address of its first number.
        device: number of the GPU.
        batch: whose plane it is.
    """

    shape: tuple[int, ...]
    strides: tuple[int, ...]
    dtype: np.dtype[Any]
    pointer: int
    device: int
    batch: "CudaPictures"

    @property
    def __cuda_array_interface__(self) -> dict[str, object]:
        self.batch.check()
        return {
            "shape": self.shape,
            "strides": self.strides,
            "typestr": self.dtype.str,
            "data": (self.pointer, False),
            "version": 3,
            "stream": _DEFAULT_STREAM,
        }

    def __dlpack_device__(self) -> tuple[int, int]:
        return (CUDA, self.device)

    def __dlpack__(self, *, stream: int | None = None, **options: object) -> object:
        self.batch.check()
        if stream not in (None, 0, _DEFAULT_STREAM):
            self.batch.synchronize()
        steps = [step // self.dtype.itemsize for step in self.strides]
        return make_capsule(
            self.pointer, self.shape, steps, self.dtype, self.__dlpack_device__(), self.batch
        )


@dataclass(slots=True, eq=False)
class CudaPictures:
    """Pictures of S arrangements from V cameras in a GPU's memory, shaped as ``Pictures``.

    Attributes:
        renderer: what drew them.
        planes: the passes that were asked for.
        valid: whether they have not been drawn over yet.
    """

    renderer: "CudaRenderer"
    planes: Mapping[Pass, CudaPlane] = field(default_factory=dict)
    valid: bool = True

    def __getitem__(self, kind: Pass) -> CudaPlane:
        """Return the plane of a pass.

        Raises:
            ValueError: it was not asked for.
        """
        if kind not in self.planes:
            raise ValueError(f"the pass {kind.value!r} was not asked for")
        return self.planes[kind]

    def check(self) -> None:
        """Check that the pictures are still there.

        Raises:
            RuntimeError: later ones have taken their place.
        """
        if not self.valid:
            raise RuntimeError("these pictures are gone: the next ones were drawn over them")

    def synchronize(self) -> None:
        """Wait until the pictures are drawn."""
        self.renderer.synchronize()


class CudaRenderer:
    """Draws arrangements of a scene into memory of CUDA, without a copy through the processor.

    Lives in the thread of its OpenGL renderer, and must be closed before it. A context manager.

    Args:
        renderer: an OpenGL renderer on an NVIDIA GPU.
        scenery: what is drawn besides the bodies, and how.

    Raises:
        RendererUnavailable: there is no ``cuda-bindings``, no driver of CUDA, or the renderer draws
            on something else than a GPU of CUDA.
    """

    def __init__(self, renderer: EglRenderer, scenery: Scenery = DIAGRAM) -> None:
        self._renderer = renderer
        self._scenery = scenery
        self._runtime = _load_runtime()
        self._buffers: dict[Pass, _Buffer] = {}
        self._last: CudaPictures | None = None
        with renderer.use_context():
            self.device = self._find_device()
            self._call("cudaSetDevice", self.device)

    def render_poses(
        self,
        prepared: PreparedScene,
        poses: NDArray[np.float64],
        cameras: Sequence[Camera],
        size: int,
        passes: Sequence[Pass] = PASSES,
    ) -> CudaPictures:
        """Draw as :meth:`pysim.render.renderer.Renderer.render_poses`; pictures stay on the GPU.

        Raises:
            InputError: as there; also a scene with a container, whose walls are drawn elsewhere.
            RuntimeError: CUDA or OpenGL failed.
        """
        _check_walls(prepared, passes)
        shape = (len(poses), len(cameras), size, size)
        offsets = dict.fromkeys(passes, 0)
        self._reuse(offsets, math.prod(shape))

        def deliver(copy: Copy) -> None:
            for kind in offsets:
                offsets[kind] = copy(kind, self._buffers[kind].name, offsets[kind])

        self._renderer.deliver_poses(
            prepared, poses, cameras, size, tuple(offsets), deliver, self._scenery
        )
        self._last = CudaPictures(self)
        with self._renderer.use_context():
            self._last.planes = {kind: self._map(kind, shape, self._last) for kind in offsets}
        return self._last

    def synchronize(self) -> None:
        """Wait until all pictures are drawn, and all work on CUDA's default stream is done."""
        self._call("cudaStreamSynchronize", 0)

    def close(self) -> None:
        """Free the memory of the pictures; may be called twice."""
        with self._renderer.use_context() as gl:
            self._unmap()
            for buffer in self._buffers.values():
                self._call("cudaGraphicsUnregisterResource", buffer.resource)
                gl.delete_buffers(buffer.name)
            self._buffers.clear()

    def __enter__(self) -> "CudaRenderer":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _find_device(self) -> int:
        """Return the number that CUDA gives to the GPU of the current OpenGL context."""
        every = self._runtime.cudaGLDeviceList.cudaGLDeviceListAll
        error, _, devices = self._runtime.cudaGLGetDevices(8, every)
        if error != self._runtime.cudaError_t.cudaSuccess or not devices:
            raise RendererUnavailable(
                f"CUDA can't read pictures of {self._renderer.version} ({self._text(error)}): "
                "choose an NVIDIA GPU by device_index"
            )
        return int(devices[0])

    def _reuse(self, kinds: Iterable[Pass], pixels: int) -> None:
        """Take back the memory of the last pictures, and make it large enough for the next."""
        with self._renderer.use_context() as gl:
            self._unmap()
            for kind in kinds:
                nbytes = pixels * measure_texel(kind)
                held = self._buffers.get(kind)
                if held is not None and held.nbytes >= nbytes:
                    continue
                if held is not None:
                    self._call("cudaGraphicsUnregisterResource", held.resource)
                    gl.delete_buffers(held.name)
                    del self._buffers[kind]
                name = gl.create_buffer(nbytes)
                flags = self._runtime.cudaGraphicsRegisterFlags.cudaGraphicsRegisterFlagsReadOnly
                resource = self._call("cudaGraphicsGLRegisterBuffer", name, int(flags))
                self._buffers[kind] = _Buffer(name, nbytes, resource)

    def _map(self, kind: Pass, shape: tuple[int, ...], batch: CudaPictures) -> CudaPlane:
        """Return pictures (S, V, H, W, ...) that lie in a buffer texel by texel."""
        buffer = self._buffers[kind]
        self._call("cudaGraphicsMapResources", 1, buffer.resource, 0)
        buffer.mapped = True
        pointer, _ = self._call("cudaGraphicsResourceGetMappedPointer", buffer.resource)
        texel = measure_texel(kind)
        steps = [texel * math.prod(shape[axis + 1 :]) for axis in range(len(shape))]
        steps += [kind.dtype.itemsize] * len(kind.channels)
        return CudaPlane(
            (*shape, *kind.channels), tuple(steps), kind.dtype, int(pointer), self.device, batch
        )

    def _unmap(self) -> None:
        """Give memory back to OpenGL; pictures in it are gone."""
        if self._last is not None:
            self._last.valid = False
            self._last = None
        for buffer in self._buffers.values():
            if buffer.mapped:
                self._call("cudaGraphicsUnmapResources", 1, buffer.resource, 0)
                buffer.mapped = False

    def _call(self, name: str, *arguments: object) -> Any:
        """Return the result of a call of CUDA, or results, if it has any."""
        error, *results = getattr(self._runtime, name)(*arguments)
        if error != self._runtime.cudaError_t.cudaSuccess:
            raise RuntimeError(f"CUDA's {name} failed: {self._text(error)}")
        return results[0] if len(results) == 1 else results

    def _text(self, error: Any) -> str:
        _, text = self._runtime.cudaGetErrorString(error)
        return str(text.decode() if isinstance(text, bytes) else text)


@dataclass(slots=True, eq=False)
class _Buffer:
    """Memory that OpenGL writes and CUDA reads.

    Attributes:
        name: OpenGL's.
        nbytes: its size.
        resource: CUDA's handle.
        mapped: whether it is CUDA's at present.
    """

    name: int
    nbytes: int
    resource: Any
    mapped: bool = False


def _check_walls(prepared: PreparedScene, passes: Sequence[Pass]) -> None:
    if Pass.RGB in passes and prepared.scene.container is not None:
        raise InputError(
            "a container's walls are drawn on the processor: leave out the scene's container"
        )


def _load_runtime() -> ModuleType:
    """Return CUDA's runtime, of which a GPU is usable.

    Raises:
        RendererUnavailable: it is not installed, or there is no driver or GPU.
    """
    try:
        from cuda.bindings import runtime
    except ImportError as error:
        raise RendererUnavailable(f"cuda-bindings is missing ({error}): {_INSTALL}") from error
    failure, count = runtime.cudaGetDeviceCount()
    if failure != runtime.cudaError_t.cudaSuccess or not count:
        _, text = runtime.cudaGetErrorString(failure)
        raise RendererUnavailable(f"there is no GPU of CUDA here ({text.decode()})")
    loaded: ModuleType = runtime
    return loaded
