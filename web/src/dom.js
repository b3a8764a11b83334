// Elements. Texts are always set as texts, so that nothing in them is taken for HTML.

export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "swatch") element.style.setProperty("--swatch", value);
    else if (name in element && !name.startsWith("aria") && name !== "role" && name !== "list") {
      element[name] = value;
    } else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

export function fill(element, ...children) {
  element.replaceChildren(...children.flat(Infinity).filter(Boolean));
  return element;
}

export function cssColor(rgb) {
  return `#${rgb.toString(16).padStart(6, "0")}`;
}

const REDUCED = matchMedia("(prefers-reduced-motion: reduce)");
export const movesLittle = () => REDUCED.matches;

export async function fetchJson(path) {
  let answer;
  try {
    answer = await fetch(path);
  } catch {
    throw new Error("The server does not answer. Start `luban web` again, then reload this page.");
  }
  const document = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Error(document.words ?? `The server answers ${answer.status}.`);
  return document;
}
