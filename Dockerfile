# Serves episodes over gRPC: docker build -t luban . && docker run --rm -p 50051:50051 luban
#
# With --gpus all pictures are drawn by an NVIDIA GPU: its driver is mounted by the NVIDIA Container
# Toolkit, and Luban uses no CUDA, so this is the image for GPUs, too.
FROM python:3.11-slim-bookworm AS build
WORKDIR /src
COPY . .
RUN python -m venv /opt/luban \
    && /opt/luban/bin/pip install --no-cache-dir --only-binary :all: --constraint constraints.txt \
        ".[bullet,solve,video]"

FROM python:3.11-slim-bookworm
# Debian keeps one version of a package, so that none is pinned.
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install -y --no-install-recommends libegl1 libgl1 libgl1-mesa-dri \
    && rm -rf /var/lib/apt/lists/* \
    && mkdir -p /usr/share/glvnd/egl_vendor.d \
    && printf '{"file_format_version": "1.0.0", "ICD": {"library_path": "libEGL_nvidia.so.0"}}\n' \
        >/usr/share/glvnd/egl_vendor.d/10_nvidia.json \
    && useradd --create-home --uid 10001 player \
    && install -d -o player -m 1777 /runs
COPY --from=build /opt/luban /opt/luban
ENV PATH=/opt/luban/bin:$PATH \
    NVIDIA_VISIBLE_DEVICES=all \
    NVIDIA_DRIVER_CAPABILITIES=graphics,utility
# By its number, for clusters that refuse root.
USER 10001
WORKDIR /home/player
VOLUME /runs
EXPOSE 50051
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s --retries=3 \
    CMD ["python", "-m", "bridge.rpc.health_check", "127.0.0.1:50051"]
# The network of containers is taken for private; other networks need --tls-cert, docs/reliability.md.
CMD ["luban", "serve", "--host", "0.0.0.0", "--port", "50051", "--insecure", "--runs", "/runs"]
