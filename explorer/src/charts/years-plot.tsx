// The bars by year themselves: an axis, the years, and a stack for each of them.

import type { Entry } from "../api";
import type { Decimal } from "../decimal";
import type { Measure, Unit } from "../language";
import { exact, number, say, short, unitFor } from "../language";
import { amount, length } from "../measure";
import { values } from "../place";
import { MEDIA, Patterns, mediumName } from "./media";
import type { Axis } from "./scale";
import { axis } from "./scale";

export const MARGIN = { top: 10, right: 4, bottom: 22 };

export interface Bar {
  year: number;
  entry: Entry | undefined;
  total: Decimal | null;
}

/** Every year from the first to the last, those without records included. */
export function bars(entries: readonly Entry[], measure: Measure): Bar[] {
  const known = new Map(entries.filter(({ value }) => value !== null).map((entry) => [Number(entry.value), entry]));
  const years = [...known.keys()];
  const [first, last] = [Math.min(...years), Math.max(...years)];
  return Array.from({ length: years.length > 0 ? last - first + 1 : 0 }, (_, index) => {
    const entry = known.get(first + index);
    return { year: first + index, entry, total: entry ? amount(entry, measure) : null };
  });
}

/** What a year has: its total, and its media where there are several. */
export function told({ year, entry, total }: Bar, measure: Measure, write: typeof short | typeof exact = short): string {
  const whole = `${year}: ${total === null ? "–" : write(total, measure)}`;
  const media = entry?.medium ?? [];
  const parts = media.flatMap((medium) => {
    const has = amount(medium, measure);
    return has === null ? [] : [say("chart.part", { name: mediumName(medium), value: write(has, measure) })];
  });
  return parts.length > 1 ? `${whole} (${parts.join(", ")})` : whole;
}

/** Where the bars stand, in pixels. */
export interface Ground {
  unit: Unit;
  scale: Axis;
  left: number;
  step: number;
  width: number;
  height: number;
}

/** The ground of bars of which `top` is the largest amount. */
export function ground(all: readonly Bar[], top: Decimal, measure: Measure, width: number, height: number): Ground {
  const unit = unitFor(top, measure);
  const scale = axis(length(top) / 10 ** unit.power);
  const left = 12 + 7.5 * Math.max(...scale.ticks.map((tick) => number(String(tick)).length));
  return { unit, scale, left, step: (width - left - MARGIN.right) / all.length, width, height };
}

interface PlotProps {
  all: readonly Bar[];
  measure: Measure;
  on: Ground;
  /** The first part of the ids of its patterns. */
  id: string;
  /** The year that is pointed at. */
  current?: number | null;
  /** Whether each bar says its numbers, where nothing else does. */
  isTold?: boolean;
}

export function YearsPlot({ all, measure, on, id, current = null, isTold = false }: PlotProps) {
  return (
    <>
      <Patterns id={id} />
      <Grid on={on} />
      {all.map((bar, index) => (
        <Stack key={bar.year} {...{ bar, measure, on, id, isTold }} x={on.left + index * on.step} isCurrent={current === bar.year} />
      ))}
      <Labels all={all} on={on} />
    </>
  );
}

const high = (value: number, { scale, height }: Ground): number => (value / scale.top) * (height - MARGIN.top - MARGIN.bottom);

function Grid({ on }: { on: Ground }) {
  return (
    <g class="grid">
      {on.scale.ticks.map((tick) => {
        const y = on.height - MARGIN.bottom - high(tick, on);
        return (
          <g key={tick}>
            <line x1={on.left} x2={on.width - MARGIN.right} y1={y} y2={y} class={tick === 0 ? "zero" : ""} />
            <text x={on.left - 6} y={y + 4} text-anchor="end">
              {number(String(tick))}
            </text>
          </g>
        );
      })}
    </g>
  );
}

/** As many years as have room. */
function Labels({ all, on: { left, step, height } }: { all: readonly Bar[]; on: Ground }) {
  const every = [1, 2, 5, 10, 20].find((one) => one * step >= 42) ?? 50;
  return (
    <g class="grid">
      {all.map(({ year }, index) =>
        year % every === 0 || all.length === 1 ? (
          <text key={year} x={left + (index + 0.5) * step} y={height - 6} text-anchor="middle">
            {year}
          </text>
        ) : null,
      )}
    </g>
  );
}

/** Whether a year is in a value of the filter, 2019 or 2010-2019. */
function isIn(year: number, range: string): boolean {
  const [first = "", last = first] = range.split(/[-–]/);
  return Number(first) <= year && year <= Number(last);
}

interface StackProps {
  bar: Bar;
  measure: Measure;
  on: Ground;
  id: string;
  x: number;
  isCurrent: boolean;
  isTold: boolean;
}

function Stack({ bar, measure, on, id, x, isCurrent, isTold }: StackProps) {
  const chosen = values("year");
  const isOut = chosen.length > 0 && !chosen.some((range) => isIn(bar.year, range));
  const parts: [string, Decimal | null][] = bar.entry?.medium
    ? MEDIA.map((medium) => {
        const entry = bar.entry?.medium?.find(({ value }) => value === medium);
        return [medium, entry ? amount(entry, measure) : null];
      })
    : [["air", bar.total]];
  const size = Math.min(56, on.step - Math.min(4, on.step * 0.2));
  let y = on.height - MARGIN.bottom;
  return (
    <g class={`bar${isCurrent ? " current" : ""}${isOut ? " out" : ""}`}>
      {isTold && <title>{told(bar, measure, exact)}</title>}
      {parts.map(([medium, value]) => {
        const height = high(length(value) / 10 ** on.unit.power, on);
        if (height <= 0) return null;
        y -= height;
        return <rect key={medium} x={x + (on.step - size) / 2} y={y} width={Math.max(1, size)} height={height} fill={`url(#${id}-${medium})`} />;
      })}
    </g>
  );
}
