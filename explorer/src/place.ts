// Where the reader is: the address of the page, whose query is the API's own. Nothing else is kept.

import { signal } from "@preact/signals";

export type Kind = "release" | "emission";

/** Whether this is one chart in a frame on another site. */
export const isEmbedded = location.pathname === "/embed";

/** What may stand beside the charts, and the charts that a frame may have. */
export const VIEWS = ["map", "compare"] as const;
export const CHARTS = ["years", "largest", "map"] as const;

export type View = (typeof VIEWS)[number] | (typeof CHARTS)[number];

const OWN_VIEWS: readonly View[] = isEmbedded ? CHARTS : VIEWS;

/** The parameters of the page itself; all others are the API's. */
const OWN: Record<string, readonly string[]> = { on: ["release", "emission"], lang: ["en", "fr"], view: OWN_VIEWS };

/** The parameters of one page of the list, which a change of the question resets. */
const PAGING = ["cursor", "offset"];

/** The parameters that say which records to answer with, in what order and form, as the service names them. */
const OF_RECORDS = new Set(document.documentElement.dataset.ofRecords?.split(" "));

export type Pair = readonly [name: string, value: string];

export interface Place {
  path: string;
  kind: Kind;
  /** What is shown beside the charts, if anything; in a frame, which chart it is. */
  view: View | null;
  /** The query of the API, in the order of the address. */
  pairs: readonly Pair[];
}

/** What the browser keeps beside an address: the cursors of the pages before this one. */
interface Kept {
  before?: (string | null)[];
}

function read(): Place {
  const query = [...new URLSearchParams(location.search)];
  const named = (wanted: string): string | undefined => query.find(([name]) => name === wanted)?.[1];
  // One that means nothing is sent to the API, which says so.
  const pairs = query.filter(([name, value]) => value !== "" && !OWN[name]?.includes(value));
  const view = OWN_VIEWS.find((one) => one === named("view"));
  return {
    path: location.pathname,
    kind: named("on") === "emission" ? "emission" : "release",
    view: view ?? (isEmbedded ? "years" : null),
    pairs,
  };
}

export const place = signal<Place>(read());

export function before(): (string | null)[] {
  return (history.state as Kept | null)?.before ?? [];
}

/** Goes to an address of this page; the browser's back button returns. */
export function go(to: string, kept: Kept = {}): void {
  if (isEmbedded) {
    // A frame shows one chart; whatever leads elsewhere opens beside the page that it is in.
    open(to, "_blank", "noopener");
    return;
  }
  history.pushState(kept, "", to);
  place.value = read();
}

addEventListener("popstate", () => (place.value = read()));

export function values(name: string, pairs: readonly Pair[] = place.value.pairs): string[] {
  return pairs.filter(([pair]) => pair === name).map(([, value]) => value);
}

export function value(name: string): string | undefined {
  return values(name)[0];
}

/** The query of an address, written as people read it. */
export function written(pairs: readonly Pair[]): string {
  const query = new URLSearchParams(pairs.map(([name, text]) => [name, text])).toString();
  return query.replaceAll("%2C", ",").replaceAll("%3A", ":").replaceAll("%2F", "/");
}

/** The address of a question. It keeps the view, and the language of the page if the address named one. */
export function address(kind: Kind, pairs: readonly Pair[], path = "/", view = path === "/" ? place.value.view : null): string {
  const own: Pair[] = kind === "emission" ? [["on", kind]] : [];
  const lang = new URLSearchParams(location.search).get("lang");
  const language: Pair[] = lang === "en" || lang === "fr" ? [["lang", lang]] : [];
  const shown: Pair[] = view !== null ? [["view", view]] : [];
  const query = written([...own, ...pairs, ...shown, ...language]);
  return query ? `${path}?${query}` : path;
}

export function withoutPaging(pairs: readonly Pair[]): Pair[] {
  return pairs.filter(([name]) => !PAGING.includes(name));
}

/** The pairs that choose what matches, and those with one of these other names. */
export function choosing(pairs: readonly Pair[], ...others: string[]): Pair[] {
  return pairs.filter(([name]) => !OF_RECORDS.has(name) || others.includes(name));
}

/** The pairs with other values of one parameter, at the place of the first old one. */
export function replaced(name: string, texts: readonly string[], pairs: readonly Pair[] = place.value.pairs): Pair[] {
  const kept = withoutPaging(pairs);
  const first = kept.findIndex(([pair]) => pair === name);
  const rest = kept.filter(([pair]) => pair !== name);
  const at = first < 0 ? rest.length : kept.slice(0, first).filter(([pair]) => pair !== name).length;
  return [...rest.slice(0, at), ...texts.map((text): Pair => [name, text]), ...rest.slice(at)];
}

/** Asks the same question with other values of one parameter. */
export function set(name: string, ...texts: string[]): void {
  go(address(place.value.kind, replaced(name, texts)));
}

/** Adds a value of a parameter, or takes it away. */
export function toggled(name: string, text: string): Pair[] {
  const now = values(name);
  return replaced(name, now.includes(text) ? now.filter((other) => other !== text) : [...now, text]);
}
