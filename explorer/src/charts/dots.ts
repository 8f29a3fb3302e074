// The facilities of a map as circles: where they are, how large, and which one is pointed at. There may
// be 14,000 of them, so they are columns of numbers that are drawn on a canvas.

import type { PlaceRow, Places } from "../api";
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

/** The columns that measure something. */
const COLUMN: Record<Measure, string> = { mass: "kg", teq: "g_teq", co2e: "tonnes", count: "count" };
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

export function dotsOf({ columns, places }: Places, measure: Measure): Dots {
  const column = columns.indexOf(COLUMN[measure]);
  const amount = (row: PlaceRow): number => Math.max(0, Number(row[column] ?? 0));
  const ranked = places.toSorted((one, other) => amount(other) - amount(one));
  const largest = ranked[0] ? amount(ranked[0]) : 0;
  const n = ranked.length;
  const dots: Dots = { ids: ranked.map(([id]) => id), xs: new Float64Array(n), ys: new Float64Array(n), radii: new Float64Array(n), largest };
  for (const [index, row] of ranked.entries()) {
    const [x, y] = project(row[1], row[2]);
    dots.xs[index] = x;
    dots.ys[index] = y;
    dots.radii[index] = radius(largest > 0 ? amount(row) / largest : 0, n);
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

/** The circle under a point of the plot, `reach` pixels around it included; the nearest if several are. */
export function at({ xs, ys, radii }: Dots, frame: Frame, width: number, [left, top]: readonly [number, number], reach: number): number | null {
  const scale = width / frame.width;
  let found: number | null = null;
  let nearest = Infinity;
  // A pass over all of them takes less than a tenth of a millisecond.
  for (let index = 0; index < xs.length; index += 1) {
    const x = ((xs[index] ?? 0) - frame.x) * scale - left;
    const y = ((ys[index] ?? 0) - frame.y) * scale - top;
    const distance = Math.hypot(x, y);
    if (distance <= (radii[index] ?? 0) + reach && distance <= nearest) {
      found = index;
      nearest = distance;
    }
  }
  return found;
}

/** The circles of a map on a canvas: their colour, and how many of its pixels are in one of the page. */
export interface Ink {
  colour: string;
  ratio: number;
}

/** Draws the circles of a part of the map over the whole canvas. */
export function draw(canvas: HTMLCanvasElement, { xs, ys, radii }: Dots, frame: Frame, { colour, ratio }: Ink): void {
  const context = canvas.getContext("2d");
  if (!context) return;
  context.clearRect(0, 0, canvas.width, canvas.height);
  context.fillStyle = context.strokeStyle = colour;
  context.lineWidth = 0.8 * ratio;
  // Edges tell circles apart that overlap; a crowd of small ones reads better without.
  const hasEdges = xs.length <= CROWD;
  const scale = canvas.width / frame.width;
  for (let index = 0; index < xs.length; index += 1) {
    const x = ((xs[index] ?? 0) - frame.x) * scale;
    const y = ((ys[index] ?? 0) - frame.y) * scale;
    const radius = (radii[index] ?? 0) * ratio;
    if (x < -radius || y < -radius || x > canvas.width + radius || y > canvas.height + radius) continue;
    context.beginPath();
    context.arc(x, y, radius, 0, 2 * Math.PI);
    context.globalAlpha = 0.5;
    context.fill();
    context.globalAlpha = 1;
    if (hasEdges) context.stroke();
  }
}
