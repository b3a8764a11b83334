"""Pages that show scores: one for each video, and one that compares them all."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape

from bridge.compare.bundles.format import Bundle
from bridge.compare.scoring.leaderboard import Standing

__all__ = ["ShownFrame", "overview_page", "video_page"]

_Document = Mapping[str, object]

_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; max-width: 1100px; margin: 2em auto; padding: 0 1em;
  color: #1c1c1e; background: #fff; }
.wide { overflow-x: auto; margin: 1em 0; } table { border-collapse: collapse; }
th, td { text-align: left; padding: .25em .8em;
  border-bottom: 1px solid #ddd; vertical-align: top; }
figure { display: inline-block; margin: .4em; width: 320px; } figure img { width: 100%; }
figcaption { color: #555; font-size: 13px; } .wrong { color: #b00020; } .muted { color: #666; }
svg text { font: 12px system-ui, sans-serif; }
"""
_LANE = 20
_WIDE, _SIDE = 1040, 150


@dataclass(frozen=True, slots=True)
class ShownFrame:
    """A picture of a page: its frame, and its file beside the page."""

    frame: int
    file: str


def video_page(bundle: Bundle, score: _Document, pictures: Sequence[ShownFrame]) -> str:
    """The page of one video."""
    name = str(score["video"])
    violations = _rows(score["violations"])
    plan = score["plan"]
    assert isinstance(plan, Mapping)
    parts = [
        f"<h1>{escape(name)}</h1>",
        f"<p>Compared with the true film of <b>{escape(bundle.manifest.level)}</b>. "
        f"{score['frames']} frames, {score['fps']:g} a second; "
        f"{_share(score['undecided_ratio'])} undecided.</p>",
        _summary(score),
        "<h2>When</h2>",
        _timeline(bundle, score, violations, _rows(plan["moves"])),
        "<h2>What is wrong</h2>",
        _violations(violations),
        "<h2>The plan that was read off it</h2>",
        _plan(plan),
        "<h2>Frames</h2><p class=muted>Outlines say where our tracker takes each piece to be; "
        "red ones belong to something that is wrong.</p>",
        *(_figure(shown, violations) for shown in pictures),
    ]
    return _page(name, parts)


def overview_page(
    bundle: Bundle, scores: Sequence[_Document], standings: Sequence[Standing]
) -> str:
    """The page that compares videos; each has a page of its own in its folder."""
    parts = [
        f"<h1>Videos of {escape(bundle.manifest.level)}</h1>",
        "<h2>Models</h2><p class=muted>Means and standard deviations over the videos in a folder; "
        "a model is best judged by four or more seeds.</p>",
        _table(
            (
                "model",
                "videos",
                "with violations",
                "violations",
                "broken frames",
                "prefix",
                "solved",
                "undecided",
                "SSIM",
                "IoU",
            ),
            (standing.cells() for standing in standings),
        ),
        "<h2>Videos</h2>",
        _table(
            ("video", "violations", "broken frames", "legal prefix", "solved", "undecided"),
            (
                (
                    _link(s),
                    str(len(_rows(s["violations"]))),
                    str(s["broken_frames"]),
                    _prefix(s),
                    _solved(s),
                    _share(s["undecided_ratio"]),
                )
                for s in scores
            ),
        ),
    ]
    return _page(f"Videos of {bundle.manifest.level}", parts)


def _link(score: _Document) -> str:
    folder, video = escape(str(score["folder"])), escape(str(score["video"]))
    return f'<a href="{folder}/index.html">{video}</a>'


def _rows(value: object) -> list[_Document]:
    assert isinstance(value, Sequence)
    return [row for row in value if isinstance(row, Mapping)]


def _prefix(score: _Document) -> str:
    plan = score["plan"]
    assert isinstance(plan, Mapping)
    return f"{plan['legal_prefix']} of {len(_rows(plan['moves']))}"


def _solved(score: _Document) -> str:
    plan = score["plan"]
    assert isinstance(plan, Mapping)
    return "yes" if plan["solved"] else "no"


def _summary(score: _Document) -> str:
    like = score["similarity"]
    assert isinstance(like, Mapping)
    rows = [
        ("violations", str(len(_rows(score["violations"])))),
        ("broken frames", str(score["broken_frames"])),
        ("legal prefix of the plan", _prefix(score)),
        ("solves the level", _solved(score)),
        ("PSNR", _number(like["psnr"], " dB")),
        ("SSIM", _number(like["ssim"])),
        ("IoU of masks", _number(like["iou"])),
        ("trajectory error, median", _number(like["trajectory_error_median"], " u")),
        ("trajectory error, 95 %", _number(like["trajectory_error_p95"], " u")),
    ]
    if score["tracker_distance"] is not None:
        rows.append(("distance from our tracker", _number(score["tracker_distance"], " u")))
    return _table((), ((escape(a), escape(b)) for a, b in rows))


