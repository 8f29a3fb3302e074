// Buttons that save a chart as a picture.

import { render } from "preact";
import { useSignal } from "@preact/signals";
import { say } from "../language";
import { isEmbedded } from "../place";
import type { Sheet } from "./sheet";
import { SheetDrawing } from "./sheet";
import { asPng, asSvg, save, standalone } from "./standalone";

type Format = "SVG" | "PNG";

/** Draws a sheet outside of what is seen, where the style of the page reaches it. */
function drawn(sheet: Sheet): { text: string; width: number; height: number } {
  const host = document.createElement("div");
  host.className = "hidden";
  host.setAttribute("aria-hidden", "true");
  document.body.append(host);
  try {
    render(<SheetDrawing sheet={sheet} />, host);
    const drawing = host.querySelector("svg");
    if (drawing === null) throw new Error("nothing was drawn");
    const { width, height } = drawing.viewBox.baseVal;
    return { text: standalone(drawing), width, height };
  } finally {
    render(null, host);
    host.remove();
  }
}

async function take(sheet: Sheet, format: Format): Promise<void> {
  const { text, width, height } = drawn(sheet);
  const file = format === "SVG" ? asSvg(text) : await asPng(text, width, height);
  save(file, `outfall-${sheet.name}.${format.toLowerCase()}`);
}

export function ChartFiles({ sheet }: { sheet: Sheet }) {
  const hasFailed = useSignal(false);
  if (isEmbedded) return null;
  const press = async (format: Format): Promise<void> => {
    try {
      await take(sheet, format);
      hasFailed.value = false;
    } catch {
      hasFailed.value = true;
    }
  };
  return (
    <p class="chart-files">
      {say("chart.files")}{" "}
      {(["SVG", "PNG"] as const).map((format) => (
        <button key={format} class="plain" aria-label={say("chart.file", { format, title: sheet.title })} onClick={() => void press(format)}>
          {format}
        </button>
      ))}
      {hasFailed.value && <span role="alert"> {say("chart.file.failed")}</span>}
    </p>
  );
}
