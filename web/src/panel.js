// The action panel: made of the schemas of the actions, for whatever puzzle they belong to.
import { cssColor, fill, h } from "./dom.js";
import { DIRECTION_NAMES, vector } from "./lattice.js";

const FEW = 12;
const words = (name) => name.replaceAll("_", " ");

function chip(text, rgb, pressed, press) {
  return h("button", {
    type: "button",
    className: rgb === null ? "chip" : "chip swatched",
    swatch: rgb === null ? undefined : cssColor(rgb),
    "aria-pressed": String(pressed),
    onclick: press,
    textContent: text,
  });
}

// A field: its element, its value (undefined while nothing is chosen) and a way to set it.
class ChipsField {
  constructor(label, names, many, context, changed) {
    Object.assign(this, { names, many, context, changed, chosen: new Set() });
    this.element = h("div", { className: "chips", role: "group", "aria-label": label });
    this.draw();
  }

  draw() {
    const focused = [...this.element.children].indexOf(document.activeElement);
    fill(
      this.element,
      this.names.map((name) => chip(name, this.context.colorOf(name), this.chosen.has(name), () => this.toggle(name))),
    );
    if (focused >= 0) this.element.children[focused].focus();
  }

  toggle(name) {
    const had = this.chosen.has(name);
    if (!this.many) this.chosen.clear();
    // One of several words stays chosen when it is pressed again, unless there need be none.
    if (had && (this.many || this.optional)) this.chosen.delete(name);
    else this.chosen.add(name);
    this.draw();
    this.changed();
  }

  get value() {
    const chosen = this.names.filter((name) => this.chosen.has(name));
    return chosen.length ? (this.many ? chosen : chosen[0]) : undefined;
  }

  set value(value) {
    this.chosen = new Set((Array.isArray(value) ? value : [value]).filter((name) => this.names.includes(name)));
    this.draw();
    this.changed();
  }
}

class SelectField {
  constructor(label, names, changed) {
    this.element = h(
      "select",
      { "aria-label": label, onchange: changed },
      h("option", { value: "", textContent: "choose" }),
      names.map((name) => h("option", { value: name, textContent: name })),
    );
  }

  get value() {
    return this.element.value || undefined;
  }

  set value(value) {
    this.element.value = value;
  }
}

class NumberField {
  constructor(label, schema, changed) {
    const { minimum: min, maximum: max } = schema;
    this.input = h("input", { type: "number", inputMode: "numeric", "aria-label": label, min, max, step: 1, oninput: changed });
    const step = (by) => () => {
      const low = min ?? -Infinity;
      const before = this.input.value === "" ? Math.max(low, by > 0 ? Math.max(low, 1) - 1 : 0) : Number(this.input.value);
      this.value = Math.min(max ?? Infinity, Math.max(low, before + by));
      changed();
    };
    this.element = h(
      "div",
      { className: "stepper" },
      h("button", { type: "button", textContent: "−", "aria-label": `${label}: less`, onclick: step(-1) }),
      this.input,
      h("button", { type: "button", textContent: "+", "aria-label": `${label}: more`, onclick: step(1) }),
    );
  }

  get value() {
    return this.input.value === "" ? undefined : Number(this.input.value);
  }

  set value(value) {
    this.input.value = value ?? "";
  }
}

// A number, or a word in its place.
class EitherField {
  constructor(label, choices, context, changed) {
    const numeric = choices.find((choice) => choice.type === "integer");
    const names = choices.find((choice) => choice.enum).enum;
    this.number = new NumberField(label, numeric, () => {
      this.word.chosen.clear();
      this.word.draw();
      changed();
    });
    this.word = new ChipsField(label, names, false, context, () => {
      if (this.word.value !== undefined) this.number.value = undefined;
      changed();
    });
    this.word.optional = true;
    this.number.value = numeric.minimum ?? 1;
    this.element = h("div", { className: "either" }, this.number.element, this.word.element);
  }

  get value() {
    return this.word.value ?? this.number.value;
  }

  set value(value) {
    if (typeof value === "number") {
      this.word.chosen.clear();
      this.word.draw();
      this.number.value = value;
    } else this.word.value = value;
  }
}

