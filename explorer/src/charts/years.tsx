// Bars by year, stacked by medium where there are media.

import { useSignal } from "@preact/signals";
import { useId } from "preact/hooks";
import type { Entry } from "../api";
import type { Decimal } from "../decimal";
import type { Measure } from "../language";
import { exact, say, short } from "../language";
import { amount, length } from "../measure";
import { address, go, place, replaced, values } from "../place";
import { AsTable } from "./as-table";
import { ChartFiles } from "./files";
import { Legend, MEDIA, named } from "./media";
import type { Sheet } from "./sheet";
import { useWidth } from "./width";
import type { Bar } from "./years-plot";
import { MARGIN, YearsPlot, bars, ground, told } from "./years-plot";

/** The least and the largest height, and that for each pixel of width in between. */
const [LEAST, MOST, FORM] = [200, 320, 0.66];
/** The height in a file, which is wider than most screens leave room for. */
const SHEET_HEIGHT = 320;

interface YearsProps {
  entries: readonly Entry[];
  measure: Measure;
  /** Whether a year can be chosen. */
  isFilter: boolean;
}

export function Years({ entries, measure, isFilter }: YearsProps) {
  const all = bars(entries, measure);
  const [plot, width] = useWidth();
  const chosen = useSignal<number | null>(null);
  const id = useId();
  const isStacked = entries.some((entry) => entry.medium);
  const heading = say(measure === "mass" && !isStacked ? "chart.years.plain" : `chart.years.${measure}`);
  const top = all.reduce<Bar | null>((most, bar) => (length(bar.total) > length(most?.total ?? null) ? bar : most), null);
  if (all.length === 0 || top === null || top.total === null) return <p class="soft">{say("chart.none")}</p>;
  const largest = top.total;
  const height = Math.round(Math.min(MOST, Math.max(LEAST, width * FORM)));
  const on = ground(all, largest, measure, width, height);
  const [first, last] = [all[0]?.year ?? 0, all[all.length - 1]?.year ?? 0];
  const range = { first: String(first), last: String(last), top: short(largest, measure), year: String(top.year) };
  const summary = say("chart.years.summary", { title: heading, ...range });
  const unit = measure === "count" ? "" : say("chart.axis", { unit: say(on.unit.name) });
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
  const yearAt = (event: PointerEvent | MouseEvent): number => {
    const x = event.clientX - (event.currentTarget as Element).getBoundingClientRect().left;
    return first + Math.min(all.length - 1, Math.max(0, Math.floor(x / on.step)));
  };
  const now = all[current - first];
  const media = MEDIA.filter((medium) => entries.some((entry) => entry.medium?.some(({ value }) => value === medium)));
  const sheet: Sheet = {
    name: "years",
    measure,
    title: unit ? `${heading}, ${unit}` : heading,
    summary,
    legend: media.length > 1 ? media.map((medium) => ({ fill: `url(#sheet-${medium})`, name: named(medium, entries) })) : [],
    height: SHEET_HEIGHT,
    draw: (wide) => <YearsPlot {...{ all, measure }} on={ground(all, largest, measure, wide, SHEET_HEIGHT)} id="sheet" isTold />,
  };
  return (
    <figure class="chart">
      <figcaption>
        <strong>{heading}</strong> <span class="soft">{unit}</span>
        <Legend media={media} entries={entries} />
      </figcaption>
      <div class="plot" ref={plot} style={{ aspectRatio: `1 / ${FORM}`, minHeight: `${LEAST}px`, maxHeight: `${MOST}px` }}>
        {width > 0 && (
          <svg role="img" aria-label={summary} width={width} height={height} viewBox={`0 0 ${width} ${height}`}>
            <YearsPlot {...{ all, measure, on, id }} current={chosen.value} />
          </svg>
        )}
        <div
          class="scrub"
          style={{ left: `${on.left}px`, right: `${MARGIN.right}px`, bottom: `${MARGIN.bottom}px` }}
          role="slider"
          tabIndex={0}
          aria-label={heading}
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
      <div class="below-chart">
        <Table {...{ all, media, measure, entries }} title={heading} />
        <ChartFiles sheet={sheet} />
      </div>
    </figure>
  );
}

interface TableProps {
  all: readonly Bar[];
  entries: readonly Entry[];
  media: readonly string[];
  measure: Measure;
  title: string;
}

function Table({ all, entries, media, measure, title }: TableProps) {
  const stacked = media.length > 1 ? media : [];
  const shown = (value: Decimal | null): string => (value === null ? say("records.unknown") : exact(value, measure));
  const rows = all.map((bar) => {
    const parts = stacked.map((medium) => bar.entry?.medium?.find(({ value }) => value === medium));
    return [String(bar.year), ...parts.map((entry) => shown(entry ? amount(entry, measure) : null)), shown(bar.total)];
  });
  const heads = stacked.map((medium) => named(medium, entries));
  return <AsTable title={title} heads={[say("records.year"), ...heads, say("chart.total")]} rows={rows} />;
}
