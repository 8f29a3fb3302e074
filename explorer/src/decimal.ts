// Decimal numbers as the text that the API wrote: scaled, rounded and grouped without a float.

/** A decimal number as JSON has it, such as `-12.50`. */
export type Decimal = string;

/** The sign, the digits before the point and those behind it. */
interface Parts {
  sign: string;
  whole: string;
  fraction: string;
}

/** How a language writes numbers. */
export interface Style {
  group: string;
  point: string;
}

const PLAIN = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

function parts(value: Decimal): Parts {
  const found = PLAIN.exec(value);
  if (!found) throw new RangeError(`not a decimal number: ${value}`);
  const [, sign = "", whole = "", fraction = "", exponent] = found;
  const plain = { sign, whole, fraction };
  return exponent ? moved(plain, Number(exponent)) : plain;
}

/** Moves the point to the right, or to the left by a negative number of places. */
function moved({ sign, whole, fraction }: Parts, places: number): Parts {
  const digits = places < 0 ? whole.padStart(whole.length - places, "0") + fraction : whole + fraction.padEnd(places, "0");
  const point = places < 0 ? digits.length - fraction.length + places : whole.length + places;
  return { sign, whole: digits.slice(0, point).replace(/^0+(?=\d)/, ""), fraction: digits.slice(point) };
}

function text({ sign, whole, fraction }: Parts): Decimal {
  return sign + whole + (fraction && `.${fraction}`);
}

/** The number times ten to the power of `places`, without zeros at its end. */
export function scaled(value: Decimal, places: number): Decimal {
  const { sign, whole, fraction } = moved(parts(value), places);
  return text({ sign, whole, fraction: fraction.replace(/0+$/, "") });
}

/** The power of ten of the first digit that is not zero: 2 for 742, -3 for 0.0042. */
export function magnitude(value: Decimal): number {
  const { whole, fraction } = parts(value);
  if (/[1-9]/.test(whole)) return whole.length - 1;
  const zeros = /^0*/.exec(fraction)?.[0].length ?? 0;
  return zeros === fraction.length ? 0 : -zeros - 1;
}

/** The number with at most `digits` digits behind the point, rounded half away from zero. */
export function rounded(value: Decimal, digits: number): Decimal {
  const { sign, whole, fraction } = parts(value);
  if (fraction.length <= digits) return text({ sign, whole, fraction });
  const kept = BigInt(whole + fraction.slice(0, digits)) + (fraction.charAt(digits) >= "5" ? 1n : 0n);
  return scaled(`${sign}${kept}`, -digits);
}

/** The number as a language writes it: 1,234.5 or 1 234,5. */
export function grouped(value: Decimal, style: Style): [whole: string, fraction: string] {
  const { sign, whole, fraction } = parts(value);
  const triples = whole.replace(/\B(?=(?:\d{3})+$)/g, style.group);
  return [(sign && "−") + triples, fraction && style.point + fraction];
}

/** The first number less the second one, exactly. */
export function difference(one: Decimal, other: Decimal): Decimal {
  const [first, second] = [parts(one), parts(other)];
  const places = Math.max(first.fraction.length, second.fraction.length);
  const whole = ({ sign, whole: digits, fraction }: Parts): bigint => BigInt(sign + digits + fraction.padEnd(places, "0"));
  return scaled(String(whole(first) - whole(second)), -places);
}
