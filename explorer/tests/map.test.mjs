// The map: every facility of the matches, however many there are.

import assert from "node:assert/strict";
import { test } from "node:test";
import { scattered } from "./scattered.mjs";
import { api, asking, module, open, settled, withBrowser } from "./support.mjs";

withBrowser();

const PLACES = /\/release\/places/;

/** Answers the page's question for places with this many. */
const many = (page, n) => page.route(PLACES, (route) => route.fulfill({ json: scattered(n), headers: { "x-data-version": "test" } }));

/** How many points of the canvas have some colour, and where the first of them is on the screen. */
const inked = (page) =>
  page.locator(".map canvas").evaluate((canvas) => {
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    let count = 0;
    for (let index = 3; index < data.length; index += 4) count += data[index] > 0 ? 1 : 0;
    return count;
  });

const drawn = (page) => page.locator(".map .land path").first().waitFor();
const box = async (page) => (await page.locator(".map .plot").boundingBox());

for (const [kind, query] of [["release", "q=mercury&province=ON"], ["release", "q=dioxins&value_unit=g_teq"], ["emission", "year=2015-2020"]]) {
  test(`${kind} ${query}: every facility is on it, and only an open map asks where they are`, async (t) => {
    const page = await open(t, null);
    const asked = [];
    page.on("request", (request) => asked.push(new URL(request.url()).pathname));
    const on = kind === "emission" ? "on=emission&" : "";
    await page.goto(`/?${on}${query}`);
    await settled(page);
    assert.deepEqual(asked.filter((path) => /places|map\.json/.test(path)), []);
    await asking(page, () => page.getByRole("button", { name: "Map", exact: true }).click());
    await drawn(page);
    assert.deepEqual(asked.filter((path) => /places|map\.json/.test(path)).sort(), [`/${kind}/places`, "/explorer/map.json"].sort());
    const { places, nowhere, facilities } = await api(page, `/${kind}/places?${query}`);
    const { length } = places.facility_id;
    assert.equal(length + Number(nowhere.facilities), Number(facilities));
    assert.ok((await page.locator(".map svg").getAttribute("aria-label")).endsWith(`: ${length} facilities with coordinates.`));
    assert.equal(await page.getByText("no coordinates in the data").count(), nowhere.facilities === "0" ? 0 : 1);
    assert.ok((await inked(page)) > 0);
    assert.deepEqual(page.faults, []);
  });
}

test("14,000 facilities are drawn, pointed at, enlarged and moved", async (t) => {
  const page = await open(t, null);
  await many(page, 14_000);
  await page.goto("/?view=map");
  await settled(page);
  await drawn(page);
  assert.ok((await page.locator(".map svg").getAttribute("aria-label")).includes(": 14,000 facilities"));
  assert.ok((await inked(page)) > 5_000);
  const frame = () => page.locator(".map svg").getAttribute("viewBox");
  const whole = await frame();
  assert.equal(await page.getByRole("button", { name: "Reset" }).count(), 0);
  await page.getByRole("button", { name: "Zoom in" }).click();
  await page.getByRole("button", { name: "Zoom in" }).click();
  const near = await frame();
  assert.ok(Number(near.split(" ")[2]) < Number(whole.split(" ")[2]) / 3, `${whole} to ${near}`);
  const { x, y, width, height } = await box(page);
  await page.mouse.move(x + width / 2, y + height / 2);
  await page.mouse.down();
  await page.mouse.move(x + width / 2 - 60, y + height / 2 - 30, { steps: 4 });
  await page.mouse.up();
  const moved = (await frame()).split(" ").map(Number);
  assert.ok(moved[0] > Number(near.split(" ")[0]) && moved[1] > Number(near.split(" ")[1]), `${near} to ${moved}`);
  assert.equal(new URL(page.url()).pathname, "/", "a drag opens nothing");
  await page.getByRole("button", { name: "Reset" }).click();
  assert.equal(await frame(), whole);
  assert.deepEqual(page.faults, []);
});

