// Questions that people ask, answered by clicks, in both languages; each number is the API's.

import assert from "node:assert/strict";
import { test } from "node:test";
import { api, asking, open, plain, settled, withBrowser } from "./support.mjs";

withBrowser();

const LANGUAGES = ["en", "fr"];
const WORDS = {
  en: { city: "Whole name of a city", add: "Add", from: "From", to: "To", set: "Set years", search: "Search", largest: "Largest first", table: "Show as a table", air: "Air", ghg: "Greenhouse gases", look: "Look", map: "Map", compare: "Compare two years", clear: "Clear all" },
  fr: { city: "Nom entier d’une ville", add: "Ajouter", from: "De", to: "À", set: "Fixer les années", search: "Chercher", largest: "Plus grands d’abord", table: "Montrer en tableau", air: "Air", ghg: "Gaz à effet de serre", look: "Voir", map: "Carte", compare: "Comparer deux années", clear: "Tout effacer" },
};

/** The cells of a table as text, by row. */
const rows = (page, selector) => page.$$eval(`${selector} tbody tr`, (found) => found.map((row) => [...row.cells].map((cell) => cell.textContent.trim())));

/** The facets beside the answer; the same ones are in the dialog of narrow screens. */
const refine = (page) => page.locator("aside.refine");

async function choose(page, label) {
  await asking(page, () => refine(page).getByRole("checkbox", { name: label }).first().check());
}

async function setYears(page, words, from, to) {
  await refine(page).getByLabel(words.from, { exact: true }).fill(from);
  await refine(page).getByLabel(words.to, { exact: true }).fill(to);
  await asking(page, () => refine(page).getByRole("button", { name: words.set }).click());
}

async function search(page, words, text) {
  await page.locator("#q").fill(text);
  await asking(page, () => page.getByRole("button", { name: words.search, exact: true }).click());
}

