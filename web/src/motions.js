// Motions as they are seen: each world matrix at a time. The rules have decided already.
import { Matrix4, Quaternion, Vector3 } from "three";
import { SIDES, rotationMatrix, vector } from "./lattice.js";

const AXES = { LATTICE_AXIS_X: [1, 0, 0], LATTICE_AXIS_Y: [0, 1, 0], LATTICE_AXIS_Z: [0, 0, 1] };
const ease = (t) => t * t * (3 - 2 * t);
const around = (point, rotation) =>
  new Matrix4()
    .makeTranslation(...point)
    .multiply(new Matrix4().makeRotationFromQuaternion(rotation))
    .multiply(new Matrix4().makeTranslation(...point.map((value) => -value)));

function shift(direction, distance) {
  const way = SIDES[direction];
  return {
    length: distance,
    seconds: 0.16 + 0.07 * distance,
    at: (share) => new Matrix4().makeTranslation(...way.map((value) => value * distance * share)),
  };
}

export function turn({ axis, centre, quarters }) {
  const angle = (quarters === 3 ? -1 : quarters) * (Math.PI / 2);
  const about = new Vector3(...AXES[axis]);
  return {
    length: 0,
    seconds: 0.3 * Math.max(1, Math.abs(angle) / (Math.PI / 2)),
    at: (share) => around(vector(centre), new Quaternion().setFromAxisAngle(about, angle * share)),
  };
}

function spin({ rotation, offset }, middle) {
  const matrix = rotationMatrix(rotation);
  const whole = new Quaternion().setFromRotationMatrix(matrix);
  const to = new Vector3(...middle).applyMatrix4(matrix).add(new Vector3(...vector(offset)));
  const way = to.clone().sub(new Vector3(...middle));
  return {
    length: 0,
    seconds: 0.35,
    to: to.toArray(),
    at: (share) =>
      new Matrix4()
        .makeTranslation(...way.clone().multiplyScalar(share).toArray())
        .multiply(around(middle, new Quaternion().slerp(whole, share))),
  };
}

function split(motion, middle) {
  if (motion.sweep) return [shift(motion.sweep.direction, motion.sweep.distance)];
  if (motion.turn) return [turn(motion.turn)];
  let here = middle;
  return (motion.carry.way ?? []).map((leg) => {
    if (leg.spin) {
      const part = spin(leg.spin, here);
      here = part.to;
      return part;
    }
    here = here.map((value, i) => value + SIDES[leg.shift.direction][i] * leg.shift.distance);
    return shift(leg.shift.direction, leg.shift.distance);
  });
}

// Parts of a step, one after another; `middleOf` gives the middle of the block around some bodies.
export function planMotions(motions, middleOf) {
  return motions.map((motion) => {
    const { bodies } = motion.sweep ?? motion.turn ?? motion.carry;
    return { bodies, parts: split(motion, middleOf(bodies)) };
  });
}

// The matrix after some seconds of the parts of one motion.
export function matrixAt(parts, seconds) {
  let matrix = new Matrix4();
  let left = seconds;
  for (const part of parts) {
    if (left <= 0) break;
    matrix = part.at(ease(Math.min(1, left / part.seconds))).multiply(matrix);
    left -= part.seconds;
  }
  return matrix;
}

export const AXIS_VECTORS = AXES;
export const duration = (parts) => parts.reduce((sum, part) => sum + part.seconds, 0);

// How long a refused motion goes before it is stopped after some units, and how it is seen to try.
export function timeUntil(parts, travel) {
  let seconds = 0;
  let units = travel;
  for (const part of parts) {
    if (part.length === 0) return seconds + 0.12 * part.seconds;
    if (units >= part.length) {
      units -= part.length;
      seconds += part.seconds;
      continue;
    }
    const share = Math.min(1, (units + 0.12) / part.length);
    return seconds + part.seconds * unease(share);
  }
  return seconds;
}

function unease(share) {
  let [low, high] = [0, 1];
  for (let i = 0; i < 20; i++) {
    const middle = (low + high) / 2;
    if (ease(middle) < share) low = middle;
    else high = middle;
  }
  return high;
}