test("a circle that is pointed at has a name, and a click opens its facility; a finger points first", async (t) => {
  const target = "/release/places?q=mercury&province=ON";
  for (const hasTouch of [false, true]) {
    const page = await open(t, "/?q=mercury&province=ON&view=map", { hasTouch });
    await drawn(page);
    const { places } = await api(page, target);
    // The place of a circle on the screen, by the projection of the page itself.
    const { project } = await module("src/charts/lambert.ts");
    const [left, top, wide] = (await page.locator(".map svg").getAttribute("viewBox")).split(" ").map(Number);
    await page.locator(".map .plot").scrollIntoViewIfNeeded();
    const { x, y, width } = await box(page);
    const at = places.facility_id.map((id, index) => {
      const [u, v] = project(Number(places.longitude[index]), Number(places.latitude[index]));
      return [id, x + ((u - left) * width) / wide, y + ((v - top) * width) / wide];
    });
    const apart = ([, u, v]) => Math.min(...at.map(([, one, other]) => Math.hypot(one - u, other - v)).filter((distance) => distance > 0));
    // Several facilities may be at one place; the one that is farthest from all others is not meant to be one of them.
    const alone = at.filter(([id, u, v]) => !at.some(([other, one, two]) => other !== id && one === u && two === v)).sort((one, other) => apart(other) - apart(one));
    const [id, u, v] = alone[0];
    const { results } = await api(page, `/release?q=mercury&province=ON&facility_id=${id}&limit=1`);
    if (hasTouch) await page.touchscreen.tap(u, v);
    else await page.mouse.move(u, v);
    const link = page.locator(".map .readout a");
    await page.waitForFunction((name) => document.querySelector(".map .readout a")?.textContent.startsWith(name), results[0].facility_name);
    assert.equal(new URL(await link.evaluate((element) => element.href)).pathname, `/facility/${id}`);
    if (hasTouch) await page.touchscreen.tap(u, v);
    else await page.mouse.click(u, v);
    await page.waitForURL(new RegExp(`/facility/${id}`));
  }
});

test("a drag moves what is drawn, and draws again only where that ends", async (t) => {
  for (const n of [140, 14_000]) {
    const page = await open(t, null);
    await page.addInitScript(() => {
      window.drawn = { times: 0, circles: 0, changes: 0 };
      const { clearRect, arc } = CanvasRenderingContext2D.prototype;
      CanvasRenderingContext2D.prototype.clearRect = function (...box) {
        window.drawn.times += 1;
        return clearRect.apply(this, box);
      };
      CanvasRenderingContext2D.prototype.arc = function (...circle) {
        window.drawn.circles += 1;
        return arc.apply(this, circle);
      };
    });
    await many(page, n);
    await page.goto("/?view=map");
    await settled(page);
    await drawn(page);
    await page.getByRole("button", { name: "Zoom in" }).click();
    const { x, y, width, height } = await box(page);
    const [middleX, middleY] = [x + width / 2, y + height / 2];
    await page.mouse.move(middleX, middleY);
    await page.mouse.down();
    await page.evaluate(() => {
      Object.assign(window.drawn, { times: 0, circles: 0 });
      const isMove = ({ attributeName, target }) => attributeName === "viewBox" || target.nodeName === "CANVAS";
      const changes = (list) => (window.drawn.changes += list.filter((change) => !isMove(change)).length);
      new MutationObserver(changes).observe(document.querySelector("#results"), { subtree: true, childList: true, attributes: true, characterData: true });
    });
    const dragged = async (share) => {
      await page.mouse.move(middleX - share * width, middleY - (share / 2) * height, { steps: 20 });
      return page.evaluate(() => new Promise((done) => requestAnimationFrame(() => done(window.drawn))));
    };
    assert.equal((await dragged(0.15)).times, 0, `${n}: the canvas has more than is shown`);
    const { times, circles, changes } = await dragged(0.45);
    await page.mouse.up();
    assert.ok(times >= 1 && times <= 3, `${n}: drawn ${times} times`);
    assert.ok(circles <= times * n, `${n}: ${circles} circles in ${times} drawings`);
    // The class of the plot, and that it does not scroll the page, change once.
    assert.ok(changes <= 4, `${n}: ${changes} other changes`);
  }
});

