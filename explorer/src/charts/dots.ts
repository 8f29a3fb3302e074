// The facilities of a map as circles: where they are, how large, and which one is pointed at. There may
// be 14,000 of them, so they are columns of numbers that are drawn on a canvas.

import type { PlaceColumns } from "../api";
import type { Measure } from "../language";
import { HEIGHT, WIDTH, project } from "./lambert";

/** The largest amount first, so that small circles stand on large ones and all can be pointed at. */
export interface Dots {
  ids: readonly string[];
  /** Units of the drawing, from the left and from the top. */
  xs: Float64Array;
  ys: Float64Array;
  /** Pixels. */
  radii: Float64Array;
  /** The largest amount, as a float. */
  largest: number;
}

/** A part of the drawing, in the form of the whole. */
export interface Frame {
  x: number;
  y: number;
  width: number;
}

/** A circle in pixels from the left and from the top of what is shown; `index` is that in its columns. */
export interface Circle {
  index: number;
  x: number;
  y: number;
  radius: number;
}

/** The columns that measure something. */
const COLUMN = { mass: "kg", teq: "g_teq", co2e: "tonnes", count: "count" } as const;
/** More circles than these are drawn smaller, or cities would be blots. */
const CROWD = 1500;
/** The largest circle is so much larger than the smallest, in pixels. */
const SPAN = 15;
/** The smallest part of the country that a map begins with, and that it can be enlarged to. */
const [SMALLEST, CLOSEST] = [120, 12];

/** The radius of a circle with a share of the largest amount, among `n`. */
export function radius(share: number, n: number): number {
  return (n > CROWD ? 1.5 : 2.5) + SPAN * Math.sqrt(share);
}

/** Whether circles have edges, which tell them apart where they overlap; a crowd of small ones reads better without. */
export function hasEdges({ ids }: Dots): boolean {
  return ids.length <= CROWD;
}

export function dotsOf(places: PlaceColumns, measure: Measure): Dots {
  const { facility_id: ids, longitude, latitude } = places;
  const column = places[COLUMN[measure]] ?? [];
  const amounts = Float64Array.from(ids, (_, index) => Math.max(0, column[index] ?? 0));
  const amount = (index: number): number => amounts[index] ?? 0;
  const ranked = [...ids.keys()].sort((one, other) => amount(other) - amount(one));
  const largest = amount(ranked[0] ?? 0);
  const n = ranked.length;
  const dots: Dots = { ids: ranked.map((index) => ids[index] ?? ""), xs: new Float64Array(n), ys: new Float64Array(n), radii: new Float64Array(n), largest };
  for (const [rank, index] of ranked.entries()) {
    const [x, y] = project(longitude[index] ?? 0, latitude[index] ?? 0);
    dots.xs[rank] = x;
    dots.ys[rank] = y;
    dots.radii[rank] = radius(largest > 0 ? amount(index) / largest : 0, n);
  }
  return dots;
}

/** A part of the drawing around a point, no larger than the whole and inside of it. */
export function framed(middleX: number, middleY: number, wide: number): Frame {
  const width = Math.min(WIDTH, Math.max(CLOSEST, wide));
  const within = (middle: number, size: number, whole: number): number => Math.min(whole - size, Math.max(0, middle - size / 2));
  return { x: within(middleX, width, WIDTH), y: within(middleY, (width * HEIGHT) / WIDTH, HEIGHT), width };
}

/** The part of the drawing with all circles in it. */
export function home({ xs, ys }: Dots): Frame {
  let [left, right, top, bottom] = [WIDTH, 0, HEIGHT, 0];
  for (const [index, x] of xs.entries()) {
    const y = ys[index] ?? 0;
    if (x < 0 || x > WIDTH || y < 0 || y > HEIGHT) continue;
    [left, right, top, bottom] = [Math.min(left, x), Math.max(right, x), Math.min(top, y), Math.max(bottom, y)];
  }
  if (left > right) return { x: 0, y: 0, width: WIDTH };
  const wide = Math.max(right - left, ((bottom - top) * WIDTH) / HEIGHT, SMALLEST) * 1.25;
  // Nearly all of the country is shown whole.
  return framed((left + right) / 2, (top + bottom) / 2, wide > 0.65 * WIDTH ? WIDTH : wide);
}

/** What circles are drawn on: how wide it is in its own pixels, and how many of these are one of the page. */
export interface Surface {
  width: number;
  ratio: number;
}

/** Visits the circles that are in a part of the drawing, the largest first; `circle` is the same object every time. */
export function visit({ xs, ys, radii }: Dots, frame: Frame, { width, ratio }: Surface, each: (circle: Readonly<Circle>) => void): void {
  const scale = width / frame.width;
  const height = (width * HEIGHT) / WIDTH;
  const circle: Circle = { index: 0, x: 0, y: 0, radius: 0 };
  for (let index = 0; index < xs.length; index += 1) {
    const size = (radii[index] ?? 0) * ratio;
    circle.index = index;
    circle.x = ((xs[index] ?? 0) - frame.x) * scale;
    circle.y = ((ys[index] ?? 0) - frame.y) * scale;
    circle.radius = size;
    if (circle.x >= -size && circle.y >= -size && circle.x <= width + size && circle.y <= height + size) each(circle);
  }
}

/** The circle under a point of the plot, `reach` pixels around it included; the nearest if several are. */
export function at(dots: Dots, frame: Frame, width: number, [left, top]: readonly [number, number], reach: number): number | null {
  let found: number | null = null;
  let nearest = Infinity;
  // A pass over all of them takes less than a tenth of a millisecond.
  visit(dots, frame, { width, ratio: 1 }, ({ index, x, y, radius: size }) => {
    const distance = Math.hypot(x - left, y - top);
    if (distance > size + reach || distance > nearest) return;
    found = index;
    nearest = distance;
  });
  return found;
}

/** The colour of the circles on a canvas, and that of the ring around the one that is pointed at. */
export interface Ink {
  colour: string;
  ring: string;
}

/** Draws the circles of a part of the map over the whole canvas, and a ring around the one that is pointed at. */
export function draw(canvas: HTMLCanvasElement, dots: Dots, frame: Frame, ratio: number, { colour, ring }: Ink, pointed: string | undefined): void {
  const context = canvas.getContext("2d");
  if (!context) return;
  context.clearRect(0, 0, canvas.width, canvas.height);
  context.fillStyle = context.strokeStyle = colour;
  context.lineWidth = 0.8 * ratio;
  const isEdged = hasEdges(dots);
  const around = (x: number, y: number, size: number): void => {
    context.beginPath();
    context.arc(x, y, size, 0, 2 * Math.PI);
  };
  const found: Circle[] = [];
  visit(dots, frame, { width: canvas.width, ratio }, (circle) => {
    around(circle.x, circle.y, circle.radius);
    context.globalAlpha = 0.5;
    context.fill();
    context.globalAlpha = 1;
    if (isEdged) context.stroke();
    if (dots.ids[circle.index] === pointed) found.push({ ...circle });
  });
  for (const { x, y, radius: size } of found) {
    around(x, y, size + 1.5 * ratio);
    context.strokeStyle = ring;
    context.lineWidth = 2.5 * ratio;
    context.stroke();
  }
}