def _timeline(
    bundle: Bundle, score: _Document, violations: Sequence[_Document], moves: Sequence[_Document]
) -> str:
    """Lanes of the steps of the true film, of the moves that were read, and of each kind."""
    frames = max(1, int(str(score["frames"])))
    ratio = float(str(score["fps"])) / bundle.manifest.fps
    true = [(s.first_frame * ratio, s.last_frame * ratio, "#9aa5b1") for s in bundle.manifest.steps]
    read = [(_at(m, "first_frame"), _at(m, "last_frame"), _move_colour(m)) for m in moves]
    lanes = [("true film", true), ("moves read", read)]
    for kind in sorted({str(v["kind"]) for v in violations}):
        marks = [
            (_at(v, "first_frame"), _at(v, "last_frame"), "#b00020")
            for v in violations
            if v["kind"] == kind
        ]
        lanes.append((kind, marks))
    scale = (_WIDE - _SIDE) / frames
    shapes = []
    for row, (name, marks) in enumerate(lanes):
        y = row * _LANE
        shapes.append(f'<text x="0" y="{y + 14}">{escape(name)}</text>')
        shapes.append(
            f'<rect x="{_SIDE}" y="{y + 3}" width="{_WIDE - _SIDE}" height="14" fill="#f2f2f4"/>'
        )
        for first, last, colour in marks:
            x, wide = _SIDE + first * scale, max(2.0, (last - first + 1) * scale)
            shapes.append(
                f'<rect x="{x:.1f}" y="{y + 3}" width="{wide:.1f}" height="14" fill="{colour}"/>'
            )
    high = (len(lanes) + 1) * _LANE
    shapes += _frame_numbers(frames, scale, high - 6)
    return f'<svg viewBox="0 0 {_WIDE} {high}" width="100%" role="img">{"".join(shapes)}</svg>'


def _frame_numbers(frames: int, scale: float, y: int) -> Iterator[str]:
    """Some of the frames, below the lanes."""
    for frame in sorted({round(share * (frames - 1) / 4) for share in range(5)}):
        x = _SIDE + (frame + 0.5) * scale
        yield f'<text x="{x:.1f}" y="{y}" text-anchor="middle">{frame}</text>'


def _at(row: _Document, key: str) -> float:
    return float(str(row[key]))


def _move_colour(move: _Document) -> str:
    return {True: "#2e7d32", False: "#b00020"}[bool(move["legal"])] if _said(move) else "#d0a000"


def _said(move: _Document) -> bool:
    """Whether the rules could say anything of a move."""
    return move["legal"] is not None


def _violations(violations: Sequence[_Document]) -> str:
    if not violations:
        return "<p>Nothing that can be decided.</p>"
    rows = (
        (
            f'<span class="wrong">{escape(str(v["kind"]))}</span>',
            f"{v['first_frame']}–{v['last_frame']}",
            escape(_names(v["pieces"])),
            f"{_number(v['magnitude'])} {escape(str(v['unit']))}",
            escape(str(v["note"])),
        )
        for v in violations
    )
    return _table(("kind", "frames", "pieces", "how much", ""), rows)


def _plan(plan: _Document) -> str:
    if plan["not_read_because"]:
        return f"<p>It can't be read: {escape(str(plan['not_read_because']))}.</p>"
    rows = (
        (
            str(number),
            escape(f"{m['tool']} {_arguments(m['arguments'])}"),
            f"{m['first_frame']}–{m['last_frame']}",
            {True: "legal", False: "illegal"}[bool(m["legal"])] if _said(m) else "undecided",
            escape(str(m["reason"])),
        )
        for number, m in enumerate(_rows(plan["moves"]), 1)
    )
    return _table(("", "move", "frames", "by the rules", ""), rows)


def _names(value: object) -> str:
    assert isinstance(value, list | tuple)
    return ", ".join(map(str, value))


def _arguments(value: object) -> str:
    assert isinstance(value, Mapping)
    return ", ".join(
        " ".join(map(str, part)) if isinstance(part, list | tuple) else str(part)
        for part in value.values()
    )


def _figure(shown: ShownFrame, violations: Sequence[_Document]) -> str:
    kinds = sorted(
        {
            str(v["kind"])
            for v in violations
            if _at(v, "first_frame") <= shown.frame <= _at(v, "last_frame")
        }
    )
    wrong = f' <span class="wrong">{escape(", ".join(kinds))}</span>' if kinds else ""
    return (
        f'<figure><img src="{escape(shown.file)}" alt="frame {shown.frame}" loading="lazy">'
        f"<figcaption>frame {shown.frame}{wrong}</figcaption></figure>"
    )


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    top = "".join(f"<th>{escape(cell)}</th>" for cell in head)
    top = f"<tr>{top}</tr>" if head else ""
    body = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
    return f'<div class="wide"><table>{top}{body}</table></div>'


def _share(value: object) -> str:
    return f"{100.0 * float(str(value)):.1f} %"


def _number(value: object, unit: str = "") -> str:
    return "–" if value is None else f"{float(str(value)):.3g}{unit}"


def _page(title: str, parts: Iterable[str]) -> str:
    return (
        '<!doctype html><html lang="en"><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width">'
        f"<title>{escape(title)}</title><style>{_STYLE}</style>{''.join(parts)}</html>\n"
    )
