// The reference: everybody can read it and use its forms, in both languages.

import assert from "node:assert/strict";
import { test } from "node:test";
import { assertClean, audit } from "./axe.mjs";
import { api, open, plain, settled, withBrowser } from "./support.mjs";
import { assertTold } from "./tree.mjs";

withBrowser();

const LANGUAGES = ["en", "fr"];

async function reference(t, language, options = {}) {
  const page = await open(t, null, { language: `${language}-CA`, ...options });
  await page.goto("/docs");
  await page.locator("#static").waitFor({ state: "detached" });
  return page;
}

/** The part of the page about an operation. */
const operation = (page, id) => page.locator(`section#${id}`);

/** Sends an example, and waits for its answer. */
async function send(section, number = 0) {
  await section.locator("button.example").nth(number).click();
  await section.locator("output.good").waitFor();
}

for (const language of LANGUAGES) {
  test(`${language}: axe finds nothing in the reference with an answer, at any width, in either colours`, async (t) => {
    const page = await reference(t, language, { bypassCSP: true });
    await send(operation(page, "search_releases"));
    await audit(page, "/docs");
  });

  test(`${language}: a screen reader is told the outline of the reference, and the name of every field`, async (t) => {
    const page = await reference(t, language);
    const nodes = await assertTold(page, "/docs", ["banner", "main"]);
    const { paths } = await (await page.request.get("/openapi.json", { headers: { "accept-language": language } })).json();
    const told = new Set(nodes.filter(({ role }) => role === "region").map(({ name }) => name));
    const operations = Object.values(paths).flatMap((path) => Object.values(path));
    for (const { summary } of operations) assert.ok(told.has(summary), summary);
  });
}

test("a reference that cannot be drawn says so", async (t) => {
  const page = await open(t, null, { bypassCSP: true });
  await page.route("**/openapi.json", (route) => route.fulfill({ status: 503, body: "" }));
  await page.goto("/docs");
  await page.getByRole("alert").getByText(/503/).waitFor();
  await assertClean(page, "/docs without its description");
});

test("the French reference has no text of the English one", async (t) => {
  const page = await reference(t, "fr");
  const script = await (await page.request.get("/docs/docs.js")).text();
  const pairs = [...script.matchAll(/say\("([^"]+)", "([^"]+)"\)/g)].filter(([, english, french]) => english !== french && english.length > 3);
  assert.ok(pairs.length > 15, `${pairs.length} texts`);
  const shown = await page.evaluate(() => {
    const labels = [...document.querySelectorAll("[aria-label], [placeholder], [title]")].flatMap((element) => [element.getAttribute("aria-label"), element.getAttribute("placeholder"), element.title]);
    return [...labels, ...document.body.innerText.split("\n")].map((text) => text?.trim());
  });
  assert.deepEqual(pairs.map(([, english]) => english).filter((english) => shown.includes(english)), []);
});

test("the keyboard alone: skip to the reference, fill in a form, send it, read the answer, open it in the explorer", async (t) => {
  const page = await reference(t, "en");
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement.className), "skip");
  await page.keyboard.press("Enter");
  assert.equal(await page.evaluate(() => document.activeElement.id), "main");
  const section = operation(page, "search_emissions");
  await page.locator("#contents a[href='#search_emissions']").focus();
  await page.keyboard.press("Enter");
  const tabTo = async (wanted) => {
    for (let number = 0; number < 120; number += 1) {
      await page.keyboard.press("Tab");
      const { isIt, isSeen, html } = await page.evaluate((selector) => {
        const element = document.activeElement;
        const { top, bottom } = element.getBoundingClientRect();
        const hasRing = getComputedStyle(element).outlineStyle !== "none";
        return { isIt: element.matches(selector), isSeen: hasRing && bottom > 0 && top < innerHeight, html: element.outerHTML.slice(0, 200) };
      }, wanted);
      assert.ok(isSeen, `the focus is not visible on ${html}`);
      if (isIt) return;
    }
    assert.fail(`${wanted} is not reached`);
  };
  await tabTo("#search_emissions [name=q]");
  await page.keyboard.type("lime");
  await tabTo("#search_emissions button[type=submit]");
  await page.keyboard.press("Enter");
  await section.locator("output.good").waitFor();
  const { count } = await api(page, "/emission?q=lime");
  assert.ok((await section.locator("pre[aria-label='Body of the answer']").textContent()).includes(`"count": ${count},`));
  await tabTo("#search_emissions a.open");
  await page.keyboard.press("Enter");
  await settled(page);
  assert.equal(new URL(page.url()).search, "?q=lime&on=emission");
  assert.equal(plain((await page.locator(".headline .count").textContent()).split("·")[0]), count);
});

test("each operation opens its own question in the explorer, places as the map of them", async (t) => {
  const page = await reference(t, "en");
  for (const [id, kind, isMap] of [["search_releases", "release", false], ["search_emissions", "emission", false], ["places_of_releases", "release", true], ["places_of_emissions", "emission", true]]) {
    const section = operation(page, id);
    await send(section);
    const { searchParams } = new URL(await section.locator("a.open").evaluate((link) => link.href));
    assert.deepEqual([searchParams.get("on") ?? "release", searchParams.get("view")], [kind, isMap ? "map" : null], id);
    assert.ok(["limit", "facets", "format"].every((name) => !searchParams.has(name)), searchParams.toString());
  }
});
