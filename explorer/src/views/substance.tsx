// One substance: its names, where it goes year by year, and who released most of it.

import { target } from "../api";
import { Largest } from "../charts/largest";
import { Years } from "../charts/years";
import { count, either, language, named, otherLanguage, say } from "../language";
import { measureAt } from "../measure";
import { isUnfinished } from "../parts/in-turn";
import { Link } from "../parts/link";
import { MeasureChoice } from "../parts/measure-choice";
import { Trouble } from "../parts/trouble";
import { address, place } from "../place";
import { answerOf, isLate } from "../session";

const LARGEST = 20;
/** Particulate matter: total, PM10 and PM2.5, each of which is part of the one before. */
const OVERLAPPING = new Set(["NA-M08", "NA-M09", "NA-M10"]);

export function Substance({ id, isAnswered }: { id: string; isAnswered: boolean }) {
  const answer = isAnswered ? answerOf("release") : null;
  const row = answer?.results[0];
  const facets = answer?.facets ?? {};
  const measure = measureAt(place.value);
  const other = language === "fr" ? row?.substance_en : row?.substance_fr;
  const units = (facets.units ?? []).map(({ value }) => named("units", value ?? "")).join(", ");
  return (
    <div class={isLate.value ? "view late" : "view"} aria-busy={isUnfinished.value} id="results" tabIndex={-1}>
      <p>
        <Link to={address("release", [])}>‹ {say("facility.back")}</Link>
      </p>
      <Trouble />
      {!answer && <h1 class="hidden">{id}</h1>}
      {answer?.count === "0" && <h1>{say("substance.none", { id })}</h1>}
      {answer && row && (
        <>
          <h1>{either(row.substance_en, row.substance_fr) ?? id}</h1>
          {other && (
            <p class="facts" lang={otherLanguage}>
              {other}
            </p>
          )}
          <p class="facts">
            <span class="tag">{row.cas_number ? say("substance.cas", { id: row.cas_number }) : say("substance.id", { id: row.substance_id ?? id })}</span>
            {units && <span class="tag">{say("substance.units", { units })}</span>}
            <span>{count("count.release", answer.count)}</span>
          </p>
          {OVERLAPPING.has(row.substance_id ?? "") && <p class="apart">{say("substance.overlap")}</p>}
          <MeasureChoice answer={answer} />
          <div class="charts">
            <Years entries={facets["year*medium"] ?? []} measure={measure} isFilter={false} />
            <Largest entries={facets.facility ?? []} info={answer.facet_info?.facility} measure={measure} most={LARGEST} />
          </div>
          <p class="share">
            <a class="button" href={target("release", [["substance", id], ["format", "csv"]])} download>
              CSV
            </a>{" "}
            <Link class="button" to={address("release", [["substance", id]])}>
              {say("substance.search")}
            </Link>
          </p>
        </>
      )}
    </div>
  );
}
