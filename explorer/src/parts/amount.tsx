// A number in a column, aligned at its decimal point.

import type { Decimal } from "../decimal";
import { halves, say } from "../language";

/** The longest fraction in a column, point included. */
export function widestFraction(column: readonly (Decimal | null | undefined)[]): string {
  const fractions = column.map((value) => (value ? halves(value)[1] : ""));
  return fractions.reduce((widest, fraction) => (fraction.length > widest.length ? fraction : widest), "");
}

/** `widest` is the longest fraction of the column; its missing characters take room, but are not text. */
export function Amount({ value, widest = "" }: { value: Decimal | null | undefined; widest?: string }) {
  const [whole, fraction] = value == null ? [say("records.unknown"), ""] : halves(value);
  return (
    <span class="decimal" data-room={widest.slice(fraction.length).replace(/\d/g, "0")}>
      {whole}
      {fraction}
    </span>
  );
}
