// The facilities with the largest amounts, as bars with their values beside them.

import type { Entry, FacetInfo } from "../api";
import type { Measure } from "../language";
import { either, exact, number, say, short } from "../language";
import { amount, length } from "../measure";
import { address } from "../place";
import { Link } from "../parts/link";
import { AsTable } from "./as-table";
import { ChartFiles } from "./files";
import type { Sheet } from "./sheet";
import { cut, widthOf } from "./text-width";

interface LargestProps {
  entries: readonly Entry[];
  info: FacetInfo | undefined;
  measure: Measure;
  most: number;
}

const name = (entry: Entry): string => either(entry.label_en, entry.label_fr) ?? say("records.unnamed");

const whereabouts = (entry: Entry): string => [entry.city, entry.province].filter(Boolean).join(", ");

/** The room of a facility in a file, and that of the value behind the longest bar. */
const [ROW, VALUE] = [42, 130];

/** The same bars for a file, under their names. */
function Rows({ ranked, measure, largest, width }: { ranked: readonly Entry[]; measure: Measure; largest: number; width: number }) {
  return (
    <>
      {ranked.map((entry, index) => {
        const [has, y] = [amount(entry, measure) ?? "0", index * ROW];
        const called = cut(name(entry), 14, width * 0.6);
        const bar = largest > 0 ? (length(has) / largest) * (width - VALUE) : 0;
        return (
          <g key={entry.value}>
            <title>{`${name(entry)}: ${exact(has, measure)}`}</title>
            <text y={y + 15} font-size={14}>
              {called}
            </text>
            <text x={widthOf(called, 14) + 8} y={y + 15} font-size={14} class="soft">
              {cut(whereabouts(entry), 14, width * 0.35)}
            </text>
            <rect y={y + 21} width={Math.max(2, bar)} height={12} class="ink-air" />
            <text x={Math.max(2, bar) + 8} y={y + 32} font-size={14}>
              {short(has, measure)}
            </text>
          </g>
        );
      })}
    </>
  );
}

export function Largest({ entries, info, measure, most }: LargestProps) {
  const ranked = entries.filter((entry) => entry.value !== null && amount(entry, measure) !== null).slice(0, most);
  if (ranked.length === 0) return null;
  const largest = Math.max(...ranked.map((entry) => length(amount(entry, measure))));
  const of = { shown: String(ranked.length), n: number(info?.values ?? String(ranked.length)) };
  const rows = ranked.map((entry) => [name(entry), exact(amount(entry, measure) ?? "0", measure)]);
  const title = say("chart.largest.of", of);
  const sheet: Sheet = {
    name: "largest",
    measure,
    title: `${title} (${say(`measure.${measure}`)})`,
    summary: rows.map((row) => row.join(": ")).join("; "),
    legend: [],
    height: ranked.length * ROW,
    draw: (width) => <Rows {...{ ranked, measure, largest, width }} />,
  };
  return (
    <figure class="chart largest">
      <figcaption>
        <strong>{title}</strong>
      </figcaption>
      <ol>
        {ranked.map((entry) => {
          const has = amount(entry, measure) ?? "0";
          return (
            <li key={entry.value}>
              <Link to={address("release", [], `/facility/${encodeURIComponent(entry.value ?? "")}`)}>
                {name(entry)}
              </Link>{" "}
              <span class="soft">{whereabouts(entry)}</span>
              <span class="bar-line">
                <span class="bar-fill" style={{ width: `${largest > 0 ? (length(has) / largest) * 100 : 0}%` }} />
                <span class="bar-value" title={exact(has, measure)}>
                  {short(has, measure)}
                </span>
              </span>
            </li>
          );
        })}
      </ol>
      <div class="below-chart">
        <AsTable title={say("chart.largest")} heads={[say("records.facility"), say("chart.total")]} rows={rows} />
        <ChartFiles sheet={sheet} />
      </div>
    </figure>
  );
}
