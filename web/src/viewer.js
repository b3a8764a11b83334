// The scene in 3D. It draws only when something has changed.
import {
  Bone, BufferAttribute, BufferGeometry, Color, DirectionalLight, DoubleSide, FrontSide,
  Group, HemisphereLight, LineBasicMaterial, LineSegments, Matrix4, Mesh, MeshBasicMaterial,
  MeshLambertMaterial, PCFShadowMap, PerspectiveCamera, Plane, PlaneGeometry, Raycaster, Scene,
  ShadowMaterial, Skeleton, SkinnedMesh, Vector2, Vector3, WebGLRenderer, BoxGeometry, EdgesGeometry,
} from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { h, movesLittle } from "./dom.js";
import { buildBody } from "./geometry.js";
import { DIRECTION_NAMES, SIDES, listCells, poseMatrix, vector } from "./lattice.js";
import { AXIS_VECTORS, duration, matrixAt, planMotions, timeUntil, turn } from "./motions.js";

const FROM = new Vector3(1, -1.55, 1.05).normalize();
const SEEN_THROUGH = 0.34;
const SHARES = Array.from({ length: 24 }, (_, i) => (i + 1) / 24);
const ENOUGH = 0.4;
const MARKS = { none: 0, selected: 1, blamed: 2 };
const dark = matchMedia("(prefers-color-scheme: dark)");

const VERTEX = `
attribute vec4 crease; attribute vec2 faceUv; attribute float mark;
varying vec4 vCrease; varying vec2 vFaceUv; varying float vMark;
`;
const FRAGMENT = `
varying vec4 vCrease; varying vec2 vFaceUv; varying float vMark;
`;
const PAINT = `
{
  vec4 away = vec4(vFaceUv.x, 1.0 - vFaceUv.x, vFaceUv.y, 1.0 - vFaceUv.y);
  vec2 pixel = max(vec2(length(vec2(dFdx(vFaceUv.x), dFdy(vFaceUv.x))), length(vec2(dFdx(vFaceUv.y), dFdy(vFaceUv.y)))), vec2(1e-5));
  vec4 size = pixel.xxyy;
  bool chosen = vMark > 0.5 && vMark < 1.5;
  vec4 wide = max(vec4(chosen ? 0.055 : 0.026), size * (chosen ? 2.2 : 1.1));
  vec4 near = (1.0 - smoothstep(wide - 0.6 * size, wide + 0.6 * size, away)) * vCrease;
  vec4 thin = (1.0 - smoothstep(vec4(0.004), vec4(0.012) + size, away)) * (1.0 - vCrease);
  float line = max(max(near.x, near.y), max(near.z, near.w));
  float grid = max(max(thin.x, thin.y), max(thin.z, thin.w));
  diffuseColor.rgb *= 1.0 - 0.16 * grid;
  if (vMark > 1.5) {
    float stripe = smoothstep(0.46, 0.54, abs(fract((gl_FragCoord.x + gl_FragCoord.y) / 18.0) - 0.5) * 2.0);
    diffuseColor.rgb = mix(diffuseColor.rgb, vec3(0.86, 0.03, 0.06), 0.72 * stripe);
  }
  vec3 ink = chosen ? vec3(1.0) : diffuseColor.rgb * 0.3;
  if (chosen) diffuseColor.rgb = mix(diffuseColor.rgb, vec3(1.0), 0.14);
  diffuseColor.rgb = mix(diffuseColor.rgb, ink, line * (chosen ? 1.0 : 0.85));
  if (!gl_FrontFacing) diffuseColor.rgb *= 0.62;
}
`;

function makeMaterial(transparent) {
  const material = new MeshLambertMaterial({
    vertexColors: true,
    transparent,
    opacity: transparent ? SEEN_THROUGH : 1,
    depthWrite: !transparent,
    side: FrontSide,
  });
  material.onBeforeCompile = (shader) => {
    shader.vertexShader = shader.vertexShader
      .replace("#include <common>", `#include <common>${VERTEX}`)
      .replace("#include <begin_vertex>", "#include <begin_vertex>\nvCrease = crease; vFaceUv = faceUv; vMark = mark;");
    shader.fragmentShader = shader.fragmentShader
      .replace("#include <common>", `#include <common>${FRAGMENT}`)
      .replace("#include <color_fragment>", `#include <color_fragment>${PAINT}`);
  };
  return material;
}

// All bodies of one kind as a single mesh with a bone for each, so that it is one draw call.
class Batch {
  constructor(transparent) {
    this.material = makeMaterial(transparent);
    this.transparent = transparent;
    this.mesh = null;
    this.bodies = [];
  }

