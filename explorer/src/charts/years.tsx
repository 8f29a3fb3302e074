// Bars by year, stacked by medium where there are media.

import { useSignal } from "@preact/signals";
import { useId } from "preact/hooks";
import type { Entry } from "../api";
import type { Decimal } from "../decimal";
import type { Measure, Unit } from "../language";
import { exact, number, say, short, unitFor } from "../language";
import { amount, length } from "../measure";
import { address, go, place, replaced, values } from "../place";
import { AsTable } from "./as-table";
import { Legend, MEDIA, Patterns, mediumName } from "./media";
import type { Axis } from "./scale";
import { axis } from "./scale";
import { useWidth } from "./width";

const HEIGHT = 220;
const MARGIN = { top: 10, right: 4, bottom: 22 };
interface Bar {
  year: number;
  entry: Entry | undefined;
  total: Decimal | null;
}

interface YearsProps {
  entries: readonly Entry[];
  measure: Measure;
  /** Whether a year can be chosen. */
  isFilter: boolean;
}

/** Every year from the first to the last, those without records included. */
function bars(entries: readonly Entry[], measure: Measure): Bar[] {
  const known = new Map(entries.filter(({ value }) => value !== null).map((entry) => [Number(entry.value), entry]));
  const years = [...known.keys()];
  const [first, last] = [Math.min(...years), Math.max(...years)];
  return Array.from({ length: years.length > 0 ? last - first + 1 : 0 }, (_, index) => {
    const entry = known.get(first + index);
    return { year: first + index, entry, total: entry ? amount(entry, measure) : null };
  });
}

/** What a year has: its total, and its media where there are several. */
function told({ year, entry, total }: Bar, measure: Measure): string {
  const whole = `${year}: ${total === null ? "–" : short(total, measure)}`;
  const media = entry?.medium ?? [];
  const parts = media.flatMap((medium) => {
    const has = amount(medium, measure);
    return has === null ? [] : [say("chart.part", { name: mediumName(medium), value: short(has, measure) })];
  });
  return parts.length > 1 ? `${whole} (${parts.join(", ")})` : whole;
}

export function Years({ entries, measure, isFilter }: YearsProps) {
  const all = bars(entries, measure);
  const [plot, width] = useWidth();
  const chosen = useSignal<number | null>(null);
  const id = useId();
  const isStacked = entries.some((entry) => entry.medium);
  const title = say(measure === "mass" && !isStacked ? "chart.years.plain" : `chart.years.${measure}`);
  const top = all.reduce<Bar | null>((most, bar) => (length(bar.total) > length(most?.total ?? null) ? bar : most), null);
  if (all.length === 0 || top === null || top.total === null) return <p class="soft">{say("chart.none")}</p>;
  const unit = unitFor(top.total, measure);
  const inUnit = (value: Decimal | null): number => length(value) / 10 ** unit.power;
  const [first, last] = [all[0]?.year ?? 0, all[all.length - 1]?.year ?? 0];
  const range = { first: String(first), last: String(last), top: short(top.total, measure), year: String(top.year) };
  const summary = say("chart.years.summary", { title, ...range });
  const current = Math.min(Math.max(chosen.value ?? top.year, first), last);
  const pick = (year: number): void => {
    // A second time shows all years again.
    const isOnly = values("year").join() === String(year);
    if (isFilter) go(address(place.value.kind, replaced("year", isOnly ? [] : [String(year)])));
  };
  const keys: Record<string, () => number> = {
    ArrowLeft: () => current - 1,
    ArrowRight: () => current + 1,
    ArrowDown: () => current - 1,
    ArrowUp: () => current + 1,
    Home: () => first,
    End: () => last,
  };
  const press = (event: KeyboardEvent): void => {
    const to = keys[event.key];
    if (to) chosen.value = Math.min(Math.max(to(), first), last);
    else if (event.key === "Enter") pick(current);
    else if (event.key === "Escape") chosen.value = null;
    else return;
    event.preventDefault();
  };
  const scale = axis(inUnit(top.total));
  const left = 12 + 7.5 * Math.max(...scale.ticks.map((tick) => number(String(tick)).length));
  const step = (width - left - MARGIN.right) / all.length;
  const yearAt = (event: PointerEvent | MouseEvent): number => {
    const x = event.clientX - (event.currentTarget as Element).getBoundingClientRect().left;
    return first + Math.min(all.length - 1, Math.max(0, Math.floor(x / step)));
  };
  const now = all[current - first];
  const media = MEDIA.filter((medium) => entries.some((entry) => entry.medium?.some(({ value }) => value === medium)));
  return (
    <figure class="chart">
      <figcaption>
        <strong>{title}</strong> <span class="soft">{measure === "count" ? "" : say("chart.axis", { unit: say(unit.name) })}</span>
        <Legend media={media} entries={entries} />
      </figcaption>
      <div class="plot" ref={plot} style={{ height: `${HEIGHT}px` }}>
        {width > 0 && (
          <svg role="img" aria-label={summary} width={width} height={HEIGHT} viewBox={`0 0 ${width} ${HEIGHT}`}>
            <Patterns id={id} />
            <Grid scale={scale} left={left} right={width - MARGIN.right} />
            {all.map((bar, index) => (
              <Stack key={bar.year} {...{ bar, measure, scale, unit, id }} x={left + index * step} width={step} isCurrent={chosen.value === bar.year} />
            ))}
            <Labels all={all} left={left} step={step} />
          </svg>
        )}
        <div
          class="scrub"
          style={{ left: `${left}px`, right: `${MARGIN.right}px`, bottom: `${MARGIN.bottom}px` }}
          role="slider"
          tabIndex={0}
          aria-label={title}
          aria-describedby={isFilter ? `${id}-hint` : undefined}
          aria-valuemin={first}
          aria-valuemax={last}
          aria-valuenow={current}
          aria-valuetext={now ? told(now, measure) : ""}
          onKeyDown={press}
          onPointerMove={(event) => (chosen.value = yearAt(event))}
          onPointerLeave={() => (chosen.value = null)}
          onClick={(event) => pick(yearAt(event))}
        />
      </div>
      <p class="readout" aria-hidden="true">
        {chosen.value !== null && now ? told(now, measure) : summary}
      </p>
      {isFilter && (
        <p id={`${id}-hint`} class="hidden">
          {say("chart.years.hint")}
        </p>
      )}
      <Table {...{ all, media, measure, title }} />
    </figure>
  );
}

