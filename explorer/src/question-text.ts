// The question in words, for what leaves the page: pictures and frames on other sites.

import { named, say } from "./language";
import { isFilter, shownValue } from "./parts/chips";
import type { Place } from "./place";
import { address, place, value } from "./place";
import { answerOf } from "./session";

/** What a chart is about: the inventory with the words and filters, or the heading of the view. */
export function questionText(): string {
  const { kind, path, pairs } = place.value;
  const heading = document.querySelector("h1:not(.hidden)")?.textContent;
  if (path !== "/" && path !== "/embed") return heading ?? "";
  const answer = answerOf(kind);
  const q = value("q");
  const filters = pairs.filter(isFilter).map((pair) => say("chart.part", { name: named("name", pair[0]), value: shownValue(pair, answer) }));
  return [say(`kind.${kind}`), ...(q ? [say("question.words", { q })] : []), ...filters].join(" · ");
}

/** The address of a question on the page itself, on any site. */
export function fullAddress({ kind, pairs, path, view }: Place): string {
  const isPage = path !== "/embed";
  const shown = view === "map" || (isPage && view === "compare") ? view : null;
  return location.origin + address(kind, pairs, isPage ? path : "/", shown);
}
