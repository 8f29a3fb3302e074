// What was asked and answered. A newer question aborts an older one; an answer stays until the next
// one is there, whatever goes wrong in between.

import { effect, signal } from "@preact/signals";
import type { Answer, Answered, Entry, Places, Problem } from "./api";
import { Refused, ask, askPlaces } from "./api";
import type { Kind, Pair, Place, View } from "./place";
import { choosing, isEmbedded, place, value } from "./place";
import { PARAMETERS, remember } from "./remembered";

/** The facets that a search shows, by the kind of record. */
const FACETS: Record<Kind, string> = {
  release: "province,year,substance,medium,naics_code,facility,company,year*medium",
  emission: "province,year,naics_code,facility,company",
};

/** How many facilities the chart of a search has. */
export const LARGEST = 8;

/** A question to the API, by the part of the page that shows its answer. */
export interface Question {
  kind: Kind;
  pairs: readonly Pair[];
}

export interface Shown extends Answered {
  question: Question;
}

export const questions = signal<readonly Question[]>([]);
/** The last whole set of answers, one for each question. */
export const answers = signal<readonly Shown[]>([]);
/** Every facility of the first answer, where there is a map of it. */
export const places = signal<Places | null>(null);
/** The place that the answers belong to. */
export const answered = signal<Place | null>(null);
export const isBusy = signal(false);
/** Whether the reader has waited long enough to be shown that. */
export const isLate = signal(false);
export const problem = signal<Problem | null>(null);
export const isOffline = signal(false);
/** The seconds until the page asks again by itself. */
export const countdown = signal(0);
/** Whether the data changed since the page was opened. */
export const isUpdated = signal(false);

/** How long nobody notices that an answer is missing, in milliseconds. */
const PATIENCE = 150;

let version: string | null = null;
let running = new AbortController();
let ticking: ReturnType<typeof setInterval> | undefined;

/** The question of a search, as the address has it, with what the page shows beside the records. */
export function searchQuestion({ kind, pairs }: Place): Question {
  const given = new Set(pairs.map(([name]) => name));
  const own: Pair[] = [["facets", FACETS[kind]], ["facet_sort", "sum"], ["limit", "25"]];
  // The page is a format of its own.
  const asked = pairs.filter(([name]) => name !== "format");
  return { kind, pairs: [...asked, ...own.filter(([name]) => !given.has(name))] };
}

/** The same question for other facets, and without records. */
function forFacets({ kind, pairs }: Question, facets: string, limit: string): Question {
  const replaced = new Set(["facets", "limit", "facet_limit", "cursor", "offset"]);
  return { kind, pairs: [...pairs.filter(([name]) => !replaced.has(name)), ["facets", facets], ["facet_limit", limit], ["limit", "0"]] };
}

/** The question of what stands beside the charts: the same one, with more facilities. */
function viewQuestion(view: View, question: Question): Question {
  return forFacets(question, view === "map" ? "facility" : "year*facility,year", "1000");
}

/** The question of the chart in a frame, with the names of what it is narrowed to. */
function chartQuestion(at: Place): Question {
  const question = searchQuestion(at);
  const names = Object.keys(PARAMETERS).filter((facet) => PARAMETERS[facet] !== "year" && question.pairs.some(([name]) => name === PARAMETERS[facet]));
  const facets = (...own: string[]): string => [...new Set([...own, ...names])].join();
  if (at.view === "map") return forFacets(question, facets("facility", "province"), "1000");
  if (at.view === "largest") return forFacets(question, facets("facility"), String(LARGEST));
  return forFacets(question, facets(at.kind === "release" ? "year*medium" : "year"), "20");
}

/** The question of the map: where all facilities are, whichever records are shown. */
function placesQuestion(at: Place): Question | null {
  const isSearch = idIn(at.path, "facility") === null && idIn(at.path, "substance") === null;
  // With two digits no circle is half a pixel off, and the answer weighs half as much.
  return isSearch && at.view === "map" ? { kind: at.kind, pairs: [...choosing(at.pairs), ["digits", "2"]] } : null;
}

const facilities = new Map<string, Promise<Entry | null>>();

/** What the last answer has of one facility; null if that cannot be had now. */
export function facilityOf(id: string): Promise<Entry | null> {
  const { kind, pairs } = answered.value ?? place.value;
  const asked = choosing(pairs).filter(([name]) => name !== "facility_id");
  const key = `${version} ${kind} ${id} ${JSON.stringify(asked)}`;
  const forget = (): null => {
    // The next time is another attempt.
    facilities.delete(key);
    return null;
  };
  const found = facilities.get(key) ?? askFacility(kind, asked, id).catch(forget);
  facilities.set(key, found);
  return found;
}

