// A table whose rows each begin with a long name. Where there is no room for all columns beside one
// another, each row becomes a group of lines: the name, and then each column with its head.

import type { ComponentChildren } from "preact";
import { isWide } from "./screen";

interface NamedRowsProps {
  className: string;
  /** The head of the names. */
  head: string;
  /** The other heads, with the class of their cells. */
  columns: readonly { head: string; look?: string }[];
  /** Each with its key, its name and a cell for every column. */
  rows: readonly { key: string; name: ComponentChildren; cells: readonly ComponentChildren[] }[];
}

export function NamedRows({ className, head, columns, rows }: NamedRowsProps) {
  if (!isWide.value) {
    return (
      <table class={`${className} stacked`}>
        {rows.map(({ key, name, cells }) => (
          <tbody key={key}>
            <tr>
              <th scope="rowgroup" colSpan={2}>
                {name}
              </th>
            </tr>
            {columns.map((column, place) => (
              <tr key={column.head}>
                <th scope="row">{column.head}</th>
                <td class="number">{cells[place]}</td>
              </tr>
            ))}
          </tbody>
        ))}
      </table>
    );
  }
  return (
    <table class={className}>
      <thead>
        <tr>
          <th scope="col">{head}</th>
          {columns.map((column) => (
            <th key={column.head} scope="col" class={column.look}>
              {column.head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, name, cells }) => (
          <tr key={key}>
            <th scope="row">{name}</th>
            {columns.map((column, place) => (
              <td key={column.head} class={column.look}>
                {cells[place]}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
