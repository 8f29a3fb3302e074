// The public API as this page asks it, like any other client.

import { parse } from "./json";
import type { Decimal } from "./decimal";
import { language, say } from "./language";
import type { Kind, Pair } from "./place";
import { isEmbedded, written } from "./place";

export interface Sum {
  kg?: Decimal | null;
  g_teq?: Decimal | null;
  tonnes?: Decimal | null;
}

/** A value of a facet. */
export interface Entry {
  value: string | null;
  label_en: string | null;
  label_fr: string | null;
  count: Decimal;
  sum: Sum;
  cas_number?: string | null;
  province?: string | null;
  city?: string | null;
  latitude?: Decimal | null;
  longitude?: Decimal | null;
  medium?: Entry[];
  facility?: Entry[];
  substance?: Entry[];
}

export interface FacetInfo {
  values: Decimal;
  left_out: Decimal;
  left_out_count: Decimal;
}

export interface Warning {
  code: string;
  detail: string;
  substances?: Decimal;
}

export interface Term {
  text: string;
  count: Decimal;
  count_alone?: Decimal;
  did_you_mean?: string[];
}

export interface Filter {
  parameter: string;
  value: string;
  count: Decimal;
  did_you_mean?: string[];
}

/** A release or an emission; numbers are decimals as text. */
export type Row = Record<string, string | null> & { record_id: string };

export interface Answer {
  entity_type: Kind;
  count: Decimal;
  offset: Decimal;
  next_cursor: string | null;
  results: Row[];
  facets?: Record<string, Entry[]>;
  facet_info?: Record<string, FacetInfo>;
  warnings?: Warning[];
  query?: { read_as?: string; terms?: Term[]; filters?: Filter[] };
}

/** The facilities with coordinates: each column has a value for each of them. The numbers are rounded floats, which are exact enough to draw a circle and are never shown. */
export interface PlaceColumns {
  facility_id: readonly string[];
  longitude: readonly number[];
  latitude: readonly number[];
  count: readonly number[];
  kg?: readonly (number | null)[];
  g_teq?: readonly (number | null)[];
  tonnes?: readonly (number | null)[];
}

/** Every facility of the matches. */
export interface Places {
  facilities: number;
  nowhere: { facilities: number; count: number };
  places: PlaceColumns;
}

export interface Fault {
  parameter: string;
  code: string;
  detail: string;
  value?: string;
  did_you_mean?: string;
}

/** Why there is no answer. */
export interface Problem {
  code: string;
  title: string;
  detail: string;
  errors: Fault[];
  /** Seconds after which to try again. */
  wait?: number;
  request_id?: string;
}

export class Refused extends Error {
  constructor(readonly problem: Problem) {
    super(problem.detail);
  }
}

export interface Answered<T = Answer> {
  answer: T;
  /** The build of the data. */
  version: string;
}

export function target(kind: Kind, pairs: readonly Pair[], folder: "" | "/places" = ""): string {
  const query = written(pairs);
  return query ? `/${kind}${folder}?${query}` : `/${kind}${folder}`;
}

async function send(path: string, signal: AbortSignal): Promise<Response> {
  const headers = new Headers({ "Accept-Language": language });
  const { pass } = document.documentElement.dataset;
  if (pass) headers.set("x-outfall-embed", pass);
  return fetch(path, { signal, headers });
}

/** Gets another pass. That of the page is a cookie; that of a frame, which has none, is in its own page. */
async function renew(signal: AbortSignal): Promise<void> {
  const page = await fetch(isEmbedded ? location.href : "/", { signal, headers: { Accept: "text/html" }, cache: "no-store" });
  const found = isEmbedded ? /data-pass="([\w.]+)"/.exec(await page.text()) : null;
  if (found?.[1]) document.documentElement.dataset.pass = found[1];
}

/** The JSON of an answer; what stands between the page and the service may answer something else. */
function readable(text: string, read: (text: string) => unknown): unknown {
  try {
    return read(text);
  } catch {
    throw new Refused({ code: "unreadable", title: say("problem.title"), detail: say("problem.unreadable"), errors: [] });
  }
}

/** Asks once; with a new pass, if the pass of this page is no longer good. */
async function answerTo<T>(path: string, read: (text: string) => unknown, signal: AbortSignal): Promise<Answered<T>> {
  let response = await send(path, signal);
  if (response.status === 401) {
    await renew(signal);
    response = await send(path, signal);
  }
  const body = readable(await response.text(), read);
  // Reading an answer and drawing it are separate tasks, so that a click in between need not wait for both.
  await new Promise((resolve) => setTimeout(resolve));
  if (response.ok) return { answer: body as T, version: response.headers.get("x-data-version") ?? "" };
  const { code, title, detail, errors = [], request_id } = body as Problem;
  const wait = Number(response.headers.get("retry-after") ?? Number.NaN);
  const problem: Problem = { code, title, detail, errors };
  if (Number.isFinite(wait)) problem.wait = wait;
  if (request_id) problem.request_id = request_id;
  throw new Refused(problem);
}

export function ask(kind: Kind, pairs: readonly Pair[], signal: AbortSignal): Promise<Answered> {
  return answerTo(target(kind, pairs), parse, signal);
}

export function askPlaces(kind: Kind, pairs: readonly Pair[], signal: AbortSignal): Promise<Answered<Places>> {
  return answerTo(target(kind, pairs, "/places"), JSON.parse, signal);
}
