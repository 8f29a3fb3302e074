// What the page shows when there is no plain answer, and what strangers may have put into the data.

import assert from "node:assert/strict";
import { test } from "node:test";
import { SEARCH, asking, base, open, refusing, resized, settled, sideways, withBrowser } from "./support.mjs";

withBrowser();

test("nothing matches: each word says what it matches alone, and what was perhaps meant", async (t) => {
  const page = await open(t, "/?q=mercry+Sarnia&year=2010-2020");
  assert.equal(await page.locator(".empty h2").textContent(), "Nothing matches");
  await page.getByText("“mercry” occurs nowhere in the data.").waitFor();
  await page.getByRole("link", { name: /^Sarnia alone: \d+/ }).waitFor();
  await page.getByRole("link", { name: /^Years 2010 to 2020 alone: [\d,]+/ }).waitFor();
  await asking(page, () => page.getByRole("link", { name: "mercury", exact: true }).click());
  assert.equal(new URL(page.url()).searchParams.get("q"), "mercury Sarnia");
});

test("values that are refused stand with their reason and a way out, and nothing is lost", async (t) => {
  const page = await open(t, "/?q=lead");
  const before = await page.locator("#records").textContent();
  await page.evaluate(() => history.pushState({}, "", "/?q=lead&provnce=ON&year=2020-2010"));
  await asking(page, () => page.evaluate(() => dispatchEvent(new PopStateEvent("popstate"))));
  const trouble = page.locator(".trouble");
  assert.match(await trouble.textContent(), /provnce=ON.*unknown.*year=2020-2010/s);
  assert.equal(await page.locator("#records").textContent(), before);
  await asking(page, () => trouble.getByRole("button", { name: "Use province" }).click());
  await asking(page, () => trouble.getByRole("button", { name: "Remove Years" }).click());
  assert.equal(new URL(page.url()).search, "?q=lead&province=ON");
  assert.equal(await trouble.count(), 0);
});

test("a q that is too long is refused at the search box", async (t) => {
  const page = await open(t, `/?q=${"word+".repeat(40)}`);
  assert.match(await page.locator("#q-fault").textContent(), /q/);
  assert.equal(await page.locator("#q").getAttribute("aria-invalid"), "true");
});

for (const [status, code, sentence] of [
  [429, "rate-limited", /Too many questions\. The page asks again in 1 second/],
  [429, "too-many-at-once", /busy\. The page asks again in 1 second/],
  [503, "overloaded", /busy\. The page asks again in 1 second/],
  [503, "no-index", /busy\. The page asks again in 1 second/],
]) {
  test(`${code}: a countdown, then the page asks again by itself`, async (t) => {
    const page = await open(t, "/?q=mercury");
    const before = await page.locator("#records").textContent();
    await refusing(page, { status, code, wait: 1 });
    await page.locator("#q").fill("lead");
    await asking(page, () => page.keyboard.press("Enter"));
    await page.getByText(sentence).waitFor();
    assert.equal(await page.locator("#records").textContent(), before, "the last answer stays");
    await page.unroute(SEARCH);
    await page.locator(".trouble").waitFor({ state: "detached" });
    await settled(page);
    assert.notEqual(await page.locator("#records").textContent(), before);
  });
}

test("what is typed before the page is drawn stays, with the focus and the selection", async (t) => {
  const page = await open(t, null);
  let go;
  const isTyped = new Promise((resolve) => (go = resolve));
  await page.route("**/explorer/explorer.js", (route) => isTyped.then(() => route.continue()));
  await page.goto("/?q=lead", { waitUntil: "commit" });
  await page.locator("#q").pressSequentially("mercury");
  await page.locator("#q").evaluate((box) => box.setSelectionRange(1, 3));
  go();
  await settled(page);
  const box = await page.evaluate(() => {
    const { id, value, selectionStart, selectionEnd } = document.activeElement;
    return { id, value, selection: [selectionStart, selectionEnd] };
  });
  assert.deepEqual(box, { id: "q", value: "mercury", selection: [1, 3] });
  await asking(page, () => page.keyboard.press("Enter"));
  assert.equal(new URL(page.url()).search, "?q=mercury");
});