  rebuild(group, bodies) {
    this.dispose(group);
    this.bodies = bodies;
    if (!bodies.length) return;
    const geometry = new BufferGeometry();
    const joined = (name) => bodies.flatMap((body) => body.triangles[name]);
    const set = (name, values, size) => geometry.setAttribute(name, new BufferAttribute(new Float32Array(values), size));
    set("position", joined("positions"), 3);
    set("normal", joined("normals"), 3);
    set("color", joined("colors"), 3);
    set("faceUv", joined("uvs"), 2);
    set("crease", joined("creases"), 4);
    const counts = bodies.map((body) => body.triangles.positions.length / 3);
    const total = counts.reduce((a, b) => a + b, 0);
    const index = new Uint16Array(4 * total);
    const weight = new Float32Array(4 * total);
    const marks = new Float32Array(total);
    let at = 0;
    counts.forEach((count, number) => {
      for (let i = 0; i < count; i++, at++) {
        index[4 * at] = number;
        weight[4 * at] = 1;
        marks[at] = MARKS[bodies[number].mark];
      }
    });
    geometry.setAttribute("skinIndex", new BufferAttribute(index, 4));
    geometry.setAttribute("skinWeight", new BufferAttribute(weight, 4));
    geometry.setAttribute("mark", new BufferAttribute(marks, 1));
    this.mesh = new SkinnedMesh(geometry, this.material);
    this.mesh.frustumCulled = false;
    this.mesh.castShadow = this.mesh.receiveShadow = !this.transparent;
    this.mesh.renderOrder = this.transparent ? 2 : 0;
    const bones = bodies.map(() => Object.assign(new Bone(), { matrixAutoUpdate: false }));
    this.mesh.bind(new Skeleton(bones, bones.map(() => new Matrix4())), new Matrix4());
    group.add(this.mesh);
    this.place();
  }

  place() {
    this.bodies.forEach((body, number) => this.mesh.skeleton.bones[number].matrixWorld.copy(body.shown));
  }

  remark() {
    if (!this.mesh) return;
    const marks = this.mesh.geometry.getAttribute("mark");
    let at = 0;
    for (const body of this.bodies) {
      const count = body.triangles.positions.length / 3;
      marks.array.fill(MARKS[body.mark], at, at + count);
      at += count;
    }
    marks.needsUpdate = true;
  }

  dispose(group) {
    if (!this.mesh) return;
    group.remove(this.mesh);
    this.mesh.geometry.dispose();
    this.mesh.skeleton.dispose();
    this.mesh = null;
    this.bodies = [];
  }
}

export class Viewer {
  constructor(host, { label = "The puzzle in 3D", pick, drag, press } = {}) {
    this.host = host;
    this.press = press;
    this.pick = pick;
    this.drag = drag;
    this.bodies = new Map();
    this.explode = 0;
    this.cut = { axis: 2, share: 1 };
    this.seeThrough = false;
    this.labelled = false;
    this.recolor = (rgb) => rgb;
    this.stats = { frames: 0, calls: 0 };
    this.running = 0;
    this.canvas = h("canvas", { className: "scene", tabIndex: 0, role: "application", "aria-label": `${label}. Arrow keys turn the view, plus and minus zoom, Home shows everything.` });
    this.tags = h("div", { className: "tags", "aria-hidden": "true" });
    this.gizmo = h("canvas", { className: "gizmo", width: 144, height: 144, "aria-hidden": "true" });
    this.readout = h("output", { className: "readout", "aria-hidden": "true" });
    host.append(this.canvas, this.tags, this.gizmo, this.readout);
    this.#build();
    this.#listen();
  }

  #build() {
    this.renderer = new WebGLRenderer({ canvas: this.canvas, antialias: true, alpha: true, preserveDrawingBuffer: true });
    this.renderer.setPixelRatio(Math.min(2, devicePixelRatio));
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = PCFShadowMap;
    this.renderer.shadowMap.autoUpdate = false;
    this.renderer.localClippingEnabled = true;
    this.world = new Scene();
    this.camera = new PerspectiveCamera(28, 1, 0.1, 1000);
    this.camera.up.set(0, 0, 1);
    this.camera.position.copy(FROM).multiplyScalar(20);
    this.controls = new OrbitControls(this.camera, this.canvas);
    this.controls.enableDamping = false;
    this.controls.addEventListener("change", () => this.#turned());
    this.sky = new HemisphereLight(0xffffff, 0xaab0bf, 2.0);
    this.sky.position.set(0, 0, 1);
    this.sun = new DirectionalLight(0xffffff, 1.5);
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(2048, 2048);
    this.sun.shadow.bias = -0.0006;
    this.sun.shadow.normalBias = 0.02;
    this.sun.shadow.radius = 7;
    this.fill = new DirectionalLight(0xe6edff, 0.55);
    this.fixed = new Group();
    this.world.add(this.sky, this.sun, this.sun.target, this.fill, this.fixed);
    this.solid = new Batch(false);
    this.clear = new Batch(true);
    this.plane = new Plane(new Vector3(0, 0, -1), 0);
  }

