"""Ten lines of client; run ``luban serve --port 50051`` first."""

from bridge.rpc.client import IllegalMove, connect

with connect("127.0.0.1:50051") as luban:
    episode = luban.start("burr-chinese-cross", mode="image+state")
    episode.observe().views[0].save("first_view.png")
    try:
        episode.step("slide", pieces=["blue"], direction="+x", distance="out")
    except IllegalMove as refusal:
        print(refusal.reason, "by", *refusal.culprits)
    result = episode.step("slide", pieces=["red"], direction="+x", distance="out")
    print(result.message, "-", result.budget_left, "steps left -", episode.end().outcome)
