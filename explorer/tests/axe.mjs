// What axe finds on a page, at the widths of screens and in both colours.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { resized, sideways } from "./support.mjs";

const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
/** The widths of screens, and whether the colours are looked at there: 390 has the layout and the colours of 320. */
const WIDTHS = [[320, true], [390, false], [1280, true]];
/** Contrast takes as long as all other rules together. */
const CONTRAST = "color-contrast";

/** What axe finds in a part of the page as it is now, by a rule's name and the elements. */
async function violations(page, { runOnly, rules, within }) {
  return page.evaluate(async ([part, options]) => {
    const { violations } = await window.axe.run(part, options);
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" | ")}`);
  }, [within, { runOnly, rules, resultTypes: ["violations"], preload: false }]);
}

/** Asserts that axe finds nothing in a part of the page. */
export async function assertClean(page, view, { runOnly = RULES, rules = {}, within = "html" } = {}) {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe);
  assert.deepEqual(await violations(page, { runOnly, rules, within }), [], view);
}

/** Asserts that axe finds nothing at any width, in either colours, and that nothing is wider than the screen. */
export async function audit(page, view) {
  // The browser lays out what is far out of sight when axe asks for it, on top of the room that it kept; a reader never sees that.
  await page.addStyleTag({ content: "* { content-visibility: visible !important }" });
  await page.evaluate(() => document.querySelectorAll("details").forEach((details) => (details.open = true)));
  for (const [width, hasColours] of WIDTHS) {
    await resized(page, width);
    await page.emulateMedia({ colorScheme: "light" });
    await assertClean(page, `${view} at ${width}`, { rules: { [CONTRAST]: { enabled: hasColours } } });
    assert.ok((await sideways(page)) <= 0, `${view} at ${width} is ${await sideways(page)} px too wide`);
    if (!hasColours) continue;
    // Only colours are others in the dark.
    await page.emulateMedia({ colorScheme: "dark" });
    await assertClean(page, `${view} at ${width}, dark`, { runOnly: [CONTRAST] });
  }
}
