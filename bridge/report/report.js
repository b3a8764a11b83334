"use strict";
// Lists the episodes and shows the one that the address names: #e0, #e1, ...
const episodes = JSON.parse(document.getElementById("data").textContent);
const list = document.querySelector("#list tbody");
const panel = document.getElementById("episode");
const filter = document.getElementById("filter");
let shown = [];

function element(name, text, attributes = {}) {
  const made = document.createElement(name);
  if (text !== undefined && text !== null) made.textContent = text;
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

function row(cells, className = "", texts = []) {
  const made = element("tr", null, { class: className });
  cells.forEach((cell, i) => {
    const td = element("td", null, texts.includes(i) ? { class: "text" } : {});
    td.append(cell === null ? "–" : cell);
    made.append(td);
  });
  return made;
}

function showList() {
  const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
  shown = [];
  const rows = [];
  episodes.forEach((e, i) => {
    const text = `${e.level} ${e.run} ${e.family} ${e.tier} ${e.outcome}`.toLowerCase();
    if (!words.every((word) => text.includes(word))) return;
    shown.push(i);
    const link = element("a", e.level, { href: `#e${i}` });
    const cells = [e.attempt, e.run, e.family, e.tier, e.outcome, e.steps, e.plan, e.refused];
    rows.push(row([link, ...cells.map((cell) => (cell === null ? null : String(cell)))], "", [0, 2, 3, 4, 5]));
  });
  list.replaceChildren(...rows);
  document.getElementById("count").textContent = `${rows.length} of ${episodes.length}`;
}

// A picture or video that can't be loaded is replaced by words that say so.
function media(name, source, attributes) {
  const made = element(name, null, { src: source, ...attributes });
  made.addEventListener("error", () => made.replaceWith(element("p", `The ${name === "video" ? "video" : "picture"} is missing: ${source.slice(0, 200)}`)));
  return made;
}

// The episodes before and after this one among those that are listed.
function neighbours(number) {
  const nav = element("nav");
  const place = shown.indexOf(number);
  for (const [text, next] of [["← previous", shown[place - 1]], ["next →", shown[place + 1]]]) {
    if (place >= 0 && next !== undefined) nav.append(element("a", text, { href: `#e${next}` }));
  }
  nav.append(element("a", "close", { href: "#episodes" }));
  return nav;
}

function showEpisode() {
  const match = /^#e(\d+)$/.exec(location.hash);
  const e = match ? episodes[Number(match[1])] : undefined;
  panel.hidden = e === undefined;
  panel.replaceChildren();
  if (e === undefined) return;
  const title = element("h3", `${e.name} (${e.level}), attempt ${e.attempt}, ${e.run}: ${e.outcome} after ${e.steps} step${e.steps === 1 ? "" : "s"}`);
  const seen = element("div", null, { class: "media" });
  e.pictures.forEach((source, i) => seen.append(media("img", source, { alt: i ? "at the end" : "at the start" })));
  if (e.video) seen.append(media("video", e.video, { controls: "", preload: "metadata" }));
  const log = element("p");
  log.append(element("a", "log", { href: e.log }), e.video ? "" : " – no video was made of this episode");
  const steps = element("table");
  const head = element("tr");
  ["step", "action", "result", "left"].forEach((name, i) => head.append(element("th", name, i === 1 || i === 2 ? { class: "text" } : {})));
  steps.append(head);
  for (const [step, action, result, legal, left] of e.lines) {
    steps.append(row([String(step), action, result, String(left)], legal ? "" : "refused", [1, 2]));
  }
  const wide = element("div", null, { class: "wide" });
  wide.append(steps);
  panel.replaceChildren(title, neighbours(Number(match[1])), seen, log, wide);
  panel.scrollIntoView();
}

filter.addEventListener("input", showList);
window.addEventListener("hashchange", showEpisode);
showList();
showEpisode();
