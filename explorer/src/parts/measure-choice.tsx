// What the bars and lists measure, as the reader chooses it.

import type { Answer } from "../api";
import type { Key } from "../language";
import { say } from "../language";
import { measureAt } from "../measure";
import type { Pair } from "../place";
import { address, go, place, replaced } from "../place";

type Choice = "amount" | "teq" | "count";

/** The question with this measure, in the parameters of the API. */
function measured(choice: Choice): Pair[] {
  const order = replaced("facet_sort", choice === "count" ? ["count"] : []);
  const now = order.find(([name]) => name === "value_unit")?.[1];
  if (choice === "teq") return replaced("value_unit", ["g_teq"], order);
  return now === "g_teq" && choice === "amount" ? replaced("value_unit", [], order) : order;
}

export function MeasureChoice({ answer }: { answer: Answer }) {
  const { kind, path } = place.value;
  const measure = measureAt(place.value);
  const hasTeq = measure === "teq" || (answer.facets?.year ?? []).some(({ sum }) => sum.g_teq != null);
  const now: Choice = measure === "count" || measure === "teq" ? measure : "amount";
  const choices: [Choice, Key][] = [["amount", kind === "emission" ? "measure.co2e" : "measure.mass"]];
  if (hasTeq) choices.push(["teq", "measure.teq"]);
  choices.push(["count", "measure.count"]);
  return (
    <fieldset class="measure">
      <legend class="hidden">{say("measure.label")}</legend>
      {choices.map(([choice, key]) => (
        <label key={choice} class={choice === now ? "chosen" : ""}>
          <input type="radio" name="measure" checked={choice === now} onChange={() => go(address(kind, measured(choice), path))} />
          {say(key)}
        </label>
      ))}
    </fieldset>
  );
}