  #listen() {
    this.resizing = new ResizeObserver(() => this.resize());
    this.resizing.observe(this.host);
    this.canvas.addEventListener("keydown", (event) => this.#key(event));
    this.canvas.addEventListener("pointerdown", (event) => this.#down(event), { capture: true });
    this.canvas.addEventListener("pointermove", (event) => this.#hover(event));
    this.canvas.addEventListener("pointerleave", () => (this.readout.textContent = ""));
    this.onDark = () => this.draw();
    dark.addEventListener("change", this.onDark);
  }

  dispose() {
    this.disposed = true;
    this.resizing.disconnect();
    dark.removeEventListener("change", this.onDark);
    this.controls.dispose();
    this.solid.dispose(this.world);
    this.clear.dispose(this.world);
    this.renderer.dispose();
    this.renderer.forceContextLoss();
  }

  // -- what is shown ---------------------------------------------------------------------------

  setScene(scene) {
    const first = this.bodies.size === 0;
    this.scene = scene;
    const before = this.bodies;
    this.bodies = new Map();
    const take = (document, extra) => {
      const text = JSON.stringify([document.cells, document.rgb, document.stickers, document.translucent, this.palette]);
      const known = before.get(document.name);
      const triangles = known?.text === text ? known.triangles : buildBody(document, this.recolor);
      const at = poseMatrix(document.pose);
      const body = { ...document, text, triangles, at, shown: at.clone(), cellList: listCells(document), mark: known?.mark ?? "none", ...extra };
      body.centre = centreOf(body.cellList);
      this.bodies.set(document.name, body);
    };
    for (const body of scene.bodies ?? []) take(body, { scenery: false });
    for (const body of scene.scenery ?? []) take(body, { scenery: true });
    this.owners = null;
    this.#buildFixed(scene);
    this.refresh();
    if (first) this.frame();
    else this.#follow(before);
  }

  // Goes back, from the side where it is, until what has just left the picture is in it again.
  #follow(before) {
    const isOut = ({ name, at, centre }) => {
      const known = before.get(name);
      if (!known || known.at.equals(at)) return false;
      const [was, is] = [known, { at, centre }].map((body) => centreSeen(body, this.camera));
      return is > 1 && was <= 1;
    };
    if (![...this.bodies.values()].some((body) => !body.hidden && isOut(body))) return;
    this.frame(this.camera.position.clone().sub(this.controls.target).normalize());
  }

  setPalette(replaced) {
    this.palette = replaced ? 1 : 0;
    this.recolor = (rgb) => replaced?.[rgb] ?? rgb;
    if (this.scene) this.setScene(this.scene);
  }

  colorOf(name) {
    const body = this.bodies.get(name);
    return body ? this.recolor(body.rgb ?? 0) : null;
  }

  // The colour of the body that fills a cell; null for none.
  ownerOf(cell) {
    const wanted = cell.join(",");
    if (!this.owners) {
      this.owners = new Map();
      for (const body of this.bodies.values()) {
        if (body.scenery) continue;
        for (const own of body.cellList) {
          const at = new Vector3(...own).applyMatrix4(body.at).round().toArray();
          this.owners.set(at.map((value) => value + 0).join(","), this.recolor(body.rgb ?? 0));
        }
      }
    }
    return this.owners.get(wanted) ?? null;
  }

  // Shows where something would be put: cells of the world in a colour, seen through; null for none.
  setGhost(cells, rgb) {
    const text = JSON.stringify([cells, rgb]);
    if (text === this.ghostText) return;
    this.ghostText = text;
    this.ghost = null;
    if (cells?.length) {
      const body = { name: "", cells: cells.flat(), rgb };
      this.ghost = { ...body, triangles: buildBody(body, this.recolor), shown: new Matrix4(), mark: "selected" };
    }
    this.refresh();
  }

  // The cells that a body would fill, turned, with the low corner of its block at a cell.
  cellsOf(name, rotation, corner) {
    const body = this.bodies.get(name);
    const turned = body.cellList.map((cell) => new Vector3(...cell).applyMatrix4(rotation).round().toArray());
    const low = [0, 1, 2].map((i) => Math.min(...turned.map((cell) => cell[i])));
    return turned.map((cell) => cell.map((value, i) => value - low[i] + corner[i]));
  }

  // Sorts bodies into what is solid, what is seen through and what is hidden, and draws.
  refresh() {
    const look = this.#look();
    const [solid, clear] = [[], []];
    for (const body of this.bodies.values()) {
      const hidden = look && (body.scenery ? !look.adds.has(body.name) : look.hides.has(body.name));
      body.hidden = Boolean(hidden) || (body.scenery && !look && !body.translucent);
      if (body.hidden) continue;
      const thin = body.translucent || (this.seeThrough && body.mark !== "selected");
      (thin ? clear : solid).push(body);
    }
    if (this.ghost) clear.push(this.ghost);
    this.lookName = look?.name;
    this.#placeAll();
    this.solid.rebuild(this.world, solid);
    this.clear.rebuild(this.world, clear);
    this.#cutAway();
    this.#shade();
    this.#tag();
    this.draw();
  }

  // The views of a room say which walls stand in the way from a side.
  #look() {
    const looks = this.scene?.looks;
    if (!looks) return null;
    const from = this.camera.position.clone().sub(this.controls.target).normalize();
    let best = null;
    looks.forEach((look, name) => {
      const towards = new Vector3(...look.towards).normalize().dot(from);
      if (!best || towards > best.towards + 1e-6) best = { name, towards, hides: new Set(look.hides), adds: new Set(look.adds) };
    });
    return best;
  }

