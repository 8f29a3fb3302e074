// What the bars and lists of a page measure: a mass, an amount of CO2e, toxic equivalents, or how many
// records there are.

import type { Entry } from "./api";
import type { Decimal } from "./decimal";
import type { Measure } from "./language";
import type { Place } from "./place";

/** What is measured, as the parameters of the API say. */
export function measureAt({ kind, pairs }: Place): Measure {
  const given = (name: string, text: string): boolean => pairs.some((pair) => pair[0] === name && pair[1] === text);
  if (given("facet_sort", "count")) return "count";
  if (kind === "emission") return "co2e";
  return given("value_unit", "g_teq") ? "teq" : "mass";
}

/** How much that is for a value of a facet; null if no record has such an amount. */
export function amount(entry: Entry, measure: Measure): Decimal | null {
  if (measure === "count") return entry.count;
  const { kg = null, g_teq = null, tonnes = null } = entry.sum;
  return { mass: kg, teq: g_teq, co2e: tonnes }[measure];
}

/** An amount for the length of a bar, which needs no more than a float. */
export function length(value: Decimal | null): number {
  return value === null ? 0 : Number(value);
}
