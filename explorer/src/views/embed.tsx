// One chart or the map, in a frame on another site: with its question, its source and a link to the
// rest, and without controls.

import { useSignalEffect } from "@preact/signals";
import type { Answer } from "../api";
import { Largest } from "../charts/largest";
import { CanadaMap } from "../charts/map";
import { Years } from "../charts/years";
import { say } from "../language";
import { measureAt } from "../measure";
import { isUnfinished } from "../parts/in-turn";
import { Trouble } from "../parts/trouble";
import { Warnings } from "../parts/warnings";
import type { Place } from "../place";
import { place } from "../place";
import { fullAddress, questionText } from "../question-text";
import { LARGEST, answered, answers, isBusy, places } from "../session";

function Chart({ at, answer }: { at: Place; answer: Answer }) {
  const measure = measureAt(at);
  const { facets = {}, facet_info: info = {} } = answer;
  if (answer.count === "0") return <p class="soft">{say("count.none")}</p>;
  if (at.view === "map" && places.value) return <CanadaMap places={places.value} entries={facets.facility ?? []} info={info.facility} provinces={facets.province ?? []} measure={measure} />;
  if (at.view === "largest") return <Largest entries={facets.facility ?? []} info={info.facility} measure={measure} most={LARGEST} />;
  return <Years entries={facets["year*medium"] ?? facets.year ?? []} measure={measure} isFilter={false} />;
}

export function Embed() {
  useSignalEffect(() => {
    document.title = [questionText(), say("title")].join(" – ");
  });
  const [at, shown] = [answered.value, answers.value[0]];
  return (
    <main id="results" class="embed" aria-busy={isUnfinished.value}>
      <h1>{questionText()}</h1>
      <Trouble />
      {at && shown ? (
        <>
          <Warnings answer={shown.answer} />
          <Chart at={at} answer={shown.answer} />
        </>
      ) : (
        isBusy.value && <p class="loading">{say("loading")}</p>
      )}
      <footer>
        <p>
          {say("footer.data")} ·{" "}
          <a href={say("footer.licence.link")} rel="license noopener">
            {say("footer.licence")}
          </a>
          {shown && <> · {say("footer.version", { version: shown.version })}</>}
        </p>
        <p>
          <a href={fullAddress(place.value)} rel="noopener">
            {say("embed.open")}
          </a>
        </p>
      </footer>
    </main>
  );
}
