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

/** Says where the draws begin; SEED repeats a run. */
const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31));
/** What says nothing about which records match. */
const SHOWING = new Set(["q", "sort_by", "sort_order", "facet_sort", "value_unit", "limit", "offset"]);

test(`200 links to views (SEED=${seed}) show what the API answers, and stay as they are`, async (t) => {
  const page = await open(t, "/");
  const draw = draws(seed);
  for (let number = 0; number < 200; number += 1) {
    const kind = draw(["release", "release", "emission"]);
    const query = [
      draw(["", "q=mercury", "q=gas+-Ontario", "q=%22wolf+den%22", "q=l%C3%A9vesque", "q=nothing+like+this"]),
      draw(["", "province=ON", "province=AB&province=Quebec"]),
      draw(["", "year=2010-2020", "year=2014&year=2019"]),
      draw(["", "sort_by=value", "sort_order=asc"]),
      draw(["", "facet_sort=count"]),
      draw(["", "company=wolf+den", "city=Sarnia", "value_min=100", "naics_code=31-33"]),
      draw(["", "", "near=43,-80&within_km=300", "bbox=-120,48,-100,60"]),
      kind === "release" ? draw(["", "", "medium=air", "substance=PM2.5", "value_unit=g_teq"]) : "",
      draw(["", "", "limit=5", "offset=2"]),
    ].filter(Boolean);
    const view = draw(["", "", "view=map", "view=compare"]);
    const address = `/?${[kind === "emission" ? "on=emission" : "", ...query, view].filter(Boolean).join("&")}`;
    if (number % 20 === 0) await page.goto(address);
    else await page.evaluate((to) => (history.pushState({}, "", to), dispatchEvent(new PopStateEvent("popstate"))), address);
    const [{ count }] = await Promise.all([api(page, `/${kind}?${query.join("&")}`), settled(page)]);
    const { count: shown, chips } = await seen(page);
    assert.equal((shown ?? "0").replaceAll(",", "").match(/^\d+/)[0], count, address);
    const filters = [...new URLSearchParams(query.join("&"))].filter(([name]) => !SHOWING.has(name));
    assert.equal(chips.length, filters.length, address);
    const here = new URL(page.url());
    assert.equal(`/${here.search}`, address === "/?" ? "/" : address);
    const other = new URL(await page.locator("a[hreflang]").evaluate((link) => link.href));
    const pairs = (url) => [...url.searchParams].filter(([name]) => name !== "lang").map((pair) => pair.join("=")).sort();
    assert.deepEqual(pairs(other), pairs(here), "the other language has the same view");
  }
  assert.deepEqual(page.faults, []);
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
    await settled(page);
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

test("the first view and the map weigh no more than they may", async (t) => {
  const page = await open(t, null);
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("Network.enable");
  const weights = new Map();
  const paths = new Map();
  cdp.on("Network.responseReceived", ({ requestId, response }) => paths.set(requestId, new URL(response.url).pathname));
  cdp.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => weights.set(paths.get(requestId), encodedDataLength));
  await page.goto("/");
  await settled(page);
  const first = [...weights].filter(([path]) => path !== "/favicon.ico");
  const sum = first.reduce((before, [, bytes]) => before + bytes, 0);
  assert.ok(sum > 20_000 && sum <= 95_000, `${sum} bytes: ${first.join(" ")}`);
  await asking(page, () => page.getByRole("button", { name: "Map", exact: true }).click());
  await page.locator(".map .land path").first().waitFor();
  assert.ok(weights.get("/explorer/map.json") <= 27_500, `${weights.get("/explorer/map.json")} bytes`);
});

test("nothing on the page moves by itself while it is drawn", async (t) => {
  const page = await open(t, null, { width: 390 });
  await page.addInitScript(() => {
    window.shifts = [];
    new PerformanceObserver((list) => window.shifts.push(...list.getEntries().map(({ value, sources }) => [value, ...sources.map(({ node }) => node?.outerHTML?.slice(0, 80))]))).observe({ type: "layout-shift", buffered: true });
  });
  for (const view of ["/", "/?q=mercury&view=map", "/?on=emission&view=compare&year=2014&year=2019", "/facility/G10001"]) {
    await page.goto(view);
    await settled(page);
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 100))));
    const shifts = await page.evaluate(() => window.shifts);
    const sum = shifts.reduce((before, [value]) => before + value, 0);
    assert.ok(sum <= 0.02, `${view}: ${JSON.stringify(shifts)}`);
  }
});