async function askFacility(kind: Kind, pairs: readonly Pair[], id: string): Promise<Entry | null> {
  const own: Pair[] = [["facility_id", id], ["facets", "facility"], ["limit", "0"]];
  const { answer } = await ask(kind, [...pairs, ...own], new AbortController().signal);
  return answer.facets?.facility?.find(({ value: found }) => found === id) ?? null;
}

/** The questions of a facility's page: one for each inventory. */
function facilityQuestions(id: string): Question[] {
  const common: Pair[] = [["facility_id", id], ["facet_sort", "sum"], ["facet_limit", "100"], ["limit", "1"]];
  return [
    { kind: "release", pairs: [...common, ["facets", "year*substance,substance,company,facility,year"]] },
    { kind: "emission", pairs: [...common, ["facets", "company,facility,year"]] },
  ];
}

/** The question of a substance's page. */
function substanceQuestion(id: string): Question {
  const pairs: Pair[] = [["substance", id], ["facets", "year,facility,units,year*medium"], ["facet_sort", "sum"]];
  return { kind: "release", pairs: [...pairs, ...measure(), ["limit", "1"]] };
}

function measure(): Pair[] {
  const unit = value("value_unit");
  return unit === undefined ? [] : [["value_unit", unit]];
}

/** The id in a path such as `/facility/983`; null elsewhere. */
export function idIn(path: string, folder: "facility" | "substance"): string | null {
  const start = `/${folder}/`;
  if (!path.startsWith(start)) return null;
  try {
    return decodeURIComponent(path.slice(start.length));
  } catch {
    // Escapes that are no text are no id, which the API says better.
    return path.slice(start.length);
  }
}

function questionsAt(at: Place): Question[] {
  if (isEmbedded) return [chartQuestion(at)];
  const facility = idIn(at.path, "facility");
  if (facility !== null) return facilityQuestions(facility);
  const substance = idIn(at.path, "substance");
  if (substance !== null) return [substanceQuestion(substance)];
  const search = searchQuestion(at);
  return at.view === null ? [search] : [search, viewQuestion(at.view, search)];
}

/** Asks all questions of the place where the reader is. */
export async function askAgain(): Promise<void> {
  running.abort();
  clearInterval(ticking);
  countdown.value = 0;
  const own = (running = new AbortController());
  const at = place.value;
  const asked = questionsAt(at);
  questions.value = asked;
  isBusy.value = true;
  try {
    const ofPlaces = placesQuestion(at);
    const [got, found] = await Promise.all([
      Promise.all(asked.map((question) => ask(question.kind, question.pairs, own.signal))),
      ofPlaces && askPlaces(ofPlaces.kind, ofPlaces.pairs, own.signal),
    ]);
    if (own.signal.aborted) return;
    answers.value = got.flatMap((one, index) => {
      const question = asked[index];
      return question ? [{ ...one, question }] : [];
    });
    places.value = found?.answer ?? null;
    for (const { question, answer } of answers.value) remember(question, answer);
    answered.value = at;
    problem.value = null;
    isOffline.value = false;
    const served = got[0]?.version ?? "";
    isUpdated.value = version !== null && version !== served;
    version ??= served;
  } catch (error) {
    if (own.signal.aborted) return;
    if (error instanceof Refused) refused(error.problem);
    else isOffline.value = true;
  } finally {
    if (!own.signal.aborted) isBusy.value = false;
  }
}

function refused(reason: Problem): void {
  isOffline.value = false;
  problem.value = reason;
  if (reason.wait === undefined) return;
  countdown.value = Math.max(1, reason.wait);
  ticking = setInterval(() => {
    countdown.value -= 1;
    if (countdown.value <= 0) void askAgain();
  }, 1000);
}

/** The answer to a kind of record, if it was asked for. */
export function answerOf(kind: Kind): Answer | null {
  return answers.value.find(({ question }) => question.kind === kind)?.answer ?? null;
}

effect(() => {
  if (!isBusy.value) {
    isLate.value = false;
    return undefined;
  }
  const timer = setTimeout(() => (isLate.value = true), PATIENCE);
  return () => clearTimeout(timer);
});

addEventListener("online", () => void askAgain());

/** Asks whenever the reader goes somewhere. */
export function begin(): void {
  effect(() => {
    void place.value;
    void askAgain();
  });
}
