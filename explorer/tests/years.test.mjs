// A range of years, by two linked sliders and by two fields.

import assert from "node:assert/strict";
import { test } from "node:test";
import { api, asking, open, withBrowser } from "./support.mjs";

withBrowser();

const sliders = (page) => {
  const refine = page.locator("aside.refine");
  return [refine.getByRole("slider", { name: "First year" }), refine.getByRole("slider", { name: "Last year" })];
};
const year = (page) => new URL(page.url()).searchParams.getAll("year");
const chip = (page) => page.getByRole("button", { name: /^Remove Years/ });

test("the sliders ask for a range by keyboard, once they rest", async (t) => {
  const page = await open(t, "/?q=mercury");
  const [first, last] = sliders(page);
  const { kinds } = await (await page.request.get("/meta")).json();
  const { facets } = await api(page, "/release?q=mercury&limit=0&facets=year");
  const known = facets.year.map(({ value }) => Number(value)).sort();
  const [least, most] = [known[0], known.at(-1)];
  assert.deepEqual([await first.getAttribute("min"), await first.getAttribute("max"), await first.inputValue(), await last.inputValue()], [least, most, least, most].map(String));
  let asked = 0;
  page.on("request", (request) => (asked += /\/release\?/.test(request.url()) ? 1 : 0));
  await first.focus();
  await asking(page, async () => {
    for (let presses = 0; presses < 5; presses += 1) await page.keyboard.press("ArrowRight");
  });
  assert.deepEqual([year(page), asked], [[`${least + 5}-${most}`], 1]);
  assert.equal(await page.evaluate(() => document.activeElement.getAttribute("aria-label")), "First year", "the focus stays");
  assert.match(await chip(page).textContent(), new RegExp(`${least + 5} to ${most}`));
  await last.focus();
  await asking(page, () => page.keyboard.press("Home"));
  assert.deepEqual(year(page), [String(least + 5)], "they meet, and do not pass each other");
  const { count } = await api(page, `/release?q=mercury&year=${least + 5}&limit=0`);
  assert.match(await page.locator(".headline .count").textContent(), new RegExp(`^${count} `));
  await asking(page, () => page.keyboard.press("End"));
  await first.focus();
  await asking(page, () => page.keyboard.press("Home"));
  assert.deepEqual(year(page), [], "all years are no filter");
  assert.ok(kinds.release.years[least] > 0);
  assert.deepEqual(page.faults, []);
});

test("a link to a range can be widened: its ends are those of the data", async (t) => {
  const page = await open(t, "/?on=emission&year=2010-2012");
  const [first, last] = sliders(page);
  const { kinds } = await (await page.request.get("/meta")).json();
  const years = Object.keys(kinds.emission.years).map(Number);
  await page.waitForFunction((least) => document.querySelector("aside [type=range]").min === String(least), Math.min(...years));
  assert.deepEqual([await first.inputValue(), await last.inputValue()], ["2010", "2012"]);
  assert.equal(await last.getAttribute("max"), String(Math.max(...years)));
  await last.focus();
  await asking(page, () => page.keyboard.press("ArrowRight"));
  assert.deepEqual(year(page), ["2010-2013"]);
});

test("a thumb is dragged by pointer, and asks when it is let go; fields and sliders agree", async (t) => {
  const page = await open(t, "/?q=mercury");
  const [first] = sliders(page);
  const box = await first.boundingBox();
  const middle = box.y + box.height / 2;
  await page.mouse.move(box.x + 12, middle);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2, middle, { steps: 5 });
  const from = page.locator("aside.refine").getByLabel("From", { exact: true });
  assert.equal(await from.inputValue(), await first.inputValue());
  assert.deepEqual(year(page), [], "nothing is asked on the way");
  await asking(page, () => page.mouse.up());
  assert.equal(year(page)[0].split("-")[0], await first.inputValue());
  await from.fill("2001");
  assert.equal(await first.inputValue(), "2001");
  await asking(page, () => from.press("Enter"));
  assert.match(year(page)[0], /^2001-/);
  await page.goBack();
  await page.waitForFunction(() => document.querySelector("aside [name=from]").value !== "2001");
  assert.equal(await from.inputValue(), await first.inputValue(), "back in both");
});

test("an open end stays open", async (t) => {
  const page = await open(t, "/?q=mercury&issued_after=2015");
  const refine = page.locator("aside.refine");
  assert.deepEqual([await refine.getByLabel("From", { exact: true }).inputValue(), await refine.getByLabel("To", { exact: true }).inputValue()], ["2015", ""]);
  await refine.getByLabel("From", { exact: true }).fill("2016");
  await asking(page, () => refine.getByRole("button", { name: "Set years" }).click());
  assert.equal(new URL(page.url()).search, "?q=mercury&issued_after=2016");
});
