"use strict";
// Lists the episodes and shows the one that the address names: #e0, #e1, ...
const episodes = JSON.parse(document.getElementById("data").textContent);
const list = document.querySelector("#list tbody");
const panel = document.getElementById("episode");
const filter = document.getElementById("filter");

function element(name, text, attributes = {}) {
  const made = document.createElement(name);
  if (text !== undefined && text !== null) made.textContent = text;
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

function row(cells, className = "") {
  const made = element("tr", null, { class: className });
  for (const cell of cells) {
    const td = element("td");
    td.append(cell === null ? "–" : cell);
    made.append(td);
  }
  return made;
}

function showList() {
  const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
  const rows = [];
  episodes.forEach((e, i) => {
    const text = `${e.level} ${e.run} ${e.family} ${e.tier} ${e.outcome}`.toLowerCase();
    if (!words.every((word) => text.includes(word))) return;
    const link = element("a", e.level, { href: `#e${i}` });
    const cells = [e.attempt, e.run, e.family, e.tier, e.outcome, e.steps, e.plan, e.refused];
    rows.push(row([link, ...cells.map((cell) => (cell === null ? null : String(cell)))]));
  });
  list.replaceChildren(...rows);
  document.getElementById("count").textContent = `${rows.length} of ${episodes.length}`;
}

function showEpisode() {
  const match = /^#e(\d+)$/.exec(location.hash);
  const e = match ? episodes[Number(match[1])] : undefined;
  panel.hidden = e === undefined;
  if (e === undefined) return;
  const title = element("h3", `${e.name} (${e.level}), attempt ${e.attempt}, ${e.run}: ${e.outcome} after ${e.steps} steps`);
  const media = e.pictures.map((source, i) => element("img", null, { src: source, alt: i ? "at the end" : "at the start" }));
  if (e.video) media.push(element("video", null, { src: e.video, controls: "", preload: "metadata" }));
  const log = element("p");
  log.append(element("a", "log", { href: e.log }));
  const steps = element("table");
  steps.append(row(["step", "action", "result", "left"]));
  for (const [step, action, result, legal, left] of e.lines) {
    steps.append(row([String(step), action, result, String(left)], legal ? "" : "refused"));
  }
  panel.replaceChildren(title, ...media, log, steps);
  panel.scrollIntoView();
}

filter.addEventListener("input", showList);
window.addEventListener("hashchange", showEpisode);
showList();
showEpisode();