class CellField {
  constructor(label, schema, context, changed) {
    this.parts = ["x", "y", "z"].map((axis) => {
      const input = h("input", { type: "number", inputMode: "numeric", min: schema.items.minimum, max: schema.items.maximum, step: 1, "aria-label": `${label}, ${axis}`, oninput: changed });
      return { axis, input };
    });
    this.hint = h("div", { className: "picked" });
    this.changed = changed;
    this.element = h(
      "div",
      {},
      h("div", { className: "cell" }, this.parts.map(({ axis, input }) => h("label", {}, h("span", { textContent: axis }), input))),
      this.hint,
    );
  }

  get value() {
    const values = this.parts.map(({ input }) => input.value);
    return values.some((value) => value === "") ? undefined : values.map(Number);
  }

  set value(value) {
    this.parts.forEach(({ input }, i) => (input.value = value?.[i] ?? ""));
  }

  // A face that was pointed at names two cells: the solid one, and the free one before it.
  offer(hit, take) {
    const front = hit.cell.map((value, i) => value + hit.side[i]);
    const button = (text, cell) =>
      h("button", {
        type: "button",
        className: "small",
        textContent: `${text} ${cell.join(", ")}`,
        onclick: () => {
          this.value = cell;
          take(text);
          this.changed();
        },
      });
    this.value = front;
    fill(this.hint, button("cell in front", front), button("cell itself", hit.cell));
  }
}

// Cells of a block, layer by layer.
class CellsField {
  constructor(label, schema, context, changed) {
    const limits = schema.items.items;
    const limit = (value) => [value ?? 0, value ?? 0, value ?? 0];
    const whole = { low: limit(limits.minimum), high: limit(limits.maximum ?? 3) };
    Object.assign(this, { context, changed, chosen: new Map(), layer: 0, block: () => context.block() ?? whole });
    this.grid = h("div", { className: "layer", role: "group", "aria-label": label });
    this.title = h("span", { className: "layer-title", "aria-live": "polite" });
    const go = (by) => () => this.go(by);
    this.element = h(
      "div",
      { className: "layers" },
      h(
        "div",
        { className: "layer-bar" },
        h("button", { type: "button", className: "small", textContent: "▼ lower", onclick: go(-1) }),
        this.title,
        h("button", { type: "button", className: "small", textContent: "higher ▲", onclick: go(1) }),
      ),
      this.grid,
      h("button", { type: "button", className: "small", textContent: "no cells", onclick: () => { this.value = []; } }),
    );
    this.#swipe();
    this.draw();
  }

  #swipe() {
    let from = null;
    this.grid.addEventListener("pointerdown", (event) => (from = [event.clientX, event.clientY]));
    this.grid.addEventListener("pointerup", (event) => {
      const [dx, dy] = from ? [event.clientX - from[0], event.clientY - from[1]] : [0, 0];
      if (Math.abs(dy) > 40 && Math.abs(dy) > Math.abs(dx)) this.go(dy < 0 ? 1 : -1);
      from = null;
    });
  }

  go(by) {
    const { low, high } = this.block();
    this.layer = Math.min(high[2], Math.max(low[2], this.layer + by));
    this.draw();
  }

  draw() {
    const { low, high } = this.block();
    const focused = this.grid.contains(document.activeElement) ? document.activeElement.dataset.cell : null;
    this.layer = Math.min(high[2], Math.max(low[2], this.layer));
    this.title.textContent = `layer z = ${this.layer}`;
    this.grid.style.gridTemplateColumns = `repeat(${high[0] - low[0] + 1}, minmax(0, 2.6rem))`;
    const cells = [];
    for (let y = high[1]; y >= low[1]; y--) {
      for (let x = low[0]; x <= high[0]; x++) {
        const cell = [x, y, this.layer];
        const text = cell.join(",");
        const owner = this.context.ownerOf(cell);
        cells.push(
          h("button", {
            type: "button",
            className: owner === null ? "square" : "square taken",
            swatch: owner === null ? undefined : cssColor(owner),
            "aria-pressed": String(this.chosen.has(text)),
            "aria-label": `x ${x}, y ${y}, z ${this.layer}`,
            "data-cell": text,
            onclick: () => this.toggle(cell),
          }),
        );
      }
    }
    fill(this.grid, cells);
    if (focused) this.grid.querySelector(`[data-cell="${focused}"]`)?.focus();
  }

  toggle(cell) {
    const text = cell.join(",");
    if (this.chosen.has(text)) this.chosen.delete(text);
    else this.chosen.set(text, cell);
    this.draw();
    this.changed();
  }

  offer(hit, take) {
    this.toggle(hit.cell.map((value, i) => value + hit.side[i]));
    take("cell in front");
  }

  get value() {
    return this.chosen.size ? [...this.chosen.values()] : undefined;
  }

  set value(cells) {
    this.chosen = new Map((cells ?? []).map((cell) => [cell.join(","), cell]));
    this.draw();
    this.changed();
  }
}

