// Which page is shown: a list, a level, a game, or an episode that is seen again.
import { fetchJson, fill, h } from "./dom.js";
import { Gallery, LevelPage, nameOf } from "./gallery.js";
import { PlayPage } from "./play.js";
import { Replay } from "./replay.js";
import { StudyPage } from "./study.js";

const app = document.getElementById("app");
let page = null;

function fail(error) {
  fill(app, h("header", { className: "top" }, h("a", { href: "#/", className: "back", textContent: "← Levels" })), h("p", { className: "banner bad", role: "alert", textContent: error.message }));
}

class ReplayPage {
  constructor(root, home, number, other) {
    this.parts = [];
    const others = home.replays.map((title, n) => h("option", { value: n, textContent: title, selected: n === other }));
    const compare = h("select", { "aria-label": "Compare with", onchange: () => (location.hash = compare.value === "" ? `#/replay/${number}` : `#/replay/${number}/${compare.value}`) }, h("option", { value: "", textContent: "side by side with …" }), others);
    const bodies = [number, ...(other === undefined ? [] : [other])].map((n) => ({ n, body: h("div", { className: "play-body" }) }));
    const heading = h("h1", { textContent: home.replays[number] });
    fill(
      root,
      h("header", { className: "top" }, h("a", { href: "#/", className: "back", textContent: "← All" }), heading, home.replays.length > 1 ? compare : null, h("a", { href: `/api/replays/${number}/page`, className: "back", download: "episode.html", textContent: "Save as a file" })),
      h("div", { className: bodies.length > 1 ? "beside" : "" }, bodies.map(({ n, body }) => (bodies.length > 1 ? h("section", {}, h("h2", { className: "which", textContent: home.replays[n] }), body) : body))),
    );
    for (const { n, body } of bodies) {
      fetchJson(`/api/replays/${n}`)
        .then((document) => this.disposed || this.#show(n, new Replay(body, document, { title: document.title })))
        .catch((error) => fill(body, h("p", { className: "banner bad", role: "alert", textContent: error.message })));
    }
  }

  // Pictures are drawn when they are asked for, so they come after the rest.
  async #show(n, replay) {
    this.parts.push(replay);
    const pictures = await fetchJson(`/api/replays/${n}/pictures`).catch((error) => ({ note: error.message }));
    if (!this.disposed) replay.setPictures(pictures);
  }

  dispose() {
    this.disposed = true;
    for (const part of this.parts) part.dispose();
  }
}

let routes = 0;

// Show the page of the address. Of several that are under way, the last one alone is shown.
async function route() {
  const number = ++routes;
  page?.dispose();
  page = null;
  try {
    const make = await choosePage();
    if (number === routes) page = make();
  } catch (error) {
    if (number === routes) fail(error);
  }
}

// How to make the page of the address.
async function choosePage() {
  const [, name = "", first, second] = location.hash.split("/");
  const level = Number(first ?? 0);
  // Both are asked for at once: a study has no levels to show.
  const shown = name === "level" ? fetchJson(`/api/levels/${level}`) : null;
  shown?.catch(() => null);
  // A playing page is told how many levels there are, and nothing else of them.
  const home = await fetchJson("/api/home");
  if (home.study) return () => new StudyPage(app);
  const lone = home.levels + home.replays === 1;
  if (name === "play" || (!name && lone && home.levels)) {
    return () => new PlayPage(app, { start: { level }, storeAs: `luban-play-${level}`, back: lone ? null : `#/level/${level}`, title: nameOf(level) });
  }
  if (name === "learn") return () => new PlayPage(app, { start: { level }, back: "#/", title: nameOf(level), modes: ["practice"], learns: true });
  if (name === "level") return () => new LevelPage(app, level, shown);
  const lists = await fetchJson("/api/lists");
  const other = second === undefined ? undefined : Number(second);
  if (name === "replay" || (!name && lone)) return () => new ReplayPage(app, lists, Number(first ?? 0), other);
  return () => new Gallery(app, lists);
}

const saved = document.getElementById("replay");
if (saved) {
  const document_ = JSON.parse(saved.textContent);
  document.title = document_.title;
  const body = h("div", { className: "play-body" });
  fill(app, h("header", { className: "top" }, h("h1", { textContent: document_.title })), body);
  const replay = (page = new Replay(body, document_, { title: document_.title }));
  // A report, in whose frame this page is, has the pictures that the agent was shown.
  addEventListener("message", ({ source, data }) => {
    if (source === parent && data?.pictures) replay.setPictures(data.pictures);
  });
  if (parent !== window) parent.postMessage("ready", "*");
} else {
  addEventListener("hashchange", route);
  addEventListener("unhandledrejection", (event) => fail(event.reason));
  route();
}

// For tests and curious people: the viewers of the page that is shown.
window.luban = {
  get viewers() {
    return [page?.viewer, page?.replay?.viewer, ...(page?.parts ?? []).map((part) => part.viewer)].filter(Boolean);
  },
};