const high = (value: number, scale: Axis): number => (value / scale.top) * (HEIGHT - MARGIN.top - MARGIN.bottom);

function Grid({ scale, left, right }: { scale: Axis; left: number; right: number }) {
  return (
    <g class="grid">
      {scale.ticks.map((tick) => {
        const y = HEIGHT - MARGIN.bottom - high(tick, scale);
        return (
          <g key={tick}>
            <line x1={left} x2={right} y1={y} y2={y} class={tick === 0 ? "zero" : ""} />
            <text x={left - 6} y={y + 4} text-anchor="end">
              {number(String(tick))}
            </text>
          </g>
        );
      })}
    </g>
  );
}

/** As many years as have room. */
function Labels({ all, left, step }: { all: readonly Bar[]; left: number; step: number }) {
  const every = [1, 2, 5, 10, 20].find((one) => one * step >= 42) ?? 50;
  return (
    <g class="grid">
      {all.map(({ year }, index) =>
        year % every === 0 || all.length === 1 ? (
          <text key={year} x={left + (index + 0.5) * step} y={HEIGHT - 6} text-anchor="middle">
            {year}
          </text>
        ) : null,
      )}
    </g>
  );
}

interface StackProps {
  bar: Bar;
  measure: Measure;
  scale: Axis;
  unit: Unit;
  id: string;
  x: number;
  width: number;
  isCurrent: boolean;
}

/** Whether a year is in a value of the filter, 2019 or 2010-2019. */
function isIn(year: number, range: string): boolean {
  const [first = "", last = first] = range.split(/[-–]/);
  return Number(first) <= year && year <= Number(last);
}

function Stack({ bar, measure, scale, unit, id, x, width, isCurrent }: StackProps) {
  const chosen = values("year");
  const isOut = chosen.length > 0 && !chosen.some((range) => isIn(bar.year, range));
  const parts: [string, Decimal | null][] = bar.entry?.medium
    ? MEDIA.map((medium) => {
        const entry = bar.entry?.medium?.find(({ value }) => value === medium);
        return [medium, entry ? amount(entry, measure) : null];
      })
    : [["air", bar.total]];
  const size = Math.min(56, width - Math.min(4, width * 0.2));
  let y = HEIGHT - MARGIN.bottom;
  return (
    <g class={`bar${isCurrent ? " current" : ""}${isOut ? " out" : ""}`}>
      {parts.map(([medium, value]) => {
        const height = high(length(value) / 10 ** unit.power, scale);
        if (height <= 0) return null;
        y -= height;
        return <rect key={medium} x={x + (width - size) / 2} y={y} width={Math.max(1, size)} height={height} fill={`url(#${id}-${medium})`} />;
      })}
    </g>
  );
}

function Table({ all, media, measure, title }: { all: readonly Bar[]; media: readonly string[]; measure: Measure; title: string }) {
  const stacked = media.length > 1 ? media : [];
  const shown = (value: Decimal | null): string => (value === null ? say("records.unknown") : exact(value, measure));
  const of = (bar: Bar, medium: string): Entry | undefined => bar.entry?.medium?.find(({ value }) => value === medium);
  const name = (medium: string): string => {
    const entry = all.map((bar) => of(bar, medium)).find(Boolean);
    return entry ? mediumName(entry) : medium;
  };
  const rows = all.map((bar) => {
    const parts = stacked.map((medium) => of(bar, medium)).map((entry) => shown(entry ? amount(entry, measure) : null));
    return [String(bar.year), ...parts, shown(bar.total)];
  });
  return <AsTable title={title} heads={[say("records.year"), ...stacked.map(name), say("chart.total")]} rows={rows} />;
}
