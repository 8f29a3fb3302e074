// The records of a page: a table where there is room, else cards.

import type { ComponentChildren } from "preact";
import type { Row } from "../api";
import type { Key } from "../language";
import { either, language, named, otherLanguage, say } from "../language";
import type { Kind } from "../place";
import { address } from "../place";
import { Amount, widestFraction } from "./amount";
import { InTurn } from "./in-turn";
import { Link } from "./link";
import { hasColumns } from "./screen";

/** The rows that are drawn at once. */
const AT_ONCE = 9;

/** A name in one of two languages; marked, if only the other one is known. */
function Named({ english, french }: { english: string | null | undefined; french: string | null | undefined }) {
  const own = language === "fr" ? french : english;
  const shown = either(english, french);
  if (shown === null) return <span class="soft">{say("records.unknown")}</span>;
  return own ? <>{shown}</> : <span lang={otherLanguage}>{shown}</span>;
}

function Facility({ row }: { row: Row }) {
  const id = row.facility_id ?? "";
  return (
    <Link to={address("release", [], `/facility/${encodeURIComponent(id)}`)} class="facility">
      {row.facility_name ?? say("records.unnamed")}
    </Link>
  );
}

function Whereabouts({ row }: { row: Row }) {
  const where = [row.city, row.province].filter(Boolean).join(", ");
  const known = [row.company_name, where].filter(Boolean).join(" · ");
  return known ? <span class="under">{known}</span> : null;
}

function Substance({ row }: { row: Row }) {
  const id = row.substance_id ?? "";
  return (
    <Link to={address("release", [], `/substance/${encodeURIComponent(id)}`)}>
      <Named english={row.substance_en} french={row.substance_fr} />
    </Link>
  );
}

interface Column {
  key: Key;
  /** The class of its cells. */
  look?: string;
  cell: (row: Row) => ComponentChildren;
}

/** The columns of a kind of record; each number has the room that the widest of its column needs. */
function columns(kind: Kind, rows: readonly Row[]): Column[] {
  const widest = (field: string): string => widestFraction(rows.map((row) => row[field]));
  const [reported, kg, total] = [widest("quantity"), widest("quantity_kg"), widest("total_co2e")];
  const facility: Column = {
    key: "records.facility",
    cell: (row) => (
      <>
        <Facility row={row} />
        <Whereabouts row={row} />
      </>
    ),
  };
  const year: Column = { key: "records.year", cell: (row) => row.year };
  if (kind === "emission") {
    return [
      year,
      facility,
      { key: "records.industry", cell: (row) => <Named english={row.naics_en} french={row.naics_fr} /> },
      { key: "records.total", look: "number", cell: (row) => <Amount value={row.total_co2e} widest={total} /> },
    ];
  }
  return [
    year,
    facility,
    { key: "records.substance", cell: (row) => <Substance row={row} /> },
    { key: "records.medium", cell: (row) => <Named english={row.medium_en} french={row.medium_fr} /> },
    {
      key: "records.reported",
      look: "number",
      cell: (row) => (
        <>
          <Amount value={row.quantity} widest={reported} /> <span class="unit">{named("units", row.units ?? "")}</span>
        </>
      ),
    },
    { key: "records.kg", look: "number", cell: (row) => <Amount value={row.quantity_kg} widest={kg} /> },
  ];
}

/** The rows, some at a time. */
function Rows({ rows, draw }: { rows: readonly Row[]; draw: (row: Row) => ComponentChildren }) {
  const parts = Array.from({ length: Math.ceil(rows.length / AT_ONCE) }, (_, index) => rows.slice(index * AT_ONCE, (index + 1) * AT_ONCE));
  return (
    <>
      {parts.map((some, index) => (
        <InTurn key={index} of={rows}>
          {some.map(draw)}
        </InTurn>
      ))}
    </>
  );
}

function Card({ kind, row }: { kind: Kind; row: Row }) {
  return (
    <li class="card">
      <p class="card-head">
        <span>
          {row.year}
          {kind === "release" && (
            <>
              {" · "}
              <Named english={row.medium_en} french={row.medium_fr} />
            </>
          )}
        </span>
        <strong>
          {kind === "release" ? (
            <>
              <Amount value={row.quantity} /> {named("units", row.units ?? "")}
            </>
          ) : (
            <>
              <Amount value={row.total_co2e} /> {say("unit.tCO2e")}
            </>
          )}
        </strong>
      </p>
      <p>
        <Facility row={row} />
        <Whereabouts row={row} />
      </p>
      <p class="card-what">{kind === "release" ? <Substance row={row} /> : <Named english={row.naics_en} french={row.naics_fr} />}</p>
    </li>
  );
}

function TableRow({ shown, row }: { shown: readonly Column[]; row: Row }) {
  return (
    <tr>
      {shown.map(({ key, look, cell }) => (
        <td key={key} class={look}>
          {cell(row)}
        </td>
      ))}
    </tr>
  );
}

export function Records({ kind, rows }: { kind: Kind; rows: readonly Row[] }) {
  if (!hasColumns.value) {
    return (
      <ol class="cards">
        <Rows rows={rows} draw={(row) => <Card key={row.record_id} kind={kind} row={row} />} />
      </ol>
    );
  }
  const shown = columns(kind, rows);
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={say("records.scroll")}>
      <table class="records">
        <thead>
          <tr>
            {shown.map(({ key, look }) => (
              <th key={key} scope="col" class={look}>
                {say(key)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <Rows rows={rows} draw={(row) => <TableRow key={row.record_id} shown={shown} row={row} />} />
        </tbody>
      </table>
    </div>
  );
}
