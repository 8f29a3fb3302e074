// A chart as a picture that stands alone: with its title, the question that it answers, and where its
// numbers come from.

import type { ComponentChildren } from "preact";
import type { Measure } from "../language";
import { language, say } from "../language";
import { cautions } from "../parts/warnings";
import { place } from "../place";
import { fullAddress, questionText } from "../question-text";
import { answerOf, answers } from "../session";
import { widthOf, wrapped } from "./text-width";

export interface Sheet {
  /** The name of the file, without its ending. */
  name: string;
  title: string;
  measure: Measure;
  /** What the chart shows, in a sentence. */
  summary: string;
  legend: readonly { fill: string; name: string }[];
  /** The height of what is drawn. */
  height: number;
  draw: (width: number) => ComponentChildren;
}

const WIDTH = 960;
const MARGIN = 28;
/** The width that a chart has in the picture. */
export const INNER = WIDTH - 2 * MARGIN;
const LEADING = 1.4;

interface Line {
  text: string;
  size: number;
  y: number;
  look: string;
}

/** Lines from `y` down, as many as the text needs. */
function lines(text: string, size: number, y: number, look: string): Line[] {
  const found = text === "" ? [] : wrapped(text, size, INNER);
  return found.map((line, index) => ({ text: line, size, y: y + (index + 1) * size * LEADING, look }));
}

const below = (above: readonly Line[], y: number): number => above[above.length - 1]?.y ?? y;

/** The names of fills, side by side. */
function Key({ legend, y }: { legend: Sheet["legend"]; y: number }) {
  const room = legend.map(({ name }) => 44 + widthOf(name, 13));
  return (
    <>
      {legend.map(({ fill, name }, index) => {
        const x = MARGIN + room.slice(0, index).reduce((sum, one) => sum + one, 0);
        return (
          <g key={name}>
            <rect x={x} y={y - 11} width={13} height={13} fill={fill} />
            <text x={x + 20} y={y} font-size={13} class="soft">
              {name}
            </text>
          </g>
        );
      })}
    </>
  );
}

export function SheetDrawing({ sheet }: { sheet: Sheet }) {
  const heading = lines(sheet.title, 20, MARGIN - 8, "strong");
  const question = lines(questionText(), 14, below(heading, MARGIN), "soft");
  const asked = below(question, below(heading, MARGIN));
  const { measure } = sheet;
  const answer = answerOf(measure === "count" ? place.value.kind : measure === "co2e" ? "emission" : "release");
  const caution = lines(cautions(answer, measure).join(" "), 13, asked + 6, "warn");
  const keyAt = below(caution, asked) + (sheet.legend.length > 0 ? 26 : 0);
  const plotAt = keyAt + 14;
  const version = answers.value[0]?.version ?? "";
  const source = [say("footer.data"), say("footer.licence"), say("footer.version", { version })].join(" · ");
  const sources = lines(source, 12, plotAt + sheet.height + 12, "soft");
  const address = lines(fullAddress(place.value), 12, below(sources, plotAt), "soft");
  const height = Math.ceil(below(address, plotAt) + MARGIN - 8);
  return (
    <svg class="sheet" width={WIDTH} height={height} viewBox={`0 0 ${WIDTH} ${height}`} lang={`${language}-CA`} font-family={getComputedStyle(document.body).fontFamily}>
      <title>{sheet.title}</title>
      <desc>{sheet.summary}</desc>
      <rect width={WIDTH} height={height} class="ground" />
      <svg x={MARGIN} y={plotAt} width={INNER} height={sheet.height}>
        {sheet.draw(INNER)}
      </svg>
      <Key legend={sheet.legend} y={keyAt} />
      {[...heading, ...question, ...caution, ...sources, ...address].map(({ text, size, y, look }) => (
        <text key={y} x={MARGIN} y={y} font-size={size} class={look}>
          {text}
        </text>
      ))}
    </svg>
  );
}
