// Builds bridge/web/static/app.js and app.css of the sources; with --check it only compares them.
import { build } from "esbuild";
import { createHash } from "node:crypto";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const target = join(here, "..", "bridge", "web", "static");

// The same digest as tests/web/test_bundle.py computes, so that a stale bundle is seen without node.
function digestSources() {
  const names = readdirSync(join(here, "src")).sort().map((name) => join("src", name));
  const hash = createHash("sha256");
  for (const name of ["build.mjs", "package-lock.json", ...names]) {
    hash.update(`${name.replaceAll("\\", "/")}\n`).update(readFileSync(join(here, name)));
  }
  return hash.digest("hex");
}

const result = await build({
  absWorkingDir: here,
  banner: { js: `/* sources: ${digestSources()} */` },
  bundle: true,
  entryPoints: { app: "src/main.js", style: "src/app.css" },
  charset: "utf8",
  format: "iife",
  legalComments: "inline",
  minify: true,
  outdir: target,
  target: "es2022",
  write: false,
});

const files = Object.fromEntries(
  result.outputFiles.map((file) => [file.path.endsWith(".js") ? "app.js" : "app.css", file.text]),
);
files["three-license.txt"] = readFileSync(join(here, "node_modules/three/LICENSE"), "utf8");
const check = process.argv.includes("--check");
for (const [name, text] of Object.entries(files)) {
  const path = join(target, name);
  if (!check) {
    writeFileSync(path, text);
    console.log(`${name}: ${(text.length / 1024).toFixed(0)} KiB`);
  } else if (readFileSync(path, "utf8") !== text) {
    console.error(`${name} is not what the sources give: run \`npm --prefix web run build\``);
    process.exit(1);
  }
}
