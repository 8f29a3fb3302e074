// The explorer: draws the view that the address names.

import { render } from "preact";
import { useSignalEffect } from "@preact/signals";
import { say } from "./language";
import { Shell } from "./parts/shell";
import { answered, answers, begin, idIn } from "./session";
import { isEmbedded, place, value } from "./place";
import { Embed } from "./views/embed";
import { Facility } from "./views/facility";
import { Search } from "./views/search";
import { Substance } from "./views/substance";

function View() {
  const { path } = place.value;
  const [facility, substance] = [idIn(path, "facility"), idIn(path, "substance")];
  const isAnswered = answered.value?.path === path && answers.value.length > 0;
  if (facility !== null) return <Facility key={path} id={facility} isAnswered={isAnswered} />;
  if (substance !== null) return <Substance key={path} id={substance} isAnswered={isAnswered} />;
  return <Search />;
}

function Explorer() {
  useSignalEffect(() => {
    const heading = document.querySelector("h1:not(.hidden)")?.textContent;
    const q = value("q");
    document.title = [answered.value && heading ? heading : (q ?? say("title.what")), say("title")].join(" – ");
  });
  return (
    <Shell>
      <View />
    </Shell>
  );
}

/** Puts the drawn page in the place of the one that the server sent, with what was typed there. */
function replace(sent: HTMLElement, drawn: HTMLElement): void {
  const [before, now] = [sent.querySelector<HTMLInputElement>("#q"), drawn.querySelector<HTMLInputElement>("#q")];
  const isFocused = before !== null && document.activeElement === before;
  sent.replaceWith(drawn);
  if (!before || !now) return;
  if (before.value) now.value = before.value;
  if (!isFocused) return;
  now.focus();
  now.setSelectionRange(before.selectionStart, before.selectionEnd);
}

const page = document.getElementById("page");
if (page) {
  // Tasks of their own; the question is on its way before anything is drawn.
  setTimeout(begin);
  setTimeout(() => {
    const root = page.cloneNode() as HTMLElement;
    render(isEmbedded ? <Embed /> : <Explorer />, root);
    replace(page, root);
  });
}
