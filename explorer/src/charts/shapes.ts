// The shapes of the provinces and lakes, which are loaded once, when a map is first shown.

import { signal } from "@preact/signals";

export interface Shapes {
  /** Paths by the code of the province, in units of the drawing. */
  provinces: Record<string, string>;
  lakes: string;
}

const loaded = signal<Shapes | null>(null);
let isAsked = false;

async function load(): Promise<void> {
  isAsked = true;
  try {
    loaded.value = (await (await fetch("/explorer/map.json")).json()) as Shapes;
  } catch {
    // The circles stand without the shapes, and the next map tries again.
    isAsked = false;
  }
}

/** The shapes, once they are there. */
export function shapes(): Shapes | null {
  if (loaded.value === null && !isAsked) void load();
  return loaded.value;
}