test("a long answer is drawn in several tasks, the numbers first, and is busy until its end", async (t) => {
  const page = await open(t, null);
  await page.addInitScript(() => {
    window.firsts = {};
    let task = 0;
    const look = () => {
      // Before any other task.
      void scheduler.postTask(() => (task += 1), { priority: "user-blocking" });
      const parts = { numbers: ".headline .count", chart: ".charts svg", filters: ".refine li", records: "#records tbody tr" };
      for (const [part, where] of Object.entries(parts)) if (document.querySelector(where)) window.firsts[part] ??= { task, isBusy: document.querySelector("[aria-busy=true]") !== null };
    };
    new MutationObserver(look).observe(document, { childList: true, subtree: true });
  });
  await page.goto("/");
  await settled(page);
  const { numbers, chart, filters, records } = await page.evaluate(() => window.firsts);
  for (const [part, later] of Object.entries({ chart, filters, records })) assert.ok(later.task > numbers.task, `${part}: ${later.task} after ${numbers.task}`);
  assert.deepEqual([numbers, chart, filters, records].map(({ isBusy }) => isBusy), [true, true, true, true]);
});

test("a chart that waits for its width is not finished", async (t) => {
  const page = await open(t, null);
  await page.addInitScript(() => {
    const { ResizeObserver } = window;
    window.ResizeObserver = class extends ResizeObserver {
      constructor(told) {
        super((...list) => setTimeout(() => told(...list), 300));
      }
    };
  });
  for (const view of ["/?q=mercury", "/facility/G10001", "/substance/NA-M10", "/?q=mercury&view=map"]) {
    await page.goto(view);
    await settled(page);
    assert.equal(await page.locator(".plot:not(:has(svg))").count(), 0, view);
  }
});

test("a problem without a wait shows its sentence and the id of the request", async (t) => {
  const page = await open(t, "/");
  const body = JSON.stringify({ title: "Internal error", detail: "Something failed.", code: "internal-error", request_id: "abc123" });
  await page.route(SEARCH, (route) => route.fulfill({ status: 500, body, contentType: "application/problem+json" }));
  await page.locator("#q").fill("lead");
  await asking(page, () => page.keyboard.press("Enter"));
  assert.match(await page.locator(".trouble").textContent(), /Internal error.*Something failed.*abc123/s);
});

test("an answer of something else than the service is said to be one", async (t) => {
  const page = await open(t, null);
  await page.route(SEARCH, (route) => route.fulfill({ status: 502, body: "<h1>Bad Gateway</h1>", contentType: "text/html" }));
  await page.goto("/?q=lead");
  await page.getByText("an answer that this page cannot read").waitFor();
  await page.unroute(SEARCH);
  await asking(page, () => page.getByRole("button", { name: "Try again" }).click());
  assert.ok(await page.locator("#records").isVisible());
});

test("without a connection the last answer stays, and comes back by itself", async (t) => {
  const page = await open(t, "/?q=mercury");
  await page.context().setOffline(true);
  await page.locator("#q").fill("lead");
  await page.keyboard.press("Enter");
  await page.getByText("What you see is the last answer").waitFor();
  assert.ok((await page.locator("#records").textContent()).includes("Mercury"));
  await page.context().setOffline(false);
  await page.locator(".trouble").waitFor({ state: "detached" });
  await page.waitForFunction(() => document.querySelector("#records").textContent.includes("Lead"));
});

test("a pass that is no longer good is renewed without a word", async (t) => {
  const page = await open(t, "/?q=mercury");
  await page.context().clearCookies();
  await page.locator("#q").fill("lead");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.querySelector("#records").textContent.includes("Lead"));
  assert.equal(await page.locator(".trouble").count(), 0);
});

test("new data during a visit is announced", async (t) => {
  const page = await open(t, "/?q=mercury");
  await page.route(SEARCH, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, headers: { ...response.headers(), "x-data-version": "another" } });
  });
  await page.locator("#q").fill("lead");
  await asking(page, () => page.keyboard.press("Enter"));
  await page.getByText("The data was updated while you were reading.").waitFor();
});

test("names full of markup, of any length and direction, stay text and inside the page", async (t) => {
  const page = await open(t, null, { width: 320 });
  const names = ['<img src=x onerror="document.title=1">', "x".repeat(5000), "\u202Eright to left \u05D0\u05D1", "</script><script>alert(1)</script>", "{{constructor.constructor('1')()}}"];
  await page.route(SEARCH, async (route) => {
    const response = await route.fetch();
    const answer = await response.json();
    answer.results = answer.results.map((row, index) => ({ ...row, facility_name: names[index % names.length], company_name: names[(index + 1) % names.length], city: names[0] }));
    for (const [index, entry] of answer.facets.facility.entries()) entry.label_en = names[index % names.length];
    await route.fulfill({ response, json: answer });
  });
  for (const width of [320, 1280]) {
    await resized(page, width);
    await page.goto("/?q=mercury");
    await settled(page);
    assert.equal(await page.locator("#records img, #records script, .largest img").count(), 0);
    assert.ok((await page.locator("#records").textContent()).includes(names[0]));
    assert.ok((await sideways(page)) <= 0, `too wide at ${width}`);
  }
  assert.deepEqual(page.faults, []);
});

