// The first and the last year of the data. Answers to a question about some years do not tell of the
// others, so these are asked for once, where a link begins with such a question.

import { signal } from "@preact/signals";
import type { Kind } from "./place";

interface Meta {
  kinds: Record<string, { years: Record<string, number> } | undefined>;
}

const served = signal<Meta["kinds"]>({});
let isAsked = false;

async function load(): Promise<void> {
  isAsked = true;
  try {
    const answer = await fetch("/meta");
    if (!answer.ok) throw new Error(String(answer.status));
    served.value = ((await answer.json()) as Meta).kinds;
  } catch {
    // Until it is known, the range ends with the years that answers tell of.
    isAsked = false;
  }
}

/** Those years of a kind of record, once they are known; they are asked for if they are needed. */
export function yearsServed(kind: Kind, isNeeded: boolean): number[] {
  const years = Object.keys(served.value[kind]?.years ?? {}).map(Number);
  if (isNeeded && !isAsked) void load();
  return years;
}