  #turned() {
    if (this.scene?.looks && this.#look().name !== this.lookName) this.refresh();
    else this.draw();
  }

  #buildFixed(scene) {
    const text = JSON.stringify([scene.table, scene.container, scene.work]);
    if (text === this.fixedText) return;
    this.fixedText = text;
    for (const child of [...this.fixed.children]) {
      child.geometry.dispose();
      this.fixed.remove(child);
    }
    if (scene.table) {
      this.ground = new Mesh(new PlaneGeometry(400, 400), new ShadowMaterial({ opacity: 0.24 }));
      this.ground.position.z = vector(scene.table.low)[2] - 0.5;
      this.ground.receiveShadow = true;
      this.fixed.add(this.ground);
    }
    if (scene.container) this.#buildContainer(scene.container);
  }

  #buildContainer(container) {
    const low = vector(container.inside.low);
    const high = vector(container.inside.high);
    const size = high.map((value, i) => value - low[i] + 1);
    const middle = high.map((value, i) => (value + low[i]) / 2);
    const box = new BoxGeometry(...size.map((value) => value + 0.04));
    const lines = new LineSegments(new EdgesGeometry(box), new LineBasicMaterial({ color: 0x7d8799 }));
    lines.position.set(...middle);
    this.fixed.add(lines);
    const open = new Set(container.open ?? []);
    const corners = [];
    for (const [name, side] of Object.entries(SIDES)) {
      if (open.has(name)) continue;
      const axis = side.findIndex((value) => value !== 0);
      const [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
      const at = (a, b) => {
        const point = [...middle];
        point[axis] += side[axis] * (size[axis] / 2 + 0.02);
        point[u] += (a * size[u]) / 2;
        point[v] += (b * size[v]) / 2;
        return point;
      };
      corners.push(at(-1, -1), at(1, -1), at(1, 1), at(-1, -1), at(1, 1), at(-1, 1));
    }
    if (!corners.length) return;
    const geometry = new BufferGeometry().setAttribute("position", new BufferAttribute(new Float32Array(corners.flat()), 3));
    const walls = new Mesh(geometry, new MeshBasicMaterial({ color: 0x8fa3c4, transparent: true, opacity: 0.13, side: DoubleSide, depthWrite: false }));
    walls.renderOrder = 3;
    this.fixed.add(walls);
  }

  #placeAll() {
    if (!this.bodies.size) return;
    const middle = this.#box(false).middle;
    for (const body of this.bodies.values()) {
      body.shown.copy(body.at);
      if (!this.explode || body.scenery) continue;
      const centre = body.centre.clone().applyMatrix4(body.at);
      body.shown.premultiply(new Matrix4().makeTranslation(centre.sub(middle).multiplyScalar(this.explode)));
    }
  }

  #place() {
    for (const batch of [this.solid, this.clear]) if (batch.mesh) batch.place();
    this.renderer.shadowMap.needsUpdate = true;
    this.draw();
  }

  #cutAway() {
    const { axis, share } = this.cut;
    const box = this.#box(false);
    const on = share < 1;
    const normal = [0, 0, 0];
    normal[axis] = -1;
    const low = box.low[axis] - 0.51;
    const high = box.high[axis] + 0.51;
    this.plane.set(new Vector3(...normal), low + Math.round((high - low) * share) + 0.01);
    for (const batch of [this.solid, this.clear]) {
      batch.material.clippingPlanes = on ? [this.plane] : null;
      batch.material.clipShadows = on;
      batch.material.side = on ? DoubleSide : FrontSide;
    }
  }

  #box(all) {
    const low = [Infinity, Infinity, Infinity];
    const high = [-Infinity, -Infinity, -Infinity];
    const point = new Vector3();
    for (const body of this.bodies.values()) {
      if (body.scenery && !all) continue;
      for (const cell of body.cellList) {
        point.set(...cell).applyMatrix4(body.at).toArray().forEach((value, i) => {
          low[i] = Math.min(low[i], value);
          high[i] = Math.max(high[i], value);
        });
      }
    }
    if (low[0] === Infinity) return { low: [0, 0, 0], high: [0, 0, 0], middle: new Vector3(), radius: 1 };
    const middle = new Vector3(...low.map((value, i) => (value + high[i]) / 2));
    const radius = new Vector3(...high.map((value, i) => (value - low[i] + 1) / 2)).length();
    return { low, high, middle, radius };
  }

  #shade() {
    const { middle, radius } = this.#box(true);
    const far = radius * (1 + this.explode) + 2;
    this.sun.position.copy(middle).add(new Vector3(0.45, -0.75, 1.6).normalize().multiplyScalar(3 * far));
    this.sun.target.position.copy(middle);
    this.sun.target.updateMatrixWorld();
    Object.assign(this.sun.shadow.camera, { left: -far, right: far, top: far, bottom: -far, near: far, far: 6 * far });
    this.sun.shadow.camera.updateProjectionMatrix();
    this.fill.position.copy(middle).add(new Vector3(-1, 0.6, 0.4).multiplyScalar(far));
    this.renderer.shadowMap.needsUpdate = true;
  }

  // -- camera ----------------------------------------------------------------------------------

  // Shows everything from the usual side, as large as it fits.
  frame(from = FROM) {
    if (!this.bodies.size) return;
    const half = Math.tan((this.camera.fov * Math.PI) / 360) * 0.88;
    const [wide, high] = [half * (this.camera.aspect || 1), half];
    const right = new Vector3().crossVectors(this.camera.up, from).normalize();
    const up = new Vector3().crossVectors(from, right);
    const points = this.#corners();
    const target = new Vector3();
    let distance = 1;
    for (let pass = 0; pass < 4; pass++) {
      const range = [Infinity, -Infinity, Infinity, -Infinity];
      const seen = points.map((point) => {
        const away = point.clone().sub(target);
        return [away.dot(right), away.dot(up), away.dot(from)];
      });
      distance = Math.max(...seen.map(([x, y, depth]) => Math.max(Math.abs(x) / wide, Math.abs(y) / high) + depth));
      for (const [x, y, depth] of seen) {
        const scale = distance / Math.max(0.1, distance - depth);
        range[0] = Math.min(range[0], x * scale);
        range[1] = Math.max(range[1], x * scale);
        range[2] = Math.min(range[2], y * scale);
        range[3] = Math.max(range[3], y * scale);
      }
      if (pass < 3) target.addScaledVector(right, (range[0] + range[1]) / 2).addScaledVector(up, (range[2] + range[3]) / 2);
    }
    const { middle } = this.#box(false);
    target.addScaledVector(from, middle.clone().sub(target).dot(from));
    distance = Math.max(...points.map((point) => {
      const away = point.clone().sub(target);
      return Math.max(Math.abs(away.dot(right)) / wide, Math.abs(away.dot(up)) / high) + away.dot(from);
    }));
    this.controls.target.copy(target);
    this.camera.position.copy(target).addScaledVector(from, distance);
    this.camera.near = Math.max(0.05, distance / 100);
    this.camera.far = distance * 20;
    this.camera.updateProjectionMatrix();
    this.controls.minDistance = 1.5;
    this.controls.maxDistance = distance * 6;
    this.controls.update();
    this.draw();
  }

  // The corners of the blocks around all that is shown.
  #corners() {
    const blocks = [...this.bodies.values()]
      .filter((body) => !body.hidden && body.cellList.length)
      .map((body) => [0, 1, 2].map((i) => body.cellList.map((cell) => cell[i])))
      .map((axes) => axes.map((values) => [Math.min(...values) - 0.5, Math.max(...values) + 0.5]));
    const matrices = [...this.bodies.values()].filter((body) => !body.hidden && body.cellList.length).map((body) => body.shown);
    if (this.scene.container) {
      const [low, high] = [vector(this.scene.container.inside.low), vector(this.scene.container.inside.high)];
      blocks.push(low.map((value, i) => [value - 0.5, high[i] + 0.5]));
      matrices.push(new Matrix4());
    }
    const corners = blocks.flatMap(([x, y, z], n) =>
      x.flatMap((a) => y.flatMap((b) => z.map((c) => new Vector3(a, b, c).applyMatrix4(matrices[n])))),
    );
    return this.ruled ? [...corners, ...this.#ticks().map(({ place }) => place())] : corners;
  }

  #key(event) {
    if (!event.shiftKey && this.press?.(event)) return event.preventDefault();
    const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
    if (steps[event.key]) this.#orbit(...steps[event.key].map((step) => (step * Math.PI) / 12));
    else if (event.key === "+" || event.key === "=") this.#zoom(1 / 1.2);
    else if (event.key === "-") this.#zoom(1.2);
    else if (event.key === "Home") this.frame();
    else return;
    event.preventDefault();
  }

  #orbit(azimuth, height) {
    const away = this.camera.position.clone().sub(this.controls.target);
    const polar = Math.acos(away.z / away.length());
    const turned = Math.min(Math.PI - 0.05, Math.max(0.05, polar - height));
    const angle = Math.atan2(away.y, away.x) + azimuth;
    const flat = away.length() * Math.sin(turned);
    away.set(flat * Math.cos(angle), flat * Math.sin(angle), away.length() * Math.cos(turned));
    this.camera.position.copy(this.controls.target).add(away);
    this.controls.update();
  }

  // The direction along the floor, such as +x, that an arrow key means from where it is looked.
  floorDirection(key) {
    const away = this.controls.target.clone().sub(this.camera.position);
    const turns = { ArrowUp: 0, ArrowLeft: 1, ArrowDown: 2, ArrowRight: 3 };
    if (!(key in turns)) return null;
    const quarters = Math.round(Math.atan2(away.y, away.x) / (Math.PI / 2)) + turns[key];
    return ["+x", "+y", "-x", "-y"][((quarters % 4) + 4) % 4];
  }

  #zoom(factor) {
    const away = this.camera.position.clone().sub(this.controls.target).multiplyScalar(factor);
    away.clampLength(this.controls.minDistance, this.controls.maxDistance);
    this.camera.position.copy(this.controls.target).add(away);
    this.controls.update();
  }

  resize() {
    const { clientWidth: width, clientHeight: height } = this.host;
    if (!width || !height) return;
    const reframe = !this.sized;
    this.sized = true;
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    if (reframe && this.bodies.size) this.frame();
    this.draw();
  }

  // -- marks -----------------------------------------------------------------------------------

  mark(names, kind) {
    const marked = new Set(names);
    for (const body of this.bodies.values()) {
      if (marked.has(body.name)) body.mark = kind;
      else if (body.mark === kind) body.mark = "none";
    }
    if (this.seeThrough) this.refresh();
    else {
      this.solid.remark();
      this.clear.remark();
      this.draw();
    }
  }

  // -- motion ----------------------------------------------------------------------------------

  // Plays motions from the present scene; refused ones go until they are stopped, and back.
  async play(motions, { refused = false, travel = 0, speed = 1 } = {}) {
    const run = ++this.running;
    if (movesLittle() || !motions.length) return;
    const done = new Map();
    const middleOf = (names) => this.#middle(names, done);
    for (const motion of motions) {
      const [{ bodies, parts }] = planMotions([motion], middleOf);
      const end = refused ? timeUntil(parts, travel ?? 0) : duration(parts);
      const start = new Map(bodies.map((name) => [name, done.get(name) ?? new Matrix4()]));
      const show = (seconds) => {
        const matrix = matrixAt(parts, seconds);
        for (const name of bodies) this.#move(name, matrix.clone().multiply(start.get(name)));
        this.#place();
      };
      if (!(await this.#run(run, end / speed, (share) => show(end * share)))) return;
      if (refused) {
        await this.#run(run, end / speed, (share) => show(end * (1 - share)));
        return;
      }
      const whole = matrixAt(parts, end + 1);
      for (const name of bodies) done.set(name, whole.clone().multiply(start.get(name)));
    }
  }

  #move(name, matrix) {
    const body = this.bodies.get(name);
    if (body) body.shown.copy(body.at).premultiply(matrix);
  }

  #middle(names, done) {
    const low = [Infinity, Infinity, Infinity];
    const high = [-Infinity, -Infinity, -Infinity];
    for (const name of names) {
      const body = this.bodies.get(name);
      if (!body) continue;
      const matrix = (done.get(name) ?? new Matrix4()).clone().multiply(body.at);
      for (const cell of body.cellList) {
        new Vector3(...cell).applyMatrix4(matrix).toArray().forEach((value, i) => {
          low[i] = Math.min(low[i], value);
          high[i] = Math.max(high[i], value);
        });
      }
    }
    return low.map((value, i) => (value + high[i]) / 2);
  }

  #run(run, seconds, show) {
    return new Promise((resolve) => {
      const begin = performance.now();
      const tick = (now) => {
        if (this.disposed || run !== this.running) return resolve(false);
        const share = Math.min(1, (now - begin) / 1000 / seconds);
        show(Math.max(0, share));
        if (share < 1) requestAnimationFrame(tick);
        else resolve(true);
      };
      requestAnimationFrame(tick);
    });
  }

  // -- pointing --------------------------------------------------------------------------------

  // Where a place of the world is in the window.
  pixel(place) {
    const { left, top, width, height } = this.canvas.getBoundingClientRect();
    const seen = new Vector3(...place).project(this.camera);
    return [left + ((seen.x + 1) / 2) * width, top + ((1 - seen.y) / 2) * height];
  }

  // The cell under a point of the canvas: its body, its place in the world and the face seen.
  find(event) {
    const { left, top, width, height } = this.canvas.getBoundingClientRect();
    const point = new Vector2(((event.clientX - left) / width) * 2 - 1, 1 - ((event.clientY - top) / height) * 2);
    const caster = new Raycaster();
    caster.setFromCamera(point, this.camera);
    let best = null;
    for (const body of this.bodies.values()) {
      if (body.hidden || body.translucent) continue;
      const ray = caster.ray.clone().applyMatrix4(body.shown.clone().invert());
      for (const cell of body.cellList) {
        const hit = hitCell(ray, cell);
        if (!hit || (best && hit.distance >= best.distance)) continue;
        const place = ray.origin.clone().addScaledVector(ray.direction, hit.distance).applyMatrix4(body.shown);
        if (this.cut.share < 1 && this.plane.distanceToPoint(place) < 0) continue;
        const world = new Vector3(...cell).applyMatrix4(body.at).round().toArray();
        const side = new Vector3(...hit.side).transformDirection(body.at).round().toArray();
        best = { name: body.name, distance: hit.distance, cell: world, side, place };
      }
    }
    return best;
  }

  // Names what is pointed at, so that coordinates can be read off.
  #hover(event) {
    if (this.hovering) return;
    this.hovering = true;
    requestAnimationFrame(() => {
      this.hovering = false;
      const hit = this.disposed || event.buttons ? null : this.find(event);
      this.readout.textContent = hit ? `${hit.name}: ${hit.cell.join(", ")}` : "";
    });
  }

  #down(event) {
    if (event.button !== 0 || !event.isPrimary) return;
    const hit = this.find(event);
    const turns = hit ? (this.drag?.turns(hit.name) ?? []) : [];
    const names = hit && !turns.length && this.drag?.names(hit.name, event);
    if (turns.length) this.#drag(event, hit, (delta) => this.#bend(hit, delta, turns));
    else if (names) this.#drag(event, hit, (delta) => this.#slide(hit, delta, names));
    else this.#click(event, hit);
  }

  #click(event, hit) {
    const from = [event.clientX, event.clientY];
    const up = (last) => {
      if (Math.hypot(last.clientX - from[0], last.clientY - from[1]) < 5) this.pick?.(hit, last);
    };
    addEventListener("pointerup", up, { once: true });
  }

  // Lets bodies follow the pointer: `follow` gives them, their matrix, and what letting go does.
  #drag(event, hit, follow) {
    event.stopImmediatePropagation();
    event.preventDefault();
    this.canvas.focus({ preventScroll: true });
    this.canvas.setPointerCapture(event.pointerId);
    const from = [event.clientX, event.clientY];
    let found = null;
    const move = (moved) => {
      const delta = [moved.clientX - from[0], moved.clientY - from[1]];
      if (Math.hypot(...delta) < 6 && !found) return;
      found = follow(delta);
      this.#placeAll();
      for (const name of found.bodies) this.#move(name, found.matrix);
      this.drag.show(found.words);
      this.#place();
    };
    const end = (last) => {
      this.canvas.removeEventListener("pointermove", move);
      this.canvas.removeEventListener("pointerup", end);
      this.canvas.removeEventListener("pointercancel", end);
      this.drag.show("");
      this.#placeAll();
      this.#place();
      if (last.type === "pointercancel") return;
      if (!found) this.pick?.(hit, last);
      else found.drop?.();
    };
    this.canvas.addEventListener("pointermove", move);
    this.canvas.addEventListener("pointerup", end);
    this.canvas.addEventListener("pointercancel", end);
  }

  // Bodies that are dragged along an axis.
  #slide(hit, delta, names) {
    const found = this.#axis(hit.place, delta);
    const units = Math.round(found.units);
    return {
      bodies: names,
      matrix: new Matrix4().makeTranslation(...DIRECTION_NAMES[found.name].map((value) => value * found.units)),
      words: `${names.join(", ")} ${found.name} ${units}`,
      drop: units >= 1 ? () => this.drag.drop(names, { ...found, units }) : null,
    };
  }

  // Bodies that are dragged about an axis: of some turns the one on whose way the pointer is best.
  #bend(hit, [dx, dy], gestures) {
    const [x, y] = this.pixel(hit.place);
    // A layer is not swiped about an axis that comes towards the finger.
    const across = gestures.filter(({ turn: { axis } }) => AXIS_VECTORS[axis].every((value, i) => !value || !hit.side[i]));
    let best = null;
    for (const gesture of across.length ? across : gestures) {
      const { at } = turn(gesture.turn);
      for (const share of SHARES) {
        const matrix = at(share);
        const [a, b] = this.pixel(hit.place.clone().applyMatrix4(matrix).toArray());
        const off = Math.hypot(a - x - dx, b - y - dy);
        if (!best || off < best.off) best = { gesture, share, matrix, off };
      }
    }
    return {
      bodies: best.gesture.turn.bodies,
      matrix: best.matrix,
      words: `${this.drag.describe(best.gesture)}${best.share < ENOUGH ? " …" : ""}`,
      drop: best.share < ENOUGH ? null : () => this.drag.turn(best.gesture),
    };
  }

  // The direction of the lattice that a drag in pixels follows best, and how far.
  #axis(place, [dx, dy]) {
    const origin = this.pixel(place);
    let best = null;
    for (const [name, way] of Object.entries(DIRECTION_NAMES)) {
      const end = this.pixel(place.clone().add(new Vector3(...way)));
      const step = [end[0] - origin[0], end[1] - origin[1]];
      const length = Math.hypot(...step);
      if (length < 4) continue;
      const along = (dx * step[0] + dy * step[1]) / length;
      const fits = along / Math.hypot(dx, dy);
      if (!best || fits > best.fits) best = { name, fits, units: Math.max(0, along / length) };
    }
    return best;
  }

  // -- drawing ---------------------------------------------------------------------------------

  draw() {
    if (this.waiting || this.disposed) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      if (!this.disposed) this.drawNow();
    });
  }

  drawNow() {
    if (this.ground) {
      this.ground.visible = this.camera.position.z > this.ground.position.z;
      this.ground.material.opacity = dark.matches ? 0.4 : 0.13;
    }
    this.renderer.info.autoReset = false;
    this.renderer.info.reset();
    this.renderer.render(this.world, this.camera);
    this.stats.frames += 1;
    this.stats.calls = this.renderer.info.render.calls;
    this.canvas.dataset.frames = this.stats.frames;
    this.canvas.dataset.calls = this.stats.calls;
    this.#drawTags();
    this.#drawGizmo();
  }

  setLabels(on) {
    this.labelled = on;
    this.#tag();
    this.draw();
  }

  setRuler(on) {
    this.ruled = on;
    this.#tag();
    this.draw();
  }

  // Names of pieces, and numbers along the edges of the block where the puzzle is.
  #tag() {
    const named = this.labelled ? [...this.bodies.values()].filter((body) => !body.scenery && !body.hidden) : [];
    this.tagged = [
      ...named.map((body) => ({ text: body.name, className: "tag", place: () => body.centre.clone().applyMatrix4(body.shown) })),
      ...(this.ruled && this.scene ? this.#ticks() : []),
    ];
    this.tags.replaceChildren(...this.tagged.map(({ text, className }) => h("span", { className, textContent: text })));
  }

  #ticks() {
    const block = this.scene.container?.inside ?? this.scene.work;
    const [low, high] = [vector(block.low), vector(block.high)];
    const off = 0.9;
    const lines = [
      (value) => [value, low[1] - off, low[2] - 0.5],
      (value) => [high[0] + off, value, low[2] - 0.5],
      (value) => [low[0] - off, low[1] - off, value],
    ];
    return lines.flatMap((line, axis) => {
      const values = Array.from({ length: high[axis] - low[axis] + 1 }, (_, i) => low[axis] + i);
      const step = values.length > 14 ? 2 : 1;
      const tick = (text, value) => ({ text, className: "tick", place: () => new Vector3(...line(value)) });
      return [...values.filter((value) => value % step === 0).map((value) => tick(String(value), value)), tick("xyz"[axis], high[axis] + 1.2)];
    });
  }

  #drawTags() {
    if (!this.tagged?.length) return;
    const { clientWidth: width, clientHeight: height } = this.host;
    this.tagged.forEach(({ place }, i) => {
      const seen = place().project(this.camera);
      const style = this.tags.children[i].style;
      style.transform = `translate(-50%, -50%) translate(${((seen.x + 1) / 2) * width}px, ${((1 - seen.y) / 2) * height}px)`;
      style.zIndex = String(Math.round((1 - seen.z) * 10000));
    });
  }

  #drawGizmo() {
    const pen = this.gizmo.getContext("2d");
    pen.clearRect(0, 0, 144, 144);
    pen.lineWidth = 5;
    pen.lineCap = "round";
    pen.font = "600 24px system-ui, sans-serif";
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    const colors = dark.matches ? ["#ff7b86", "#64d88a", "#7db2ff"] : ["#d42034", "#15803d", "#2563eb"];
    const turn = this.camera.quaternion.clone().invert();
    const ends = ["x", "y", "z"].map((name, i) => {
      const way = new Vector3().setComponent(i, 1).applyQuaternion(turn);
      return { name, way, color: colors[i] };
    });
    for (const { name, way, color } of ends.sort((a, b) => a.way.z - b.way.z)) {
      pen.strokeStyle = pen.fillStyle = color;
      pen.beginPath();
      pen.moveTo(72, 72);
      pen.lineTo(72 + way.x * 42, 72 - way.y * 42);
      pen.stroke();
      pen.fillText(name, 72 + way.x * 58, 72 - way.y * 58);
    }
  }

  picture(width, height) {
    this.renderer.setPixelRatio(1);
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    this.frame();
    this.drawNow();
    return this.canvas.toDataURL("image/png");
  }
}

