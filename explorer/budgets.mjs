// Measures the page under a phone's conditions and prints a table. These are times on a clock, so no
// test depends on them; `cargo xtask explorer --budgets` starts a service and runs this.

import { chromium } from "playwright-core";
import { scattered } from "./tests/scattered.mjs";
import { base, executablePath } from "./tests/support.mjs";

/** Times that each thing is measured; the middle one is printed. */
const RUNS = 5;
/** A phone: a quarter of this machine's speed, 1.6 Mbit/s, 150 ms to the service and back. */
const PHONE = { slowdown: 4, network: { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 200_000 } };
/** The facilities of the country, and the frames of a drag over them. */
const [FACILITIES, FRAMES] = [14_000, 40];

const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-dev-shm-usage"] });

async function opened({ slowdown = 1, network, width = 390 } = {}) {
  const context = await browser.newContext({ baseURL: base, viewport: { width, height: 844 }, locale: "en-CA" });
  const page = await context.newPage();
  const cdp = await context.newCDPSession(page);
  await page.addInitScript(() => {
    window.seen = { lcp: 0, cls: 0, longest: 0, events: 0 };
    const observe = (type, take) => new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true, durationThreshold: 16 });
    observe("largest-contentful-paint", ({ startTime }) => (window.seen.lcp = startTime));
    observe("layout-shift", ({ value, hadRecentInput }) => (window.seen.cls += hadRecentInput ? 0 : value));
    observe("longtask", ({ duration }) => (window.seen.longest = Math.max(window.seen.longest, duration)));
    observe("event", ({ duration, interactionId }) => (window.seen.events = Math.max(window.seen.events, interactionId ? duration : 0)));
  });
  await cdp.send("Emulation.setCPUThrottlingRate", { rate: slowdown });
  if (network) {
    await cdp.send("Network.enable");
    await cdp.send("Network.emulateNetworkConditions", network);
  }
  return { page, close: () => context.close() };
}

const settled = (page) => page.waitForFunction(() => !document.querySelector(".loading, [aria-busy=true]") && document.querySelector("#results"));
const rest = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 300))));

/** The first view: what the reader waits for, and what moves meanwhile. */
async function first(conditions) {
  const { page, close } = await opened(conditions);
  await page.goto("/");
  await settled(page);
  const interactive = await page.evaluate(() => performance.now());
  await rest(page);
  const { lcp, cls, longest } = await page.evaluate(() => window.seen);
  await close();
  return { lcp, interactive, cls, longest };
}

/** Clicks and keys, each with the frame that shows its effect. */
async function interactions() {
  const { page, close } = await opened({ slowdown: PHONE.slowdown, width: 1280 });
  await page.goto("/?q=PM2.5+OR+PM10");
  await settled(page);
  await page.evaluate(() => (window.seen.longest = 0));
  const asking = async (action) => {
    const asked = page.waitForResponse((response) => /\/(release|emission)\?/.test(response.url()));
    await action();
    await asked;
    await settled(page);
  };
  await asking(() => page.locator("aside.refine").getByRole("checkbox", { name: /^Ontario/ }).click());
  await asking(() => page.getByRole("button", { name: "Next" }).click());
  await page.locator("#q").pressSequentially(" lead");
  await asking(() => page.keyboard.press("Enter"));
  await rest(page);
  const { events, longest } = await page.evaluate(() => window.seen);
  await close();
  return { events, longest };
}

/** The map of the whole country: until it is drawn, and a frame of a drag. */
async function map() {
  const { page, close } = await opened({ width: 1280 });
  await page.route(/\/release\/places/, (route) => route.fulfill({ json: scattered(FACILITIES) }));
  await page.goto("/?view=map");
  await settled(page);
  await page.locator(".map .land path").first().waitFor();
  await page.getByRole("button", { name: "Zoom in" }).click();
  const plot = await page.locator(".map .plot").boundingBox();
  const [x, y] = [plot.x + plot.width / 2, plot.y + plot.height / 2];
  await rest(page);
  // From the change to the end of the frame that shows it, without waiting for the screen.
  const draw = await page.evaluate(() => {
    const began = performance.now();
    document.querySelector(".zoom button").click();
    return new Promise((done) => requestAnimationFrame(() => { const channel = new MessageChannel(); channel.port1.onmessage = () => done(performance.now() - began); channel.port2.postMessage(null); }));
  });
  await page.mouse.move(x, y);
  await page.mouse.down();
  const cdp = await page.context().newCDPSession(page);
  // The processor's own time, which other programs on the machine do not change.
  await cdp.send("Performance.enable", { timeDomain: "threadTicks" });
  const busy = async () => (await cdp.send("Performance.getMetrics")).metrics.find(({ name }) => name === "TaskDuration").value * 1000;
  const before = await busy();
  for (let frame = 1; frame <= FRAMES; frame += 1) {
    await page.mouse.move(x - frame * 3, y - frame * 2);
    await page.evaluate(() => new Promise(requestAnimationFrame));
  }
  const pan = ((await busy()) - before) / FRAMES;
  await page.mouse.up();
  await close();
  return { draw, pan };
}

/** The middle value of several runs of each number. */
async function middle(measure) {
  const runs = [];
  for (let run = 0; run < RUNS; run += 1) runs.push(await measure());
  return Object.fromEntries(Object.keys(runs[0]).map((name) => [name, runs.map((one) => one[name]).sort((one, other) => one - other)[Math.floor(RUNS / 2)]]));
}

const phone = await middle(() => first(PHONE));
const desk = await middle(() => first({ width: 1280 }));
const used = await middle(interactions);
const drawn = await middle(map);
await browser.close();

const ms = (value) => `${Math.round(value)} ms`;
const rows = [
  ["phone: largest paint", ms(phone.lcp), "1800 ms", phone.lcp <= 1800],
  ["phone: time to interactive", ms(phone.interactive), "2200 ms", phone.interactive <= 2200],
  ["phone: layout shift", phone.cls.toFixed(3), "0.02", phone.cls <= 0.02],
  ["phone: longest task of the first view", ms(phone.longest), "80 ms", phone.longest <= 80],
  ["desktop: time to interactive", ms(desk.interactive), "250 ms", desk.interactive <= 250],
  ["quarter speed: slowest interaction", ms(used.events), "100 ms", used.events <= 100],
  ["quarter speed: longest task of an interaction", ms(used.longest), "80 ms", used.longest <= 80],
  [`map of ${FACILITIES} facilities: drawing`, ms(drawn.draw), "120 ms", drawn.draw <= 120],
  [`map of ${FACILITIES} facilities: a frame of a drag`, `${drawn.pan.toFixed(1)} ms`, "16 ms", drawn.pan <= 16],
];
console.log("| | Measured | Budget | |\n|---|---|---|---|");
for (const [name, measured, budget, holds] of rows) console.log(`| ${name} | ${measured} | ${budget} | ${holds ? "holds" : "**exceeded**"} |`);
