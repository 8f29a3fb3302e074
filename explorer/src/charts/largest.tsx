// The facilities with the largest amounts, as bars with their values beside them.

import type { Entry, FacetInfo } from "../api";
import type { Measure } from "../language";
import { either, exact, number, say, short } from "../language";
import { amount, length } from "../measure";
import { address } from "../place";
import { Link } from "../parts/link";
import { AsTable } from "./as-table";

interface LargestProps {
  entries: readonly Entry[];
  info: FacetInfo | undefined;
  measure: Measure;
  most: number;
}

const name = (entry: Entry): string => either(entry.label_en, entry.label_fr) ?? say("records.unnamed");

export function Largest({ entries, info, measure, most }: LargestProps) {
  const ranked = entries.filter((entry) => entry.value !== null && amount(entry, measure) !== null).slice(0, most);
  if (ranked.length === 0) return null;
  const largest = Math.max(...ranked.map((entry) => length(amount(entry, measure))));
  const of = { shown: String(ranked.length), n: number(info?.values ?? String(ranked.length)) };
  const rows = ranked.map((entry) => [name(entry), exact(amount(entry, measure) ?? "0", measure)]);
  return (
    <figure class="chart largest">
      <figcaption>
        <strong>{say("chart.largest.of", of)}</strong>
      </figcaption>
      <ol>
        {ranked.map((entry) => {
          const has = amount(entry, measure) ?? "0";
          const where = [entry.city, entry.province].filter(Boolean).join(", ");
          return (
            <li key={entry.value}>
              <Link to={address("release", [], `/facility/${encodeURIComponent(entry.value ?? "")}`)}>
                {name(entry)}
              </Link>{" "}
              <span class="soft">{where}</span>
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
      <AsTable title={say("chart.largest")} heads={[say("records.facility"), say("chart.total")]} rows={rows} />
    </figure>
  );
}
