// For everybody: axe finds nothing in any view, the keyboard reaches everything, no text is in the
// wrong language, and nothing is wider than the screen.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { test } from "node:test";
import { asking, open, settled, withBrowser } from "./support.mjs";

withBrowser();

const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
/** Widths, and whether the colours are dark; the languages share them, because each takes a while. */
const SCREENS = { en: [[320, false], [1280, true]], fr: [[390, true], [1280, false]] };
const VIEWS = ["/", "/?q=mercury&province=ON&year=2010-2024", "/?on=emission&facet_sort=count", "/?q=mercry+Sarnia&province=PE", "/?provnce=ON", "/?q=mercury&view=map", "/?on=emission&view=compare&year=2014&year=2019", "/facility/G10001", "/facility/none", "/substance/NA-M10"];

for (const language of ["en", "fr"]) {
  test(`${language}: axe finds nothing`, async (t) => {
    for (const [width, dark] of SCREENS[language]) {
      const page = await open(t, null, { width, language: `${language}-CA`, dark, bypassCSP: true });
      for (const view of VIEWS) {
        await page.goto(view);
        await settled(page);
        await page.evaluate(() => document.querySelectorAll("details").forEach((details) => (details.open = true)));
        await page.evaluate(axe);
        const { violations } = await page.evaluate(() => window.axe.run({ runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] }));
        const told = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" | ")}`);
        assert.deepEqual(told, [], `${view} at ${width}, ${dark ? "dark" : "light"}`);
        const sideways = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert.ok(sideways <= 0, `${view} at ${width} is ${sideways} px too wide`);
      }
    }
  });
}

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
      const ring = await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle !== "none" || document.activeElement.matches(".measure input, .scrub"));
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
});

test("the French page has no English text", async (t) => {
  const { en } = await texts("src/messages/en.ts");
  const { fr } = await texts("src/messages/fr.ts");
  const same = new Set(Object.keys(en).filter((key) => en[key] === fr[key]));
  const english = Object.keys(en).filter((key) => !same.has(key) && !en[key].includes("{") && !key.startsWith("noscript") && en[key].length > 5 && !Object.values(fr).includes(en[key]));
  const page = await open(t, null, { language: "fr-CA" });
  for (const view of VIEWS) {
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

async function texts(path) {
  const { build } = await import("esbuild");
  const { outputFiles } = await build({ entryPoints: [path], bundle: true, format: "esm", write: false });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`);
}
