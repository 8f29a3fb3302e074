// The values of a facet that could also be chosen. The API lists those of the matches, so the others
// vanish once one is chosen; they are remembered for as long as the rest of the question is the same,
// and so are their numbers, because a record counts towards one value of a facet.

import type { Answer, Entry } from "./api";
import type { Kind, Pair } from "./place";
import { withoutPaging, written } from "./place";
import type { Question } from "./session";

/** The parameter that a facet's values are chosen by. */
export const PARAMETERS: Record<string, string> = {
  province: "province",
  year: "year",
  "year*medium": "year",
  substance: "substance",
  medium: "medium",
  naics_code: "naics_code",
  facility: "facility_id",
  company: "company",
};

const lists = new Map<string, readonly Entry[]>();

function key(facet: string, kind: Kind, pairs: readonly Pair[]): string {
  const others = withoutPaging(pairs).filter(([name]) => name !== PARAMETERS[facet] && name !== "limit");
  return `${facet} ${kind} ${written(others)}`;
}

/** Keeps the lists of an answer that had no filter on them. */
export function remember({ kind, pairs }: Question, { facets = {} }: Answer): void {
  for (const [facet, entries] of Object.entries(facets)) {
    const parameter = PARAMETERS[facet];
    if (parameter && !pairs.some(([name]) => name === parameter)) lists.set(key(facet, kind, pairs), entries);
  }
}

/** The values to choose from: those of the matches, and those remembered. */
export function choices(facet: string, { kind, pairs }: Question, answer: Answer): readonly Entry[] {
  const now = answer.facets?.[facet] ?? [];
  const known = lists.get(key(facet, kind, pairs)) ?? [];
  const values = new Set(known.map((entry) => entry.value));
  return [...known, ...now.filter((entry) => !values.has(entry.value))];
}

/** The entry of a value in any list seen so far, for its label. */
export function labelOf(facet: string, text: string, answer: Answer | null): Entry | undefined {
  const seen = [answer?.facets?.[facet] ?? [], ...[...lists].filter(([name]) => name.startsWith(`${facet} `)).map(([, list]) => list)];
  return seen.flat().find((entry) => entry.value === text);
}
