"""Commands that play many episodes and judge them."""

from pathlib import Path
from typing import Annotated

import typer

from bridge.cli.options import AgentName, Json, RayAddress, RendererName, UnityPlayer

__all__ = ["judging"]

judging = typer.Typer()

BaseUrl = Annotated[
    str, typer.Option(metavar="URL", help="Of a model's server; short for --set base_url=URL.")
]
Prices = Annotated[
    Path | None,
    typer.Option(help='JSON: {MODEL: {"input", "output"}}, USD for a million tokens.'),
]
ScorerName = Annotated[
    str,
    typer.Option(
        "--scorer",
        help="progress, verifier, random, judge:openai:MODEL, or one of another package.",
    ),
]


@judging.command(name="eval")
def eval_(
    context: typer.Context,
    suite: Annotated[
        str, typer.Argument(metavar="SUITE", help="A suite, or levels separated by commas.")
    ],
    agent: AgentName = "oracle",
    k: Annotated[int, typer.Option("--k", min=1, max=1000, help="Attempts at each level.")] = 1,
    workers: Annotated[
        int, typer.Option(min=0, max=1000, help="Episodes at once; 0: one for each core.")
    ] = 0,
    budget: Annotated[
        int | None, typer.Option(min=1, max=1_000_000, help="Steps, in place of each level's own.")
    ] = None,
    mode: Annotated[
        str,
        typer.Option(
            help="interactive or one-shot; cubes also code or no-code; of items that are asked, "
            "image+text, image or text."
        ),
    ] = "interactive",
    obs: Annotated[str, typer.Option(help="image, image+state or state.")] = "image+state",
    world: Annotated[str, typer.Option(help="lattice (exact), bullet or unity.")] = "lattice",
    seed: Annotated[int, typer.Option(help="Seed of the run.")] = 0,
    size: Annotated[int, typer.Option(help="Edge of pictures in pixels.")] = 512,
    window: Annotated[int, typer.Option(help="Turns that an agent is reminded of.")] = 5,
    options: Annotated[
        list[str] | None, typer.Option("--set", metavar="NAME=VALUE", help="For the agent.")
    ] = None,
    base_url: BaseUrl = "",
    setup: Annotated[
        str, typer.Option(help="In turns: basic, standard-solver or ideal-solver.")
    ] = "basic",
    reward: Annotated[
        str, typer.Option(help="In turns, of a move: none, sticker, face or heuristic.")
    ] = "none",
    turns: Annotated[int, typer.Option(help="The most that a run has, in turns.")] = 20,
    seconds: Annotated[float, typer.Option(help="The most that a run takes, in turns.")] = 1800.0,
    sandbox: Annotated[
        str, typer.Option(help="For agents' code: strong, or weak if the kernel lacks something.")
    ] = "strong",
    video: Annotated[str, typer.Option(help="Of which episodes: all, failed or none.")] = "none",
    task: Annotated[str, typer.Option(help="Of a suite that asks items: which, or all.")] = "",
    depth: Annotated[
        list[int] | None, typer.Option(help="Of items: in place of the usual depths.")
    ] = None,
    n: Annotated[
        int, typer.Option("--n", min=1, max=1_000_000, help="Of items: for each condition.")
    ] = 100,
    limit: Annotated[
        int, typer.Option(min=0, help="Of items: the first so many trials of each; 0: all.")
    ] = 0,
    task_options: Annotated[
        list[str] | None, typer.Option("--with", metavar="NAME=VALUE", help="For the task.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="Folder of the run; one that was begun is gone on with.")
    ] = None,
    runs: Annotated[Path, typer.Option(help="Where that folder is made without --out.")] = Path(
        "runs"
    ),
    renderer: RendererName = "auto",
    unity_player: UnityPlayer = "",
    beam: Annotated[
        int, typer.Option(min=0, max=64, help="Search: ways gone on with; 0 just plays.")
    ] = 0,
    branch: Annotated[
        int, typer.Option(min=0, max=64, help="Actions tried from each; 0: as many as --beam.")
    ] = 0,
    scorer: ScorerName = "progress",
    prices: Prices = None,
    ray: RayAddress = "",
    as_json: Json = False,
) -> None:
    """Let an agent play a whole suite, or answer the items of one, and score it."""
    from bridge.cli.evaluating import EvalRequest, run_eval
    from bridge.cli.turns import TurnRequest
    from bridge.items.suites import suite_names

    asks = suite in suite_names()
    _refuse_strange(context, suite, items=asks)
    if asks:
        from bridge.cli.asking import AskRequest, run_ask

        asked = AskRequest(
            suite=suite,
            task=task or "all",
            agent=agent,
            depths=tuple(depth or ()),
            count=n,
            obs="" if mode == "interactive" else mode,
            limit=limit,
            task_options=tuple(task_options or ()),
            agent_options=_with_url(options, base_url),
            workers=workers,
            ray=ray,
            seed=seed,
            size=size,
            out=out,
            runs=runs,
            renderer=renderer,
            unity_player=unity_player,
            prices=prices,
        )
        run_ask(asked, as_json)
        return
    request = EvalRequest(
        suite=suite,
        agent=agent,
        attempts=k,
        workers=workers,
        budget=budget,
        mode=mode,
        observation=obs,
        world=world,
        seed=seed,
        size=size,
        window=window,
        options=_with_url(options, base_url),
        turns=TurnRequest(setup, reward, turns, seconds, sandbox),
        video=video,
        out=out,
        runs=runs,
        renderer=renderer,
        unity_player=unity_player,
        beam=beam,
        branch=branch,
        scorer=scorer,
        prices=prices,
        ray=ray,
    )
    run_eval(request, as_json)


@judging.command()
def select(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN...", help="Folders of runs.")],
    by: Annotated[
        list[str] | None,
        typer.Option(
            metavar="SCORER",
            help="Who chooses, once or more: verifier (the default), progress, random, "
            "judge:openai:MODEL, or one of another package.",
        ),
    ] = None,
    k: Annotated[
        int, typer.Option("--k", min=0, max=1000, help="Attempts to choose from; 0: all.")
    ] = 0,
    seed: Annotated[int, typer.Option(help="Seed of the scorers.")] = 0,
    workers: Annotated[
        int, typer.Option(min=1, max=1000, help="Levels that a judge is asked about at once.")
    ] = 1,
    options: Annotated[
        list[str] | None, typer.Option("--set", metavar="NAME=VALUE", help="For a judge.")
    ] = None,
    base_url: BaseUrl = "",
    prices: Prices = None,
    renderer: RendererName = "auto",
    as_json: Json = False,
) -> None:
    """Say what choosing among several attempts would give, and what it costs."""
    from bridge.cli.selecting import SelectRequest, run_select

    request = SelectRequest(
        runs=runs,
        by=by or ["verifier"],
        k=k,
        seed=seed,
        workers=workers,
        options=_with_url(options, base_url),
        prices=prices,
        renderer=renderer,
    )
    run_select(request, as_json)


@judging.command()
def tables(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN...", help="Folders of runs of items.")],
    as_json: Json = False,
) -> None:
    """Print the tables of runs that asked items, a row for each run."""
    from bridge.cli.tabling import run_tables

    run_tables(runs, as_json)


@judging.command()
def report(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN...", help="Folders of runs.")],
    out: Annotated[Path, typer.Option(help="Page to write, .html.")],
    prices: Prices = None,
    embed: Annotated[
        bool, typer.Option("--embed", help="Put pictures and videos into the page.")
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace files that exist.")] = False,
    as_json: Json = False,
) -> None:
    """Make a page with tables, plots and every episode of some runs."""
    from bridge.cli.reporting import run_report

    run_report(runs, out, prices, embed, force, as_json)


@judging.command()
def dataset(
    sources: Annotated[
        list[Path], typer.Argument(metavar="RUN|LOG...", help="Folders of runs, or logs.")
    ],
    out: Annotated[Path, typer.Option(help="Folder to make.")],
    format: Annotated[str, typer.Option("--format", help="lerobot or parquet.")] = "lerobot",
    fps: Annotated[int, typer.Option(help="Frames a second, one for each step.")] = 4,
    size: Annotated[int, typer.Option(help="Edge of pictures in pixels.")] = 256,
    camera: Annotated[
        list[str] | None,
        typer.Option(help="stage (all there is), +x-y+z, ..., table; may be given several times."),
    ] = None,
    obs: Annotated[str, typer.Option(help="image, image+state or state.")] = "image+state",
    solved: Annotated[bool, typer.Option("--solved", help="Solved episodes only.")] = False,
    renderer: RendererName = "auto",
    force: Annotated[bool, typer.Option("--force", help="Replace a dataset that exists.")] = False,
    as_json: Json = False,
) -> None:
    """Make a dataset of recorded episodes: LeRobot v3, or Parquet and MP4."""
    from bridge.cli.exporting import run_dataset
    from bridge.cli.failing import exit_on_interrupt
    from bridge.episode.records import ObservationMode
    from bridge.recording.dataset.request import DatasetRequest, Format

    request = DatasetRequest(
        format=Format(format),
        fps=fps,
        size=size,
        cameras=tuple(camera or ("stage",)),
        observation=ObservationMode(obs),
        only_solved=solved,
    )
    with exit_on_interrupt():
        run_dataset(sources, out, request, renderer, force=force, as_json=as_json)


_OF_EPISODES = (
    *("k", "budget", "obs", "world", "window", "video", "beam", "branch", "scorer"),
    *("setup", "reward", "turns", "seconds", "sandbox"),
)
_OF_ITEMS = {"task": "task", "depth": "depth", "n": "n", "limit": "limit", "task_options": "with"}
"""Options that one kind of suite has alone, by parameter."""


def _refuse_strange(context: typer.Context, suite: str, *, items: bool) -> None:
    """Refuse options that would not do anything for this suite."""
    from bridge.cli.failing import CommandError

    for name in _OF_EPISODES if items else _OF_ITEMS:
        source = context.get_parameter_source(name)
        if source is not None and source.name == "COMMANDLINE":
            option = "--" + _OF_ITEMS.get(name, name)
            kind = "asks items" if items else "is played"
            raise CommandError(f"{option} means nothing here: {suite} {kind}")


def _with_url(options: list[str] | None, base_url: str) -> tuple[str, ...]:
    return (*(options or ()), *([f"base_url={base_url}"] if base_url else []))
