// The lattice: directions, the 24 rotations in their fixed order, and poses as matrices.
import { Matrix4 } from "three";

export const SIDES = {
  LATTICE_DIRECTION_PLUS_X: [1, 0, 0],
  LATTICE_DIRECTION_MINUS_X: [-1, 0, 0],
  LATTICE_DIRECTION_PLUS_Y: [0, 1, 0],
  LATTICE_DIRECTION_MINUS_Y: [0, -1, 0],
  LATTICE_DIRECTION_PLUS_Z: [0, 0, 1],
  LATTICE_DIRECTION_MINUS_Z: [0, 0, -1],
};
export const DIRECTION_NAMES = { "+x": [1, 0, 0], "-x": [-1, 0, 0], "+y": [0, 1, 0], "-y": [0, -1, 0], "+z": [0, 0, 1], "-z": [0, 0, -1] };

const AXES = [[1, 0, 0], [0, 1, 0], [0, 0, 1], [-1, 0, 0], [0, -1, 0], [0, 0, -1]];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

// Columns are the images of x, y and z; ordered by the image of x, then by that of y.
export const ROTATIONS = AXES.flatMap((x) =>
  AXES.filter((y) => dot(x, y) === 0).map((y) => [x, y, cross(x, y)]),
);

// The matrix of a rotation by its name, such as +Y-X+Z: where the axes of a body point in the end.
export function namedRotation(name) {
  const images = name.match(/[+-][XYZ]/g).map((image) => DIRECTION_NAMES[image.toLowerCase()]);
  const [x, y, z] = images;
  return new Matrix4().set(x[0], y[0], z[0], 0, x[1], y[1], z[1], 0, x[2], y[2], z[2], 0, 0, 0, 0, 1);
}

export const vector = (cell) => [cell?.x ?? 0, cell?.y ?? 0, cell?.z ?? 0];

export function rotationMatrix(index) {
  const [x, y, z] = ROTATIONS[index ?? 0];
  return new Matrix4().set(x[0], y[0], z[0], 0, x[1], y[1], z[1], 0, x[2], y[2], z[2], 0, 0, 0, 0, 1);
}

export function poseMatrix(pose) {
  return rotationMatrix(pose?.rotation).setPosition(...vector(pose?.offset));
}

export function listCells(body) {
  const numbers = body.cells ?? [];
  return Array.from({ length: numbers.length / 3 }, (_, i) => numbers.slice(3 * i, 3 * i + 3));
}
