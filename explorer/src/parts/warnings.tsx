// What must be known of the numbers below.

import type { Answer } from "../api";
import type { Measure } from "../language";
import { count } from "../language";
import { measureAt } from "../measure";
import { place } from "../place";

/** The warnings on numbers of this measure; what a list leaves out stands below that list. */
export function cautions(answer: Answer | null, measure: Measure): string[] {
  const concerns = (code: string): boolean => code !== "facet-limited" && (code !== "mixed-substances" || measure !== "count");
  const found = (answer?.warnings ?? []).filter(({ code }) => concerns(code));
  return found.map(({ detail, substances }) => (substances === undefined ? detail : count("warning.substances", substances)));
}

export function Warnings({ answer }: { answer: Answer }) {
  const shown = cautions(answer, measureAt(place.value));
  if (shown.length === 0) return null;
  return (
    <ul class="warnings">
      {shown.map((text) => (
        <li key={text}>{text}</li>
      ))}
    </ul>
  );
}
