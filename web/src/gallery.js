// All levels, with filters, each as it looks at its beginning.
import { viewControls } from "./controls.js";
import { fetchJson, fill, h } from "./dom.js";
import { hasSeen } from "./guide.js";
import { Replay } from "./replay.js";
import { Viewer } from "./viewer.js";

const COMPARE = /^\s*([\w ]+?)\s*(<=|>=|=|<|>)\s*(.+?)\s*$/;
const THUMB = [320, 240];
const known = (level, name) => (name in level ? level[name] : level.facts[name.replaceAll(" ", "_")]);

// Whether a level has what was typed: words of its name and id, or conditions such as moves>10.
function matches(level, text) {
  return text.split(",").every((part) => {
    const condition = COMPARE.exec(part);
    if (!condition) return `${level.name} ${level.id}`.toLowerCase().includes(part.trim().toLowerCase());
    const [, name, sign, wanted] = condition;
    const value = known(level, name);
    if (value === undefined) return false;
    const [a, b] = Number.isNaN(Number(wanted)) ? [String(value), wanted] : [Number(value), Number(wanted)];
    return { "<": a < b, ">": a > b, "=": a === b, "<=": a <= b, ">=": a >= b }[sign];
  });
}

// Thumbnails, drawn one after another by one viewer as they come into sight.
class Thumbnails {
  constructor() {
    this.known = new Map();
    this.queue = [];
    this.seeing = new IntersectionObserver((entries) => {
      for (const { isIntersecting, target } of entries) if (isIntersecting) this.#want(target);
    }, { rootMargin: "200px" });
  }

  watch(image) {
    this.seeing.observe(image);
  }

  #want(image) {
    this.seeing.unobserve(image);
    const number = image.dataset.level;
    if (this.known.has(number)) image.src = this.known.get(number);
    else {
      this.queue.push(image);
      if (!this.working) this.#work();
    }
  }

  async #work() {
    this.working = true;
    const host = h("div", { className: "offscreen" });
    document.body.append(host);
    const viewer = new Viewer(host);
    while (this.queue.length && !this.disposed) {
      const image = this.queue.shift();
      if (!image.isConnected) continue;
      try {
        const level = await fetchJson(`/api/levels/${image.dataset.level}`);
        viewer.bodies.clear();
        viewer.setScene(level.scene);
        image.src = viewer.picture(...THUMB);
        this.known.set(image.dataset.level, image.src);
      } catch {
        image.alt = "no picture";
      }
      await new Promise((resolve) => setTimeout(resolve));
    }
    viewer.dispose();
    host.remove();
    this.working = false;
  }

  dispose() {
    this.disposed = true;
    this.seeing.disconnect();
  }
}

// Names of levels that this tab has shown; a playing page gets none from the server.
const names = new Map();
export const nameOf = (number) => names.get(number) ?? "";

const kept = { text: "", family: "", tier: "", order: "" };

