// The search: filters beside the answer, charts above the records.

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Answer } from "../api";
import { Largest } from "../charts/largest";
import { CanadaMap } from "../charts/map";
import { Years } from "../charts/years";
import { count, say } from "../language";
import { measureAt } from "../measure";
import { Chips, isFilter } from "../parts/chips";
import { Empty } from "../parts/empty";
import { InTurn, isUnfinished } from "../parts/in-turn";
import { MeasureChoice } from "../parts/measure-choice";
import { Order, Paging, span } from "../parts/paging";
import { Records } from "../parts/records";
import { Refine } from "../parts/refine";
import { hasAside, isWide } from "../parts/screen";
import { SearchForm } from "../parts/search-form";
import { Share } from "../parts/share";
import { Trouble } from "../parts/trouble";
import { Warnings } from "../parts/warnings";
import type { Place, View } from "../place";
import { VIEWS, address, go, place } from "../place";
import { choices } from "../remembered";
import type { Question } from "../session";
import { LARGEST, answered, answers, isBusy, isLate, places } from "../session";
import { Compare } from "./compare";

/** How much there is, in words. */
function headline({ entity_type: kind, count: n, facets = {}, facet_info: info = {} }: Answer): string {
  const years = (facets.year ?? []).map(({ value }) => value).filter((year) => year !== null).toSorted();
  const [first, last] = [years[0], years[years.length - 1]];
  const span = first && last ? [first === last ? first : say("years.span", { first, last })] : [];
  const facilities = info.facility ? [count("count.facilities", info.facility.values)] : [];
  return [count(`count.${kind}`, n), ...facilities, ...span].join(" · ");
}

/** Says the result to a screen reader, once it has been the same for a moment. */
function Live({ text }: { text: string }) {
  const [said, say] = useState("");
  useEffect(() => {
    const timer = setTimeout(() => say(text), 400);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <p role="status" class="hidden">
      {said}
    </p>
  );
}

interface Ready {
  at: Place;
  question: Question;
  answer: Answer;
}

/** What was found: each part of it is drawn in its turn, from top to bottom. */
function Found({ ready }: { ready: Ready }) {
  const { at, question, answer } = ready;
  const measure = measureAt(at);
  const { facets = {}, facet_info: info = {} } = answer;
  const shown = answers.value[1]?.answer;
  const years = choices("year", question, answer).flatMap(({ value }) => value ?? []).toSorted();
  return (
    <>
      <MeasureChoice answer={answer} />
      <ViewChoice now={at.view} />
      {at.view === "map" && shown && places.value && (
        <InTurn of={ready}>
          <CanadaMap places={places.value} entries={shown.facets?.facility ?? []} info={shown.facet_info?.facility} provinces={choices("province", question, answer)} measure={measure} />
        </InTurn>
      )}
      {at.view === "compare" && shown && (
        <InTurn of={ready}>
          <Compare answer={shown} years={years} measure={measure} />
        </InTurn>
      )}
      <div class="charts">
        <InTurn of={ready}>
          <Years entries={choices(facets["year*medium"] ? "year*medium" : "year", question, answer)} measure={measure} isFilter />
        </InTurn>
        <InTurn of={ready}>
          <Largest entries={facets.facility ?? []} info={info.facility} measure={measure} most={LARGEST} />
        </InTurn>
      </div>
      <section id="records" aria-labelledby="records-title">
        <InTurn of={ready}>
          <div class="records-head">
            <h2 id="records-title">{answer.results.length > 0 ? span(answer) : headline(answer)}</h2>
            <Order />
          </div>
          <div class="of-page">
            <Records kind={answer.entity_type} rows={answer.results} />
            <Paging answer={answer} />
            <ShareBelow count={answer.count} />
          </div>
        </InTurn>
      </section>
    </>
  );
}

/** What is beside the numbers where there is room for it. */
function ShareBelow({ count: n }: { count: string }) {
  return isWide.value ? null : <Share count={n} />;
}

/** Buttons for what may stand beside the charts. */
function ViewChoice({ now }: { now: View | null }) {
  const { kind, pairs } = place.value;
  return (
    <p class="views">
      {VIEWS.map((view) => (
        <button key={view} onClick={() => go(address(kind, pairs, "/", now === view ? null : view))}>
          {say(now === view ? `view.${view}.hide` : `view.${view}`)}
        </button>
      ))}
    </p>
  );
}

/** The filters in a dialog of their own, where there is no room beside the answer. */
function RefineDialog({ ready }: { ready: Ready }) {
  const dialog = useRef<HTMLDialogElement>(null);
  // Drawing the filters takes as long as drawing the records, so it waits until they are wanted.
  const [isOpen, setOpen] = useState(false);
  const chosen = place.value.pairs.filter(isFilter).length;
  const open = (): void => {
    setOpen(true);
    dialog.current?.showModal();
  };
  const close = (): void => dialog.current?.close();
  return (
    <>
      <button class="open-refine" onClick={open}>
        {chosen > 0 ? say("refine.chosen", { n: String(chosen) }) : say("refine")}
      </button>
      <dialog ref={dialog} aria-label={say("refine")} onClose={() => setOpen(false)}>
        <div class="dialog-head">
          <h2>{say("refine")}</h2>
          <button onClick={close}>{say("refine.done")}</button>
        </div>
        <div class="dialog-body">{isOpen && <Refine {...ready} />}</div>
        <button class="primary dialog-end" onClick={close}>
          {say("refine.show", { n: count(`count.${ready.answer.entity_type}`, ready.answer.count) })}
        </button>
      </dialog>
    </>
  );
}

export function Search() {
  const at = answered.value;
  const shown = answers.value[0];
  const ready = useMemo(() => (shown && at?.path === "/" ? { at, question: shown.question, answer: shown.answer } : null), [shown, at]);
  const isEmpty = ready?.answer.count === "0";
  // Drawn once an answer: a click that asks for the next one need not compare all of this first.
  const [filters, found] = useMemo(() => (ready ? [<Refine {...ready} />, isEmpty ? <Empty {...ready} /> : <Found ready={ready} />] : []), [ready]);
  return (
    <>
      <h1 class="hidden">
        {say("title")}: {say(`kind.${place.value.kind}`)}
      </h1>
      <SearchForm />
      <Chips answer={ready?.answer ?? null} />
      <Trouble />
      {ready === null && !isBusy.value ? null : ready === null ? (
        <p class="loading">{say("loading")}</p>
      ) : (
        <div class={isLate.value ? "columns late" : "columns"} aria-busy={isUnfinished.value}>
          {hasAside.value && (
            <aside class="refine" aria-label={say("refine")}>
              {filters}
            </aside>
          )}
          <div id="results" tabIndex={-1}>
            <div class="headline">
              {!isEmpty && <p class="count">{headline(ready.answer)}</p>}
              <RefineDialog ready={ready} />
              {!isEmpty && isWide.value && <Share count={ready.answer.count} />}
            </div>
            <Warnings answer={ready.answer} />
            {found}
          </div>
          <Live text={isEmpty ? say("count.none") : headline(ready.answer)} />
        </div>
      )}
    </>
  );
}