for (const language of LANGUAGES) {
  const words = WORDS[language];
  const start = (t) => open(t, "/", { language: `${language}-CA` });

  test(`${language}: the facility in Sarnia that released most PM2.5 since 2010`, async (t) => {
    const page = await start(t);
    await search(page, words, "PM2.5");
    await refine(page).getByLabel(words.city).fill("Sarnia");
    await asking(page, () => refine(page).getByRole("button", { name: words.add }).click());
    await setYears(page, words, "2010", "2024");
    const { facets } = await api(page, "/release?q=PM2.5&city=Sarnia&year=2010-2024&limit=0&facets=facility&facet_sort=sum");
    await page.locator(".largest summary").click();
    const [[name, sum]] = await rows(page, ".largest");
    const [first] = facets.facility;
    assert.equal(name, first.label_en);
    assert.equal(plain(sum.replace("kg", ""), language), first.sum.kg);
  });

  test(`${language}: the ten largest releases by mass in Alberta`, async (t) => {
    const page = await start(t);
    await choose(page, /^Alberta/);
    await asking(page, () => page.locator(".order select").selectOption({ label: words.largest }));
    const { results } = await api(page, "/release?province=AB&sort_by=value&value_unit=kg&limit=10");
    const shown = (await rows(page, "table.records")).slice(0, 10);
    const expected = results.map(({ year, quantity, quantity_kg }) => [year, quantity, quantity_kg]);
    assert.deepEqual(shown.map((cells) => [cells[0], plain(cells[4].replace(/[a-zA-Z ]+$/, ""), language), plain(cells[5], language)]), expected);
  });

  test(`${language}: the trend of mercury to air in Ontario`, async (t) => {
    const page = await start(t);
    await search(page, words, language === "fr" ? "mercure" : "mercury");
    await choose(page, /^Ontario/);
    await choose(page, new RegExp(`^${words.air}`));
    const q = language === "fr" ? "mercure" : "mercury";
    const { facets } = await api(page, `/release?q=${q}&province=ON&medium=air&limit=0&facets=year`);
    await page.locator(".charts .as-table summary").first().click();
    const shown = (await rows(page, ".charts figure:first-child")).filter((cells) => cells.at(-1) !== "–");
    const expected = facets.year.filter(({ sum }) => sum.kg !== null).map(({ value, sum }) => [value, sum.kg]);
    assert.deepEqual(shown.map((cells) => [cells[0], plain(cells.at(-1).replace("kg", ""), language)]), expected);
  });

  test(`${language}: the largest emitters of Alberta in 2022`, async (t) => {
    const page = await start(t);
    await asking(page, () => page.getByRole("link", { name: words.ghg }).click());
    await choose(page, /^Alberta/);
    await setYears(page, words, "2022", "2022");
    await asking(page, () => page.locator(".order select").selectOption({ label: words.largest }));
    const { results, count } = await api(page, "/emission?province=AB&year=2022&sort_by=value&limit=25");
    const shown = await rows(page, "table.records");
    assert.deepEqual(shown.map((cells) => plain(cells[3], language)), results.map((row) => row.total_co2e));
    assert.ok((await page.locator(".headline .count").textContent()).startsWith(count));
  });

  test(`${language}: what a company released, substance by substance, with a warning on the sum`, async (t) => {
    const page = await start(t);
    const target = "/release?company=Silver+Birch&limit=0&facets=substance&facet_sort=sum";
    const company = refine(page).locator("fieldset", { has: page.locator("legend", { hasText: /^(Company|Entreprise)$/ }) });
    await company.getByRole("searchbox").fill("Silver Birch");
    await asking(page, () => company.getByRole("searchbox").press("Enter"));
    const { facets, count } = await api(page, target);
    const substances = refine(page).locator("fieldset").first();
    await substances.getByRole("button").click();
    const shown = await substances.locator("li .amount").evaluateAll((found) => found.map((amount) => amount.title));
    const expected = facets.substance.map(({ sum }) => sum.kg ?? "");
    assert.deepEqual(shown.map((title) => plain(title.replace("kg", ""), language)), expected);
    assert.match(await page.locator(".warnings").textContent(), /substances/);
    assert.equal(plain((await page.locator(".headline .count").textContent()).split("·")[0].replace(/[a-z ]+$/, ""), language), count);
  });

  test(`${language}: everything within 10 km of a place`, async (t) => {
    const page = await start(t);
    const { results } = await api(page, "/release?limit=100");
    const { latitude, longitude } = results.find((row) => row.latitude !== null);
    await refine(page).locator("[name=near]").fill(`${latitude}, ${longitude}`);
    await asking(page, () => refine(page).getByRole("button", { name: words.look, exact: true }).click());
    const { count, facets } = await api(page, `/release?near=${latitude},${longitude}&limit=0&facets=facility`);
    assert.equal((await page.locator(".headline .count").textContent()).match(/^\d+/)[0], count);
    await asking(page, () => page.getByRole("button", { name: words.map, exact: true }).click());
    await page.locator(".map .land path").first().waitFor();
    const { places } = await api(page, `/release/places?near=${latitude},${longitude}`);
    assert.equal((await page.locator(".map svg").getAttribute("aria-label")).match(/\d+/)[0], String(places.facility_id.length));
    assert.equal(facets.facility.length, places.facility_id.length);
  });

  test(`${language}: 2014 beside 2019, by facility`, async (t) => {
    const page = await start(t);
    await asking(page, () => page.getByRole("link", { name: words.ghg }).click());
    await asking(page, () => page.getByRole("button", { name: words.compare }).click());
    await asking(page, () => page.locator(".extra button").click());
    await asking(page, () => page.locator("[name=first]").selectOption("2014"));
    await asking(page, () => page.locator("[name=second]").selectOption("2019"));
    const { facets } = await api(page, "/emission?year=2014&year=2019&limit=0&facets=year*facility&facet_limit=1000");
    const [then, now] = ["2014", "2019"].map((year) => new Map(facets["year*facility"].find(({ value }) => value === year).facility.map((entry) => [entry.value, entry])));
    const shown = (await page.$$eval("table.compare tbody tr", (found) => found.map((row) => [row.querySelector("a").pathname.split("/").at(-1), ...[...row.cells].slice(1).map((cell) => cell.textContent.trim())])));
    assert.equal(shown.length, Math.min(50, new Set([...then.keys(), ...now.keys()]).size));
    for (const [id, first, second, change] of shown.slice(0, 10)) {
      assert.deepEqual([plain(first, language), plain(second, language)], [then.get(id).sum.tonnes, now.get(id).sum.tonnes], id);
      const places = 15;
      const whole = (text) => BigInt(text.split(".")[0] + (text.split(".")[1] ?? "").padEnd(places, "0"));
      const expected = whole(now.get(id).sum.tonnes) - whole(then.get(id).sum.tonnes);
      const sign = plain(change, language).startsWith("-") ? -1n : 1n;
      assert.equal(sign * whole(plain(change, language).replace("-", "")), expected, id);
    }
  });

  test(`${language}: everything about one facility, from both inventories`, async (t) => {
    const page = await start(t);
    const { results } = await api(page, "/emission?limit=1000");
    const both = results.find(({ npri_id }) => npri_id !== null);
    await page.goto(`/facility/${both.facility_id}${language === "fr" ? "?lang=fr" : ""}`);
    await settled(page);
    const emission = await api(page, `/emission?facility_id=${both.facility_id}&limit=0&facets=year`);
    await page.locator(".inventory:last-of-type summary").click();
    const shown = (await rows(page, ".inventory:last-of-type")).filter((cells) => cells[1] !== "–");
    const expected = emission.facets.year.map(({ value, sum }) => [value, sum.tonnes]);
    assert.deepEqual(shown.map(([year, sum]) => [year, plain(sum.replace("CO2e", ""), language)]), expected);
    const release = await api(page, `/release?facility_id=${both.facility_id}&limit=0&facets=substance&facet_sort=sum`);
    const masses = (await rows(page, ".matrix")).map((cells) => plain(cells[4], language));
    const known = release.facets?.substance ?? [];
    assert.deepEqual(masses, known.map(({ sum }) => sum.kg ?? sum.g_teq));
    const files = await page.locator(".inventory a[download]").evaluateAll((links) => links.map((link) => link.getAttribute("href")));
    const inventories = [["release", release], ["emission", emission]].filter(([, { count }]) => count !== "0");
    assert.deepEqual(files, inventories.map(([kind]) => `/${kind}?facility_id=${both.facility_id}&format=csv`));
    for (const [index, [, { count }]] of inventories.entries()) {
      const file = files[index];
      const ndjson = await (await page.request.get(file.replace("csv", "ndjson"))).text();
      assert.equal(ndjson.trimEnd().split("\n").length, Number(count), file);
      assert.equal((await page.request.get(file)).headers()["content-type"], "text/csv; charset=utf-8");
    }
  });
}

test("the link to CSV gives the API's bytes, and curl asks the same question", async (t) => {
  const page = await open(t, "/?q=mercury&province=ON", { permissions: ["clipboard-read", "clipboard-write"] });
  const link = page.locator(".files a", { hasText: "CSV" });
  const [download] = await Promise.all([page.waitForEvent("download"), link.click()]);
  const { readFile } = await import("node:fs/promises");
  const saved = await readFile(await download.path());
  assert.deepEqual(saved, await (await page.request.get("/release?q=mercury&province=ON&format=csv")).body());
  await page.getByRole("button", { name: "Copy as curl" }).click();
  await page.getByRole("button", { name: "Copied" }).waitFor();
  const line = await page.evaluate(() => navigator.clipboard.readText());
  assert.match(line, /^curl .*'http:\/\/[^']+\/release\?q=mercury&province=ON'$/);
});
