// The order of the records, and the pages before and after this one.

import type { Answer } from "../api";
import { number, say } from "../language";
import type { Key } from "../language";
import type { Kind, Pair } from "../place";
import { address, before, go, place, replaced, value, withoutPaging } from "../place";

const ORDERS: { key: Key; by?: string; order?: string }[] = [
  { key: "sort.newest" },
  { key: "sort.oldest", order: "asc" },
  { key: "sort.largest", by: "value" },
  { key: "sort.smallest", by: "value", order: "asc" },
  { key: "sort.relevance", by: "relevance" },
];

function ordered(kind: Kind, by: string | undefined, order: string | undefined): Pair[] {
  // Values are compared as masses; otherwise 3 tonnes would be less than 5 kg.
  const needsUnit = kind === "release" && by === "value" && value("value_unit") === undefined;
  const unit = needsUnit ? replaced("value_unit", ["kg"]) : withoutPaging(place.value.pairs);
  return replaced("sort_order", order ? [order] : [], replaced("sort_by", by ? [by] : [], unit));
}

export function Order() {
  const { kind } = place.value;
  const [by, order] = [value("sort_by"), value("sort_order") === "desc" ? undefined : value("sort_order")];
  const now = ORDERS.findIndex((one) => one.by === by && one.order === order);
  const choose = (event: Event): void => {
    const chosen = ORDERS[Number((event.currentTarget as HTMLSelectElement).value)];
    if (chosen) go(address(kind, ordered(kind, chosen.by, chosen.order)));
  };
  return (
    <label class="order">
      {say("sort.label")}{" "}
      <select value={String(now)} onChange={choose}>
        {now < 0 && <option value="-1">{say("sort.other")}</option>}
        {ORDERS.map(({ key, by: sortBy }, index) =>
          sortBy === "relevance" && !value("q") ? null : (
            <option key={key} value={String(index)}>
              {say(key)}
            </option>
          ),
        )}
      </select>
    </label>
  );
}

export function Paging({ answer }: { answer: Answer }) {
  const { kind, pairs } = place.value;
  const offset = Number(answer.offset);
  const cursor = value("cursor") ?? null;
  const previous = (): void => {
    const kept = before();
    const last = kept[kept.length - 1];
    const size = Number(value("limit") ?? 25);
    const offsets: Pair[] = last || offset <= size ? [] : [["offset", String(offset - size)]];
    const at: Pair[] = last ? [["cursor", last]] : kept.length > 0 ? [] : offsets;
    turn(address(kind, [...withoutPaging(pairs), ...at]), kept.slice(0, -1));
  };
  const next = (): void => {
    if (answer.next_cursor === null) return;
    turn(address(kind, [...withoutPaging(pairs), ["cursor", answer.next_cursor]]), [...before(), cursor]);
  };
  if (offset === 0 && answer.next_cursor === null) return null;
  return (
    <nav class="paging" aria-label={say("paging.label")}>
      <button disabled={offset === 0} onClick={previous}>
        <span aria-hidden="true">‹</span> {say("paging.previous")}
      </button>
      <span>{span(answer)}</span>
      <button disabled={answer.next_cursor === null} onClick={next}>
        {say("paging.next")} <span aria-hidden="true">›</span>
      </button>
    </nav>
  );
}

function turn(to: string, kept: (string | null)[]): void {
  go(to, { before: kept });
  document.getElementById("records")?.scrollIntoView();
}

/** Which records of how many: 26–50 of 12,431. */
export function span(answer: Answer): string {
  const offset = Number(answer.offset);
  const last = number(String(offset + answer.results.length));
  return say("records.title", { first: number(String(offset + 1)), last, n: number(answer.count) });
}
