// The texts in both languages, and the numbers in them.

import assert from "node:assert/strict";
import { test } from "node:test";
import { module as bundled } from "./support.mjs";

const module = (path) => bundled(path, { define: { document: '{"documentElement":{"lang":"fr"}}' } });

test("both languages have the same texts, with the same blanks and forms", async () => {
  const { en } = await module("src/messages/en.ts");
  const { fr } = await module("src/messages/fr.ts");
  assert.deepEqual(Object.keys(fr), Object.keys(en));
  for (const [key, english] of Object.entries(en)) {
    const french = fr[key];
    const blanks = (text) => [...new Set(text.match(/\{\w+\}/g) ?? [])].sort();
    assert.deepEqual(blanks(french), blanks(english), key);
    assert.equal(french.split("|").length, english.split("|").length, key);
    assert.doesNotMatch(french, /["']/, `${key}: typographic marks`);
    assert.doesNotMatch(french, /[^\s][:?!](\s|$)/, `${key}: a space before ${french}`);
  }
});

test("numbers keep every digit", async () => {
  const { scaled, magnitude, rounded, grouped, difference } = await module("src/decimal.ts");
  const style = { group: ",", point: "." };
  for (const [value, whole] of [
    ["0", "0"],
    ["999", "999"],
    ["1000", "1,000"],
    ["9362188.123823552", "9,362,188.123823552"],
    ["-1234567.50", "−1,234,567.50"],
    ["123456789012345678901234567890.000000000000000000001", "123,456,789,012,345,678,901,234,567,890.000000000000000000001"],
    ["1.5e3", "1,500"],
    ["1.5e-3", "0.0015"],
  ]) {
    assert.equal(grouped(value, style).join(""), whole);
  }
  for (const [value, places, expected] of [["1234.5", -3, "1.2345"], ["0.0042", 3, "4.2"], ["1", -6, "0.000001"], ["20", 0, "20"], ["1000", -3, "1"]]) {
    assert.equal(scaled(value, places), expected);
  }
  for (const [value, digits, expected] of [["1.2345", 2, "1.23"], ["1.235", 2, "1.24"], ["-0.5", 0, "-1"], ["9.99", 1, "10"], ["12", 3, "12"], ["9007199254740993.5", 0, "9007199254740994"]]) {
    assert.equal(rounded(value, digits), expected);
  }
  for (const [value, expected] of [["742", 2], ["0.0042", -3], ["0", 0], ["0.000", 0], ["1", 0]]) {
    assert.equal(magnitude(value), expected);
  }
  for (const [one, other, expected] of [["1", "0.000000000000000000001", "0.999999999999999999999"], ["5.50", "7", "-1.5"], ["-1", "-1.0", "0"], ["0.1", "0.3", "-0.2"], ["1e3", "1", "999"]]) {
    assert.equal(difference(one, other), expected);
  }
  assert.throws(() => scaled("NaN", 1), RangeError);
});

test("JSON is read without a float", async () => {
  const { parse } = await module("src/json.ts");
  const text = '{"a":0.1234567890123456789,"b":[1e400,-0.0,{"c":"1 \\"2\\" 3"}],"d":null,"e":"\\\\","f":7}';
  assert.deepEqual(parse(text), { a: "0.1234567890123456789", b: ["1e400", "-0.0", { c: '1 "2" 3' }], d: null, e: "\\", f: "7" });
});

test("numbers have the signs that Canada's do", async () => {
  const { STYLES } = await module("src/language.ts");
  for (const [language, { group, point }] of Object.entries(STYLES)) {
    const parts = new Intl.NumberFormat(`${language}-CA`).formatToParts(12345.6);
    const sign = (type) => parts.find((part) => part.type === type).value;
    assert.deepEqual([group, point], [sign("group"), sign("decimal")], language);
  }
});

test("labels have three digits and the unit that suits them", async () => {
  const { short, exact } = await module("src/language.ts");
  for (const [value, measure, expected] of [
    ["742123.4", "mass", "742 t"],
    ["0.0042", "mass", "4,2 g"],
    ["58131.550464", "mass", "58,1 t"],
    ["1234567890", "mass", "1,23 Mt"],
    ["0", "mass", "0 kg"],
    ["31993.7416", "co2e", "32 kt CO2e"],
    ["12431", "count", "12 431"],
  ]) {
    assert.equal(short(value, measure).replaceAll("\u00a0", " "), expected);
  }
  assert.equal(exact("58131.550464", "mass").replaceAll("\u00a0", " "), "58 131,550464 kg");
});

test("axes begin at 0, end at or above the largest value, and have round steps", async () => {
  const { axis } = await module("src/charts/scale.ts");
  for (const largest of [0.0003, 0.7, 1, 7, 9.99, 10, 11, 99, 101, 253, 1e6]) {
    const { top, ticks } = axis(largest);
    assert.ok(top >= largest && top <= largest * 2.5, `${largest}: ${top}`);
    assert.equal(ticks[0], 0);
    assert.ok(ticks.length >= 3 && ticks.length <= 6, `${largest}: ${ticks}`);
    assert.ok(ticks.every((tick) => String(tick).length <= 7), `${largest}: ${ticks}`);
  }
});

test("the map is Lambert's conic: places lie where Statistics Canada's projection has them", async () => {
  const { project, WIDTH, HEIGHT } = await module("src/charts/lambert.ts");
  // The central meridian is vertical, parallels are circles around one point, and the scale is true on
  // 49° and 77° N, where a degree of longitude is as long as on the sphere.
  assert.equal(project(-91.8667, 50)[0], project(-91.8667, 80)[0]);
  const apart = ([x, y], [u, v]) => Math.hypot(x - u, y - v);
  const unit = apart(project(-91.8667, 48.95), project(-91.8667, 49.05)) / 0.1;
  for (const latitude of [49, 77]) {
    const degree = apart(project(-100, latitude), project(-99.9, latitude)) / 0.1;
    assert.ok(Math.abs(degree / (unit * Math.cos((latitude * Math.PI) / 180)) - 1) < 0.001, `${latitude}`);
  }
  for (const [longitude, latitude] of [[-141, 60], [-52.7, 47.5], [-82.5, 41.7], [-70, 83]]) {
    const [x, y] = project(longitude, latitude);
    assert.ok(x > 0 && x < WIDTH && y > 0 && y < HEIGHT, `${longitude}, ${latitude}: ${x}, ${y}`);
  }
});
