// The bar below a scene: how it is looked at. None of it changes the puzzle.
import { h } from "./dom.js";

const toggle = (text, title, key, press, on = false) => {
  const button = h("button", {
    type: "button",
    className: "chip",
    title: `${title} (${key})`,
    "aria-pressed": String(on),
    "aria-keyshortcuts": key,
    textContent: text,
    onclick: () => {
      const on = button.getAttribute("aria-pressed") !== "true";
      button.setAttribute("aria-pressed", String(on));
      press(on);
    },
  });
  return button;
};

const slider = (text, attributes, change) => {
  const input = h("input", { type: "range", "aria-label": text, ...attributes, oninput: () => change(Number(input.value)) });
  return h("label", { className: "slider" }, h("span", { textContent: text }), input);
};

export function viewControls(viewer, colourBlind, { redraw, ruled = false } = {}) {
  viewer.setRuler(ruled);
  const axis = h(
    "select",
    { "aria-label": "Axis of the cut", onchange: () => cut() },
    ["z", "x", "y"].map((name) => h("option", { value: name, textContent: `from +${name}` })),
  );
  let share = 1;
  const cut = () => {
    viewer.cut = { axis: "xyz".indexOf(axis.value), share };
    viewer.refresh();
  };
  const buttons = [
    toggle("Labels", "Write the names of the pieces on them", "L", (on) => viewer.setLabels(on)),
    toggle("Numbers", "Write coordinates along the edges", "N", (on) => viewer.setRuler(on), ruled),
    toggle("See through", "See through all pieces but the chosen ones", "T", (on) => {
      viewer.seeThrough = on;
      viewer.refresh();
    }),
    toggle("Colours for all eyes", "Colours that everybody can tell apart", "C", (on) => {
      viewer.setPalette(on ? colourBlind : null);
      redraw?.();
    }),
  ];
  const bar = h(
    "details",
    { className: "view-controls", open: innerWidth > 700 },
    h("summary", { textContent: "View" }),
    h(
      "div",
      { className: "view-row" },
      h("button", { type: "button", className: "chip", textContent: "Show all", title: "Show everything (Home)", onclick: () => viewer.frame() }),
      buttons,
      slider("Apart", { min: 0, max: 1.5, step: 0.05, value: 0 }, (value) => {
        viewer.explode = value;
        viewer.refresh();
      }),
      h("span", { className: "cut" }, slider("Cut away", { min: 0, max: 1, step: 0.02, value: 0 }, (value) => {
        share = 1 - value;
        cut();
      }), axis),
    ),
  );
  viewer.host.addEventListener("keydown", (event) => {
    const at = ["l", "n", "t", "c"].indexOf(event.key.toLowerCase());
    if (at >= 0 && !event.ctrlKey && !event.metaKey && !event.altKey) buttons[at].click();
  });
  return bar;
}
