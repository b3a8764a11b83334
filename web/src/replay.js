// An episode or a plan, step by step.
import { viewControls } from "./controls.js";
import { fill, h } from "./dom.js";
import { Viewer } from "./viewer.js";

const PACES = [1, 4, 16, 64];
const REST = 350;
const QUICK = 0.4;
const OUTCOMES = { SOLVED: "solved", OUT_OF_BUDGET: "out of steps", GAVE_UP: "given up" };

// The scenes after each step, from what each has changed.
function listScenes(document) {
  const scenes = [document.scene];
  for (const { change } of document.steps) {
    const before = scenes.at(-1);
    const changed = new Map((change.bodies ?? []).map((body) => [body.name, body]));
    const gone = new Set(change.gone ?? []);
    const kept = (before.bodies ?? []).filter((body) => !gone.has(body.name));
    const names = new Set(kept.map((body) => body.name));
    const bodies = kept.map((body) => changed.get(body.name) ?? body);
    for (const [name, body] of changed) if (!names.has(name)) bodies.push(body);
    scenes.push({ ...before, bodies });
  }
  return scenes;
}

// Seconds since the beginning as people read them: 0:07, 12:40, 1:02:03.
function formatTime(seconds) {
  const whole = Math.floor(seconds);
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  return (parts[0] ? parts : parts.slice(1)).map((part, i) => (i ? String(part).padStart(2, "0") : part)).join(":");
}

// The seconds after which each step was made, if all are known; they never go back.
function listTimes(steps) {
  if (!steps.length || steps.some((step) => typeof step.seconds !== "number")) return null;
  let last = 0;
  return [0, ...steps.map((step) => (last = Math.max(last, step.seconds)))];
}

