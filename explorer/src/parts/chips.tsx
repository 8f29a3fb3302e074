// The filters of the question, each with a button that takes it away.

import type { Answer } from "../api";
import { either, named, number, say } from "../language";
import type { Pair } from "../place";
import { address, go, place, withoutPaging } from "../place";
import { PARAMETERS, labelOf } from "../remembered";

/** The parameters that say how an answer is shown, not what it is about. */
const SHOWING = new Set(["q", "sort_by", "sort_order", "limit", "facets", "facet_sort", "facet_limit", "value_unit", "cursor", "offset"]);

export function isFilter([name]: Pair): boolean {
  return !SHOWING.has(name);
}

/** What a filter is called: the label of a facet's value where one is known. */
export function shownValue([name, text]: Pair, answer: Answer | null): string {
  const facet = Object.keys(PARAMETERS).find((one) => PARAMETERS[one] === name);
  const entry = facet ? labelOf(facet, text, answer) : undefined;
  const label = entry ? either(entry.label_en, entry.label_fr) : null;
  if (label !== null && name !== "year") return label;
  const [, first, last] = (name === "year" && /^(\d{4})[-–](\d{4})$/.exec(text)) || [];
  if (first && last) return say("years.range", { first, last });
  const isNumber = (name === "value_min" || name === "value_max") && /^\d+(\.\d+)?$/.test(text);
  return isNumber ? number(text) : text;
}

export function Chips({ answer }: { answer: Answer | null }) {
  const { kind, pairs } = place.value;
  const chosen = pairs.filter(isFilter);
  if (chosen.length === 0) return null;
  const without = (gone: Pair): void =>
    go(address(kind, withoutPaging(pairs).filter((pair) => pair !== gone && !(gone[0] === "near" && pair[0] === "within_km"))));
  return (
    <ul class="chips" aria-label={say("chips.label")}>
      {chosen.map((pair) => {
        const [name, text] = [named("name", pair[0]), shownValue(pair, answer)];
        return (
          <li key={pair.join("=")}>
            <button class="chip" aria-label={say("chips.remove", { name, value: text })} onClick={() => without(pair)}>
              <span class="chip-name">{name}</span> {text} <span aria-hidden="true">×</span>
            </button>
          </li>
        );
      })}
      <li>
        <button class="plain" onClick={() => go(address(kind, withoutPaging(pairs).filter((pair) => !isFilter(pair))))}>
          {say("chips.clear")}
        </button>
      </li>
    </ul>
  );
}
