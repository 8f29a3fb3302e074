// The media that releases go to, as charts show them: each has its own colour and its own pattern.

import type { Entry } from "../api";
import { either } from "../language";

/** The media, from the ground of a bar up. */
export const MEDIA = ["air", "water", "land", "all-media"];
const PATTERNS: Record<string, string> = { water: "M0 6L6 0M-1 1L1 -1M5 7L7 5", land: "M0 3H6", "all-media": "M3 0V6" };

export const mediumName = (medium: Entry): string => either(medium.label_en, medium.label_fr) ?? medium.value ?? "";

/** The name of a medium in any of these years. */
export function named(medium: string, entries: readonly Entry[]): string {
  const entry = entries.flatMap(({ medium: media = [] }) => media).find(({ value }) => value === medium);
  return entry ? mediumName(entry) : medium;
}

export function Legend({ media, entries }: { media: readonly string[]; entries: readonly Entry[] }) {
  if (media.length < 2) return null;
  return (
    <span class="legend">
      {media.map((medium) => (
        <span key={medium}>
          <i class={`swatch ${medium}`} /> {named(medium, entries)}
        </span>
      ))}
    </span>
  );
}

/** The fills of bars, which are named after `id` and their medium. */
export function Patterns({ id }: { id: string }) {
  return (
    <defs>
      {MEDIA.map((medium) => (
        <pattern key={medium} id={`${id}-${medium}`} width="6" height="6" patternUnits="userSpaceOnUse">
          <rect width="6" height="6" class={`ink-${medium}`} />
          {PATTERNS[medium] && <path d={PATTERNS[medium]} class="hatch" />}
        </pattern>
      ))}
    </defs>
  );
}
