// Makes files of a drawing: SVG that needs no style sheet, and PNG drawn from that.

/** What has colours of its own; the circles of a map, of which there may be 14,000, have those of their group. */
const SHAPES = "rect, path, line, text, .dots";
const COMMON = ".dots *";
const SVG = "image/svg+xml;charset=utf-8";

const RGB = /^rgba?\((\d+), (\d+), (\d+)(?:, ([\d.]+))?\)$/;

/** A colour of another space, such as one that the page mixes, as the screen shows it. */
function asRgb(value: string): string {
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [1, 1];
  const context = canvas.getContext("2d");
  if (context === null) return value;
  context.fillStyle = value;
  context.fillRect(0, 0, 1, 1);
  const [red = 0, green = 0, blue = 0, alpha = 0] = context.getImageData(0, 0, 1, 1).data;
  return alpha === 255 ? `rgb(${red}, ${green}, ${blue})` : `rgba(${red}, ${green}, ${blue}, ${alpha / 255})`;
}

/** A colour of the page as SVG says it: without alpha, which has an attribute of its own. */
function paint(element: Element, name: "fill" | "stroke", value: string): void {
  const found = RGB.exec(value) ?? (value === "none" ? null : RGB.exec(asRgb(value)));
  if (!found) {
    element.setAttribute(name, value);
    return;
  }
  const [, red, green, blue, alpha] = found;
  element.setAttribute(name, `rgb(${red},${green},${blue})`);
  if (alpha !== undefined) element.setAttribute(`${name}-opacity`, alpha);
}

/** Writes what the style sheet of the page says of an element into its attributes. */
function inline(element: Element): void {
  const style = getComputedStyle(element);
  if (style.opacity !== "1") element.setAttribute("opacity", style.opacity);
  if (element.matches(SHAPES)) {
    // A fill that is drawn here already names its pattern.
    if (!element.getAttribute("fill")?.startsWith("url(")) paint(element, "fill", style.fill);
    if (style.stroke !== "none") {
      paint(element, "stroke", style.stroke);
      element.setAttribute("stroke-width", style.strokeWidth);
    }
  }
  if (element.matches("text")) {
    element.setAttribute("font-size", style.fontSize);
    if (style.fontWeight !== "400") element.setAttribute("font-weight", style.fontWeight);
  }
}

/** The text of a drawing that is on the page. */
export function standalone(drawing: SVGSVGElement): string {
  const all = [drawing, ...drawing.querySelectorAll(`:not(${COMMON})`)];
  for (const element of all) inline(element);
  // What the rules say is read before the first class is gone.
  for (const element of all) element.removeAttribute("class");
  return `<?xml version="1.0" encoding="UTF-8"?>\n${new XMLSerializer().serializeToString(drawing)}\n`;
}

export function asSvg(text: string): Blob {
  return new Blob([text], { type: SVG });
}

/** How many pixels of a PNG stand for one of the drawing. */
const DENSITY = 2;

/** Draws SVG; fails where a browser has no room for the picture. */
export async function asPng(text: string, width: number, height: number): Promise<Blob> {
  const image = new Image(width, height);
  image.src = `data:${SVG},${encodeURIComponent(text)}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [width * DENSITY, height * DENSITY];
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("no picture"))), "image/png");
  });
}

/** How long a browser may take to save a file, in milliseconds, before its bytes are let go. */
const SAVING = 60_000;

export function save(file: Blob, name: string): void {
  const address = URL.createObjectURL(file);
  const link = document.createElement("a");
  [link.href, link.download] = [address, name];
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), SAVING);
}
