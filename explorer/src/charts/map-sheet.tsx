// The map for a file: the part that is shown with all of its circles, a scale, and what the circles and
// the shades mean.

import type { Entry } from "../api";
import type { Measure } from "../language";
import { either, number, short } from "../language";
import { amount } from "../measure";
import type { Circle, Dots, Frame } from "./dots";
import { hasEdges, radius, visit } from "./dots";
import { HEIGHT, KILOMETRES, WIDTH } from "./lambert";
import { shade, sizes } from "./map-legend";
import type { Shapes } from "./shapes";
import { cut, widthOf } from "./text-width";

/** What the picture has of the map. */
export interface Picture {
  dots: Dots;
  shapes: Shapes;
  frame: Frame;
  /** See [`ranked`](./map-legend.tsx). */
  provinces: readonly Entry[];
  measure: Measure;
  /** What a facility is told as, by its id, where it is known. */
  told: ReadonlyMap<string, string>;
  /** What the map cannot show, in a sentence; or nothing. */
  note: string;
}

const SIZE = 13;
/** The columns of the provinces, and the height of a line of them. */
const [COLUMNS, LINE] = [3, 22];
/** The room of the sizes of circles, and that of the note. */
const [CIRCLES, NOTE] = [52, 24];
/** The lengths that a scale may have, in kilometres, and the part of the map that it may take. */
const [LENGTHS, PART] = [[1000, 500, 200, 100, 50, 20, 10, 5, 2], 0.2];

const mapHeight = (width: number): number => Math.round((width * HEIGHT) / WIDTH);

/** The height of the picture at a width. */
export function pictureHeight({ provinces, note }: Pick<Picture, "provinces" | "note">, width: number): number {
  return mapHeight(width) + CIRCLES + Math.ceil(provinces.length / COLUMNS) * LINE + (note === "" ? 0 : NOTE);
}

function Land({ shapes, frame, provinces, width, height }: Pick<Picture, "shapes" | "frame" | "provinces"> & { width: number; height: number }) {
  // A file has no style sheet to keep lines as thin as on the screen.
  const line = frame.width / width;
  return (
    <svg width={width} height={height} viewBox={`${frame.x} ${frame.y} ${frame.width} ${(frame.width * HEIGHT) / WIDTH}`}>
      <g class="land" stroke-width={line}>
        {Object.entries(shapes.provinces).map(([code, path]) => (
          <path key={code} d={path} class={`shade-${shade(code, provinces)}`} />
        ))}
        <path d={shapes.lakes} class="lakes" />
      </g>
    </svg>
  );
}

function Circles({ dots, frame, told, width, height }: Pick<Picture, "dots" | "frame" | "told"> & { width: number; height: number }) {
  const shown: Circle[] = [];
  visit(dots, frame, { width, ratio: 1 }, (circle) => shown.push({ ...circle }));
  return (
    <svg width={width} height={height}>
      <g class={hasEdges(dots) ? "dots edged" : "dots"} fill-opacity={0.5} stroke-width={0.8}>
        {shown.map(({ index, x, y, radius: size }) => {
          const title = told.get(dots.ids[index] ?? "");
          return (
            <circle key={index} cx={x.toFixed(1)} cy={y.toFixed(1)} r={size.toFixed(2)}>
              {title && <title>{title}</title>}
            </circle>
          );
        })}
      </g>
    </svg>
  );
}

/** A length on the ground, at the lower left of the map. */
function Scale({ frame, width, height }: { frame: Frame; width: number; height: number }) {
  const long = (kilometres: number): number => ((kilometres / KILOMETRES) * width) / frame.width;
  const kilometres = LENGTHS.find((one) => long(one) <= width * PART) ?? 1;
  return (
    <g>
      <path class="scale" d={`M12 ${height - 18}v6h${long(kilometres).toFixed(1)}v-6`} />
      <text x={12} y={height - 24} font-size={SIZE}>
        {number(String(kilometres))} km
      </text>
    </g>
  );
}

function Key({ dots, measure, y }: { dots: Dots; measure: Measure; y: number }) {
  let x = 0;
  return (
    <g>
      {sizes(dots, measure).map(({ text, value }) => {
        const [label, size] = [short(text, measure), radius(value / dots.largest, dots.ids.length)];
        const left = x;
        x += 2 * size + widthOf(label, SIZE) + 34;
        return (
          <g key={text}>
            <g class="dots edged" fill-opacity={0.5} stroke-width={0.8}>
              <circle cx={left + size + 1} cy={y} r={size} />
            </g>
            <text x={left + 2 * size + 10} y={y + 5} font-size={SIZE} class="soft">
              {label}
            </text>
          </g>
        );
      })}
    </g>
  );
}

function Provinces({ provinces, measure, width, y }: Pick<Picture, "provinces" | "measure"> & { width: number; y: number }) {
  const [lines, column] = [Math.ceil(provinces.length / COLUMNS), width / COLUMNS];
  return (
    <g class="land">
      {provinces.map((entry, index) => {
        const [left, top] = [Math.floor(index / lines) * column, y + (index % lines) * LINE];
        const has = short(amount(entry, measure) ?? "0", measure);
        const name = cut(either(entry.label_en, entry.label_fr) ?? entry.value ?? "", SIZE, column - widthOf(has, SIZE) - 44);
        return (
          <g key={entry.value}>
            <rect x={left} y={top} width={SIZE} height={SIZE} class={`shade-${shade(entry.value ?? "", provinces)}`} />
            <text x={left + 20} y={top + 11} font-size={SIZE}>
              {name}
            </text>
            <text x={left + 28 + widthOf(name, SIZE)} y={top + 11} font-size={SIZE} class="soft">
              {has}
            </text>
          </g>
        );
      })}
    </g>
  );
}

export function MapPicture({ picture, width }: { picture: Picture; width: number }) {
  const { dots, shapes, frame, provinces, measure, told, note } = picture;
  const height = mapHeight(width);
  const below = height + CIRCLES;
  return (
    <>
      <rect width={width} height={height} class="sea" />
      <Land {...{ shapes, frame, provinces, width, height }} />
      <Circles {...{ dots, frame, told, width, height }} />
      <Scale {...{ frame, width, height }} />
      <Key {...{ dots, measure }} y={height + CIRCLES / 2} />
      <Provinces {...{ provinces, measure, width }} y={below} />
      {note !== "" && (
        <text y={pictureHeight(picture, width) - 6} font-size={SIZE} class="soft">
          {cut(note, SIZE, width)}
        </text>
      )}
    </>
  );
}