// How far from the middle of the picture a body's centre is; more than 1 is beside it.
function centreSeen({ at, centre }, camera) {
  const seen = centre.clone().applyMatrix4(at).project(camera);
  return Math.max(Math.abs(seen.x), Math.abs(seen.y));
}

function centreOf(cells) {
  const middle = new Vector3();
  for (const cell of cells) middle.add(new Vector3(...cell));
  middle.divideScalar(Math.max(1, cells.length));
  let best = middle;
  let least = Infinity;
  for (const cell of cells) {
    const away = new Vector3(...cell).distanceTo(middle);
    if (away < least) [least, best] = [away, new Vector3(...cell)];
  }
  return best;
}

function hitCell(ray, cell) {
  const origin = ray.origin.toArray();
  const way = ray.direction.toArray();
  let enter = -Infinity;
  let leave = Infinity;
  let side = null;
  for (let i = 0; i < 3; i++) {
    if (Math.abs(way[i]) < 1e-9) {
      if (Math.abs(origin[i] - cell[i]) > 0.5) return null;
      continue;
    }
    const near = (cell[i] - Math.sign(way[i]) * 0.5 - origin[i]) / way[i];
    const far = (cell[i] + Math.sign(way[i]) * 0.5 - origin[i]) / way[i];
    if (near > enter) {
      enter = near;
      side = [0, 0, 0];
      side[i] = -Math.sign(way[i]);
    }
    leave = Math.min(leave, far);
  }
  return side && enter <= leave && enter > 0 ? { distance: enter, side } : null;
}
