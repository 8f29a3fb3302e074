// How much room the screen has, for what is drawn in one of two ways.

import type { Signal } from "@preact/signals";
import { signal } from "@preact/signals";

function holds(query: string): Signal<boolean> {
  const found = matchMedia(query);
  const now = signal(found.matches);
  found.addEventListener("change", ({ matches }) => (now.value = matches));
  return now;
}

/** Whether there is room for a few columns of numbers beside a name. */
export const isWide = holds("(width >= 48rem), print");
/** Whether there is room for all columns of records: on a screen of medium width, the filters beside them take it. */
export const hasColumns = holds("(52rem <= width < 64rem), (width >= 80rem), print");
/** Whether there is room for the filters beside the answer. */
export const hasAside = holds("(min-width: 64rem)");
