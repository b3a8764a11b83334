// First steps in practice: made of the schemas of the actions, for whatever puzzle they belong to.
import { fill, h } from "./dom.js";

const SEEN = "luban-guides-seen";
const signOf = (actions) => actions.join(" ");

function readSeen() {
  try {
    return JSON.parse(localStorage.getItem(SEEN)) ?? [];
  } catch {
    return []; // The browser keeps nothing: each first step is the first.
  }
}

export const hasSeen = (actions) => readSeen().includes(signOf(actions));

function keepSeen(actions) {
  try {
    localStorage.setItem(SEEN, JSON.stringify([...new Set([...readSeen(), signOf(actions)])]));
  } catch {
    return;
  }
}

export const namesOf = (tools) => tools.map((tool) => tool.function.name);

// What to do, one after another, and what in the page shows that it was done.
function listSteps(panel) {
  const name = panel.tool.name.replaceAll("_", " ");
  const fields = Object.keys(panel.tool.parameters.properties).map((field) => field.replaceAll("_", " "));
  return [
    { title: "Look around", text: `Drag beside the pieces, or press ${panel.walks ? "Shift and the arrow keys" : "the arrow keys"} on the picture. The wheel, two fingers, + and - zoom. Show all brings everything back.`, done: "turned" },
    { title: "Read the task", text: "“The task” says when the puzzle is solved. Nothing is counted here, so try things out." },
    { title: "Choose", text: `Click in the picture, or use the panel. It asks for: ${fields.join(", ")}.`, done: "chosen" },
    {
      title: "Act",
      text: panel.hint ? `${panel.hint} Or fill the panel in and press “${name}”.` : panel.drags ? `Drag a piece along an axis, or fill the panel in and press “${name}”. Shift and click choose several pieces.` : `Fill the panel in and press “${name}”. A ghost shows what it would fill.`,
      about: panel.tool.description,
      done: "acted",
    },
    { title: "Take it back", text: "A refused action says why, and stripes mark what is in the way. Undo takes a step back, in practice only.", done: "undone" },
    { title: "Solve it", text: "Now solve the puzzle. “Show me how” brings these steps back." },
  ];
}

export class Guide {
  constructor(panel, actions, closed) {
    Object.assign(this, { panel, actions, closed, at: 0 });
    this.element = h("section", { className: "guide", role: "region", "aria-label": "First steps", "aria-live": "polite" });
    this.#draw();
  }

  get steps() {
    return listSteps(this.panel);
  }

  #draw() {
    const { steps } = this;
    const { title, text, about } = steps[this.at];
    const last = this.at === steps.length - 1;
    fill(
      this.element,
      h("p", { className: "guide-count", textContent: `First steps, ${this.at + 1} of ${steps.length}` }),
      h("h2", { textContent: title }),
      h("p", { textContent: text }),
      about ? h("p", { className: "guide-about", textContent: about }) : null,
      h(
        "div",
        { className: "buttons" },
        h("button", { type: "button", className: "primary small", textContent: last ? "Done" : "Next", onclick: () => this.#next() }),
        last ? null : h("button", { type: "button", className: "quiet", textContent: "Skip the first steps", onclick: () => this.#close() }),
      ),
    );
  }

  #next() {
    if (this.at === this.steps.length - 1) return this.#close();
    this.at += 1;
    this.#draw();
  }

  #close() {
    keepSeen(this.actions);
    this.element.remove();
    this.closed();
  }

  // Goes on if that is what the present step waits for.
  notice(done) {
    if (this.element.isConnected && this.steps[this.at].done === done) this.#next();
  }
}
