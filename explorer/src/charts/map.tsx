// Canada with every facility of an answer: provinces shaded by their amounts, under a circle for each
// facility. Its legend leads into the provinces, and a table beside it has the largest facilities.

import { signal, useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import type { Entry, FacetInfo, Places } from "../api";
import type { Measure } from "../language";
import { count, either, exact, number, say, short } from "../language";
import { amount } from "../measure";
import { Link } from "../parts/link";
import { address, go, isEmbedded } from "../place";
import { facilityOf } from "../session";
import { AsTable } from "./as-table";
import { dotsOf } from "./dots";
import { Legend, ranked, shade } from "./map-legend";
import type { Pointed, Shapes } from "./plot";
import { Plot } from "./plot";

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

/** How long something is pointed at until its name is asked for, in milliseconds. */
const REST = 120;

const page = (facility: string): string => address("release", [], `/facility/${encodeURIComponent(facility)}`);

/** The name of a facility and where it is. */
function titled(entry: Entry): string {
  const name = either(entry.label_en, entry.label_fr) ?? say("records.unnamed");
  return [name, entry.city, entry.province].filter(Boolean).join(", ");
}

function told(entry: Entry, measure: Measure): string {
  const has = amount(entry, measure);
  return has === null ? say("records.unknown") : short(has, measure);
}

/** The facility that is pointed at: one of the listed ones, or one that is asked for after a rest. */
function useFacility(id: string | undefined, entries: readonly Entry[]): Entry | null {
  const asked = useSignal<Entry | null>(null);
  const listed = useMemo(() => entries.find(({ value }) => value === id), [entries, id]);
  useEffect(() => {
    // The pass of a frame is good for the question of its chart alone.
    if (id === undefined || listed || isEmbedded) return undefined;
    let isGone = false;
    const show = (entry: Entry | null): void => {
      if (!isGone) asked.value = entry;
    };
    const timer = setTimeout(() => void facilityOf(id).then(show), REST);
    return () => {
      isGone = true;
      clearTimeout(timer);
    };
  }, [id, listed]);
  return listed ?? (asked.value?.value === id ? asked.value : null);
}

interface ReadoutProps {
  pointed: Pointed;
  entries: readonly Entry[];
  provinces: readonly Entry[];
  measure: Measure;
  otherwise: string;
}

function Readout({ pointed: { facility, province }, entries, provinces, measure, otherwise }: ReadoutProps) {
  const entry = useFacility(facility, entries);
  const shown = provinces.find(({ value }) => value === province);
  if (facility !== undefined) {
    return (
      <p class="readout">
        <Link to={page(facility)}>{entry ? titled(entry) : say("facility.id", { id: facility })}</Link>
        {entry && `: ${told(entry, measure)}`}
      </p>
    );
  }
  return <p class="readout">{shown ? `${either(shown.label_en, shown.label_fr)}: ${told(shown, measure)}` : otherwise}</p>;
}

interface MapProps {
  places: Places;
  /** The facilities that the table has, with their names. */
  entries: readonly Entry[];
  info: FacetInfo | undefined;
  provinces: readonly Entry[];
  measure: Measure;
}

export function CanadaMap({ places, entries, info, provinces, measure }: MapProps) {
  const pointed = useSignal<Pointed>({});
  const dots = useMemo(() => dotsOf(places, measure), [places, measure]);
  const byAmount = useMemo(() => ranked(provinces, measure), [provinces, measure]);
  if (shapes.value === null && !isAsked) void load();
  const title = say("map.title");
  const summary = say("map.summary", { title, n: number(String(dots.ids.length)) });
  const point = (now: Pointed): void => {
    const { facility, province } = pointed.value;
    if (facility !== now.facility || province !== now.province) pointed.value = now;
  };
  return (
    <figure class="chart map">
      <figcaption>
        <strong>{title}</strong> <span class="soft">{say("map.how")}</span>
      </figcaption>
      <Plot dots={dots} shapes={shapes.value} shade={(code) => shade(code, byAmount)} summary={summary} pointed={pointed.value} onPoint={point} onOpen={(facility) => go(page(facility))} />
      <Readout pointed={pointed.value} entries={entries} provinces={byAmount} measure={measure} otherwise={summary} />
      <Legend dots={dots} provinces={byAmount} measure={measure} />
      {places.nowhere.facilities > 0 && <p class="hint">{count("map.nowhere", String(places.nowhere.facilities))}</p>}
      <FacilityTable title={title} entries={entries} info={info} measure={measure} />
    </figure>
  );
}

interface TableProps {
  title: string;
  entries: readonly Entry[];
  info: FacetInfo | undefined;
  measure: Measure;
}

/** The largest facilities by name. Drawing it takes longer than the map, so it waits for other entries. */
function FacilityTable({ title, entries, info, measure }: TableProps) {
  return useMemo(() => {
    const rows = entries.map((entry) => {
      const has = amount(entry, measure);
      return [titled(entry), has === null ? say("records.unknown") : exact(has, measure)];
    });
    const isCut = info !== undefined && info.left_out !== "0";
    return (
      <>
        <AsTable title={title} heads={[say("records.facility"), say("chart.total")]} rows={rows} />
        {isCut && <p class="hint">{say("map.table", { shown: number(String(entries.length)), n: number(info.values) })}</p>}
      </>
    );
  }, [title, entries, info, measure]);
}
