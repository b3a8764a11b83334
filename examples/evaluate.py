"""Evaluate an agent from Python, and look at what it could not solve.

::

    python examples/evaluate.py burr-half-lap,burr-three-bars noisy-oracle:0.3
"""

import argparse

import luban


def main() -> None:
    """Play a suite, and print its score and the levels that were not solved."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("suite", help="a suite, or levels separated by commas")
    parser.add_argument("agent", help="oracle, random, noisy-oracle:P, openai:MODEL, ...")
    parser.add_argument("--out", default=None, help="folder of the run")
    given = parser.parse_args()

    def show(done: int, total: int) -> None:
        print(f"{done} of {total} episodes", end="\r")

    found: luban.Evaluation = luban.evaluate(
        given.suite, given.agent, observation="state", out=given.out, progress=show
    )
    assert found.score is not None
    print(f"solved {found.score.solved} of {found.score.episodes} ({found.out})")
    for episode in found.episodes:
        if not episode.solved:
            print(f"  {episode.level}: {episode.outcome.value} after {episode.steps} steps")


if __name__ == "__main__":
    main()
