"""A page on which people mark what is wrong in videos, frame by frame; it needs no server.

It does not say what our rules found. What was marked is kept in the browser, and saved as a file
that :func:`~bridge.compare.scoring.agreement.read_annotation` reads.
"""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from bridge.compare.judging.violations import ViolationKind
from bridge.compare.scoring.agreement import ANNOTATION_FORMAT

__all__ = ["Clip", "annotation_page"]


@dataclass(frozen=True, slots=True)
class Clip:
    """A video to be looked at.

    Attributes:
        name: what it is called.
        source: its address, from the page.
        fps: frames a second.
        frames: how many it has.
    """

    name: str
    source: str
    fps: float
    frames: int


def annotation_page(clips: Sequence[Clip]) -> str:
    """The page."""
    data = {
        "format": ANNOTATION_FORMAT,
        "kinds": [kind.value for kind in ViolationKind],
        "clips": [asdict(clip) for clip in clips],
    }
    # A name of a file may hold what would end the script.
    told = json.dumps(data).replace("<", "\\u003c")
    return _PAGE.replace("__DATA__", told)


_PAGE = """<!doctype html><html lang="en"><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><title>What is wrong in these videos?</title>
<style>
body { font: 15px/1.5 system-ui, sans-serif; max-width: 900px; margin: 2em auto; padding: 0 1em; }
video { width: 100%; max-height: 65vh; background: #000; }
button, select, input { font: inherit; margin: .1em; }
table { border-collapse: collapse; } td { padding: .2em .8em; border-bottom: 1px solid #ddd; }
</style>
<h1>What is wrong in these videos?</h1>
<p>Give your name. For each video go to the first frame in which something is wrong, press
<b>From here</b>, go to the last one, and press <b>To here</b>. If nothing is wrong, say so. Then
save the file. Keys: left and right for a frame, space to play.</p>
<p><label>Your name <input id="who"></label> <select id="clip" aria-label="video"></select>
<span id="state"></span></p>
<video id="video" controls muted playsinline></video>
<p>Frame <b id="frame">0</b> <button id="back" aria-label="one frame back">&lt;</button>
<button id="on" aria-label="one frame on">&gt;</button>
<select id="kind" aria-label="kind"></select>
<button id="from">From here</button> <button id="to">To here</button>
<button id="clean">Nothing is wrong</button> <button id="save">Save</button></p>
<table id="marks"></table>
<script>
const data = __DATA__, by = id => document.getElementById(id), video = by("video");
const store = "luban-annotation " + location.pathname;
let marks = JSON.parse(localStorage.getItem(store) || "{}"), start = null;
const clip = () => data.clips[by("clip").selectedIndex];
const frame = () => Math.min(clip().frames - 1, Math.floor(video.currentTime * clip().fps + 1e-3));
const go = k => { video.pause(); video.currentTime = (Math.max(0, k) + 0.5) / clip().fps; };
for (const c of data.clips) by("clip").add(new Option(c.name));
for (const k of data.kinds) by("kind").add(new Option(k));
by("who").value = localStorage.getItem(store + " who") || "";
by("who").oninput = () => localStorage.setItem(store + " who", by("who").value);
function show() {
  localStorage.setItem(store, JSON.stringify(marks));
  const mine = marks[clip().name], table = by("marks");
  by("state").textContent = mine === undefined ? "not looked at yet" : mine.length + " marks";
  table.replaceChildren(...(mine || []).map((m, i) => {
    const row = document.createElement("tr"), drop = document.createElement("button");
    for (const cell of [m.kind, m.first + "–" + m.last]) {
      const td = document.createElement("td"); td.textContent = cell; row.append(td);
    }
    drop.textContent = "Remove"; drop.onclick = () => { mine.splice(i, 1); show(); };
    row.append(drop); return row;
  }));
}
by("clip").onchange = () => { video.src = clip().source; start = null; show(); };
by("from").onclick = () => { start = frame(); by("state").textContent = "from frame " + start; };
by("to").onclick = () => {
  const end = frame(), first = start === null ? end : start;
  (marks[clip().name] ||= []).push({ kind: by("kind").value, first: Math.min(first, end),
    last: Math.max(first, end) });
  start = null; show();
};
by("clean").onclick = () => { marks[clip().name] = []; show(); };
by("back").onclick = () => go(frame() - 1);
by("on").onclick = () => go(frame() + 1);
by("save").onclick = () => {
  const file = { format: data.format, annotator: by("who").value || "somebody", marks };
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([JSON.stringify(file, null, 1)]));
  link.download = "annotation-" + file.annotator.replace(/[^A-Za-z0-9-]+/g, "-") + ".json";
  link.click();
};
addEventListener("keydown", e => {
  if (["INPUT", "SELECT"].includes(e.target.tagName)) return;
  if (e.key === "ArrowLeft") go(frame() - 1); else if (e.key === "ArrowRight") go(frame() + 1);
  else if (e.key === " ") video.paused ? video.play() : video.pause(); else return;
  e.preventDefault();
});
setInterval(() => by("frame").textContent = frame(), 80);
by("clip").onchange();
</script></html>
"""
