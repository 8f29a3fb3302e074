// Nothing matches: what each part of the question would find by itself, and what was perhaps meant.

import type { Answer, Filter, Term } from "../api";
import { named, number, say } from "../language";
import type { Pair } from "../place";
import { address, place, replaced, value } from "../place";
import { shownValue } from "./chips";
import { Link } from "./link";

/** The question with one of its texts replaced; the first occurrence is the one that was counted. */
function repaired(name: string, old: string, better: string): Pair[] {
  const { pairs } = place.value;
  return pairs.map(([parameter, text]) => [parameter, parameter === name ? text.replace(old, better) : text] as const);
}

function Suggestions({ texts, to }: { texts: readonly string[]; to: (text: string) => Pair[] }) {
  return (
    <>
      {say("empty.instead")}{" "}
      {texts.map((text) => (
        <Link key={text} class="button" to={address(place.value.kind, to(text))}>
          {text}
        </Link>
      ))}
    </>
  );
}

function TermLine({ term }: { term: Term }) {
  const alone = term.count_alone ?? term.count;
  const { text, did_you_mean: better } = term;
  return (
    <li>
      {alone === "0" ? (
        say("empty.nowhere", { text: `“${text}”` })
      ) : (
        <Link class="button" to={address(place.value.kind, [["q", text]])}>
          {say("empty.alone", { text, n: number(alone) })}
        </Link>
      )}{" "}
      {better && <Suggestions texts={better} to={(one) => repaired("q", text.replace(/^-/, ""), one)} />}
    </li>
  );
}

function FilterLine({ filter, answer }: { filter: Filter; answer: Answer }) {
  const { parameter, value: text, count: alone, did_you_mean: better } = filter;
  const name = named("name", parameter);
  const shown = say("empty.filter", { name, value: shownValue([parameter, text], answer), n: number(alone) });
  const radius = value("within_km");
  const only: Pair[] = parameter === "near" && radius ? [["near", text], ["within_km", radius]] : [[parameter, text]];
  const word = better && !text.includes(" ") ? text : undefined;
  return (
    <li>
      {alone === "0" ? shown : <Link class="button" to={address(place.value.kind, only)}>{shown}</Link>}{" "}
      {better && <Suggestions texts={better} to={(one) => (word === undefined ? replaced(parameter, [one]) : repaired(parameter, word, one))} />}
    </li>
  );
}

export function Empty({ answer }: { answer: Answer }) {
  const { terms = [], filters = [] } = answer.query ?? {};
  return (
    <section class="empty">
      <h2>{say("count.none")}</h2>
      {terms.length + filters.length > 0 && <p>{say("empty.why")}</p>}
      <ul>
        {terms.map((term) => (
          <TermLine key={term.text} term={term} />
        ))}
        {filters.map((filter) => (
          <FilterLine key={`${filter.parameter}=${filter.value}`} {...{ filter, answer }} />
        ))}
      </ul>
      <p>
        <Link to={address(place.value.kind, [])}>{say("empty.clear")}</Link>
      </p>
    </section>
  );
}
