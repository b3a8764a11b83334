// Playing a level: an episode with a budget and a log, or practice.
import { viewControls } from "./controls.js";
import { fill, h } from "./dom.js";
import { Guide, hasSeen, namesOf } from "./guide.js";
import { namedRotation } from "./lattice.js";
import { ActionPanel, makeContext } from "./panel.js";
import { Connection } from "./socket.js";
import { Viewer } from "./viewer.js";

const LOST = "The server does not answer. What was played is in its log: start `luban web` again, and this page goes on by itself.";
const LOST_PRACTICE = "The server does not answer, and practice ends with it. Start `luban web` again.";
const OUTCOMES = { SOLVED: "Solved", OUT_OF_BUDGET: "Out of steps", GAVE_UP: "Given up" };
const MODES = {
  scene: { title: "Play in 3D", about: "You see the puzzle from all sides. It is an episode: steps are counted and written down." },
  pictures: { title: "Play with pictures", about: "You see the pictures that an agent sees, and nothing else: fair to compare with agents." },
  practice: { title: "Practice", about: "This is no episode: nothing is counted or written down, and steps can be undone." },
};

// Whether actions take cells, so that coordinates have to be read off.
const namesCells = (tools) =>
  tools.some((tool) => Object.values(tool.function.parameters.properties).some((schema) => schema.type === "array" && !schema.items.enum));

export class PlayPage {
  constructor(root, { start, storeAs, back, title, modes = ["scene", "pictures", "practice"], guided = true, learns = false }) {
    Object.assign(this, { root, startOf: start, storeAs, back, title, modes, guided, learns });
    this.key = storeAs ? sessionStorage.getItem(storeAs) : null;
    this.note = h("p", { className: "banner", role: "status", hidden: true });
    this.body = h("div", { className: "play-body" });
    this.heading = h("h1", { textContent: title });
    this.meter = h("div", { className: "meter" });
    fill(
      root,
      h("header", { className: "top" }, back ? h("a", { href: back, className: "back", textContent: "← Levels" }) : null, this.heading, this.meter),
      this.note,
      this.body,
    );
    if (!this.key) this.choose();
    this.connection = new Connection({
      opened: () => this.opened(),
      heard: (message) => this.hear(message),
      lost: () => this.#lost(),
    });
  }

  dispose() {
    this.connection.close();
    this.viewer?.dispose();
    this.viewer = null;
  }

  opened() {
    this.tell("");
    if (this.key) this.connection.send({ type: "resume", key: this.key });
    else if (this.head) this.over();
    else if (this.wanted || this.learns) this.start(this.wanted ?? "practice");
  }

  // Begin an episode, or as soon as the connection is open.
  start(mode) {
    this.tell("");
    this.wanted = null;
    const sent = this.connection.send({ type: "start", ...this.startOf, pictures: mode === "pictures", practice: mode === "practice" });
    if (!sent) this.wanted = mode;
  }

