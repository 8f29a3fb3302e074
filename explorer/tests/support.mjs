// A browser at the page of a running service, and the API beside it.

import { after, before } from "node:test";
import { build } from "esbuild";
import { chromium } from "playwright-core";

/** Where the service is; `cargo xtask test` starts one over the sample. */
export const base = process.env.OUTFALL_URL ?? "http://127.0.0.1:8080";

/** The port of the other sites, or 0; the service lets `localhost` there show charts, not `127.0.0.1`. */
export const embedder = Number(process.env.OUTFALL_EMBEDDER ?? 0);

const chosen = process.env.CHROMIUM ?? "chromium";
export const executablePath = chosen.startsWith("/") ? chosen : `/usr/bin/${chosen}`;

let browser;

/** Starts a browser for the tests of a file. */
export function withBrowser() {
  before(async () => {
    browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-dev-shm-usage"] });
  });
  after(() => browser.close());
}

/** Opens a view and waits for its answer. `faults` collects what the page complains about. */
export async function open(t, target, { width = 1280, height = 900, language = "en-CA", dark = false, ...options } = {}) {
  const colorScheme = dark ? "dark" : "light";
  const context = await browser.newContext({ baseURL: base, viewport: { width, height }, locale: language, colorScheme, ...options });
  t.after(() => context.close());
  const page = await context.newPage();
  page.faults = [];
  page.on("pageerror", (error) => page.faults.push(error.message));
  page.on("console", (message) => message.type() === "error" && page.faults.push(message.text()));
  if (target !== null) {
    await page.goto(target);
    await settled(page);
  }
  return page;
}

/** Waits until the page has drawn the answer to its address. */
export async function settled(page) {
  await page.waitForFunction(() => !document.querySelector(".loading, [aria-busy=true]") && document.querySelector("#results, .trouble"));
}

/** Gives the window another width, and waits until the page has begun to draw itself for it. */
export async function resized(page, width) {
  await page.setViewportSize({ width, height: 900 });
  await page.waitForFunction((width) => innerWidth === width, width);
  // The page hears of its width before the callbacks of the next frame.
  await page.evaluate(() => new Promise((heard) => requestAnimationFrame(() => setTimeout(heard))));
}

/** Shows a view; if a problem is given, its questions are answered with that. */
export async function shown(page, [view, problem]) {
  if (problem) await refusing(page, problem);
  await page.goto(view);
  await settled(page);
  if (problem) await page.unroute(SEARCH);
}

/** Does something that asks a question, and waits for the answer. */
export async function asking(page, action) {
  const asked = page.waitForResponse((response) => /\/(release|emission)\?/.test(response.url()));
  await action();
  await asked;
  await settled(page);
}

/** The API's answer to the page's own pass, with every number as its text. */
export async function api(page, target) {
  const response = await page.request.get(target);
  const text = await response.text();
  return JSON.parse(text.replace(/"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g, (found) => (found[0] === '"' ? found : `"${found}"`)));
}

/** The number in a text of the page, as the API writes it. */
export function plain(text, language = "en") {
  const digits = text.replace(/[^\d.,\-−]/g, "").replace("−", "-");
  return language === "fr" ? digits.replace(",", ".") : digits.replaceAll(",", "");
}

/** A module of the sources. */
export async function module(path, options = {}) {
  const { outputFiles } = await build({ entryPoints: [path], bundle: true, format: "esm", write: false, ...options });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`);
}

/** What asks for records, for which a test may answer. */
export const SEARCH = /\/(release|emission)(\/places)?\?/;

/** Answers the page's next questions with a problem. */
export function refusing(page, { status, code, wait }) {
  const body = JSON.stringify({ type: `/problems/${code}`, title: "Refused", status, detail: "Refused for a test.", code });
  const headers = { "content-type": "application/problem+json", ...(wait === undefined ? {} : { "retry-after": String(wait) }) };
  return page.route(SEARCH, (route) => route.fulfill({ status, body, headers }));
}

/** How much wider the page is than the screen, in pixels. */
export const sideways = (page) => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
