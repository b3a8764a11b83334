"""How much memory processes hold, as Linux counts it."""

from contextlib import suppress
from pathlib import Path

__all__ = ["forget_peak", "peak", "processor_seconds"]


def peak(pid: int | str = "self") -> int:
    """Most bytes that a process has held; 0 if it is gone."""
    with suppress(OSError):
        for line in Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
    return 0


def forget_peak(pid: int | str = "self") -> None:
    """Count anew from what a process holds now; where the kernel allows it."""
    with suppress(OSError):
        Path(f"/proc/{pid}/clear_refs").write_text("5")


def processor_seconds(pid: int) -> float:
    """Processor time of a process so far; 0 if it is gone."""
    with suppress(OSError):
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / 100
    return 0.0
