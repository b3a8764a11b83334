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
      h("div", { className: bodies.length > 1 ? "beside" : "" }, bodies.map(({ body }) => body)),
    );
    for (const { n, body } of bodies) {
      fetchJson(`/api/replays/${n}`)
        .then((document) => this.parts.push(new Replay(body, document, { title: document.title })))
        .catch((error) => fill(body, h("p", { className: "banner bad", role: "alert", textContent: error.message })));
    }
  }

  dispose() {
    for (const part of this.parts) part.dispose();
  }
}

async function route() {
  page?.dispose();
  page = null;
  try {
    // A playing page is told how many levels there are, and nothing else of them.
    const home = await fetchJson("/api/home");
    if (home.study) {
      page = new StudyPage(app);
      return;
    }
    const [, name = "", first, second] = location.hash.split("/");
    const lone = home.levels + home.replays === 1;
    if (name === "play" || (!name && lone && home.levels)) {
      const number = Number(first ?? 0);
      page = new PlayPage(app, { start: { level: number }, storeAs: `luban-play-${number}`, back: lone ? null : `#/level/${number}`, title: nameOf(number) });
    } else if (name === "learn") {
      page = new PlayPage(app, { start: { level: Number(first) }, back: "#/", title: nameOf(Number(first)), modes: ["practice"], learns: true });
    } else if (name === "level") page = new LevelPage(app, Number(first));
    else {
      const lists = await fetchJson("/api/lists");
      if (name === "replay" || (!name && lone)) {
        page = new ReplayPage(app, lists, Number(first ?? 0), second === undefined ? undefined : Number(second));
      } else page = new Gallery(app, lists);
    }
  } catch (error) {
    fail(error);
  }
}

const saved = document.getElementById("replay");
if (saved) {
  const document_ = JSON.parse(saved.textContent);
  const body = h("div", { className: "play-body" });
  fill(app, h("header", { className: "top" }, h("h1", { textContent: document_.title })), body);
  page = new Replay(body, document_, { title: document_.title });
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