export class Replay {
  constructor(root, document, { title = "Replay" } = {}) {
    // A pace of 0 shows step after step; others are times as fast as the episode went.
    Object.assign(this, { root, document, at: 0, playing: false, plays: 0, pace: 0, clock: 0, pictures: document.pictures ?? null });
    this.scenes = listScenes(document);
    this.times = listTimes(document.steps);
    this.stage = h("div", { className: "stage" });
    this.words = h("div", { className: "step-words", role: "status", "aria-live": "polite" });
    this.agent = h("blockquote", { className: "agent-words" });
    this.seen = h("section", { className: "seen", hidden: true });
    this.list = h("ol", { className: "steps" });
    const last = document.steps.length;
    this.range = h("input", { type: "range", min: 0, max: last, value: 0, step: 1, "aria-label": "Step", oninput: () => this.#slide(Number(this.range.value)) });
    this.count = h("output", { className: "count" });
    this.playButton = h("button", { type: "button", className: "chip round", onclick: () => this.toggle() });
    const step = (text, label, by) => h("button", { type: "button", className: "chip round", textContent: text, "aria-label": label, title: label, onclick: () => this.step(by) });
    this.marks = h("div", { className: "timeline-marks", "aria-hidden": "true" });
    this.viewer = new Viewer(this.stage, { label: title });
    fill(
      root,
      h(
        "div",
        { className: "view" },
        this.stage,
        last ? h("div", { className: "timeline" }, step("◀", "One step back", -1), this.playButton, step("▶", "One step on", 1), h("div", { className: "track" }, this.range, this.marks), this.count, this.#paces()) : null,
        viewControls(this.viewer, document.colour_blind),
      ),
      h("aside", { className: "side" }, this.#head(), last ? [this.words, this.agent, this.seen, h("details", { className: "turns", open: true }, h("summary", { textContent: "Steps" }), this.list)] : null),
    );
    root.addEventListener("keydown", (event) => this.#key(event));
    this.#list();
    this.viewer.setScene(this.scenes[0]);
    this.seek(0);
  }

  dispose() {
    this.playing = false;
    this.viewer.dispose();
  }

  // How a replay goes on: step after step, or as the episode went, where its times are known.
  #paces() {
    if (!this.times) return null;
    const words = (pace) => (pace === 1 ? "as it went" : `${pace} times as fast`);
    const options = [h("option", { value: 0, textContent: "by steps" }), PACES.map((pace) => h("option", { value: pace, textContent: words(pace) }))];
    const select = h("select", { "aria-label": "Pace", className: "pace", onchange: () => this.#setPace(Number(select.value)) }, options);
    return select;
  }

  #setPace(pace) {
    this.pace = pace;
    this.playing = false;
    this.plays += 1;
    this.clock = this.times[this.at];
    this.range.max = pace ? this.times.at(-1) : this.document.steps.length;
    this.range.step = pace ? "any" : 1;
    this.#mark();
    this.#tell(this.at);
  }

  // The last step that was made by some second.
  #stepBy(seconds) {
    return this.times.findLastIndex((time) => time <= seconds + 1e-6);
  }

  #slide(value) {
    if (!this.pace) return this.seek(value);
    const number = this.#stepBy(value);
    if (number !== this.at) this.seek(number);
    this.clock = value;
    this.#tell(number);
  }

  // Shows pictures that an agent was shown, which may come later than the rest.
  setPictures(pictures) {
    this.pictures = pictures;
    this.#look();
  }

  #look() {
    const { images = [], turns = {}, note = "" } = this.pictures ?? {};
    const step = Object.keys(turns).map(Number).filter((number) => number <= this.at).sort((a, b) => a - b).at(-1);
    const shown = step === undefined ? [] : turns[step];
    this.seen.hidden = !shown.length && !note;
    fill(
      this.seen,
      shown.length ? h("h3", { textContent: `Shown to the agent before step ${step}` }) : null,
      h("div", { className: "seen-pictures" }, shown.map(({ name, image }) => this.#figure(name, images[image]))),
      note ? h("small", { textContent: note }) : null,
    );
  }

  #figure(name, source) {
    const picture = source && h("img", { src: source, alt: `Picture ${name} that the agent was shown` });
    return h("figure", {}, picture, h("figcaption", { textContent: source ? name : `${name} (not drawn)` }));
  }

  #head() {
    const { agent, world, budget, outcome, note, steps, proof, instruction } = this.document;
    const rows = [
      ["agent", agent],
      ["outcome", agent === undefined ? null : outcome ? OUTCOMES[outcome] : "cut off"],
      ["note", note],
      ["steps", !steps.length && agent === undefined ? null : budget ? `${steps.length} of ${budget}` : `${steps.length}`],
      ["refused", agent === undefined ? null : `${steps.filter((step) => step.kind !== "ok").length}`],
      ["world", world],
      ["proof", proof],
    ].filter(([, value]) => value);
    return [
      h("dl", { className: "facts" }, rows.map(([name, value]) => [h("dt", { textContent: name }), h("dd", { textContent: value })])),
      instruction ? h("details", { className: "task" }, h("summary", { textContent: "The task" }), h("p", { textContent: instruction })) : null,
    ];
  }

  #list() {
    const { steps } = this.document;
    fill(
      this.list,
      steps.map((step, i) =>
        h("li", { className: step.kind === "ok" ? "" : "refused" }, h("button", { type: "button", onclick: () => this.show(i + 1) }, h("code", { textContent: step.call }), step.kind === "ok" ? null : h("span", { className: "cross", textContent: " ✕ refused" }), this.times ? h("time", { textContent: formatTime(this.times[i + 1]) }) : null)),
      ),
    );
    this.#mark();
  }

  // Marks refused steps on the timeline, and all of them where it shows times.
  #mark() {
    const { steps } = this.document;
    const end = this.pace ? this.times.at(-1) || 1 : steps.length;
    fill(
      this.marks,
      steps.map((step, i) => {
        if (step.kind === "ok" && !this.pace) return null;
        const mark = h("i", { className: step.kind === "ok" ? "made" : "refused" });
        mark.style.left = `${((this.pace ? this.times[i + 1] : i + 1) / end) * 100}%`;
        return mark;
      }),
    );
  }

