// The width that a chart has on the screen, so that its texts keep their size.

import type { RefObject } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { queue } from "../parts/in-turn";

export function useWidth(): [RefObject<HTMLDivElement | null>, number] {
  const element = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    if (!element.current) return undefined;
    // It tells the first width too. Asking for it here would make the browser lay out the whole answer in one piece with its drawing.
    const observer = new ResizeObserver(([entry]) => entry && queue(() => setWidth(Math.round(entry.contentRect.width))));
    observer.observe(element.current);
    return () => observer.disconnect();
  }, []);
  return [element, width];
}
