// Canada with every facility of an answer: provinces shaded by their amounts, under a circle for each
// facility. Its legend leads into the provinces, and a table beside it has the largest facilities.

import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import type { Entry, FacetInfo, Places } from "../api";
import type { Measure } from "../language";
import { count, either, exact, number, say, short } from "../language";
import { amount } from "../measure";
import { Link } from "../parts/link";
import { address, go, isEmbedded } from "../place";
import { facilityOf } from "../session";
import { AsTable } from "./as-table";
import type { Frame } from "./dots";
import { dotsOf, home } from "./dots";
import { ChartFiles } from "./files";
import { Legend, ranked, shade } from "./map-legend";
import type { Picture } from "./map-sheet";
import { MapPicture, pictureHeight } from "./map-sheet";
import type { Pointed } from "./plot";
import { Plot } from "./plot";
import { shapes } from "./shapes";
import type { Sheet } from "./sheet";
import { INNER } from "./sheet";

/** How long something is pointed at until its name is asked for, in milliseconds. */
const REST = 120;

const page = (facility: string): string => address("release", [], `/facility/${encodeURIComponent(facility)}`);

/** The name of a facility and where it is. */
function titled(entry: Entry): string {
  const name = either(entry.label_en, entry.label_fr) ?? say("records.unnamed");
  return [name, entry.city, entry.province].filter(Boolean).join(", ");
}

function told(entry: Entry, measure: Measure, write: typeof short | typeof exact = short): string {
  const has = amount(entry, measure);
  return has === null ? say("records.unknown") : write(has, measure);
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
  const chosen = useSignal<Frame | null>(null);
  const dots = useMemo(() => dotsOf(places.places, measure), [places, measure]);
  const byAmount = useMemo(() => ranked(provinces, measure), [provinces, measure]);
  const land = shapes();
  const title = say("map.title");
  const summary = say("map.summary", { title, n: number(String(dots.ids.length)) });
  const isCut = info !== undefined && info.left_out !== "0";
  const { facilities: nowhere } = places.nowhere;
  const note = nowhere > 0 ? count("map.nowhere", String(nowhere)) : "";
  const point = (now: Pointed): void => {
    const { facility, province } = pointed.value;
    if (facility !== now.facility || province !== now.province) pointed.value = now;
  };
  return (
    <figure class="chart map">
      <figcaption>
        <strong>{title}</strong> <span class="soft">{say("map.how")}</span>
      </figcaption>
      <Plot dots={dots} shapes={land} shade={(code) => shade(code, byAmount)} summary={summary} chosen={chosen} pointed={pointed.value} onPoint={point} onOpen={(facility) => go(page(facility))} />
      <Readout pointed={pointed.value} entries={entries} provinces={byAmount} measure={measure} otherwise={summary} />
      <Legend dots={dots} provinces={byAmount} measure={measure} />
      {note !== "" && <p class="hint">{note}</p>}
      <div class="below-chart">
        <FacilityTable title={title} entries={entries} measure={measure} />
        {land && <ChartFiles sheet={sheetOf({ dots, shapes: land, provinces: byAmount, measure, note }, { entries, summary, frame: () => chosen.value ?? home(dots) })} />}
      </div>
      {isCut && <p class="hint">{say("map.table", { shown: number(String(entries.length)), n: number(info.values) })}</p>}
    </figure>
  );
}

interface Told {
  entries: readonly Entry[];
  summary: string;
  /** The part that is shown when the file is made. */
  frame: () => Frame;
}

/** The map for a file; the facilities that are known by name say their numbers in it. */
function sheetOf(picture: Omit<Picture, "frame" | "told">, { entries, summary, frame }: Told): Sheet {
  const { measure } = picture;
  const numbers = (): Map<string, string> => new Map(entries.map((entry) => [entry.value ?? "", say("chart.part", { name: titled(entry), value: told(entry, measure, exact) })]));
  return {
    name: "map",
    measure,
    title: `${say("map.title")} (${say(`measure.${measure}`)})`,
    summary,
    legend: [],
    height: pictureHeight(picture, INNER),
    draw: (width) => <MapPicture picture={{ ...picture, frame: frame(), told: numbers() }} width={width} />,
  };
}

interface TableProps {
  title: string;
  entries: readonly Entry[];
  measure: Measure;
}

/** The largest facilities by name. Drawing it takes longer than the map, so it waits for other entries. */
function FacilityTable({ title, entries, measure }: TableProps) {
  return useMemo(() => {
    const rows = entries.map((entry) => [titled(entry), told(entry, measure, exact)]);
    return <AsTable title={title} heads={[say("records.facility"), say("chart.total")]} rows={rows} />;
  }, [title, entries, measure]);
}