  #key(event) {
    if (event.target.matches("input, select, canvas, button") && event.key === " ") return;
    if (event.target.matches("canvas, input, select")) return;
    if (event.key === "ArrowRight") this.step(1);
    else if (event.key === "ArrowLeft") this.step(-1);
    else if (event.key === " ") this.toggle();
    else return;
    event.preventDefault();
  }

  #tell(number) {
    const { steps } = this.document;
    this.at = number;
    this.range.value = this.pace ? this.clock : number;
    this.range.setAttribute("aria-valuetext", number ? `step ${number} of ${steps.length}: ${steps[number - 1].call}` : "the beginning");
    this.#count();
    const step = steps[number - 1];
    fill(
      this.words,
      step
        ? [h("code", { textContent: step.call }), h("p", { className: step.kind === "ok" ? "done" : "refused", textContent: step.words })]
        : [h("p", { textContent: "The beginning." })],
    );
    const said = [step?.agent_words, number === steps.length ? this.document.last_words : ""].filter(Boolean).join("\n\n");
    this.agent.hidden = !said;
    this.agent.textContent = said;
    this.#look();
    [...this.list.children].forEach((item, i) => item.classList.toggle("now", i + 1 === number));
    this.list.children[number - 1]?.scrollIntoView({ block: "nearest" });
    this.viewer.mark(step && step.kind !== "ok" ? step.culprits : [], "blamed");
    this.playButton.textContent = this.playing ? "Pause" : "Play";
  }

  #count() {
    const steps = `${this.at} / ${this.document.steps.length}`;
    this.count.textContent = this.pace ? `${formatTime(this.clock)} / ${formatTime(this.times.at(-1))} · ${steps}` : steps;
  }

  // Shows the state after a step, at once.
  seek(number) {
    if (this.times) this.clock = this.times[number];
    this.viewer.running += 1;
    this.viewer.setScene(this.scenes[number]);
    this.#tell(number);
  }

  // Shows a step as it is made.
  async show(number) {
    if (number < 1) return this.seek(0);
    const { steps } = this.document;
    const step = steps[number - 1];
    if (this.times) this.clock = this.times[number];
    this.viewer.running += 1;
    this.viewer.setScene(this.scenes[number - 1]);
    this.#tell(number);
    const refused = step.kind !== "ok";
    await this.viewer.play(step.motions ?? [], { refused, travel: step.travel ?? 0 });
    if (this.at !== number || this.viewer.disposed) return;
    this.viewer.setScene(this.scenes[number]);
    this.viewer.mark(refused ? step.culprits : [], "blamed");
  }

  step(by) {
    this.playing = false;
    if (this.times) this.clock = this.times[Math.min(this.document.steps.length, Math.max(0, this.at + by))];
    const number = Math.min(this.document.steps.length, Math.max(0, this.at + by));
    if (number === this.at) this.#tell(number);
    else if (by > 0) this.show(number);
    else this.seek(number);
  }

  async toggle() {
    this.playing = !this.playing;
    const play = ++this.plays;
    if (this.playing && this.at === this.document.steps.length) this.seek(0);
    this.#tell(this.at);
    await (this.pace ? this.#run(play) : this.#stepOn(play));
    if (!this.viewer.disposed && !this.playing) this.#tell(this.at);
  }

  async #stepOn(play) {
    while (this.playing && play === this.plays && this.at < this.document.steps.length) {
      await this.show(this.at + 1);
      await new Promise((resolve) => setTimeout(resolve, REST));
    }
    if (play === this.plays) this.playing = false;
  }

  // Goes on at the pace of the episode; steps that come quickly are shown at once.
  async #run(play) {
    const { pace } = this;
    const end = this.times.at(-1);
    let before = performance.now();
    while (this.playing && this.clock < end) {
      const now = await new Promise(requestAnimationFrame);
      if (this.viewer.disposed || !this.playing || play !== this.plays) return;
      this.clock = Math.min(end, this.clock + (pace * Math.max(0, now - before)) / 1000);
      before = now;
      const { clock } = this;
      const number = this.#stepBy(clock);
      const isQuick = ((this.times[number + 1] ?? Infinity) - clock) / pace < QUICK;
      if (number === this.at + 1 && !isQuick) this.show(number);
      else if (number !== this.at) this.seek(number);
      this.clock = clock;
      this.range.value = clock;
      this.#count();
    }
    this.playing = false;
  }
}
