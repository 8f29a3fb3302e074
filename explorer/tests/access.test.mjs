// For everybody: axe finds nothing in any view, the keyboard reaches everything, no text is in the
// wrong language, and nothing is wider than the screen.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { test } from "node:test";
import { build } from "esbuild";
import { SEARCH, asking, module, open, refusing, settled, sideways, withBrowser } from "./support.mjs";

withBrowser();

const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
const WIDTHS = [320, 390, 1280];
/** A view, and what its questions are answered with instead of records. */
const VIEWS = [
  ["/"],
  ["/?q=mercury&province=ON&year=2010-2024"],
  ["/?on=emission&facet_sort=count"],
  ["/?q=mercury&view=map"],
  ["/?on=emission&view=compare&year=2014&year=2019"],
  ["/?near=42.97,-82.4&within_km=50"],
  ["/facility/G10001"],
  ["/substance/NA-M10"],
  ["/?q=mercry+Sarnia&province=PE"],
  ["/?q=mercry&view=map"],
  ["/facility/none"],
  ["/substance/none"],
  ["/?provnce=ON"],
  ["/?q=lead", { status: 503, code: "overloaded", wait: 60 }],
  ["/facility/G10001", { status: 500, code: "internal-error" }],
];

/** What axe finds on the page as it is now, by a rule's name and the elements. */
async function violations(page, runOnly = RULES) {
  const found = await page.evaluate(async (options) => {
    const { violations } = await window.axe.run(document, options);
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" | ")}`);
  }, { runOnly, resultTypes: ["violations"] });
  return found;
}

for (const language of ["en", "fr"]) {
  test(`${language}: axe finds nothing in any view, at any width, in either colours, and nothing is too wide`, async (t) => {
    const page = await open(t, null, { language: `${language}-CA`, bypassCSP: true });
    for (const [view, problem] of VIEWS) {
      if (problem) await refusing(page, problem);
      await page.goto(view);
      await settled(page);
      if (problem) await page.unroute(SEARCH);
      await page.evaluate(() => document.querySelectorAll("details").forEach((details) => (details.open = true)));
      await page.evaluate(axe);
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 900 });
        await page.emulateMedia({ colorScheme: "light" });
        assert.deepEqual(await violations(page), [], `${view} at ${width}`);
        assert.ok((await sideways(page)) <= 0, `${view} at ${width} is ${await sideways(page)} px too wide`);
        // Only colours are others in the dark.
        await page.emulateMedia({ colorScheme: "dark" });
        assert.deepEqual(await violations(page, ["color-contrast"]), [], `${view} at ${width}, dark`);
      }
    }
  });
}

test("at 400 % zoom of a small screen everything is in one column, and the focus is in sight", async (t) => {
  const page = await open(t, "/?q=mercury&view=map", { width: 320, height: 256 });
  assert.ok((await sideways(page)) <= 0);
  for (let number = 0; number < 40; number += 1) {
    await page.keyboard.press("Tab");
    const seen = await page.evaluate(() => {
      const { top, bottom, left, right } = document.activeElement.getBoundingClientRect();
      return bottom > 0 && top < innerHeight && right > 0 && left < innerWidth;
    });
    assert.ok(seen, await page.evaluate(() => document.activeElement.outerHTML.slice(0, 200)));
  }
});

test("on a phone the filters are a dialog that keeps the focus", async (t) => {
  const page = await open(t, "/?q=mercury", { width: 390, height: 844, bypassCSP: true });
  await page.getByRole("button", { name: "Refine" }).click();
  const dialog = page.getByRole("dialog");
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => window.axe.run("dialog"));
  assert.deepEqual(violations.map(({ id }) => id), []);
  for (let number = 0; number < 60; number += 1) {
    await page.keyboard.press("Tab");
    assert.ok(await page.evaluate(() => document.activeElement === document.body || document.activeElement.closest("dialog") !== null));
  }
  await asking(page, () => dialog.getByRole("checkbox", { name: /^Ontario/ }).check());
  await dialog.getByRole("button", { name: /^Show / }).click();
  assert.ok(await page.getByRole("button", { name: "Refine (1)" }).isVisible());
});

test("the keyboard alone: search, choose, read the chart, choose a year", async (t) => {
  const page = await open(t, "/");
  const focused = () => page.evaluate(() => document.activeElement.id || document.activeElement.getAttribute("role") || document.activeElement.tagName);
  const tabTo = async (wanted) => {
    for (let number = 0; number < 120; number += 1) {
      if (await page.evaluate((selector) => document.activeElement.matches(selector), wanted)) return;
      await page.keyboard.press("Tab");
      const ring = await page.evaluate(() => document.activeElement === document.body || getComputedStyle(document.activeElement).outlineStyle !== "none" || document.activeElement.matches(".measure input, .scrub"));
      assert.ok(ring, `the focus is not visible on ${await focused()}`);
    }
    assert.fail(`${wanted} is not reached`);
  };
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement.className), "skip");
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press("/");
  assert.equal(await focused(), "q");
  await page.keyboard.type("mercury");
  await asking(page, () => page.keyboard.press("Enter"));
  await tabTo("aside input[type=checkbox]");
  await asking(page, () => page.keyboard.press("Space"));
  await tabTo("[role=slider]");
  await page.keyboard.press("End");
  const last = await page.locator("[role=slider]").getAttribute("aria-valuetext");
  await page.keyboard.press("ArrowLeft");
  assert.notEqual(await page.locator("[role=slider]").getAttribute("aria-valuetext"), last);
  const year = await page.locator("[role=slider]").getAttribute("aria-valuenow");
  await asking(page, () => page.keyboard.press("Enter"));
  assert.equal(new URL(page.url()).searchParams.get("year"), year);
  await page.evaluate(() => document.activeElement.blur());
  await tabTo(".files a");
  const [download] = await Promise.all([page.waitForEvent("download"), page.keyboard.press("Enter")]);
  assert.match(download.url(), /format=csv$/);
  await tabTo(".views button");
  await asking(page, () => page.keyboard.press("Enter"));
  await page.locator(".map .land path").first().waitFor();
  for (const wanted of [".zoom button", ".provinces button", ".map summary"]) await tabTo(wanted);
  await page.keyboard.press("Enter");
  assert.ok((await page.locator(".map tbody tr").count()) > 0);
});

test("the French page has no English text", async (t) => {
  const { en } = await module("src/messages/en.ts");
  const { fr } = await module("src/messages/fr.ts");
  const same = new Set(Object.keys(en).filter((key) => en[key] === fr[key]));
  const english = Object.keys(en).filter((key) => !same.has(key) && !en[key].includes("{") && !key.startsWith("noscript") && en[key].length > 5 && !Object.values(fr).includes(en[key]));
  const page = await open(t, null, { language: "fr-CA" });
  for (const [view, problem] of VIEWS) {
    if (problem) continue;
    await page.goto(view);
    await settled(page);
    assert.equal(await page.evaluate(() => document.documentElement.lang), "fr");
    const shown = await page.evaluate(() => {
      const texts = [...document.querySelectorAll("[aria-label], [placeholder], [title]")].flatMap((element) => [element.getAttribute("aria-label"), element.getAttribute("placeholder"), element.title]);
      return [document.title, ...texts, ...document.body.innerText.split("\n")].map((text) => text?.trim());
    });
    assert.deepEqual(english.filter((key) => shown.includes(en[key]) && key !== "other.language"), [], view);
  }
  assert.equal(await page.getByRole("link", { name: "English" }).getAttribute("lang"), "en");
});

test("every word of the page is in one of its messages or in the data", async (t) => {
  const marked = (text) => text.split("|").map((form) => `⟦${form}⟧`).join("|");
  const messages = { name: "marked", setup: ({ onLoad }) => onLoad({ filter: /messages\/(en|fr)\.ts$/ }, async ({ path }) => {
    const language = path.slice(-5, -3);
    const texts = Object.entries((await module(`src/messages/${language}.ts`))[language]).map(([key, text]) => [key, key === "footer.licence.link" ? text : marked(text)]);
    return { contents: `export const ${language} = ${JSON.stringify(Object.fromEntries(texts))}` };
  }) };
  const { outputFiles } = await build({ entryPoints: ["src/main.tsx"], bundle: true, format: "iife", jsx: "automatic", jsxImportSource: "preact", write: false, plugins: [messages] });
  const page = await open(t, null);
  await page.route("**/explorer/explorer.js", (route) => route.fulfill({ body: Buffer.from(outputFiles[0].contents), contentType: "text/javascript" }));
  // The names of formats and the signs of units are the same everywhere.
  const known = new Set(["CSV", "GeoJSON", "Parquet", "SVG", "PNG", "km"]);
  const read = (text) => (text.match(/\p{L}{2,}/gu) ?? []).forEach((word) => known.add(word));
  const reading = [];
  page.on("response", (response) => SEARCH.test(`${response.url()}?`) && reading.push(response.text().then((text) => read(JSON.stringify(JSON.parse(text))), () => {})));
  for (const [view, problem] of VIEWS) {
    if (problem) await refusing(page, problem);
    await page.goto(view);
    await settled(page);
    if (problem) await page.unroute(SEARCH);
    await Promise.all(reading);
    read(decodeURIComponent(view));
    // Examples of questions are the questions themselves.
    for (const href of await page.$$eval("a[href*='?']", (links) => links.map((link) => link.search))) read(decodeURIComponent(href.replaceAll("+", " ")));
    const texts = await page.evaluate(() => {
      const found = [document.title];
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node; node = walker.nextNode()) if (!node.parentElement.closest("script, .print-only")) found.push(node.data);
      for (const name of ["aria-label", "aria-valuetext", "placeholder", "title", "alt"]) for (const element of document.querySelectorAll(`[${name}]`)) found.push(element.getAttribute(name));
      return found;
    });
    assert.ok(texts.some((text) => text.includes("⟦")), view);
    const unmarked = texts.flatMap((text) => {
      let rest = text;
      for (let before = ""; before !== rest; ) [before, rest] = [rest, rest.replace(/⟦[^⟦⟧]*⟧/g, " ")];
      return (rest.match(/\p{L}{2,}/gu) ?? []).filter((word) => !known.has(word)).map((word) => `${word} in “${text}”`);
    });
    assert.deepEqual(unmarked, [], view);
  }
});
