// The axis of a chart: round numbers from 0 to at least the largest value.

const STEPS = [1, 2, 2.5, 5, 10];

export interface Axis {
  top: number;
  ticks: number[];
}

/** About `wanted` steps of a round length. */
export function axis(largest: number, wanted = 4): Axis {
  if (!(largest > 0)) return { top: 1, ticks: [0] };
  const raw = largest / wanted;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = (STEPS.find((one) => one * power >= raw) ?? 10) * power;
  const count = Math.ceil(largest / step - 1e-9);
  // Multiples of a power of ten have rounding errors, which nobody wants to read.
  const ticks = Array.from({ length: count + 1 }, (_, index) => Number((index * step).toPrecision(12)));
  return { top: count * step, ticks };
}