function makeField(name, schema, context, changed) {
  const label = words(name);
  if (schema.anyOf) return new EitherField(label, schema.anyOf, context, changed);
  if (schema.enum) {
    return schema.enum.length > FEW && !schema.enum.some((one) => context.isBody(one))
      ? new SelectField(label, schema.enum, changed)
      : new ChipsField(label, schema.enum, false, context, changed);
  }
  if (schema.type === "integer") return new NumberField(label, schema, changed);
  if (schema.items?.enum) return new ChipsField(label, schema.items.enum, true, context, changed);
  if (schema.items?.type === "array") return new CellsField(label, schema, context, changed);
  return new CellField(label, schema, context, changed);
}

const isDirections = (schema) => schema.enum?.length && schema.enum.every((name) => name in DIRECTION_NAMES);
const isRotations = (schema) => schema.enum?.length && schema.enum.every((name) => /^([+-][XYZ]){3}$/.test(name));
const takesNumber = (schema) => schema.type === "integer" || schema.anyOf?.some((one) => one.type === "integer");

export class ActionPanel {
  // `context` gives colours of bodies, the block of the puzzle and whose a cell is; `act` gets a call.
  constructor(tools, context, act, chose) {
    this.tools = tools.map((tool) => tool.function);
    this.context = context;
    this.chose = chose;
    this.tabs = h("div", { className: "tabs", role: "group", "aria-label": "Action" });
    this.form = h("form", {
      className: "fields",
      onsubmit: (event) => {
        event.preventDefault();
        this.#submit(act);
      },
    });
    this.warning = h("p", { className: "warning", role: "alert" });
    this.element = h("section", { className: "actions", "aria-label": "Actions" }, this.tabs, this.form);
    this.open(this.tools[0]?.name);
  }

  open(name) {
    const tool = this.tools.find((one) => one.name === name);
    if (!tool || tool === this.tool) return;
    const kept = this.values();
    this.tool = tool;
    fill(
      this.tabs,
      this.tools.map((one) =>
        h("button", { type: "button", className: "tab", "aria-pressed": String(one === tool), textContent: words(one.name), title: one.description, onclick: () => this.open(one.name) }),
      ),
    );
    this.fields = new Map();
    const rows = Object.entries(tool.parameters.properties).map(([name, schema]) => {
      const field = makeField(name, schema, this.context, () => this.#changed());
      field.optional = !tool.parameters.required?.includes(name);
      this.fields.set(name, { field, schema });
      return h("div", { className: "field" }, h("span", { className: "name", textContent: words(name) }), field.element, h("small", { textContent: schema.description }));
    });
    this.button = h("button", { type: "submit", className: "primary act", textContent: words(tool.name) });
    fill(this.form, h("p", { className: "about", textContent: tool.description }), rows, this.warning, this.button);
    for (const [name, value] of Object.entries(kept)) {
      if (this.fields.has(name)) this.fields.get(name).field.value = value;
    }
    this.tabs.querySelector("[aria-pressed=true]")?.scrollIntoView?.({ block: "nearest" });
    this.#changed();
  }

  values() {
    const values = {};
    for (const [name, { field }] of this.fields ?? []) {
      if (field.value !== undefined) values[name] = field.value;
    }
    return values;
  }

  #changed() {
    this.warning.textContent = "";
    this.chose?.(this.chosenBodies(), this.ghost());
  }

