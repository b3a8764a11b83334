// An episode or a plan, step by step.
import { viewControls } from "./controls.js";
import { fill, h } from "./dom.js";
import { Viewer } from "./viewer.js";

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

export class Replay {
  constructor(root, document, { title = "Replay" } = {}) {
    Object.assign(this, { root, document, at: 0, playing: false, speed: 1 });
    this.scenes = listScenes(document);
    this.stage = h("div", { className: "stage" });
    this.words = h("div", { className: "step-words", role: "status", "aria-live": "polite" });
    this.agent = h("blockquote", { className: "agent-words" });
    this.list = h("ol", { className: "steps" });
    const last = document.steps.length;
    this.range = h("input", { type: "range", min: 0, max: last, value: 0, step: 1, "aria-label": "Step", oninput: () => this.seek(Number(this.range.value)) });
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
        h("div", { className: "timeline" }, step("◀", "One step back", -1), this.playButton, step("▶", "One step on", 1), h("div", { className: "track" }, this.range, this.marks), this.count),
        viewControls(this.viewer, document.colour_blind),
      ),
      h("aside", { className: "side" }, this.#head(), this.words, this.agent, h("details", { className: "turns", open: true }, h("summary", { textContent: "Steps" }), this.list)),
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

  #head() {
    const { agent, world, budget, outcome, note, steps, proof, instruction } = this.document;
    const rows = [
      ["agent", agent],
      ["outcome", agent === undefined ? null : outcome ? OUTCOMES[outcome] : "cut off"],
      ["note", note],
      ["steps", budget ? `${steps.length} of ${budget}` : `${steps.length}`],
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
        h("li", { className: step.kind === "ok" ? "" : "refused" }, h("button", { type: "button", onclick: () => this.show(i + 1) }, h("code", { textContent: step.call }), step.kind === "ok" ? null : h("span", { className: "cross", textContent: " ✕ refused" }))),
      ),
    );
    fill(
      this.marks,
      steps.map((step, i) => {
        if (step.kind === "ok") return null;
        const mark = h("i");
        mark.style.left = `${((i + 1) / steps.length) * 100}%`;
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
    this.range.value = number;
    this.range.setAttribute("aria-valuetext", number ? `step ${number} of ${steps.length}: ${steps[number - 1].call}` : "the beginning");
    this.count.textContent = `${number} / ${steps.length}`;
    const step = steps[number - 1];
    fill(
      this.words,
      step
        ? [h("code", { textContent: step.call }), h("p", { className: step.kind === "ok" ? "done" : "refused", textContent: step.words })]
        : [h("p", { textContent: "The beginning." })],
    );
    this.agent.hidden = !step?.agent_words;
    this.agent.textContent = step?.agent_words ?? "";
    [...this.list.children].forEach((item, i) => item.classList.toggle("now", i + 1 === number));
    this.list.children[number - 1]?.scrollIntoView({ block: "nearest" });
    this.viewer.mark(step && step.kind !== "ok" ? step.culprits : [], "blamed");
    this.playButton.textContent = this.playing ? "Pause" : "Play";
  }

  // Shows the state after a step, at once.
  seek(number) {
    this.viewer.running += 1;
    this.viewer.setScene(this.scenes[number]);
    this.#tell(number);
  }

  // Shows a step as it is made.
  async show(number) {
    if (number < 1) return this.seek(0);
    const { steps } = this.document;
    const step = steps[number - 1];
    this.viewer.running += 1;
    this.viewer.setScene(this.scenes[number - 1]);
    this.#tell(number);
    const refused = step.kind !== "ok";
    await this.viewer.play(step.motions ?? [], { refused, travel: step.travel ?? 0, speed: this.speed });
    if (this.at !== number || this.viewer.disposed) return;
    this.viewer.setScene(this.scenes[number]);
    this.viewer.mark(refused ? step.culprits : [], "blamed");
  }

  step(by) {
    this.playing = false;
    const number = Math.min(this.document.steps.length, Math.max(0, this.at + by));
    if (number === this.at) this.#tell(number);
    else if (by > 0) this.show(number);
    else this.seek(number);
  }

  async toggle() {
    this.playing = !this.playing;
    if (this.playing && this.at === this.document.steps.length) this.seek(0);
    this.#tell(this.at);
    while (this.playing && this.at < this.document.steps.length) {
      await this.show(this.at + 1);
      await new Promise((resolve) => setTimeout(resolve, 350));
    }
    this.playing = false;
    if (!this.viewer.disposed) this.#tell(this.at);
  }
}
