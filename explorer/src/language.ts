// The language of the page: its texts, its numbers, and its half of each pair of names.

import type { Decimal, Style } from "./decimal";
import { grouped, magnitude, rounded, scaled } from "./decimal";
import type { Key, Messages } from "./messages/en";
import { en } from "./messages/en";
import { fr } from "./messages/fr";

export type { Key };

export type Language = "en" | "fr";

export const language: Language = document.documentElement.lang === "fr" ? "fr" : "en";
export const otherLanguage: Language = language === "fr" ? "en" : "fr";

const messages: Messages = language === "fr" ? fr : en;
const plurals = new Intl.PluralRules(`${language}-CA`);

/** The signs of numbers in Canada. `Intl.NumberFormat` knows them too, but takes longer to begin than the whole page to draw. */
export const STYLES: Record<Language, Style> = { en: { group: ",", point: "." }, fr: { group: "\u00a0", point: "," } };
const style = STYLES[language];

/** A text, with its words in braces filled in. */
export function say(key: Key, fill: Readonly<Record<string, string>> = {}): string {
  return messages[key].replace(/\{(\w+)\}/g, (_, name: string) => fill[name] ?? "");
}

/** A text for a number of things, which its `{n}` shows. */
export function count(key: Key, n: Decimal): string {
  const forms = messages[key].split("|");
  const form = plurals.select(Number(n)) === "one" ? forms[0] : forms[forms.length - 1];
  return (form ?? "").replace("{n}", number(n));
}

/** A text that may not exist, such as the name of a parameter. */
export function named(prefix: "name" | "units", name: string): string {
  const key = `${prefix}.${name}`;
  return key in messages ? messages[key as Key] : name;
}

/** A number with all its digits. */
export function number(value: Decimal): string {
  return grouped(value, style).join("");
}

/** The same in two halves, which a column aligns at the point. */
export function halves(value: Decimal): [string, string] {
  return grouped(value, style);
}

/** The name in the language of the page, or else in the other one. */
export function either<T>(english: T | null | undefined, french: T | null | undefined): T | null {
  const [first, second] = language === "fr" ? [french, english] : [english, french];
  return first ?? second ?? null;
}

/** A unit of a scale: its name, and how many powers of ten it is above the API's unit. */
export interface Unit {
  name: Key;
  power: number;
}

const MASS: Unit[] = [
  { name: "unit.g", power: -3 },
  { name: "unit.kg", power: 0 },
  { name: "unit.t", power: 3 },
  { name: "unit.kt", power: 6 },
  { name: "unit.Mt", power: 9 },
];
const CO2E: Unit[] = [
  { name: "unit.tCO2e", power: 0 },
  { name: "unit.ktCO2e", power: 3 },
  { name: "unit.MtCO2e", power: 6 },
];

export type Measure = "mass" | "co2e" | "teq" | "count";

const SCALES: Record<Measure, Unit[]> = {
  mass: MASS,
  co2e: CO2E,
  teq: [{ name: "unit.gteq", power: 0 }],
  count: [{ name: "unit.records", power: 0 }],
};

/** The unit in which an amount has one to three digits before the point, where there is one. */
export function unitFor(value: Decimal, measure: Measure): Unit {
  const scale = SCALES[measure];
  const fitting = scale.filter((unit) => unit.power <= magnitude(value));
  const unit = fitting[fitting.length - 1] ?? scale[0];
  if (!unit) throw new Error("a scale without units");
  return unit;
}

/** An amount to three digits, for labels: 12.4 kt. The exact one stands in a table. */
export function short(value: Decimal, measure: Measure, unit: Unit = unitFor(value, measure)): string {
  if (measure === "count") return number(value);
  const inUnit = scaled(value, -unit.power);
  const digits = Math.max(0, 2 - magnitude(inUnit));
  return `${number(rounded(inUnit, digits))} ${say(unit.name)}`;
}

/** An amount with all its digits, in the unit of the API. */
export function exact(value: Decimal, measure: Measure): string {
  const unit = SCALES[measure].find(({ power }) => power === 0);
  return measure === "count" || !unit ? number(value) : `${number(value)} ${say(unit.name)}`;
}
