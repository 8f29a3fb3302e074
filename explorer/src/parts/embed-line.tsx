// A line of HTML that shows a chart of this question on another site, where the service allows any.

import { useSignal } from "@preact/signals";
import { language, say } from "../language";
import type { Key } from "../language";
import type { Pair } from "../place";
import { CHARTS, choosing, place, written } from "../place";
import { questionText } from "../question-text";

type Chart = (typeof CHARTS)[number];

const TITLES: Record<Chart, Key> = { years: "chart.years", largest: "chart.largest", map: "view.map" };
/** The room that each takes on a page of 640 pixels, title and source included. */
const HEIGHTS: Record<Chart, number> = { years: 480, largest: 680, map: 860 };

function quoted(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
}

function line(chart: Chart): string {
  const { kind, pairs } = place.value;
  const own: Pair[] = [["view", chart], ["lang", language]];
  const address = `${location.origin}/embed?${written([["on", kind], ...choosing(pairs, "facet_sort"), ...own])}`;
  return `<iframe src="${quoted(address)}" title="${quoted(questionText())}" width="100%" height="${HEIGHTS[chart]}" style="border:0" loading="lazy"></iframe>`;
}

export function EmbedLine() {
  const chart = useSignal<Chart>(place.value.view === "map" ? "map" : "years");
  if (document.documentElement.dataset.embeds !== "yes") return null;
  return (
    <details class="embed-line">
      <summary>{say("share.embed")}</summary>
      <label>
        {say("share.embed.chart")}{" "}
        <select onChange={(event) => (chart.value = event.currentTarget.value as Chart)}>
          {CHARTS.map((one) => (
            <option key={one} value={one} selected={one === chart.value}>
              {say(TITLES[one])}
            </option>
          ))}
        </select>
      </label>
      <label class="copy-by-hand">
        {say("share.embed.line")} <textarea readOnly rows={4} value={line(chart.value)} onFocus={(event) => event.currentTarget.select()} />
      </label>
    </details>
  );
}