  #lost() {
    this.tell(this.head?.practice ? LOST_PRACTICE : LOST, true);
    this.panel?.busy(true);
  }

  over() {
    this.viewer?.dispose();
    this.viewer = this.head = this.panel = null;
    this.meter.replaceChildren();
    this.choose();
  }

  tell(text, bad = false, ...more) {
    this.note.hidden = !text;
    this.note.className = bad ? "banner bad" : "banner";
    fill(this.note, text, more);
  }

  choose() {
    fill(
      this.body,
      h(
        "div",
        { className: "choices" },
        this.modes.map((mode) =>
          h("button", { type: "button", className: `choice ${mode}`, onclick: () => this.start(mode) }, h("strong", { textContent: MODES[mode].title }), h("span", { textContent: MODES[mode].about })),
        ),
      ),
    );
    this.body.querySelector("button")?.focus();
  }

  hear(message) {
    if (message.type === "episode") this.begin(message);
    else if (message.type === "state") this.#show(message);
    else if (message.type === "turn") this.#turn(message);
    else if (message.type === "error") this.fail(message);
  }

  fail({ words, gone }) {
    this.panel?.busy(false);
    if (!gone) return this.#say(words, "refused");
    const own = this.key;
    if (this.head) {
      const again = h("button", { type: "button", className: "small", textContent: "Go on here", onclick: () => this.connection.send({ type: "resume", key: own }) });
      this.panel?.busy(true);
      return this.tell(`${words} `, true, again);
    }
    this.key = null;
    if (this.storeAs) sessionStorage.removeItem(this.storeAs);
    this.choose();
    this.tell(words, true);
  }

  // -- an episode ------------------------------------------------------------------------------

  begin(head) {
    this.tell("");
    this.viewer?.dispose();
    this.viewer = this.guide = this.hint = null;
    this.head = head;
    this.key = head.key || null;
    if (this.storeAs && this.key) sessionStorage.setItem(this.storeAs, this.key);
    this.heading.textContent = head.pictures ? "" : this.title;
    this.stage = h("div", { className: "stage" });
    this.result = h("p", { className: "result", role: "status", "aria-live": "polite" });
    this.history = h("ol", { className: "history" });
    this.state = h("pre", { className: "state" });
    this.buttons = h("div", { className: "buttons" });
    this.side = h("aside", { className: "side" });
    const view = h("div", { className: "view" }, this.stage);
    if (!head.pictures) {
      this.viewer = new Viewer(this.stage, {
        pick: (hit, event) => this.#pick(hit, event),
        press: (event) => this.#press(event),
        drag: {
          names: (name, event) => (this.#isOver() ? null : this.panel.dragged(name, event.shiftKey)),
          turns: (name) => (this.#isOver() ? [] : this.gestures.filter(({ grips }) => grips?.includes(name))),
          describe: ({ name, values }) => [name.replaceAll("_", " "), ...values].join(" "),
          show: (words) => {
            this.dragTag.hidden = !words;
            this.dragTag.textContent = words;
          },
          drop: (names, found) => this.panel.drop(names, found),
          turn: (gesture) => this.panel.button.disabled || this.panel.perform(gesture),
        },
      });
      this.viewer.controls.addEventListener("end", () => this.guide?.notice("turned"));
      this.viewer.canvas.addEventListener("keydown", ({ key }) => /^Arrow|^[-+=]$/.test(key) && this.guide?.notice("turned"));
      this.dragTag = h("div", { className: "drag-tag", hidden: true });
      this.stage.append(this.dragTag);
      this.hint = h("p", { className: "gesture-hint", hidden: true });
      view.append(this.hint);
      view.append(viewControls(this.viewer, head.colour_blind, { redraw: () => this.panel.redraw(), ruled: namesCells(head.tools) }));
    } else this.stage.classList.add("pictures");
    const context = makeContext(this.viewer, () => this.now?.scene, head.swatches);
    this.panel = null;
    fill(this.body, view, this.side);
    this.makePanel = () => new ActionPanel(head.tools, context, (name, values) => this.#act(name, values), (names, ghost) => this.#chosen(names, ghost));
  }

  #fillSide() {
    fill(
      this.side,
      this.head.practice ? h("p", { className: "practice-note", textContent: MODES.practice.about }) : null,
      h("details", { className: "task", open: innerWidth > 700 }, h("summary", { textContent: "The task" }), h("p", { textContent: this.head.instruction })),
      this.result,
      this.panel.element,
      this.buttons,
      this.head.pictures ? null : h("details", {}, h("summary", { textContent: "The state in words" }), this.state),
      h("details", { className: "turns", open: true }, h("summary", { textContent: "What was done" }), this.history),
    );
  }

  #show(state) {
    const first = !this.panel;
    this.now = state;
    this.gestures = state.gestures ?? [];
    if (this.viewer) this.viewer.setScene(state.scene);
    else this.#showPictures(state.pictures);
    if (first) {
      this.panel = this.makePanel();
      this.#showHint();
      this.#fillSide();
      if (this.head.practice && this.guided && (this.learns || !hasSeen(namesOf(this.head.tools)))) this.#guide();
    } else this.panel.redraw();
    this.panel.busy(false);
    this.state.textContent = state.words ?? "";
    fill(this.history, state.history.map((line) => h("li", { textContent: line.replace(/^\d+\. /, "") })));
    this.history.scrollTop = this.history.scrollHeight;
    this.#showMeter(state);
    this.showButtons(state);
    if (state.outcome) this.#finish(state);
    else this.body.classList.remove("over");
  }

  // What can be done in the picture itself, besides choosing.
  #showHint() {
    if (!this.hint) return;
    const has = (part) => this.gestures.some((gesture) => gesture[part]);
    const words = [
      this.panel.drags ? "Drag a piece along an axis to move it." : "",
      has("grips") ? "Drag a piece to turn it." : "",
      has("cell") ? "Click the floor to walk there." : "",
      has("key") ? "Arrow keys on the picture make a step, with Shift they turn the view." : "",
    ].filter(Boolean);
    this.hint.hidden = !words.length;
    this.hint.textContent = words.join(" ");
    this.panel.hint = this.gestures.length ? this.hint.textContent : "";
    this.panel.walks = has("key");
    if (this.panel.walks) this.viewer.canvas.setAttribute("aria-label", "The puzzle in 3D. Arrow keys make a step. With Shift they turn the view. Plus and minus zoom, Home shows everything.");
  }

  #guide() {
    this.guide = new Guide(this.panel, namesOf(this.head.tools), () => {
      this.guide = null;
      this.showButtons(this.now);
    });
    this.side.prepend(this.guide.element);
    this.showButtons(this.now);
  }

  #showPictures(pictures) {
    fill(
      this.stage,
      pictures.map(({ name, url }) => h("figure", {}, h("img", { src: url, alt: `Picture “${name}” of the puzzle` }), h("figcaption", { textContent: name }))),
    );
  }

  #showMeter({ step, budget_left: left }) {
    if (left === null) {
      fill(this.meter, h("span", { className: "badge practice", textContent: "practice" }), h("span", { textContent: `${step} ${step === 1 ? "action" : "actions"}` }));
      return;
    }
    fill(
      this.meter,
      h("progress", { max: this.head.budget, value: left, "aria-label": "Steps left" }),
      h("span", { textContent: `${left} of ${this.head.budget} steps left` }),
    );
  }

  showButtons(state) {
    const send = (type) => () => this.connection.send({ type });
    const undo = () => this.connection.send({ type: "undo" }) && this.guide?.notice("undone");
    const over = Boolean(state.outcome) && !this.head.practice;
    fill(
      this.buttons,
      this.head.practice ? h("button", { type: "button", textContent: "Undo", disabled: !state.undoable, onclick: undo }) : null,
      this.head.practice ? h("button", { type: "button", textContent: "Begin again", onclick: send("give_up") }) : null,
      this.head.practice || over ? null : h("button", { type: "button", className: "quiet", textContent: "Give up", onclick: () => confirm("Give up? The episode ends unsolved.") && this.connection.send({ type: "give_up" }) }),
      this.head.practice && this.guided && !this.guide ? h("button", { type: "button", textContent: "Show me how", onclick: () => this.#guide() }) : null,
      over || this.head.practice ? h("button", { type: "button", className: "elsewhere", textContent: "Play something else", onclick: () => this.#leave() }) : null,
    );
  }

  #leave() {
    if (this.storeAs) sessionStorage.removeItem(this.storeAs);
    this.key = null;
    if (this.left) this.left();
    else this.over();
  }

  #isOver() {
    return Boolean(this.now?.outcome) && !this.head.practice;
  }

  #finish(state) {
    const { outcome, step } = state;
    this.tell(`${OUTCOMES[outcome]} after ${step} ${step === 1 ? "step" : "steps"}.`, outcome !== "SOLVED");
    this.note.classList.toggle("good", outcome === "SOLVED");
    if (!this.head.practice) {
      this.body.classList.add("over");
      this.panel.busy(true);
    }
  }

  // -- a turn ----------------------------------------------------------------------------------

  #act(name, values) {
    if (this.#isOver()) return;
    if (this.connection.send({ type: "act", name, arguments: values })) this.panel.busy(true);
    else this.#say("Not sent: there is no connection to the server.", "refused");
  }

  async #turn({ words, motions, refusal, state }) {
    this.viewer?.mark([], "blamed");
    this.viewer?.setGhost(null);
    this.guide?.notice("acted");
    this.#say(words, refusal ? "refused" : "done");
    if (refusal) this.viewer?.mark(refusal.culprits, "blamed");
    const viewer = this.viewer;
    if (!refusal || !viewer) this.now = state;
    await viewer?.play(motions, { refused: Boolean(refusal), travel: refusal?.travel });
    if (viewer !== this.viewer) return;
    this.#show(state);
    if (refusal) this.viewer?.mark(refusal.culprits, "blamed");
  }

  // Marks the chosen bodies, and shows what the chosen values would fill.
  #chosen(names, { cells, cell, turned, rotation, body }) {
    const { viewer } = this;
    if (!viewer) return;
    viewer.mark(names, "selected");
    if (this.panel && Object.keys(this.panel.values()).length) this.guide?.notice("chosen");
    const known = viewer.bodies.get(body ?? names[0]);
    let filled = cells ?? (cell && !turned ? [cell] : null);
    if (turned && rotation && known) filled = viewer.cellsOf(body, namedRotation(rotation), cell);
    viewer.setGhost(filled, known?.rgb ?? 0x9aa4b5);
  }

  #say(words, kind) {
    if (!this.result) return this.tell(words, true);
    this.result.className = `result ${kind}`;
    this.result.textContent = words;
  }

  #pick(hit, event) {
    this.viewer.mark([], "blamed");
    if (!hit) return;
    const front = hit.cell.map((value, i) => value + hit.side[i]).join();
    const gesture = this.gestures.find(({ name, cell }) => cell?.join() === front && name === this.panel.tool.name);
    const ready = !this.panel.button.disabled && !this.#isOver();
    if (gesture && ready && hit.side[2] === 1 && !event.shiftKey) this.panel.perform(gesture);
    else this.panel.point(hit, event.shiftKey);
  }

  // Makes the gesture of an arrow key; true if there are such gestures.
  #press(event) {
    const keyed = this.gestures.filter(({ key }) => key);
    const direction = this.viewer.floorDirection(event.key);
    if (!keyed.length || !direction) return false;
    const gesture = keyed.find(({ key }) => key === direction);
    const ready = !event.repeat && !this.panel.button.disabled && !this.#isOver();
    if (ready && gesture) this.panel.perform(gesture);
    else if (ready) this.#say(`Nothing to step onto at ${direction}.`, "");
    return true;
  }
}
