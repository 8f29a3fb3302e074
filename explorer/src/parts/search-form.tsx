// The search box, and how the API read what stands in it.

import { useLayoutEffect, useRef } from "preact/hooks";
import { say } from "../language";
import { address, go, place, replaced, value } from "../place";
import { answerOf, problem } from "../session";
import { Link } from "./link";

const EXAMPLES = ["mercury Sarnia", "benzene OR toluene -Ontario", "\"sulphur dioxide\"", "PM2.5"];

export function SearchForm() {
  const box = useRef<HTMLInputElement>(null);
  const { kind } = place.value;
  const q = value("q") ?? "";
  useLayoutEffect(() => {
    if (box.current) box.current.value = q;
  }, [q, kind]);
  const submit = (event: Event): void => {
    event.preventDefault();
    const typed = box.current?.value.trim() ?? "";
    go(address(kind, replaced("q", typed ? [typed] : [])));
  };
  const readAs = answerOf(kind)?.query?.read_as;
  const fault = problem.value?.errors.find(({ parameter }) => parameter === "q");
  return (
    <form class="search" role="search" action={`/${kind}`} onSubmit={submit}>
      <div class="box">
        <label for="q" class="hidden">
          {say("search.label")}
        </label>
        <input
          id="q"
          name="q"
          type="search"
          ref={box}
          defaultValue={q}
          placeholder={say("search.placeholder")}
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          aria-invalid={fault ? "true" : undefined}
          aria-describedby={fault ? "q-fault" : "q-read"}
        />
        <button class="primary">{say("search.button")}</button>
      </div>
      {fault && (
        <p id="q-fault" class="fault">
          {fault.detail}
        </p>
      )}
      <div class="below-box">
        <p id="q-read" class="read">
        {readAs && readAs !== q && (
          <>
            {say("search.read")} <q>{readAs}</q>
          </>
          )}
        </p>
      <details class="help">
        <summary>{say("search.help")}</summary>
        <p>{say("search.help.words")}</p>
        <p>
          {say("search.help.examples")}{" "}
          {EXAMPLES.map((example) => (
            <Link key={example} class="example" to={address("release", [["q", example]])}>
              {example}
            </Link>
          ))}
        </p>
      </details>
      </div>
    </form>
  );
}
