"""``luban-player``: the command line of the stand-in player."""

import argparse
import sys

from bridge.unity.reference_player.faults import Fault, FaultKind

__all__ = ["main"]


def main() -> None:
    """Play for whoever listens on the port, until told to stop."""
    import grpc

    from bridge.unity.memory import keep_large_blocks
    from bridge.unity.reference_player.simulation import Simulation, try_renderer
    from bridge.unity.reference_player.wire import report_end, serve
    from pysim.physics.factory import create_world
    from pysim.render.factory import create_renderer

    options = _options()
    fault = _fault(options)
    if fault is not None:
        fault.break_connecting()
    world = create_world(options.world)
    renderer = None
    if not options.nographics:
        keep_large_blocks()
        renderer = try_renderer(lambda: create_renderer(options.renderer))
    try:
        serve(options.mlagents_port, Simulation(world, renderer), fault)
    except grpc.RpcError as error:
        report_end(error)
        sys.exit(1)


def _options() -> argparse.Namespace:
    """Parse the options; options of Unity's that mean nothing here are passed over."""
    from pysim.physics.factory import list_worlds
    from pysim.render.factory import list_renderers

    parser = argparse.ArgumentParser(
        prog="luban-player",
        description="A player without Unity: a world of Luban that speaks the ML-Agents protocol.",
        epilog="Other options of a Unity build, such as -batchmode and -logFile, are passed over.",
        allow_abbrev=False,
    )
    parser.add_argument("--mlagents-port", type=int, default=5004, help="where the controller is")
    parser.add_argument("--world", default="lattice", choices=list_worlds(), help="what is inside")
    parser.add_argument("--renderer", default="auto", choices=("auto", *list_renderers()))
    parser.add_argument("-nographics", action="store_true", help="draw nothing")
    parser.add_argument("--fault", type=FaultKind, help=", ".join(FaultKind), metavar="FAULT")
    parser.add_argument("--fault-at", type=int, default=1, help="the request where it begins")
    parser.add_argument("--fault-seconds", type=float, default=0.2, help="how late slow is")
    return parser.parse_known_args()[0]


def _fault(options: argparse.Namespace) -> Fault | None:
    if options.fault is None:
        return None
    return Fault(options.fault, options.fault_at, options.fault_seconds)
