// The address is the state: back, forward, reload and shared links give the same view, and each
// interaction asks once.

import assert from "node:assert/strict";
import { test } from "node:test";
import { api, asking, open, settled, withBrowser } from "./support.mjs";

withBrowser();

/** What a reader sees of the answer. */
const seen = (page) =>
  page.evaluate(() => ({
    count: document.querySelector(".headline .count")?.textContent ?? null,
    chips: [...document.querySelectorAll(".chip")].map((chip) => chip.textContent),
    q: document.querySelector("#q")?.value ?? null,
    records: document.querySelector("#records")?.textContent ?? null,
  }));

/** Draws one of several values; the same ones in every run. */
function draws(seed) {
  let state = seed;
  return (values) => {
    state = (state * 1103515245 + 12345) % 2 ** 31;
    return values[Math.floor((state / 2 ** 31) * values.length)];
  };
}

test("links to many questions show what the API answers, and stay as they are", async (t) => {
  const page = await open(t, "/");
  const draw = draws(7);
  for (let number = 0; number < 40; number += 1) {
    const parts = [
      draw(["", "on=emission"]),
      draw(["", "q=mercury", "q=gas+-Ontario", "q=%22wolf+den%22", "q=l%C3%A9vesque"]),
      draw(["", "province=ON", "province=AB&province=Quebec"]),
      draw(["", "year=2010-2020", "year=2014&year=2019"]),
      draw(["", "sort_by=value", "sort_order=asc"]),
      draw(["", "facet_sort=count"]),
      draw(["", "company=wolf+den", "city=Sarnia", "value_min=100"]),
    ].filter(Boolean);
    const address = `/?${parts.join("&")}`;
    await page.goto(address);
    await settled(page);
    const kind = parts.includes("on=emission") ? "emission" : "release";
    const { count } = await api(page, `/${kind}?${parts.filter((part) => !part.startsWith("on=")).join("&")}&limit=0`);
    const { count: shown } = await seen(page);
    assert.equal((shown ?? "0").replaceAll(",", "").match(/^\d+/)[0], count, address);
    assert.equal(new URL(page.url()).search, parts.length > 0 ? `?${parts.join("&")}` : "", address);
  }
});

test("back, forward and reload give the same view, and each click asks once", async (t) => {
  const page = await open(t, "/");
  const views = [await seen(page)];
  let asked = 0;
  page.on("request", (request) => (asked += /\/(release|emission)\?/.test(request.url()) ? 1 : 0));
  const refine = page.locator("aside.refine");
  await page.locator("#q").fill("PM2.5 OR PM10");
  await asking(page, () => page.keyboard.press("Enter"));
  views.push(await seen(page));
  await asking(page, () => refine.getByRole("checkbox", { name: /^Ontario/ }).check());
  views.push(await seen(page));
  await asking(page, () => page.getByRole("button", { name: "Next" }).click());
  views.push(await seen(page));
  assert.equal(asked, 3, "one request for each interaction");
  await asking(page, () => page.getByRole("button", { name: "Previous" }).click());
  assert.deepEqual(await seen(page), views[2], "the page before is the page before");
  await page.goBack();
  await settled(page);
  await page.waitForFunction((records) => document.querySelector("#records")?.textContent === records, views[3].records);
  await page.reload();
  await settled(page);
  assert.deepEqual(await seen(page), views[3]);
  for (const view of [views[2], views[1], views[0]]) {
    await page.goBack();
    await page.waitForFunction((records) => document.querySelector("#records")?.textContent === records, view.records);
    assert.deepEqual(await seen(page), view);
  }
  await page.goForward();
  await page.waitForFunction((records) => document.querySelector("#records")?.textContent === records, views[1].records);
  assert.deepEqual(page.faults, []);
});

test("a second province can be chosen beside the first", async (t) => {
  const page = await open(t, "/?q=mercury");
  const refine = page.locator("aside.refine");
  await asking(page, () => refine.getByRole("checkbox", { name: /^Ontario/ }).check());
  await asking(page, () => refine.getByRole("checkbox", { name: /^Alberta/ }).check());
  const { count } = await api(page, "/release?q=mercury&province=ON&province=AB&limit=0");
  assert.match((await seen(page)).count, new RegExp(`^${count} `));
  await asking(page, () => page.getByRole("button", { name: /Remove Province: Ontario/ }).click());
  assert.equal(new URL(page.url()).search, "?q=mercury&province=AB");
});

test("the first view needs four requests, and none elsewhere", async (t) => {
  const page = await open(t, null);
  const requests = [];
  page.on("request", (request) => requests.push(new URL(request.url())));
  await page.goto("/");
  await settled(page);
  const own = new URL(page.url()).host;
  assert.deepEqual(requests.filter(({ host }) => host !== own), []);
  const paths = requests.map(({ pathname }) => pathname).filter((path) => path !== "/favicon.ico");
  assert.deepEqual(paths, ["/", "/explorer/explorer.css", "/explorer/explorer.js", "/release"]);
});
