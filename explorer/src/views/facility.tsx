// One facility: what both inventories know of it, side by side and never added.

import type { Answer, Entry, Row } from "../api";
import { target } from "../api";
import { Spark } from "../charts/spark";
import { Years } from "../charts/years";
import { count, either, exact, number, say } from "../language";
import { length } from "../measure";
import { Amount, widestFraction } from "../parts/amount";
import { isUnfinished } from "../parts/in-turn";
import { Link } from "../parts/link";
import { NamedRows } from "../parts/named-rows";
import { Trouble } from "../parts/trouble";
import type { Kind } from "../place";
import { address } from "../place";
import { answerOf, isLate } from "../session";

function Facts({ row }: { row: Row }) {
  const industry = either(row.naics_en, row.naics_fr);
  const place = [row.city, row.province].filter(Boolean).join(", ");
  const facts = [row.company_name, place, industry && (row.naics_code ? `${industry} (${row.naics_code})` : industry)];
  return <p class="facts">{facts.filter(Boolean).join(" · ")}</p>;
}

/** The ids in both inventories. */
function ids(release: Row | undefined, emission: Row | undefined): [Kind, string][] {
  const npri = release?.facility_id ?? emission?.npri_id;
  const ghgrp = emission?.facility_id ?? release?.ghgrp_id;
  return [...(npri ? [["release", npri] as [Kind, string]] : []), ...(ghgrp ? [["emission", ghgrp] as [Kind, string]] : [])];
}

function Files({ kind, id }: { kind: Kind; id: string }) {
  return (
    <p class="share">
      <a class="button" href={target(kind, [["facility_id", id], ["format", "csv"]])} download>
        CSV
      </a>{" "}
      <Link class="button" to={address(kind, [["facility_id", id]])}>
        {say("facility.search")}
      </Link>
    </p>
  );
}

interface SubstanceLine {
  entry: Entry;
  /** The mass of each year in kg, for the small chart. */
  trend: number[];
  years: string[];
}

/** The substances with their masses by year, from the facets of one answer. */
function lines({ facets = {} }: Answer): SubstanceLine[] {
  const years = [...(facets["year*substance"] ?? [])].sort((one, other) => Number(one.value) - Number(other.value));
  return (facets.substance ?? []).map((entry) => {
    const found = years.map((year) => ({ year: year.value ?? "", of: year.substance?.find(({ value }) => value === entry.value) }));
    const known = found.filter(({ of }) => of !== undefined).map(({ year }) => year);
    return { entry, years: known, trend: found.map(({ of }) => length(of?.sum.kg ?? of?.sum.g_teq ?? null)) };
  });
}

function Matrix({ answer }: { answer: Answer }) {
  const all = lines(answer);
  const masses = all.map(({ entry }) => entry.sum.kg);
  const widest = widestFraction(masses);
  const left = answer.facet_info?.substance?.left_out ?? "0";
  const name = (entry: Entry): string => either(entry.label_en, entry.label_fr) ?? entry.value ?? "";
  const heads = [
    { head: say("facility.years"), look: "number" },
    { head: say("facility.records"), look: "number" },
    { head: say("facility.trend") },
    { head: say("facility.sum"), look: "number" },
  ];
  const rows = all.map(({ entry, years, trend }) => {
    const span = say("years.span", { first: years[0] ?? "", last: years[years.length - 1] ?? "" });
    return {
      key: entry.value ?? "",
      name: <Link to={address("release", [], `/substance/${encodeURIComponent(entry.value ?? "")}`)}>{name(entry)}</Link>,
      cells: [
        years.length > 1 ? span : years[0],
        number(entry.count),
        <Spark values={trend} label={span} />,
        entry.sum.kg == null && entry.sum.g_teq != null ? exact(entry.sum.g_teq, "teq") : <Amount value={entry.sum.kg} widest={widest} />,
      ],
    };
  });
  return (
    <section>
      <h3>{say("facility.matrix")}</h3>
      <div class="scroll" tabIndex={0} role="region" aria-label={say("facility.matrix")}>
        <NamedRows className="matrix" head={say("records.substance")} columns={heads} rows={rows} />
      </div>
      {left !== "0" && <p class="hint">{count("facility.more", left)}</p>}
    </section>
  );
}

/** Every name and owner that the records show. */
function Names({ answers }: { answers: readonly (Answer | null)[] }) {
  const facets = answers.flatMap((answer) => [...(answer?.facets?.facility ?? []), ...(answer?.facets?.company ?? [])]);
  const names = [...new Set(facets.map((entry) => either(entry.label_en, entry.label_fr)).filter((name) => name !== null))];
  if (names.length < 2) return null;
  return (
    <section>
      <h2>{say("facility.names")}</h2>
      <ul class="names">
        {names.map((name) => (
          <li key={name}>{name}</li>
        ))}
      </ul>
    </section>
  );
}

function Inventory({ kind, id, answer }: { kind: Kind; id: string; answer: Answer | null }) {
  const isKnown = answer !== null && answer.count !== "0";
  return (
    <section class="inventory">
      <h2>{say(kind === "release" ? "facility.releases" : "facility.emissions")}</h2>
      {isKnown ? (
        <>
          <p class="count">{count(`count.${kind}`, answer.count)}</p>
          {answer.warnings
            ?.filter(({ code }) => code === "mixed-substances")
            .map(({ code, substances }) => (
              <p key={code} class="warnings">
                {count("warning.substances", substances ?? "0")}
              </p>
            ))}
          <Years entries={answer.facets?.year ?? []} measure={kind === "release" ? "mass" : "co2e"} isFilter={false} />
          <Files kind={kind} id={id} />
        </>
      ) : (
        <p class="soft">{say("facility.nothing")}</p>
      )}
    </section>
  );
}

export function Facility({ id, isAnswered }: { id: string; isAnswered: boolean }) {
  const [release, emission] = isAnswered ? [answerOf("release"), answerOf("emission")] : [null, null];
  const [released, emitted] = [release?.results[0], emission?.results[0]];
  const row = emitted && Number(emitted.year) > Number(released?.year ?? 0) ? emitted : (released ?? emitted);
  const isInBoth = released !== undefined && emitted !== undefined;
  const isNone = release?.count === "0" && emission?.count === "0";
  return (
    <div class={isLate.value ? "view late" : "view"} aria-busy={isUnfinished.value} id="results" tabIndex={-1}>
      <p>
        <Link to={address("release", [])}>‹ {say("facility.back")}</Link>
      </p>
      <Trouble />
      {!isAnswered && <h1 class="hidden">{say("facility.id", { id })}</h1>}
      {isNone && <h1>{say("facility.none", { id })}</h1>}
      {row && (
        <>
          <h1>{row.facility_name ?? say("records.unnamed")}</h1>
          <Facts row={row} />
          <p class="facts">
            {ids(released, emitted).map(([kind, known]) => (
              <span key={kind} class="tag">
                {say(`facility.id.${kind}`, { id: known })}
              </span>
            ))}
            {row.source_url?.startsWith("https://") && (
              <a href={row.source_url} rel="noreferrer">
                {say("facility.official")}
              </a>
            )}
          </p>
          {isInBoth && <p class="apart">{say("facility.apart")}</p>}
          <div class="inventories">
            <Inventory kind="release" id={id} answer={release} />
            <Inventory kind="emission" id={id} answer={emission} />
          </div>
          {release && release.count !== "0" && <Matrix answer={release} />}
          <Names answers={[release, emission]} />
        </>
      )}
    </div>
  );
}
