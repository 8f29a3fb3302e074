// One chart in a frame on another site: only where the operator allows it, with the API's numbers,
// and without a cookie.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, before, test } from "node:test";
import { api, base, embedder as port, open, plain, settled, withBrowser } from "./support.mjs";

withBrowser();

const options = { skip: port > 0 ? false : "OUTFALL_EMBEDDER is not set: `cargo xtask explorer --test` does" };
const [allowed, other] = [`http://localhost:${port}`, `http://127.0.0.1:${port}`];

let sites;
before(() => {
  if (options.skip) return undefined;
  // Answers with the page that the address carries.
  sites = createServer((request, response) => {
    response.setHeader("content-type", "text/html; charset=utf-8");
    response.end(decodeURIComponent(request.url.slice(1)));
  });
  return new Promise((resolve) => sites.listen(port, resolve));
});
after(() => sites?.close());

/** Opens a page of another site with this HTML. */
async function visit(t, site, html, options = {}) {
  const page = await open(t, null, options);
  await page.goto(`${site}/${encodeURIComponent(`<!doctype html><title>News</title>${html}`)}`);
  return page;
}

const frame = (query) => `<iframe width="640" height="800" src="${base}/embed?${query}"></iframe>`;

test("a site that is allowed shows each chart with the API's numbers, without a cookie", options, async (t) => {
  const reader = await open(t, "/");
  const { facets } = await api(reader, "/release?q=mercury&province=ON&limit=0&facets=year,facility&facet_sort=sum");
  for (const [view, selector, expected] of [
    ["years", "figure.chart", facets.year.filter(({ sum }) => sum.kg !== null).map(({ value, sum }) => [value, sum.kg]).sort()],
    ["largest", ".largest", facets.facility.slice(0, 8).map(({ label_en, sum }) => [label_en, sum.kg])],
  ]) {
    const page = await visit(t, allowed, frame(`q=mercury&province=ON&view=${view}`));
    const inside = page.frameLocator("iframe");
    await inside.locator(selector).waitFor();
    const requests = [];
    page.on("request", (request) => requests.push(request));
    await page.reload();
    await inside.locator(`${selector} summary`).click();
    const rows = await inside.locator(`${selector} tbody tr`).evaluateAll((found) => found.map((row) => [row.cells[0].textContent, [...row.cells].at(-1).textContent]));
    const shown = rows.filter(([, sum]) => sum !== "–").map(([of, sum]) => [of, plain(sum.replace("kg", ""))]);
    assert.deepEqual(shown, expected, view);
    const text = await inside.locator("main").textContent();
    for (const part of ["Releases of pollutants · “mercury” · Province: Ontario", "Government of Canada", "Open Government Licence – Canada", "data version"]) assert.ok(text.includes(part), `${part} in ${text}`);
    const full = inside.getByRole("link", { name: "See all of it in Outfall" });
    assert.equal(await full.getAttribute("href"), `${base}/?q=mercury&province=ON`);
    assert.equal(await inside.locator("button, input, select").count(), 0, "there are no controls");
    const own = requests.filter((request) => request.url().startsWith(base));
    assert.equal(own.filter((request) => new URL(request.url()).pathname === "/release").length, 1);
    for (const request of own) assert.equal((await request.allHeaders()).cookie, undefined, request.url());
    assert.deepEqual(await page.context().cookies(), []);
    assert.deepEqual(page.faults, []);
  }
});

test("the map in a frame, in French", options, async (t) => {
  const page = await visit(t, allowed, frame("q=mercury&view=map&lang=fr"));
  const inside = page.frameLocator("iframe");
  await inside.locator(".map .land path").first().waitFor();
  assert.ok((await inside.locator("main").textContent()).includes("Tout voir dans Outfall"));
  assert.deepEqual(page.faults, []);
});

test("links in a frame open beside the page that it is in", options, async (t) => {
  const page = await visit(t, allowed, frame("q=mercury&view=largest"));
  const [opened] = await Promise.all([page.waitForEvent("popup"), page.frameLocator("iframe").locator(".largest li a").first().click()]);
  await settled(opened);
  assert.match(opened.url(), /\/facility\/[^/]+$/);
  assert.equal(page.frames().length, 2);
});

test("any other site is refused the frame, the page of the frame, and the pass", options, async (t) => {
  for (const [site, html] of [[other, frame("q=mercury")], [allowed, `<iframe src="${base}/?q=mercury"></iframe>`]]) {
    const page = await visit(t, site, html);
    while (!page.faults.some((fault) => /frame-ancestors/.test(fault))) await new Promise((resolve) => setTimeout(resolve, 50));
    const inside = page.frames()[1];
    assert.ok(!inside.url().startsWith(base) || (await inside.locator("main").count()) === 0, `${site} shows ${inside.url()}`);
  }
  // Whoever is framed, another origin reads neither the page with the pass nor an answer to it.
  const pass = /data-pass="([\w.]+)"/.exec(await (await (await open(t, "/")).request.get("/embed?q=mercury")).text())[1];
  const page = await visit(t, allowed, "");
  const read = (target, headers) => page.evaluate(([url, given]) => fetch(url, { headers: given }).then((answer) => answer.status, () => "unreadable"), [base + target, headers]);
  assert.equal(await read("/embed?q=mercury", {}), "unreadable");
  assert.equal(await read("/release?q=mercury&limit=0", { "x-outfall-embed": pass }), "unreadable");
  assert.equal(await read("/release?q=mercury&limit=0", {}), 401, "other answers are readable, so the two above were refused");
});

test("a frame whose pass is no longer good gets another one by itself", options, async (t) => {
  const page = await visit(t, allowed, "");
  let isFirst = true;
  await page.route(`${base}/embed?*`, async (route) => {
    const response = await route.fetch();
    const body = (await response.text()).replace(/data-pass="\d+/, (found) => (isFirst ? 'data-pass="1' : found));
    isFirst = false;
    await route.fulfill({ response, body });
  });
  await page.goto(`${allowed}/${encodeURIComponent(frame("q=mercury"))}`);
  await page.frameLocator("iframe").locator("figure.chart svg").first().waitFor();
});

test("the line for other pages is in the share menu, and shows what it says", options, async (t) => {
  const reader = await open(t, "/?q=mercury&province=ON&sort_by=value&value_unit=kg");
  const share = reader.locator("section.share");
  await share.locator("summary").click();
  await share.getByRole("combobox").selectOption("largest");
  const line = await share.locator("textarea").inputValue();
  assert.match(line, /^<iframe src="[^"]+\/embed\?on=release&amp;q=mercury&amp;province=ON&amp;value_unit=kg&amp;view=largest&amp;lang=en" title="[^"]+" width="100%" height="\d+" style="border:0" loading="lazy"><\/iframe>$/);
  const page = await visit(t, allowed, line);
  const inside = page.frameLocator("iframe");
  await inside.locator(".largest li").first().waitFor();
  const first = (from) => from.locator(".largest li a").first().textContent();
  assert.equal(await first(inside), await first(reader));
  assert.equal(await page.locator("iframe").getAttribute("title"), await inside.locator("h1").textContent());
});
