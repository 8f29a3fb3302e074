// Draws a long answer part by part, so that a key or a click between two parts is heard at once.

import type { ComponentChildren } from "preact";
import { computed, signal } from "@preact/signals";
import { useLayoutEffect, useState } from "preact/hooks";
import { isBusy } from "../session";

const waiting = new Set<() => void>();
const isDrawing = signal(false);
/** How many parts wait for something else than their turn. */
const held = signal(0);
/** Whether there is more to come: an answer, or parts of one that are not drawn yet. */
export const isUnfinished = computed(() => isBusy.value || isDrawing.value || held.value > 0);

/** How long a task may draw parts before it lets others in, in milliseconds. */
const SLICE = 8;
/** A task that took longer than this has a frame of its own, or the browser would lay out several parts at once. */
const LONG = 12;

// A timer would make each task wait four milliseconds; a message is the next task.
const { port1: turn, port2: caller } = new MessageChannel();
turn.onmessage = async () => {
  const began = performance.now();
  for (const draw of waiting) {
    waiting.delete(draw);
    draw();
    // The part is drawn before the next line runs.
    await null;
    if (performance.now() - began > SLICE) break;
  }
  if (waiting.size === 0) isDrawing.value = false;
  else if (performance.now() - began > LONG && !document.hidden) requestAnimationFrame(() => caller.postMessage(null));
  else caller.postMessage(null);
};

/** Calls `draw` in a later task, after those that wait already. */
export function queue(draw: () => void): () => void {
  if (waiting.size === 0) caller.postMessage(null);
  waiting.add(draw);
  isDrawing.value = true;
  return () => void waiting.delete(draw);
}

/** Says that there is more to come, until what it returns is called. */
export function hold(): () => void {
  let isHeld = true;
  held.value += 1;
  return () => {
    if (isHeld) held.value -= 1;
    isHeld = false;
  };
}

interface InTurnProps {
  /** What the part is drawn from. As long as that is the same, the part is not drawn again. */
  of: unknown;
  children: ComponentChildren;
}

/** A part of the page that shows its last drawing until it is its turn. */
export function InTurn({ of, children }: InTurnProps) {
  // A printer waits for no task.
  const [shown, show] = useState(() => (matchMedia("print").matches ? children : null));
  useLayoutEffect(() => queue(() => show(children)), [of]);
  return <>{shown}</>;
}
