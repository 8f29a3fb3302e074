// Links within the page, which the script follows itself; the browser follows them with a modifier key.

import type { ComponentChildren } from "preact";
import { go, isEmbedded } from "../place";

interface LinkProps {
  to: string;
  class?: string;
  "aria-current"?: "page" | undefined;
  children: ComponentChildren;
}

export function Link({ to, children, ...rest }: LinkProps) {
  const follow = (event: MouseEvent): void => {
    // The page of a frame has its links open elsewhere.
    if (isEmbedded || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    go(to);
    // Another view begins at its top; the same view with another question stays where it is.
    if (!to.startsWith("/?") && to !== "/") {
      scrollTo(0, 0);
      document.getElementById("main")?.focus({ preventScroll: true });
    }
  };
  return (
    <a {...rest} href={to} onClick={follow}>
      {children}
    </a>
  );
}
