"""The front door in a dozen lines; docs/python.md says how the same program plays on a server."""

import luban
from luban.errors import IllegalMove

with luban.start("burr-piston") as episode:
    episode.observe().views[0].save("first_view.png")
    try:
        episode.step("slide", pieces=["blue"], direction="+z", distance=1)
    except IllegalMove as refusal:
        print(refusal.brief)
    result = episode.step("slide", pieces=["purple"], direction="+y", distance=1)
    print(result.message, "-", result.budget_left, "steps left")
print(len(luban.levels("locks-32")), "locks; this one:", episode.outcome)
