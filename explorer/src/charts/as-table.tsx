// The numbers of a chart with all their digits, behind a button.

import { say } from "../language";

interface AsTableProps {
  title: string;
  /** The heads of the columns; all but the first are numbers. */
  heads: readonly string[];
  /** The cells of each row; the first one is its head. */
  rows: readonly (readonly string[])[];
}

export function AsTable({ title, heads, rows }: AsTableProps) {
  return (
    <details class="as-table">
      <summary>{say("chart.table")}</summary>
      <div class="scroll" tabIndex={0} role="region" aria-label={`${title}: ${say("chart.numbers")}`}>
        <table>
          <thead>
            <tr>
              {heads.map((head, index) => (
                <th key={head} scope="col" class={index > 0 ? "number" : ""}>
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(([head = "", ...cells], row) => (
              <tr key={row}>
                <th scope="row">{head}</th>
                {cells.map((cell, index) => (
                  <td key={index} class="number">
                    {cell}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}
