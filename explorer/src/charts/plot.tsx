// The drawing of a map: provinces, and a canvas with a circle for each facility above them. It can be
// enlarged with buttons, or with the wheel while Ctrl is held, and moved by dragging.

import type { RefObject } from "preact";
import type { Signal } from "@preact/signals";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { say } from "../language";
import type { Dots, Frame } from "./dots";
import { at, draw, framed, home } from "./dots";
import { HEIGHT, WIDTH } from "./lambert";
import type { Shapes } from "./shapes";
import { useWidth } from "./width";

/** What is pointed at: a facility by its id, a province by its code. */
export interface Pointed {
  facility?: string;
  province?: string;
}

interface PlotProps {
  dots: Dots;
  shapes: Shapes | null;
  /** The shade of a province, by its code. */
  shade: (code: string) => number;
  summary: string;
  /** The part that was chosen to be shown, if any was. */
  chosen: Signal<Frame | null>;
  pointed: Pointed;
  onPoint: (pointed: Pointed) => void;
  onOpen: (facility: string) => void;
}

/** The part of the plot's width and height that the canvas has beyond each edge. */
const AROUND = 0.2;
/** How much a click on a button enlarges. */
const STEP = 1.8;
/** How far a pointer may be from a circle, in pixels. */
const REACH = { mouse: 2, touch: 12 };
/** How far a pointer must move to drag, in pixels. */
const DRAG = 4;

/** Where a drag began: the pointer, and the part of the map that was shown. */
interface Drag {
  left: number;
  top: number;
  frame: Frame;
  isMoved: boolean;
}

const middle = ({ x, y, width }: Frame): [number, number] => [x + width / 2, y + (width * HEIGHT) / WIDTH / 2];

/** Goes up when the colours of the page or the pixels of the screen may be others. */
function useScreen(): number {
  const [screen, setScreen] = useState(0);
  useEffect(() => {
    const queries = ["(prefers-color-scheme: dark)", "(forced-colors: active)", `(resolution: ${devicePixelRatio}dppx)`].map((query) => matchMedia(query));
    const change = (): void => setScreen((before) => before + 1);
    for (const query of queries) query.addEventListener("change", change);
    return () => queries.forEach((query) => query.removeEventListener("change", change));
  }, [screen]);
  return screen;
}

/** The part of the drawing that the canvas has for a frame: as much again around it as `AROUND` says. */
function around({ x, y, width }: Frame): Frame {
  return { x: x - AROUND * width, y: y - (AROUND * width * HEIGHT) / WIDTH, width: width * (1 + 2 * AROUND) };
}

/** Draws the circles whenever something about them changes. A drag only moves the canvas, as long as there is some of it to show. */
function useCanvas(canvas: RefObject<HTMLCanvasElement | null>, dots: Dots, frame: Frame, width: number, pointed: string | undefined): void {
  const screen = useScreen();
  const drawn = useRef<Frame | null>(null);
  useLayoutEffect(() => void (drawn.current = null), [dots, frame.width, width, pointed, screen]);
  useLayoutEffect(() => {
    const shown = canvas.current;
    if (!shown || width === 0) return;
    const { x, y } = drawn.current ?? frame;
    const [left, top] = [x - frame.x, y - frame.y].map((units) => Math.round((units * width) / frame.width)) as [number, number];
    const isEnough = drawn.current !== null && Math.max(Math.abs(left), (Math.abs(top) * WIDTH) / HEIGHT) <= AROUND * width;
    shown.style.transform = isEnough ? `translate(${left}px, ${top}px)` : "";
    if (isEnough) return;
    drawn.current = frame;
    const ratio = Math.min(devicePixelRatio, 2);
    const [wide, high] = [width, (width * HEIGHT) / WIDTH].map((length) => Math.round(length * (1 + 2 * AROUND) * ratio)) as [number, number];
    if (shown.width !== wide) [shown.width, shown.height] = [wide, high];
    const { color: colour, outlineColor: ring } = getComputedStyle(shown);
    draw(shown, dots, around(frame), ratio, { colour, ring }, pointed);
  }, [dots, frame, width, pointed, screen]);
}