test("a circle goes where a drag takes it", async (t) => {
  const page = await open(t, null);
  await many(page, 1);
  await page.goto("/?view=map");
  await settled(page);
  await drawn(page);
  await page.getByRole("button", { name: "Zoom in" }).click();
  // The middle of what the canvas shows, in the pixels of the page.
  const seen = () =>
    page.evaluate(() => {
      const canvas = document.querySelector(".map canvas");
      const { left, top, width } = canvas.getBoundingClientRect();
      const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
      const [sum, scale] = [[0, 0, 0], width / canvas.width];
      for (let index = 0; index < data.length / 4; index += 1) {
        if (data[index * 4 + 3] === 0) continue;
        [sum[0], sum[1], sum[2]] = [sum[0] + 1, sum[1] + (index % canvas.width), sum[2] + Math.floor(index / canvas.width)];
      }
      return [left + (sum[1] / sum[0]) * scale, top + (sum[2] / sum[0]) * scale];
    });
  const { x, y, width, height } = await box(page);
  const [middleX, middleY] = [x + width / 2, y + height / 2];
  const [fromX, fromY] = await seen();
  await page.mouse.move(middleX, middleY);
  await page.mouse.down();
  // The first step moves the canvas; with the second one it is drawn again.
  for (const [right, down] of [[-40, -30], [-260, -200]]) {
    await page.mouse.move(middleX + right, middleY + down, { steps: 10 });
    const [toX, toY] = await page.evaluate(() => new Promise(requestAnimationFrame)).then(seen);
    assert.ok(Math.hypot(toX - fromX - right, toY - fromY - down) < 1.5, `${right}, ${down}: from ${fromX}, ${fromY} to ${toX}, ${toY}`);
  }
  await page.mouse.up();
  assert.deepEqual(page.faults, []);
});

test("the legend is a way into the map by keyboard: a province is chosen, the map is of it", async (t) => {
  const page = await open(t, "/?q=mercury&view=map");
  await drawn(page);
  const before = await page.locator(".map svg").getAttribute("viewBox");
  const province = page.locator(".provinces button").first();
  const name = (await province.textContent()).trim().split(/ [\d<]/)[0];
  await province.focus();
  await asking(page, () => page.keyboard.press("Enter"));
  const { searchParams } = new URL(page.url());
  assert.equal(searchParams.get("view"), "map");
  const { count } = await api(page, `/release?q=mercury&province=${searchParams.get("province")}&limit=0`);
  assert.ok((await page.locator(".headline .count").textContent()).startsWith(Number(count).toLocaleString("en-CA")), name);
  assert.equal(await page.locator(".provinces [aria-pressed=true]").count(), 1);
  assert.notEqual(await page.locator(".map svg").getAttribute("viewBox"), before);
});

test("places that cannot be had are a problem of the page, and the last answer stays", async (t) => {
  const page = await open(t, "/?q=mercury");
  const records = await page.locator("#records").textContent();
  await page.route(PLACES, (route) => route.fulfill({ status: 503, json: { title: "Busy", detail: "Busy for a test.", code: "overloaded" }, headers: { "retry-after": "1" } }));
  await page.getByRole("button", { name: "Map", exact: true }).click();
  await page.getByText(/asks again in 1 second/).waitFor();
  assert.equal(await page.locator("#records").textContent(), records);
  await page.unroute(PLACES);
  await drawn(page);
  assert.equal(await page.locator(".trouble").count(), 0);
});
