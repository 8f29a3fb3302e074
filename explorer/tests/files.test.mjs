// Charts as files: the picture stands alone, and has the chart's numbers and where they come from.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { api, open, withBrowser } from "./support.mjs";

withBrowser();

async function saved(page, chart, format) {
  const button = chart.getByRole("button", { name: new RegExp(`^${format} file: `) });
  const [download] = await Promise.all([page.waitForEvent("download"), button.click()]);
  return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
}

/** What a browser makes of SVG that stands alone: its texts, its bars, and whether anything is missing. */
const parsed = (page, text) =>
  page.evaluate((svg) => {
    const drawing = new DOMParser().parseFromString(svg, "image/svg+xml");
    const all = [...drawing.querySelectorAll("*")];
    return {
      faults: drawing.querySelectorAll("parsererror").length,
      classes: all.filter((element) => element.hasAttribute("class") || element.hasAttribute("style")).length,
      links: all.flatMap((element) => [element.getAttribute("href"), element.getAttribute("src")]).filter(Boolean),
      references: all.flatMap((element) => /^url\(#(.*)\)$/.exec(element.getAttribute("fill") ?? "")?.[1] ?? []).filter((id) => !drawing.getElementById(id)),
      titles: all.filter((element) => element.localName === "title").map((title) => title.textContent),
      texts: all.filter((element) => element.localName === "text").map((line) => line.textContent),
      circles: drawing.querySelectorAll("circle").length,
      box: drawing.documentElement.getAttribute("viewBox").split(" ").map(Number),
      fills: [...new Set(all.map((element) => element.getAttribute("fill")))],
    };
  }, text);

for (const dark of [false, true]) {
  test(`SVG and PNG of each chart, in ${dark ? "dark" : "light"} colours`, async (t) => {
    const page = await open(t, "/?q=mercury&province=ON&year=2010-2020&view=map", { dark, bypassCSP: false });
    await page.locator(".map .chart-files").waitFor();
    // Trusted Types keep the page from parsing, so another one does.
    const reader = await open(t, null);
    const { facets } = await api(page, "/release?q=mercury&province=ON&year=2010-2020&limit=0&facets=year,facility&facet_sort=sum");
    const version = (await page.request.get("/release?limit=0")).headers()["x-data-version"];
    for (const [name, chart, expected] of [
      ["years", page.locator(".charts figure").first(), facets.year.filter(({ sum }) => sum.kg !== null).map(({ value, sum }) => [`${value}:`, sum.kg])],
      ["map", page.locator(".map"), facets.facility.filter(({ latitude }) => latitude !== null).map(({ label_en, city, province, sum }) => [`${[label_en, city, province].filter(Boolean).join(", ")}:`, sum.kg ?? "–"])],
      ["largest", page.locator(".largest"), facets.facility.slice(0, 8).map(({ label_en, sum }) => [`${label_en}:`, sum.kg])],
    ]) {
      const svg = await saved(page, chart, "SVG");
      assert.equal(svg.name, `outfall-${name}.svg`);
      const drawing = await parsed(reader, svg.bytes.toString());
      assert.deepEqual([drawing.faults, drawing.classes, drawing.links, drawing.references], [0, 0, [], []], name);
      const [title, ...told] = drawing.titles.map((text) => text.replaceAll(",", ""));
      assert.ok(title.length > 10);
      for (const [of, sum] of expected) {
        assert.ok(told.some((text) => text.startsWith(of.replaceAll(",", "")) && text.includes(sum === "–" ? sum : `${sum} kg`)), `${name}: ${of} ${sum} in ${told.join(" | ")}`);
      }
      const texts = drawing.texts.join(" ");
      for (const part of ["“mercury”", "Province: Ontario", "Years: 2010 to 2020", "Open Government Licence – Canada", `data version ${version}`]) {
        assert.ok(texts.includes(part), `${name}: ${part} in ${texts}`);
      }
      assert.ok(texts.replaceAll(" ", "").includes(page.url()), texts);
      assert.equal(drawing.fills.includes("rgb(255,255,255)"), !dark, "the ground has the colours of the page");
      assert.deepEqual(drawing.fills.filter((fill) => fill !== null && !/^(none|rgb\(\d+,\d+,\d+\)|url\(#.*\))$/.test(fill)), [], "colours that every program knows");
      const png = await saved(page, chart, "PNG");
      assert.equal(png.name, `outfall-${name}.png`);
      assert.deepEqual([...png.bytes.subarray(0, 8)], [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
      const [, , width, height] = drawing.box;
      assert.deepEqual([png.bytes.readUInt32BE(16), png.bytes.readUInt32BE(20)], [2 * width, 2 * height]);
      assert.ok(png.bytes.length > 10_000, `${png.bytes.length} bytes`);
    }
    assert.deepEqual(page.faults, []);
  });
}

test("the map as a file is the part that is shown, with its scale, its legend and what it leaves out", async (t) => {
  const page = await open(t, "/?q=PM2.5&view=map&lang=fr");
  const reader = await open(t, null);
  const { places, nowhere } = await api(page, "/release/places?q=PM2.5");
  const { facets } = await api(page, "/release?q=PM2.5&limit=0&facets=province");
  await page.locator(".map .chart-files").waitFor();
  const picture = async () => {
    const button = page.locator(".map").getByRole("button", { name: /SVG/ });
    const [download] = await Promise.all([page.waitForEvent("download"), button.click()]);
    return parsed(reader, (await readFile(await download.path())).toString());
  };
  const legend = await page.locator(".circles li").count();
  const whole = await picture();
  assert.equal(whole.circles, places.facility_id.length + legend);
  assert.ok(whole.texts.some((text) => /^[\d\s]+ km$/.test(text)), whole.texts.join("\n"));
  for (const text of await page.locator(".circles li").allTextContents()) assert.ok(whole.texts.includes(text.trim()), text);
  for (const { label_fr } of facets.province.filter(({ value, sum }) => value !== null && Number(sum.kg) > 0)) assert.ok(whole.texts.includes(label_fr), label_fr);
  assert.equal(whole.texts.some((text) => text.includes("coordonnées")), nowhere.facilities !== "0");
  await page.getByRole("button", { name: "Agrandir" }).click();
  const near = await picture();
  assert.ok(near.circles < whole.circles && near.circles > legend, `${near.circles} of ${whole.circles}`);
});

test("names full of markup, and longer than a line, stay text in a file", async (t) => {
  const page = await open(t, null);
  const names = ['</text><script>alert(1)</script>&amp;"', "x".repeat(3000), "\u{1F3ED} works"];
  await page.route(/\/release\?/, async (route) => {
    const response = await route.fetch();
    const answer = await response.json();
    for (const [index, entry] of answer.facets.facility.entries()) entry.label_en = names[index % names.length];
    await route.fulfill({ response, json: answer });
  });
  await page.goto("/?q=lead");
  await page.locator(".largest").waitFor();
  const { bytes } = await saved(page, page.locator(".largest"), "SVG");
  const drawing = await parsed(await open(t, null), bytes.toString());
  assert.equal(drawing.faults, 0);
  assert.ok(drawing.texts.includes(names[0]), drawing.texts.join("\n"));
  assert.ok(drawing.texts.some((text) => /^x+…$/.test(text)), "a long name is cut");
  assert.ok(drawing.titles.some((text) => text.startsWith(names[1])), "and whole in its title");
});

test("a facility's charts are files too", async (t) => {
  const page = await open(t, "/facility/G10001");
  const { bytes } = await saved(page, page.locator(".inventory:last-of-type figure"), "SVG");
  const { texts } = await parsed(await open(t, null), bytes.toString());
  assert.ok(texts.includes(await page.locator("h1").textContent()), texts.join("\n"));
  assert.ok(texts.some((text) => text.endsWith("/facility/G10001")), texts.join("\n"));
});

test("sums over several substances carry their warning into the file, and counts do not", async (t) => {
  const page = await open(t, "/?province=ON");
  const reader = await open(t, null);
  const texts = async () => (await parsed(reader, (await saved(page, page.locator(".charts figure").first(), "SVG")).bytes.toString())).texts.join(" ");
  assert.match(await texts(), /Masses of \d+ different substances are added up here/);
  await page.goto("/?province=ON&facet_sort=count");
  assert.doesNotMatch(await texts(), /added up/);
});
