// Bodies as triangles: faces of cells with their creases, stickers and glyphs. One array per body.
import { Color } from "three";
import { SIDES, listCells, vector } from "./lattice.js";

const INSET = 0.022;
const STICKER = 0.42;
const CORNER = 0.1;
const LIFT = 0.006;
const GLYPH = 0.58;
const ALL_SIDES = Object.values(SIDES);
const key = (x, y, z) => `${x},${y},${z}`;
const plus = (a, b, n = 1) => [a[0] + n * b[0], a[1] + n * b[1], a[2] + n * b[2]];

class Triangles {
  constructor() {
    this.positions = [];
    this.normals = [];
    this.colors = [];
    this.uvs = [];
    this.creases = [];
  }

  add(points, normal, color, uvs, crease) {
    // A convex polygon, counter-clockwise from outside.
    for (let i = 1; i + 1 < points.length; i++) {
      for (const j of [0, i, i + 1]) {
        this.positions.push(...points[j]);
        this.normals.push(...normal);
        this.colors.push(color.r, color.g, color.b);
        this.uvs.push(...uvs[j]);
        this.creases.push(...crease);
      }
    }
  }
}

function spans(normal) {
  // The two axes of a face that follow its normal in the order x, y, z, x, y.
  const axis = normal.findIndex((value) => value !== 0);
  const u = [0, 0, 0];
  const v = [0, 0, 0];
  u[(axis + 1) % 3] = 1;
  v[(axis + 2) % 3] = 1;
  return [u, v];
}

const faces = (normal, points, uvs) =>
  normal.some((value) => value < 0) ? [points.toReversed(), uvs.toReversed()] : [points, uvs];

function addFace(triangles, has, cell, normal, color) {
  const [u, v] = spans(normal);
  const edges = [plus([0, 0, 0], u, -1), u, plus([0, 0, 0], v, -1), v].map((side) => {
    if (has(plus(plus(cell, side), normal))) return { crease: 1, shift: INSET }; // Concave.
    return has(plus(cell, side)) ? { crease: 0, shift: 0 } : { crease: 1, shift: -INSET };
  });
  const [left, right, low, high] = edges.map((edge) => 0.5 + edge.shift);
  const middle = plus(cell, normal, 0.5 - INSET);
  const at = (a, b) => plus(plus(middle, u, a), v, b);
  const points = [at(-left, -low), at(right, -low), at(right, high), at(-left, high)];
  const [turned, uvs] = faces(normal, points, [[0, 0], [1, 0], [1, 1], [0, 1]]);
  triangles.add(turned, normal, color, uvs, edges.map((edge) => edge.crease));
}

function addRounded(triangles, middle, normal, half, color) {
  const [u, v] = spans(normal);
  const points = [];
  for (const [a, b, from] of [[1, 1, 0], [-1, 1, 90], [-1, -1, 180], [1, -1, 270]]) {
    for (let turn = 0; turn <= 90; turn += 30) {
      const angle = ((from + turn) * Math.PI) / 180;
      const x = a * (half - CORNER) + CORNER * Math.cos(angle);
      const y = b * (half - CORNER) + CORNER * Math.sin(angle);
      points.push(plus(plus(middle, u, x), v, y));
    }
  }
  const [turned, uvs] = faces(normal, points, points.map(() => [0.5, 0.5]));
  triangles.add(turned, normal, color, uvs, [0, 0, 0, 0]);
}

const luminance = ({ r, g, b }) => 0.2126 * r + 0.7152 * g + 0.0722 * b;

function addGlyph(triangles, middle, normal, sticker, paper) {
  const ink = BigInt(sticker.ink);
  const lie = sticker.lie ?? 0;
  let [first, second] = spans(normal);
  if (lie & 1) [first, second] = [second, first];
  const along = lie & 2 ? -1 : 1;
  const up = lie & 4 ? -1 : 1;
  const color = new Color(luminance(paper) > 0.26 ? 0x14171c : 0xffffff);
  const size = GLYPH / 7;
  for (let bit = 0; bit < 49; bit++) {
    if (!((ink >> BigInt(bit)) & 1n)) continue;
    const x = along * ((bit % 7) - 3) * size;
    const y = up * (Math.floor(bit / 7) - 3) * size;
    const centre = plus(plus(middle, first, x), second, y);
    const [u, v] = spans(normal);
    const at = (a, b) => plus(plus(centre, u, (a * size) / 2), v, (b * size) / 2);
    const [points, uvs] = faces(normal, [at(-1, -1), at(1, -1), at(1, 1), at(-1, 1)], Array(4).fill([0.5, 0.5]));
    triangles.add(points, normal, color, uvs, [0, 0, 0, 0]);
  }
}

export function buildBody(body, recolor) {
  const cells = listCells(body);
  const known = new Set(cells.map((cell) => key(...cell)));
  const has = (cell) => known.has(key(...cell));
  const triangles = new Triangles();
  const color = new Color(recolor(body.rgb ?? 0));
  for (const cell of cells) {
    for (const side of ALL_SIDES) {
      if (!has(plus(cell, side))) addFace(triangles, has, cell, side, color);
    }
  }
  for (const sticker of body.stickers ?? []) {
    const normal = SIDES[sticker.side];
    const paper = new Color(recolor(sticker.rgb ?? 0));
    const at = (lift) => plus(vector(sticker.cell), normal, 0.5 - INSET + lift);
    addRounded(triangles, at(LIFT), normal, STICKER, paper);
    if (sticker.ink) addGlyph(triangles, at(2 * LIFT), normal, sticker, paper);
  }
  return triangles;
}