export class Gallery {
  constructor(root, home) {
    this.home = home;
    this.thumbnails = new Thumbnails();
    this.list = h("ul", { className: "cards" });
    this.count = h("p", { className: "count", role: "status" });
    const values = (name) => [...new Set(home.levels.map((level) => level[name]))];
    const select = (name, label) =>
      h("select", { "aria-label": label, onchange: (event) => this.#set(name, event.target.value) }, h("option", { value: "", textContent: label }), values(name).map((value) => h("option", { value, textContent: value, selected: kept[name] === value })));
    const facts = [...new Set(home.levels.flatMap((level) => Object.keys(level.facts)))].slice(0, 40);
    const search = h("input", { type: "search", value: kept.text, placeholder: "name, or moves>10, pieces<=6", "aria-label": "Filter by name or facts", oninput: () => this.#set("text", search.value) });
    fill(
      root,
      h("header", { className: "top" }, h("h1", { textContent: "Luban" }), h("p", { className: "lead", textContent: "3D puzzles that are solved by acting on them." })),
      home.replays.length
        ? h("section", { className: "replays" }, h("h2", { textContent: "Episodes" }), h("ul", {}, home.replays.map((title, n) => h("li", {}, h("a", { href: `#/replay/${n}`, textContent: title })))))
        : null,
      home.levels.length
        ? h(
            "section",
            {},
            h("h2", { textContent: "First steps" }),
            h(
              "p",
              { className: "first-steps" },
              "Never played? Practice with a few hints, at the easiest level of each family: ",
              home.tutorials.map(({ level, family, actions }) => h("a", { className: hasSeen(actions) ? "chip seen" : "chip", href: `#/learn/${level}`, textContent: hasSeen(actions) ? `✓ ${family}` : family })),
            ),
            h("h2", { textContent: "Levels" }),
            h("div", { className: "filters" }, search, select("family", "every family"), select("tier", "every tier"), this.count),
            h("details", { className: "fact-names" }, h("summary", { textContent: "Facts that can be compared" }), h("p", { textContent: ["pieces", "budget", ...facts].join(", ") })),
            this.list,
          )
        : null,
    );
    this.#draw();
  }

  dispose() {
    this.thumbnails.dispose();
  }

  #set(name, value) {
    kept[name] = value;
    this.#draw();
  }

  #draw() {
    const chosen = this.home.levels
      .map((level, number) => ({ ...level, number }))
      .filter((level) => (!kept.family || level.family === kept.family) && (!kept.tier || level.tier === kept.tier) && matches(level, kept.text));
    this.count.textContent = `${chosen.length} of ${this.home.levels.length}`;
    fill(
      this.list,
      chosen.map((level) => {
        const image = h("img", { alt: "", width: THUMB[0], height: THUMB[1], "data-level": level.number });
        this.thumbnails.watch(image);
        return h(
          "li",
          {},
          h("a", { href: `#/level/${level.number}`, className: "card" }, image, h("strong", { textContent: level.name }), h("span", { className: "tags-row" }, h("span", { className: "badge", textContent: level.family }), h("span", { className: `badge ${level.tier}`, textContent: level.tier }), h("span", { textContent: `${level.pieces} ${level.pieces === 1 ? "piece" : "pieces"}` }))),
        );
      }),
    );
  }
}

export class LevelPage {
  // `shown` is the level, as it is fetched.
  constructor(root, number, shown) {
    this.root = root;
    this.#load(number, shown);
  }

  async #load(number, shown) {
    const level = await shown;
    if (this.disposed) return;
    names.set(number, level.name);
    const stage = h("div", { className: "stage" });
    const view = h("div", { className: "view" }, stage);
    const plan = h("div", { className: "plan-place" });
    const rows = [["id", level.id], ["family", level.family], ["tier", level.tier], ["pieces", level.pieces], ["budget", level.budget], ["source", level.source], ...Object.entries(level.facts).filter(([name]) => name !== "pieces")];
    fill(
      this.root,
      h("header", { className: "top" }, h("a", { href: "#/", className: "back", textContent: "← Levels" }), h("h1", { textContent: level.name })),
      h(
        "div",
        { className: "play-body" },
        view,
        h(
          "aside",
          { className: "side" },
          h("a", { className: "primary", href: `#/play/${number}`, textContent: "Play" }),
          h("details", { className: "task", open: true }, h("summary", { textContent: "The task" }), h("p", { textContent: level.instruction })),
          h("dl", { className: "facts" }, rows.map(([name, value]) => [h("dt", { textContent: name.replaceAll("_", " ") }), h("dd", { textContent: String(value) })])),
          level.has_plan ? h("button", { type: "button", textContent: "Show a plan that solves it", onclick: (event) => this.#plan(event.target, number, plan) }) : null,
        ),
      ),
      plan,
    );
    this.viewer = new Viewer(stage, { label: level.name });
    this.viewer.setScene(level.scene);
    view.append(viewControls(this.viewer, level.colour_blind));
  }

  async #plan(button, number, place) {
    button.disabled = true;
    const document = await fetchJson(`/api/levels/${number}/plan`);
    const body = h("div", { className: "play-body" });
    fill(place, h("h2", { textContent: "A plan" }), body);
    this.replay = new Replay(body, document, { title: "The plan" });
    place.scrollIntoView();
  }

  dispose() {
    this.disposed = true;
    this.viewer?.dispose();
    this.replay?.dispose();
  }
}