test("without JavaScript the form asks for a file, and the page says where else to go", async (t) => {
  const page = await open(t, null, { javaScriptEnabled: false });
  await page.goto("/");
  await page.locator("#q").fill("mercury");
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Emissions as CSV" }).click()]);
  assert.match(download.url(), /\/emission\?q=mercury&format=csv$/);
  await page.getByRole("link", { name: /API reference describes/ }).waitFor();
});

test("printed: the chart, the records, the address and the licence, without controls", async (t) => {
  const page = await open(t, "/?q=mercury&province=ON");
  await page.emulateMedia({ media: "print" });
  for (const selector of [".plot svg", "table.records", "footer .print-only", ".chip"]) assert.ok(await page.locator(selector).first().isVisible(), selector);
  for (const selector of [".search", "aside.refine", ".share", ".paging", ".measure"]) {
    const found = page.locator(selector).first();
    assert.ok((await found.count()) === 0 || !(await found.isVisible()), selector);
  }
  assert.ok((await page.locator("footer").textContent()).includes(`${base}/?q=mercury&province=ON`));
  assert.ok((await page.pdf()).length > 10_000);
});

test("charts and their labels fill their column and stay in it, at any width", async (t) => {
  const page = await open(t, "/?on=emission&province=AB");
  for (const width of [320, 390, 768, 1024, 1280, 1920]) {
    await resized(page, width);
    await settled(page);
    await page.waitForFunction(() => {
      const [svg, figure] = [document.querySelector(".charts svg"), document.querySelector(".charts figure")];
      return Math.abs(svg.getBoundingClientRect().width - figure.getBoundingClientRect().width) <= 1;
    });
    const beyond = await page.locator(".largest .bar-value").evaluateAll((labels) => labels.map((label) => label.getBoundingClientRect().right - label.closest("figure").getBoundingClientRect().right));
    assert.ok(Math.max(...beyond) <= 0, `${width}: ${beyond}`);
  }
});

test("tables of long numbers fit their screen", async (t) => {
  const page = await open(t, "/");
  for (const path of ["/?sort_by=value&value_unit=kg", "/?on=emission", "/?view=compare&year=2014&year=2015", "/facility/G10001"]) {
    for (const language of ["en", "fr"]) {
      await page.goto(`${path}${path.includes("?") ? "&" : "?"}lang=${language}`);
      for (const width of [320, 390, 600, 768, 840, 1024, 1100, 1280, 1920]) {
        await resized(page, width);
        await settled(page);
        const beyond = await page.locator(".scroll").evaluateAll((all) => all.filter((each) => each.checkVisibility()).map((each) => each.scrollWidth - each.clientWidth));
        assert.ok(beyond.length > 0 || width < 1280, `${path} ${width}`);
        assert.ok(beyond.every((pixels) => pixels <= 0), `${path} ${language} ${width}: ${beyond}`);
      }
    }
  }
});

test("another width moves the links and files, and a narrow page is printed as a table", async (t) => {
  const page = await open(t, "/?q=mercury");
  const shares = () => page.evaluate(() => [...document.querySelectorAll(".share")].map((share) => share.closest(".headline") !== null));
  for (const [width, expected] of [[1280, [true]], [390, [false]], [1280, [true]], [390, [false]]]) {
    await resized(page, width);
    await page.waitForFunction((n) => document.querySelectorAll("#records tr, #records .card").length >= n, 25);
    await settled(page);
    assert.deepEqual(await shares(), expected, `${width}`);
  }
  // When the printer asks, the table is there at once.
  await page.evaluate(() => matchMedia("print").addEventListener("change", () => (window.rows = document.querySelectorAll("#records tbody tr").length)));
  await page.emulateMedia({ media: "print" });
  assert.equal(await page.waitForFunction(() => window.rows).then((rows) => rows.jsonValue()), 25);
});
