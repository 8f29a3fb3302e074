// Two years side by side, facility by facility, with the exact difference.

import type { Answer, Entry } from "../api";
import { difference } from "../decimal";
import type { Decimal } from "../decimal";
import type { Measure } from "../language";
import { either, number, say } from "../language";
import { amount, length } from "../measure";
import { Amount, widestFraction } from "../parts/amount";
import { Link } from "../parts/link";
import { NamedRows } from "../parts/named-rows";
import { address, go, place, replaced, values } from "../place";

const SHOWN = 50;

interface Line {
  entry: Entry;
  then: Decimal | null;
  now: Decimal | null;
  /** Null unless both years have an amount: what was not reported is not 0. */
  change: Decimal | null;
}

/** The two years of the filter, the earlier one first; null if it has others. */
function chosenYears(): [string, string] | null {
  const [one, other, ...more] = values("year").filter((year) => /^\d{4}$/.test(year)).toSorted();
  return one && other && more.length === 0 && values("year").length === 2 ? [one, other] : null;
}

function lines(answer: Answer, [first, second]: [string, string], measure: Measure): Line[] {
  const crossed = answer.facets?.["year*facility"] ?? [];
  const of = (year: string): Map<string | null, Entry> => new Map((crossed.find(({ value }) => value === year)?.facility ?? []).map((entry) => [entry.value, entry]));
  const [before, after] = [of(first), of(second)];
  const all = [...new Set([...before.keys(), ...after.keys()])].map((id): Line | null => {
    const [old, young] = [before.get(id), after.get(id)];
    const entry = young ?? old;
    const [then, now] = [old ? amount(old, measure) : null, young ? amount(young, measure) : null];
    return entry ? { entry, then, now, change: then !== null && now !== null ? difference(now, then) : null } : null;
  });
  const size = (line: Line): number => Math.abs(length(line.change ?? line.now ?? line.then));
  const found = all.filter((line) => line !== null && (line.then !== null || line.now !== null)) as Line[];
  return found.sort((one, other) => Number(other.change !== null) - Number(one.change !== null) || size(other) - size(one));
}

function Choice({ years, now }: { years: readonly string[]; now: [string, string] }) {
  const choose = (event: Event): void => {
    const form = new FormData((event.currentTarget as HTMLSelectElement).form ?? undefined);
    const both = [String(form.get("first")), String(form.get("second"))].toSorted();
    if (both[0] !== both[1]) go(address(place.value.kind, replaced("year", both)));
  };
  const select = (name: "first" | "second", value: string, other: string) => (
    <label>
      {say(`compare.${name}`)}{" "}
      <select name={name} value={value} onChange={choose}>
        {years.map((year) => (
          <option key={year} value={year} disabled={year === other}>
            {year}
          </option>
        ))}
      </select>
    </label>
  );
  return (
    <form class="compare-years">
      {select("first", now[0], now[1])} {select("second", now[1], now[0])}
    </form>
  );
}

interface CompareProps {
  answer: Answer;
  /** All years that could be compared. */
  years: readonly string[];
  measure: Measure;
}

export function Compare({ answer, years, measure }: CompareProps) {
  const [first, last] = [years[0], years[years.length - 1]];
  if (first === undefined || last === undefined || first === last) return <p class="soft extra">{say("compare.one")}</p>;
  const chosen = chosenYears();
  if (chosen === null) {
    return (
      <p class="extra">
        {say("compare.choose")}{" "}
        <button onClick={() => go(address(place.value.kind, replaced("year", [first, last])))}>{say("compare.ends", { first, last })}</button>
      </p>
    );
  }
  const all = lines(answer, chosen, measure);
  const shown = all.slice(0, SHOWN);
  const [then, now, change] = (["then", "now", "change"] as const).map((side) => widestFraction(shown.map((line) => line[side])));
  const heads = [...chosen, say("compare.change")].map((head) => ({ head, look: "number" }));
  const rows = shown.map((line) => ({
    key: line.entry.value ?? "",
    name: (
      <>
        <Link to={address("release", [], `/facility/${encodeURIComponent(line.entry.value ?? "")}`)}>
          {either(line.entry.label_en, line.entry.label_fr) ?? say("records.unnamed")}
        </Link>{" "}
        <span class="soft">{[line.entry.city, line.entry.province].filter(Boolean).join(", ")}</span>
      </>
    ),
    cells: [
      <Amount value={line.then} widest={then ?? ""} />,
      <Amount value={line.now} widest={now ?? ""} />,
      <Amount value={line.change} widest={change ?? ""} />,
    ],
  }));
  const left = Number(answer.facet_info?.["year*facility"]?.left_out ?? 0);
  const unit = { mass: say("unit.kg"), co2e: say("unit.tCO2e"), teq: say("unit.gteq"), count: say("unit.records") }[measure];
  return (
    <section class="extra">
      <h2 id="compare-title">{say("compare.title", { first: chosen[0], second: chosen[1], unit })}</h2>
      <Choice years={years} now={chosen} />
      <div class="scroll" tabIndex={0} role="region" aria-labelledby="compare-title">
        <NamedRows className="compare" head={say("records.facility")} columns={heads} rows={rows} />
      </div>
      <p class="hint">{say("compare.note")}</p>
      {all.length > shown.length && <p class="hint">{say("compare.more", { shown: String(SHOWN), n: number(String(all.length)) })}</p>}
      {left > 0 && <p class="hint">{say("compare.left", { n: number(String(left)) })}</p>}
    </section>
  );
}
