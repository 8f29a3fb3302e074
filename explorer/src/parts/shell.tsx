// The frame of every view: the inventories, the other language, where the data comes from.

import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { otherLanguage, say } from "../language";
import type { Kind } from "../place";
import { address, place, written } from "../place";
import { answers, isUpdated } from "../session";
import { Link } from "./link";

/** The same place in the other language. The server draws the page anew. */
function inOtherLanguage(): string {
  const { path, kind, pairs, view } = place.value;
  const on = kind === "emission" ? ([["on", kind]] as const) : [];
  const shown = view === null ? [] : ([["view", view]] as const);
  return `${path}?${written([...on, ...pairs, ...shown, ["lang", otherLanguage]])}`;
}

/** What both kinds of record understand of a question, for the tab of the other kind. */
const COMMON = new Set(["q", "province", "city", "company", "facility_id", "naics_code", "year", "near", "within_km", "bbox", "facet_sort"]);

function Tab({ kind }: { kind: Kind }) {
  const { path, kind: now, pairs } = place.value;
  const isHere = path === "/" && kind === now;
  const kept = path === "/" ? pairs.filter(([name]) => COMMON.has(name)) : [];
  return (
    <Link to={address(kind, kind === now ? pairs : kept)} aria-current={isHere ? "page" : undefined}>
      {say(`kind.${kind}`)}
    </Link>
  );
}

export function Shell({ children }: { children: ComponentChildren }) {
  useEffect(() => {
    const focusSearch = (event: KeyboardEvent): void => {
      const isIdle = document.activeElement === document.body || document.activeElement === null;
      if (event.key !== "/" || !isIdle || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      document.getElementById("q")?.focus();
    };
    addEventListener("keydown", focusSearch);
    return () => removeEventListener("keydown", focusSearch);
  }, []);
  const version = answers.value[0]?.version ?? "";
  return (
    <>
      <a class="skip" href={answers.value.length > 0 ? "#results" : "#main"}>
        {say("skip")}
      </a>
      <header class="top">
        <Link to={address("release", [])} class="brand">
          <img src="/favicon.ico" alt="" width="24" height="24" />
          {say("title")}
        </Link>
        <nav class="kinds" aria-label={say("title.what")}>
          <Tab kind="release" />
          <Tab kind="emission" />
        </nav>
        <div class="elsewhere">
          <a href={inOtherLanguage()} lang={otherLanguage} hreflang={otherLanguage}>
            {say("other.language")}
          </a>
          <a href="/docs">{say("docs")}</a>
        </div>
      </header>
      {isUpdated.value && (
        <div class="notice" role="status">
          {say("updated")} <button onClick={() => location.reload()}>{say("updated.reload")}</button>
        </div>
      )}
      <main id="main" tabIndex={-1}>{children}</main>
      <footer>
        <p>
          {say("footer.data")} ·{" "}
          <a href={say("footer.licence.link")} rel="license">
            {say("footer.licence")}
          </a>
        </p>
        <p>
          <a href="/meta">{say("footer.meta")}</a>
          {version && <> · {say("footer.version", { version })}</>}
        </p>
        <p class="print-only">{location.href}</p>
      </footer>
    </>
  );
}
