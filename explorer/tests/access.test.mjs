// For everybody: a screen reader is told of everything, the keyboard reaches everything, and no text is
// in the wrong language.

import assert from "node:assert/strict";
import { test } from "node:test";
import { build } from "esbuild";
import { assertClean } from "./axe.mjs";
import { SEARCH, asking, module, open, settled, shown, sideways, withBrowser } from "./support.mjs";
import { assertTold } from "./tree.mjs";
import { VIEWS } from "./views.mjs";

withBrowser();

for (const language of ["en", "fr"]) {
  test(`${language}: a screen reader is told the landmarks, the outline, and the name of everything`, async (t) => {
    const page = await open(t, null, { language: `${language}-CA` });
    for (const view of VIEWS) {
      await shown(page, view);
      const landmarks = view[0].startsWith("/embed") ? ["main"] : ["banner", "main", "contentinfo"];
      await assertTold(page, view[0], landmarks);
    }
    await page.goto("/?q=mercury&province=ON");
    await settled(page);
    const count = (await page.locator(".headline .count").textContent()).trim();
    await page.waitForFunction((text) => [...document.querySelectorAll("[role=status]")].some(({ textContent }) => textContent.includes(text)), count);
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
  await assertClean(page, "the dialog", { within: "dialog" });
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
  for (const [view] of VIEWS.filter(([, problem]) => !problem)) {
    await shown(page, [view]);
    assert.equal(await page.evaluate(() => document.documentElement.lang), "fr");
    const texts = await page.evaluate(() => {
      const labels = [...document.querySelectorAll("[aria-label], [placeholder], [title]")].flatMap((element) => [element.getAttribute("aria-label"), element.getAttribute("placeholder"), element.title]);
      return [document.title, ...labels, ...document.body.innerText.split("\n")].map((text) => text?.trim());
    });
    assert.deepEqual(english.filter((key) => texts.includes(en[key]) && key !== "other.language"), [], view);
  }
  await shown(page, ["/"]);
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
  for (const one of VIEWS) {
    const [view] = one;
    await shown(page, one);
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
