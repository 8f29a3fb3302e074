// Canada with the facilities of an answer: provinces shaded by their amounts, under a circle for each
// facility. Everything on it is also in the lists and tables beside it.

import { signal, useSignal } from "@preact/signals";
import type { Entry, FacetInfo } from "../api";
import type { Measure } from "../language";
import { count, either, exact, number, say, short } from "../language";
import { amount, length } from "../measure";
import { address, go } from "../place";
import { AsTable } from "./as-table";
import { HEIGHT, WIDTH, project } from "./lambert";
import { useWidth } from "./width";

interface Shapes {
  provinces: Record<string, string>;
  lakes: string;
}

/** Loaded once, when a map is first shown. */
const shapes = signal<Shapes | null>(null);
let isAsked = false;

async function load(): Promise<void> {
  isAsked = true;
  try {
    shapes.value = (await (await fetch("/explorer/map.json")).json()) as Shapes;
  } catch {
    // The circles stand without the shapes, and the next map tries again.
    isAsked = false;
  }
}

interface Dot {
  entry: Entry;
  x: number;
  y: number;
  /** The share of the largest amount. */
  share: number;
}

interface MapProps {
  entries: readonly Entry[];
  info: FacetInfo | undefined;
  provinces: readonly Entry[];
  measure: Measure;
}

/** How many shades a province may have. */
const SHADES = 5;
/** The smallest part of the country that is shown: about 250 km. */
const SMALLEST = 120;

function dots(entries: readonly Entry[], measure: Measure): Dot[] {
  const placed = entries.filter(({ latitude, longitude }) => latitude != null && longitude != null);
  const largest = Math.max(...placed.map((entry) => length(amount(entry, measure))), 0);
  const all = placed.map((entry) => {
    const [x, y] = project(Number(entry.longitude), Number(entry.latitude));
    return { entry, x, y, share: largest > 0 ? Math.max(0, length(amount(entry, measure)) / largest) : 0 };
  });
  // Small circles stand on large ones, so that all can be pointed at.
  return all.sort((one, other) => other.share - one.share);
}

/** The part of the drawing with all circles in it, in the form of the whole. */
function frame(all: readonly Dot[]): { x: number; y: number; width: number } {
  const inside = all.filter(({ x, y }) => x >= 0 && x <= WIDTH && y >= 0 && y <= HEIGHT);
  if (inside.length === 0) return { x: 0, y: 0, width: WIDTH };
  const [xs, ys] = [inside.map(({ x }) => x), inside.map(({ y }) => y)];
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const wide = Math.max(right - left, ((bottom - top) * WIDTH) / HEIGHT, SMALLEST) * 1.25;
  // Nearly all of the country is shown whole.
  const width = wide > 0.65 * WIDTH ? WIDTH : wide;
  const within = (middle: number, size: number, whole: number): number => Math.min(whole - size, Math.max(0, middle - size / 2));
  const height = (width * HEIGHT) / WIDTH;
  return { x: within((left + right) / 2, width, WIDTH), y: within((top + bottom) / 2, height, HEIGHT), width };
}

/** The shade of a province by the rank of its amount. */
function shade(code: string, provinces: readonly Entry[], measure: Measure): number {
  const ranked = provinces.filter((entry) => length(amount(entry, measure)) > 0).sort((one, other) => length(amount(other, measure)) - length(amount(one, measure)));
  const rank = ranked.findIndex(({ value }) => value === code);
  return rank < 0 ? 0 : SHADES - Math.floor((rank * SHADES) / Math.max(SHADES, ranked.length));
}

/** The name of a facility and where it is. */
function titled(entry: Entry): string {
  const name = either(entry.label_en, entry.label_fr) ?? say("records.unnamed");
  return [name, entry.city, entry.province].filter(Boolean).join(", ");
}

function told(entry: Entry, measure: Measure): string {
  const has = amount(entry, measure);
  return `${titled(entry)}: ${has === null ? say("records.unknown") : short(has, measure)}`;
}

export function CanadaMap({ entries, info, provinces, measure }: MapProps) {
  const [plot, width] = useWidth();
  const pointed = useSignal<Entry | null>(null);
  if (shapes.value === null && !isAsked) void load();
  const all = dots(entries, measure);
  const { x, y, width: part } = frame(all);
  const unit = width > 0 ? part / width : 1;
  const left = Number(info?.left_out ?? 0) + entries.length - all.length;
  const title = say("map.title");
  const summary = say("map.summary", { title, n: number(String(all.length)) });
  return (
    <figure class="chart map">
      <figcaption>
        <strong>{title}</strong> <span class="soft">{say("map.how")}</span>
      </figcaption>
      <div class="plot" ref={plot}>
        {width > 0 && (
          <svg role="img" aria-label={summary} width={width} height={(width * HEIGHT) / WIDTH} viewBox={`${x} ${y} ${part} ${(part * HEIGHT) / WIDTH}`}>
            {shapes.value && (
              <g class="land">
                {Object.entries(shapes.value.provinces).map(([code, path]) => (
                  <path key={code} d={path} class={`shade-${shade(code, provinces, measure)}`} />
                ))}
                <path d={shapes.value.lakes} class="lakes" />
              </g>
            )}
            <g class="dots" onPointerLeave={() => (pointed.value = null)}>
              {all.map(({ entry, x: cx, y: cy, share }) => (
                <circle
                  key={entry.value}
                  cx={cx}
                  cy={cy}
                  r={(2.5 + 15 * Math.sqrt(share)) * unit}
                  class={pointed.value === entry ? "pointed" : ""}
                  onPointerEnter={() => (pointed.value = entry)}
                  onClick={() => go(address("release", [], `/facility/${encodeURIComponent(entry.value ?? "")}`))}
                />
              ))}
            </g>
          </svg>
        )}
      </div>
      <p class="readout" aria-hidden="true">
        {pointed.value ? told(pointed.value, measure) : summary}
      </p>
      {left > 0 && <p class="hint">{count("map.left", String(left))}</p>}
      <AsTable
        title={title}
        heads={[say("records.facility"), say("chart.total")]}
        rows={all.map(({ entry }) => {
          const has = amount(entry, measure);
          return [titled(entry), has === null ? say("records.unknown") : exact(has, measure)];
        })}
      />
    </figure>
  );
}
