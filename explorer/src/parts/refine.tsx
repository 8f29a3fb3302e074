// The facets: what the question can be narrowed to, with how much each value has.

import { useSignal } from "@preact/signals";
import type { Answer, Entry } from "../api";
import type { Key, Measure } from "../language";
import { either, exact, named, number, say, short } from "../language";
import { amount, measureAt } from "../measure";
import type { Place } from "../place";
import { address, go, set, toggled, values } from "../place";
import { PARAMETERS, choices } from "../remembered";
import type { Question } from "../session";
import { InTurn } from "./in-turn";
import { Near } from "./near";
import { Years } from "./years";

/** The facets that are listed, by the order in which people narrow a question. */
const LISTED = ["substance", "province", "medium", "naics_code", "company", "facility"];
/** The parameters that also take words instead of a value of the list. */
const TAKES_WORDS = new Set(["substance", "company"]);
const SHOWN_AT_FIRST = 6;

interface ListProps {
  facet: string;
  question: Question;
  answer: Answer;
  measure: Measure;
}

function List({ facet, question, answer, measure }: ListProps) {
  const isLong = useSignal(false);
  const wanted = useSignal("");
  const parameter = PARAMETERS[facet] ?? facet;
  const chosen = new Set(values(parameter, question.pairs));
  const all = choices(facet, question, answer).filter((entry) => entry.value !== null);
  const label = (entry: Entry): string => either(entry.label_en, entry.label_fr) ?? entry.value ?? "";
  const found = all.filter((entry) => folded(`${label(entry)} ${entry.value}`).includes(folded(wanted.value)));
  const ordered = [...found].sort((one, other) => Number(chosen.has(other.value ?? "")) - Number(chosen.has(one.value ?? "")));
  const listed = isLong.value || wanted.value ? ordered : ordered.slice(0, Math.max(SHOWN_AT_FIRST, chosen.size));
  const info = answer.facet_info?.[facet];
  const hasMore = info !== undefined && info.left_out !== "0";
  const name = say(`name.${parameter}` as Key);
  const add = (event: Event): void => {
    event.preventDefault();
    if (TAKES_WORDS.has(parameter) && wanted.value.trim()) {
      go(address(question.kind, toggled(parameter, wanted.value.trim())));
      wanted.value = "";
    }
  };
  if (all.length === 0) return null;
  return (
    <fieldset class="facet">
      <legend>{name}</legend>
      {(all.length > SHOWN_AT_FIRST || hasMore) && (
        <form onSubmit={add}>
          <input
            type="search"
            value={wanted.value}
            onInput={(event) => (wanted.value = event.currentTarget.value)}
            placeholder={say("refine.find")}
            aria-label={`${name}: ${say("refine.find")}`}
          />
          {TAKES_WORDS.has(parameter) && wanted.value && <p class="hint">{say("refine.find.add")}</p>}
        </form>
      )}
      <ul>
        {listed.map((entry) => {
          const [text, has] = [label(entry), amount(entry, measure)];
          return (
            <li key={entry.value}>
              <label>
                <input
                  type="checkbox"
                  checked={chosen.has(entry.value ?? "")}
                  onChange={() => go(address(question.kind, toggled(parameter, entry.value ?? "")))}
                />
                <span class="value">{text}</span>
                <span class="amount" title={has === null ? undefined : exact(has, measure)}>
                  {has === null ? "–" : short(has, measure)}
                </span>
              </label>
            </li>
          );
        })}
      </ul>
      {!isLong.value && !wanted.value && ordered.length > listed.length && (
        <button class="plain" onClick={() => (isLong.value = true)}>
          {say("refine.more")}
        </button>
      )}
      {hasMore && (isLong.value || wanted.value || ordered.length <= listed.length) && (
        <p class="hint">{say("refine.left", { n: number(info.left_out), count: number(info.left_out_count) })}</p>
      )}
    </fieldset>
  );
}

/** The text in lower case, without accents. */
function folded(text: string): string {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}

function City() {
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const city = String(new FormData(form).get("city")).trim();
    form.reset();
    if (city) set("city", ...values("city"), city);
  };
  return (
    <fieldset class="facet years">
      <legend>{named("name", "city")}</legend>
      <form onSubmit={submit}>
        <input name="city" aria-label={say("refine.city")} placeholder={say("refine.city")} autocomplete="off" />
        <button>{say("refine.add")}</button>
      </form>
    </fieldset>
  );
}

interface RefineProps {
  at: Place;
  question: Question;
  answer: Answer;
}

/** The filters of an answer. They show what it was asked for until the next one is there. */
export function Refine({ at, question, answer }: RefineProps) {
  const measure = measureAt(at);
  const years = choices("year", question, answer).flatMap(({ value }) => (value === null ? [] : [Number(value)]));
  const list = (facet: string) => (
    <InTurn key={`${facet} ${question.kind}`} of={answer}>
      <List {...{ facet, question, answer, measure }} />
    </InTurn>
  );
  return (
    <>
      {LISTED.slice(0, 3).map(list)}
      <Years known={years} />
      <City />
      <Near />
      {LISTED.slice(3).map(list)}
    </>
  );
}
