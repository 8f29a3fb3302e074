// How much room the screen has, for what is drawn in one of two ways.

import type { Signal } from "@preact/signals";
import { signal } from "@preact/signals";

function holds(query: string): Signal<boolean> {
  const found = matchMedia(query);
  const now = signal(found.matches);
  found.addEventListener("change", ({ matches }) => (now.value = matches));
  return now;
}

/** Whether there is room for tables. */
export const isWide = holds("(min-width: 48rem), print");
/** Whether there is room for the filters beside the answer. */
export const hasAside = holds("(min-width: 64rem)");
