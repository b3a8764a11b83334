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
    const cells = [e.attempt, e.run, e.family, e.tier, e.outcome, e.steps, e.plan, e.refused, e.seconds];
    rows.push(row([link, ...cells.map((cell) => (cell === null ? null : String(cell)))], "", [0, 2, 3, 4, 5]));
  });
  list.replaceChildren(...rows);
  document.getElementById("count").textContent = `${rows.length} of ${episodes.length}`;
}

// A picture or video that can't be loaded is replaced by words that say so.
function watchMedia(root) {
  for (const made of root.querySelectorAll("img, video")) {
    const kind = made.localName === "video" ? "video" : "picture";
    const words = `The ${kind} is missing: ${made.getAttribute("src").slice(0, 200)}`;
    made.addEventListener("error", () => made.replaceWith(element("p", words)));
  }
}

// A button that unfolds all turns of an episode, or folds them again.
function unfolder(root) {
  const turns = [...root.querySelectorAll("details.turn")];
  const button = element("button", "unfold all turns", { type: "button" });
  button.addEventListener("click", () => {
    const open = turns.some((turn) => !turn.open);
    for (const turn of turns) turn.open = open;
    button.textContent = open ? "fold all turns" : "unfold all turns";
  });
  return turns.length > 1 ? [button] : [];
}

async function unpack(text) {
  const bytes = Uint8Array.from(atob(text.trim()), (letter) => letter.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).text();
}

// The pictures that the agent was shown, by the step that came next. Files can't get into the frame.
function listPictures(turns) {
  const images = [];
  const shown = {};
  let files = 0;
  for (const turn of turns) {
    const figures = [...turn.querySelectorAll(".pictures figure")].map((figure) => {
      const source = figure.querySelector("img")?.getAttribute("src") ?? "";
      const isFile = source !== "" && !source.startsWith("data:");
      if (isFile) files += 1;
      const found = images.indexOf(source);
      const image = !source || isFile ? null : found < 0 ? images.push(source) - 1 : found;
      return { name: figure.querySelector("figcaption").textContent, image };
    });
    if (figures.some(({ image }) => image !== null)) shown[turn.dataset.step] = figures;
  }
  return { images, turns: shown, note: files ? "The pictures that the agent was shown stand below." : "" };
}

// A button that shows an episode in 3D, in a frame that can do nothing else.
function replayer(number, turns) {
  const packed = document.getElementById(`r${number}`);
  const viewer = document.getElementById("viewer");
  if (!packed || !viewer) return [];
  const button = element("button", "see it in 3D", { type: "button" });
  button.addEventListener("click", async () => {
    button.disabled = true;
    const page = await unpack(viewer.textContent).catch((error) => error);
    if (page instanceof Error) return button.replaceWith(element("p", `This browser can't unpack it: ${page.message}`));
    const attributes = { class: "replay", title: "The episode in 3D", sandbox: "allow-scripts" };
    const frame = element("iframe", null, attributes);
    window.addEventListener("message", ({ source, data }) => {
      if (source === frame.contentWindow && data === "ready") source.postMessage({ pictures: listPictures(turns) }, "*");
    });
    frame.srcdoc = page.replace(viewer.dataset.mark, packed.textContent.trim());
    button.replaceWith(frame);
  });
  return [button];
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
  const body = document.getElementById(`t${match[1]}`).content.cloneNode(true);
  watchMedia(body);
  const turns = [...body.querySelectorAll("details.turn[data-step]")];
  body.querySelector(".facts").after(...replayer(Number(match[1]), turns), ...unfolder(body));
  panel.replaceChildren(title, neighbours(Number(match[1])), body);
  panel.scrollIntoView();
}

filter.addEventListener("input", showList);
window.addEventListener("hashchange", showEpisode);
showList();
showEpisode();
