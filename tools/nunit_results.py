"""Fail unless tests ran and passed: ``python -m tools.nunit_results RESULTS.xml``.

Unity's test runner leaves a results file of NUnit 3. A run that tested nothing, or that left no
file, counts as a failure here.
"""

import sys
from pathlib import Path
from xml.etree import ElementTree

__all__ = ["problem_of"]


def main(arguments: list[str]) -> int:
    """Print the totals of each file. Return 1 if a file is missing, empty or has failures."""
    problems = [f"{name}: {problem}" for name in arguments if (problem := problem_of(Path(name)))]
    for problem in problems or [f"{name}: all passed" for name in arguments]:
        print(problem)
    return 1 if problems or not arguments else 0


def problem_of(results: Path) -> str:
    """Return the reason why a results file is no success, or an empty string."""
    try:
        run = ElementTree.parse(results).getroot()
    except FileNotFoundError:
        return "there is no such file: the Editor ended before its tests did"
    except ElementTree.ParseError as error:
        return f"it can't be read ({error})"
    failed = [case.get("fullname", "?") for case in run.iter("test-case") if _failed(case)]
    if failed:
        return f"{len(failed)} failed: {', '.join(failed)}"
    return "" if int(run.get("passed", "0")) else "no test passed"


def _failed(case: ElementTree.Element) -> bool:
    return (case.get("result") or "").startswith("Failed")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
