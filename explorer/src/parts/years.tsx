// A range of years: typed, or chosen with two linked sliders, which work by keyboard and by touch.

import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { named, say } from "../language";
import { address, go, place, replaced, value, values } from "../place";
import { yearsServed } from "../years-served";

/** How long a key rests, in milliseconds, before the page asks: each press moves by one year. */
const REST = 500;

const YEAR = /^\d{4}$/;

/** The first and the last year of the filter; empty where it is open. */
function chosen(): [first: string, last: string] {
  const ranges = values("year");
  const [, from = "", to = from] = /^(\d{4})(?:[-–](\d{4}))?$/.exec(ranges.length === 1 ? (ranges[0] ?? "") : "") ?? [];
  const bound = (name: string): string => (YEAR.test(value(name) ?? "") ? (value(name) ?? "") : "");
  return ranges.length > 0 ? [from, to] : [bound("issued_after"), bound("issued_before")];
}

/** Asks for the years from `first` to `last`, either of which may be empty. */
function ask(first: string, last: string): void {
  const pairs = replaced("year", first && last ? [first === last ? first : `${first}-${last}`] : []);
  go(address(place.value.kind, replaced("issued_before", !first && last ? [last] : [], replaced("issued_after", first && !last ? [first] : [], pairs))));
}

export function Years({ known }: { known: readonly number[] }) {
  const [first, last] = chosen();
  const [low, high] = [useSignal(first), useSignal(last)];
  const resting = useRef<ReturnType<typeof setTimeout>>(undefined);
  const isByKey = useRef(false);
  useEffect(() => {
    [low.value, high.value] = [first, last];
  }, [first, last]);
  useEffect(() => () => clearTimeout(resting.current), []);
  const isNarrowed = first !== "" || last !== "" || values("year").length > 0;
  const served = yearsServed(place.value.kind, isNarrowed);
  const all = [...known, ...served, ...[first, last].filter((year) => year !== "").map(Number)];
  const [least, most] = [Math.min(...all), Math.max(...all)];
  const at = (text: string, otherwise: number): number => (YEAR.test(text) ? Math.min(Math.max(Number(text), least), most) : otherwise);
  const [from, to] = [at(low.value, least), at(high.value, most)];

  const send = (): void => {
    clearTimeout(resting.current);
    ask(low.value.trim(), high.value.trim());
  };
  const slide = (event: Event, isLow: boolean): void => {
    const slider = event.currentTarget as HTMLInputElement;
    const year = isLow ? Math.min(Number(slider.value), to) : Math.max(Number(slider.value), from);
    // The two never pass each other.
    slider.value = String(year);
    const [start, end] = isLow ? [year, to] : [from, year];
    const isWhole = start === least && end === most;
    [low.value, high.value] = isWhole ? ["", ""] : [String(start), String(end)];
  };
  const settle = (): void => {
    clearTimeout(resting.current);
    if (isByKey.current) resting.current = setTimeout(send, REST);
    else send();
  };
  const field = (name: "from" | "to") => {
    const text = name === "from" ? low : high;
    return (
      <label>
        {say(`refine.${name}`)}
        <input name={name} inputMode="numeric" pattern="[0-9]{4}" maxLength={4} size={4} value={text.value} onInput={(event) => (text.value = event.currentTarget.value)} />
      </label>
    );
  };
  const slider = (isLow: boolean) => (
    <input
      type="range"
      aria-label={say(isLow ? "refine.first" : "refine.last")}
      min={least}
      max={most}
      step={1}
      value={isLow ? from : to}
      // Where both are at the end, the one that can still move lies on top.
      class={isLow && from > (least + most) / 2 ? "on-top" : ""}
      onKeyDown={() => (isByKey.current = true)}
      onPointerDown={() => (isByKey.current = false)}
      onInput={(event) => slide(event, isLow)}
      onChange={settle}
    />
  );
  // The middle of a thumb moves from its own half at one end to that at the other.
  const inset = (years: number): string => `calc(.75rem + (100% - 1.5rem) * ${years / (most - least)})`;
  return (
    <fieldset class="facet years">
      <legend>{named("name", "year")}</legend>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        {field("from")} {field("to")} <button>{say("refine.years.set")}</button>
      </form>
      {least < most && (
        <>
          <div class="range">
            <span class="range-part" style={{ left: inset(from - least), right: inset(most - to) }} />
            {slider(true)}
            {slider(false)}
          </div>
          <p class="range-ends" aria-hidden="true">
            <span>{least}</span> <span>{most}</span>
          </p>
        </>
      )}
    </fieldset>
  );
}
