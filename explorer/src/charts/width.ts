// The width that a chart has on the screen, so that its texts keep their size.

import type { RefObject } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { hold, queue } from "../parts/in-turn";

export function useWidth(): [RefObject<HTMLDivElement | null>, number] {
  const element = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    if (!element.current) return undefined;
    // It tells the first width too. Asking for it here would make the browser lay out the whole answer in one piece with its drawing.
    const release = hold();
    const observer = new ResizeObserver(([entry]) => {
      if (entry) queue(() => setWidth(Math.round(entry.contentRect.width)));
      release();
    });
    observer.observe(element.current);
    return () => {
      observer.disconnect();
      release();
    };
  }, []);
  return [element, width];
}
