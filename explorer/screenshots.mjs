// Takes the pictures of docs/screenshots from a service over the sample; with a folder, instead, those of
// every view at every width, in both languages and colours, for a person to look at.

import { execFile } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { chromium } from "playwright-core";
import { base, executablePath, shown } from "./tests/support.mjs";

const run = promisify(execFile);
const folder = process.argv[2];
const docs = join(dirname(fileURLToPath(import.meta.url)), "../docs/screenshots");

/** The pictures that are committed: a name, a view, and the screen that it is on. */
const PICTURES = [
  ["search", "/?q=PM2.5", { height: 860 }],
  ["search-fr-phone", "/?q=mercure&province=ON", { language: "fr", width: 390, height: 844 }],
  ["emissions-dark", "/?on=emission&province=AB&year=2010-2024", { height: 860, dark: true }],
  ["substance-fr-dark", "/substance/NA-M10", { language: "fr", height: 860, dark: true }],
  ["facility", "/facility/G10001", { height: 900 }],
  ["map", "/?q=PM2.5&view=map", { height: 1200 }],
  ["map-fr-dark", "/?on=emission&year=2022&view=map", { language: "fr", width: 768, height: 1024, dark: true }],
  ["compare-fr", "/?on=emission&view=compare&year=2014&year=2019", { language: "fr", height: 800 }],
  ["narrow", "/?q=mercury", { width: 320, height: 700 }],
  ["wide", "/?company=wolf+den", { width: 1920, height: 1080 }],
  ["nothing-matches", "/?q=mercry+Sarnia&year=2010-2020", { width: 768, height: 520 }],
  ["refused", "/?provnce=ON&year=2020-2010", { width: 768, height: 520 }],
  ["docs", "/docs", { height: 860 }],
];

/** Everything that is looked at: full, empty and failing. */
const VIEWS = {
  search: ["/?q=mercury&province=ON"],
  blank: ["/"],
  emissions: ["/?on=emission"],
  map: ["/?q=PM2.5&view=map"],
  compare: ["/?on=emission&view=compare&year=2014&year=2019"],
  facility: ["/facility/G10001"],
  substance: ["/substance/NA-M10"],
  empty: ["/?q=mercry+Sarnia&province=PE"],
  refused: ["/?provnce=ON&year=2020-2010"],
  busy: ["/?q=lead", { status: 503, code: "overloaded", wait: 60 }],
  failing: ["/facility/G10001", { status: 500, code: "internal-error" }],
  docs: ["/docs"],
};
const WIDTHS = [320, 390, 768, 1280, 1920];

const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-dev-shm-usage"] });

async function take(path, [view, problem], { language = "en", width = 1280, height = 900, dark = false, fullPage = false }) {
  const colorScheme = dark ? "dark" : "light";
  const context = await browser.newContext({ baseURL: base, viewport: { width, height }, locale: `${language}-CA`, colorScheme });
  const page = await context.newPage();
  if (view === "/docs") {
    await page.goto(view);
    await page.locator("#static").waitFor({ state: "detached" });
  } else {
    await shown(page, [view, problem]);
    if (view.includes("view=map")) await page.locator(".map .land path").first().waitFor();
  }
  await page.screenshot({ path, fullPage });
  await context.close();
}

if (folder) {
  await mkdir(folder, { recursive: true });
  for (const [name, view] of Object.entries(VIEWS)) {
    for (const width of WIDTHS) {
      for (const language of ["en", "fr"]) {
        for (const dark of [false, true]) {
          const path = join(folder, [name, width, language, dark ? "dark" : "light"].join("-") + ".png");
          await take(path, view, { language, width, dark, fullPage: name !== "docs" });
        }
      }
    }
  }
} else {
  for (const [name, view, screen] of PICTURES) {
    const path = join(docs, `${name}.png`);
    await take(path, [view], screen);
    await run("pngquant", ["--force", "--ext", ".png", "--strip", "64", path]);
  }
}
await browser.close();
