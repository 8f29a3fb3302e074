// What the shades and the circles of a map mean. The shades are also the way into the map without a
// pointer: a province is chosen by its button.

import type { Entry } from "../api";
import type { Measure } from "../language";
import { either, say, short } from "../language";
import { amount, length } from "../measure";
import { address, go, place, toggled, values } from "../place";
import type { Dots } from "./dots";
import { radius } from "./dots";

/** How many shades a province may have. */
const SHADES = 5;
/** How many sizes of circles are shown, each a tenth of the one before. */
const SIZES = 3;

/** The provinces that have some amount, the largest first. */
export function ranked(provinces: readonly Entry[], measure: Measure): Entry[] {
  const some = provinces.filter((entry) => entry.value !== null && length(amount(entry, measure)) > 0);
  return some.sort((one, other) => length(amount(other, measure)) - length(amount(one, measure)));
}

/** The shade of a province by the rank of its amount; 0 is none. */
export function shade(code: string, all: readonly Entry[]): number {
  const rank = all.findIndex(({ value }) => value === code);
  return rank < 0 ? 0 : SHADES - Math.floor((rank * SHADES) / Math.max(SHADES, all.length));
}

/** Round amounts up to the largest one: as the API writes them, and as floats. */
export function sizes({ largest }: Dots, measure: Measure): { text: string; value: number }[] {
  if (!(largest > 0)) return [];
  const top = Math.floor(Math.log10(largest));
  const powers = Array.from({ length: SIZES }, (_, index) => top - index);
  const all = powers.map((power) => ({ text: power < 0 ? `0.${"0".repeat(-power - 1)}1` : `1${"0".repeat(power)}`, value: 10 ** power }));
  // There are no parts of a record.
  return all.filter(({ value }) => measure !== "count" || value >= 1);
}

function Circles({ dots, measure }: { dots: Dots; measure: Measure }) {
  return (
    <ul class="circles" aria-label={say("map.circles")}>
      {sizes(dots, measure).map(({ text, value }) => {
        const size = radius(value / dots.largest, dots.ids.length) * 2;
        return (
          <li key={text}>
            <span class="circle" style={{ width: `${size}px`, height: `${size}px` }} /> {short(text, measure)}
          </li>
        );
      })}
    </ul>
  );
}

interface LegendProps {
  dots: Dots;
  /** See [`ranked`]. */
  provinces: readonly Entry[];
  measure: Measure;
}

export function Legend({ dots, provinces, measure }: LegendProps) {
  const chosen = values("province");
  return (
    <div class="map-legend">
      <Circles dots={dots} measure={measure} />
      <ul class="provinces" aria-label={say("map.provinces")}>
        {provinces.map((entry) => {
          const code = entry.value ?? "";
          return (
            <li key={code}>
              <button aria-pressed={chosen.includes(code)} onClick={() => go(address(place.value.kind, toggled("province", code)))}>
                <span class={`shade shade-${shade(code, provinces)}`} /> {either(entry.label_en, entry.label_fr) ?? code} <span class="soft">{short(amount(entry, measure) ?? "0", measure)}</span>
              </button>
            </li>
          );
        })}
      </ul>
    </div>
  );
}