export function Plot({ dots, shapes, shade, summary, chosen, pointed, onPoint, onOpen }: PlotProps) {
  const [plot, width] = useWidth();
  const canvas = useRef<HTMLCanvasElement>(null);
  const drag = useRef<Drag | null>(null);
  const begin = useMemo(() => home(dots), [dots.xs]);
  // Other facilities are shown from their own beginning.
  useLayoutEffect(() => void (chosen.value = null), [begin.x, begin.y, begin.width]);
  const frame = chosen.value ?? begin;
  useCanvas(canvas, dots, frame, width, pointed.facility);
  const height = (width * HEIGHT) / WIDTH;

  const placed = (event: PointerEvent | WheelEvent): [number, number] => {
    const { left, top } = plot.current?.getBoundingClientRect() ?? { left: 0, top: 0 };
    return [event.clientX - left, event.clientY - top];
  };
  const found = (event: PointerEvent): number | null => at(dots, frame, width, placed(event), event.pointerType === "mouse" ? REACH.mouse : REACH.touch);
  const zoom = (by: number, [x, y] = middle(frame)): void => {
    // The point stays where it is, and all others move away from it or towards it.
    const [middleX, middleY] = middle(frame);
    chosen.value = framed(x + (middleX - x) / by, y + (middleY - y) / by, frame.width / by);
  };
  const point = (event: PointerEvent): void => {
    const facility = dots.ids[found(event) ?? -1];
    const province = (event.target as Element).getAttribute("data-code");
    onPoint(facility === undefined ? (province === null ? {} : { province }) : { facility });
  };
  const move = (event: PointerEvent): void => {
    const from = drag.current;
    if (!from) return event.pointerType === "mouse" ? point(event) : undefined;
    const [left, top] = [event.clientX - from.left, event.clientY - from.top];
    // A finger scrolls the page until the map was enlarged by a button.
    if (event.pointerType !== "mouse" && chosen.value === null) return undefined;
    if (!from.isMoved && Math.hypot(left, top) < DRAG) return undefined;
    from.isMoved = true;
    plot.current?.setPointerCapture(event.pointerId);
    const [x, y] = middle(from.frame);
    const unit = from.frame.width / width;
    chosen.value = framed(x - left * unit, y - top * unit, from.frame.width);
    return undefined;
  };
  const release = (event: PointerEvent): void => {
    const isClick = drag.current !== null && !drag.current.isMoved;
    drag.current = null;
    if (!isClick) return;
    const facility = dots.ids[found(event) ?? -1];
    // A finger points first and opens what it pointed at.
    if (facility !== undefined && (event.pointerType === "mouse" || facility === pointed.facility)) onOpen(facility);
    else point(event);
  };
  const wheel = (event: WheelEvent): void => {
    // Without Ctrl the wheel scrolls the page, as it does everywhere else.
    if (!event.ctrlKey) return;
    event.preventDefault();
    const [left, top] = placed(event);
    const unit = frame.width / width;
    zoom(Math.exp(-event.deltaY / 300), [frame.x + left * unit, frame.y + top * unit]);
  };
  const isWhole = frame.width >= WIDTH;
  return (
    <div
      class={`plot${isWhole ? "" : " zoomed"}${pointed.facility === undefined ? "" : " over"}`}
      ref={plot}
      style={{ aspectRatio: `${WIDTH} / ${HEIGHT}`, touchAction: chosen.value === null ? "auto" : "none" }}
      onPointerDown={(event) => {
        if (event.isPrimary && event.button === 0 && !(event.target as Element).closest("button")) drag.current = { left: event.clientX, top: event.clientY, frame, isMoved: false };
      }}
      onPointerMove={move}
      onPointerUp={release}
      onPointerCancel={() => (drag.current = null)}
      onPointerLeave={(event) => event.pointerType === "mouse" && drag.current === null && onPoint({})}
      onWheel={wheel}
    >
      {width > 0 && (
        <>
          <svg role="img" aria-label={summary} width={width} height={height} viewBox={`${frame.x} ${frame.y} ${frame.width} ${(frame.width * HEIGHT) / WIDTH}`}>
            {shapes && (
              <g class="land">
                {Object.entries(shapes.provinces).map(([code, path]) => (
                  <path key={code} d={path} data-code={code} class={`shade-${shade(code)}`} />
                ))}
                <path d={shapes.lakes} class="lakes" />
              </g>
            )}
          </svg>
          <canvas ref={canvas} aria-hidden="true" style={{ inset: `${-100 * AROUND}%`, width: `${100 * (1 + 2 * AROUND)}%`, height: `${100 * (1 + 2 * AROUND)}%` }} />
          <div class="zoom">
            <button aria-label={say("map.zoom.in")} title={say("map.zoom.in")} onClick={() => zoom(STEP)}>
              +
            </button>
            <button aria-label={say("map.zoom.out")} title={say("map.zoom.out")} disabled={isWhole} onClick={() => zoom(1 / STEP)}>
              −
            </button>
            {chosen.value && <button onClick={() => (chosen.value = null)}>{say("map.zoom.whole")}</button>}
          </div>
        </>
      )}
    </div>
  );
}
