// A study: consent, instructions, practice, and the levels in an order of their own.
import { fill, h } from "./dom.js";
import { PlayPage } from "./play.js";

const KEPT = "luban-study-code";

export class StudyPage extends PlayPage {
  constructor(root) {
    super(root, { start: {}, storeAs: null, back: null, title: "", modes: [], guided: false });
  }

  choose() {}

  over() {}

  opened() {
    this.tell("");
    const code = this.code ?? localStorage.getItem(KEPT);
    if (code) this.connection.send({ type: "join", code });
    else this.#welcome();
  }

  #next() {
    this.connection.send({ type: "next" });
  }

  #card(title, ...children) {
    this.viewer?.dispose();
    this.viewer = this.head = this.panel = this.now = null;
    this.meter.replaceChildren();
    fill(this.body, h("section", { className: "study-card" }, h("h2", { textContent: title }), children));
    this.body.querySelector("button")?.focus();
  }

  #welcome() {
    const input = h("input", { type: "text", autocomplete: "off", spellcheck: false, "aria-label": "Your code" });
    const join = (code) => this.connection.send({ type: "join", code });
    this.#card(
      "Welcome",
      h("p", { textContent: "This is a study in which people solve puzzles. You can stop at any time, close this page, and go on later." }),
      h("button", { type: "button", className: "primary", textContent: "I am new here", onclick: () => join("") }),
      h("form", { className: "code-row", onsubmit: (event) => { event.preventDefault(); join(input.value); } }, h("label", {}, h("span", { textContent: "I have a code: " }), input), h("button", { type: "submit", textContent: "Go on" })),
    );
  }

  hear(message) {
    if (message.type === "study") this.#stage(message);
    else super.hear(message);
  }

  fail(message) {
    if (message.gone && !this.head && !message.words.includes("another tab")) {
      localStorage.removeItem(KEPT);
      this.code = null;
      this.#welcome();
      return this.tell(message.words, true);
    }
    if (!this.head) {
      if (!this.code) localStorage.removeItem(KEPT);
      if (!this.body.querySelector("button")) this.#welcome();
      return this.tell(message.words, true);
    }
    return super.fail(message);
  }

  #stage(message) {
    this.tell("");
    this.code = message.code;
    this.study = message;
    localStorage.setItem(KEPT, message.code);
    this.heading.textContent = message.title;
    const text = message.text.split("\n\n").map((part) => h("p", { textContent: part }));
    const code = h("p", { className: "code" }, "Your code, with which you can go on elsewhere: ", h("strong", { textContent: message.code }));
    const go = (label) => h("button", { type: "button", className: "primary", textContent: label, onclick: () => this.#next() });
    if (message.stage === "consent") {
      this.#card("Before you begin", text, h("div", { className: "buttons" }, go("I agree"), h("button", { type: "button", textContent: "I do not agree", onclick: () => this.#leave() })));
    } else if (message.stage === "instructions") this.#card("How it goes", text, code, go("I have read this"));
    else if (message.stage === "level") this.#card(`Puzzle ${message.place} of ${message.levels}`, h("p", { textContent: "The steps are counted from now on." }), code, go("Begin"));
    else if (message.stage === "done") this.#card("Thank you", h("p", { textContent: "You have played all the puzzles of this study. You may close this page." }), code);
  }

  #leave() {
    localStorage.removeItem(KEPT);
    this.#card("You have not agreed", h("p", { textContent: "Nothing more is asked of you, and nothing was played. You may close this page." }));
  }

  begin(head) {
    super.begin(head);
    this.heading.textContent = this.study.stage === "practice" ? "Practice" : `Puzzle ${this.study.place} of ${this.study.levels}`;
  }

  showButtons(state) {
    super.showButtons(state);
    this.buttons.querySelector(".elsewhere")?.remove();
    const label = this.head.practice ? "Go on to the puzzles" : state.outcome ? "Go on" : null;
    if (label) this.buttons.append(h("button", { type: "button", className: "primary", textContent: label, onclick: () => this.#next() }));
  }
}