  #submit(act) {
    const values = this.values();
    const missing = (this.tool.parameters.required ?? []).find((name) => !(name in values));
    if (missing) {
      this.warning.textContent = `Choose: ${words(missing)}.`;
      this.fields.get(missing).field.element.querySelector("button, input, select")?.focus();
      return;
    }
    act(this.tool.name, values);
  }

  // Fills an action in, with its values in the order of its fields, and makes it.
  perform({ name, values }) {
    this.open(name);
    [...this.fields.values()].forEach(({ field }, i) => (field.value = values[i]));
    this.form.requestSubmit();
  }

  busy(on) {
    this.button.disabled = on;
  }

  redraw() {
    for (const { field } of this.fields.values()) field.draw?.();
  }

  // -- pointing --------------------------------------------------------------------------------

  #takers(name) {
    return [...this.fields.values()].filter(({ schema }) => (schema.items?.enum ?? schema.enum ?? []).includes(name));
  }

  chosenBodies() {
    const names = [];
    for (const { field, schema } of this.fields.values()) {
      if ((schema.items?.enum ?? schema.enum ?? []).some((name) => this.context.isBody(name))) {
        names.push(...[field.value ?? []].flat());
      }
    }
    return names;
  }

  // What the chosen values would fill: cells, a body that is turned and put somewhere, or a cell.
  ghost() {
    const entries = [...this.fields.values()];
    const valueOf = (test) => entries.find(({ field, schema }) => test(schema) && field.value !== undefined)?.field.value;
    const cells = valueOf((schema) => schema.items?.type === "array");
    if (cells) return { cells };
    const cell = valueOf((schema) => schema.items?.type === "integer");
    if (!cell) return {};
    const turned = entries.some(({ schema }) => isRotations(schema));
    return { cell, turned, rotation: valueOf(isRotations), body: this.chosenBodies()[0] };
  }

  // Takes a body or a cell that was pointed at; opens an action that can if the present one can't.
  point(hit, several) {
    if (!this.#takers(hit.name).length) {
      const able = this.tools.find((tool) => Object.values(tool.parameters.properties).some((schema) => (schema.items?.enum ?? schema.enum ?? []).includes(hit.name)));
      const hasCell = [...this.fields.values()].some(({ field }) => field.offer);
      if (able && !hasCell) this.open(able.name);
    }
    const taker = this.#takers(hit.name)[0];
    if (taker) {
      if (several && taker.schema.items) taker.field.toggle(hit.name);
      else taker.field.value = taker.schema.items ? [hit.name] : hit.name;
    }
    for (const { field } of this.fields.values()) {
      field.offer?.(hit, (which) => which === "cell itself" && this.#setDirection(hit.side));
    }
    this.#changed();
  }

  #setDirection(side) {
    const name = Object.keys(DIRECTION_NAMES).find((one) => DIRECTION_NAMES[one].every((value, i) => value === side[i]));
    const found = [...this.fields.values()].find(({ schema }) => isDirections(schema));
    if (found) found.field.value = name;
  }

  // The action that moves a body along an axis, if there is one, and its fields.
  #mover(name) {
    for (const tool of this.tools) {
      const entries = Object.entries(tool.parameters.properties);
      const piece = entries.find(([, schema]) => (schema.items?.enum ?? schema.enum ?? []).includes(name));
      const way = entries.find(([, schema]) => isDirections(schema));
      const far = entries.find(([, schema]) => takesNumber(schema));
      if (piece && way && far && entries.length === 3) return { tool, piece, way: way[0], far: far[0] };
    }
    return null;
  }

  // Whether bodies can be dragged by the action that is open.
  get drags() {
    const schemas = Object.values(this.tool.parameters.properties);
    const names = schemas.flatMap((schema) => schema.items?.enum ?? schema.enum ?? []).filter((name) => this.context.isBody(name));
    return names.some((name) => this.#mover(name)?.tool === this.tool);
  }

  // The bodies that go along when one is dragged: those that are chosen, if it is one of them.
  dragged(name, several) {
    const mover = this.#mover(name);
    if (!mover) return null;
    this.open(mover.tool.name);
    const [field, schema] = mover.piece;
    const taker = this.fields.get(field).field;
    const chosen = [taker.value ?? []].flat();
    if (several || chosen.includes(name)) return [...new Set(schema.items ? [...chosen, name] : [name])];
    return [name];
  }

  drop(names, { name, units }) {
    const mover = this.#mover(names[0]);
    const [piece, schema] = mover.piece;
    this.open(mover.tool.name);
    this.fields.get(piece).field.value = schema.items ? names : names[0];
    this.fields.get(mover.way).field.value = name;
    this.fields.get(mover.far).field.value = units;
    this.form.requestSubmit();
  }
}

export function makeContext(viewer, sceneOf, swatches) {
  return {
    isBody: (name) => name in swatches || Boolean(viewer?.bodies.has(name)),
    colorOf(name) {
      const own = swatches[name];
      return own === undefined ? (viewer?.colorOf(name) ?? null) : (viewer?.recolor(own) ?? own);
    },
    block() {
      const scene = sceneOf();
      const block = scene?.container?.inside ?? scene?.work;
      return block ? { low: vector(block.low), high: vector(block.high) } : null;
    },
    ownerOf: (cell) => viewer?.ownerOf(cell) ?? null,
  };
}
