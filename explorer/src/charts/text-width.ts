// How wide a text is, and how much of it has room: SVG does not break lines.

/** What measures texts. It is made for the first of them: that takes longer than drawing a chart, and most readers save none. */
let context: CanvasRenderingContext2D | null | undefined;
/** The part of its size that a letter is wide, where a browser gives no canvas. */
const USUAL = 0.6;

export function widthOf(text: string, size: number): number {
  context ??= document.createElement("canvas").getContext("2d");
  if (context === null) return text.length * size * USUAL;
  context.font = `${size}px ${getComputedStyle(document.body).fontFamily}`;
  return context.measureText(text).width;
}

/** The letters from the start that have room, at least one. */
function head(letters: readonly string[], size: number, width: number): string {
  let fitting = letters[0] ?? "";
  for (const letter of letters.slice(1)) {
    if (widthOf(fitting + letter, size) > width) break;
    fitting += letter;
  }
  return fitting;
}

/** The text, or its beginning with an ellipsis. */
export function cut(text: string, size: number, width: number): string {
  const whole = head([...text], size, width);
  return whole === text ? text : `${head([...text], size, width - size)}…`;
}

/** The text in lines, broken between words, or anywhere in a word that is longer than a line. */
export function wrapped(text: string, size: number, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (widthOf(longer, size) <= width) {
      line = longer;
      continue;
    }
    if (line !== "") lines.push(line);
    let rest = [...word];
    while (rest.length > 1 && widthOf(rest.join(""), size) > width) {
      const part = head(rest, size, width);
      lines.push(part);
      rest = rest.slice([...part].length);
    }
    line = rest.join("");
  }
  return [...lines, line];
}
