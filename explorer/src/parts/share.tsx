// The same question elsewhere: as a link, as a command, as a file.

import { useSignal } from "@preact/signals";
import { target } from "../api";
import { number, say } from "../language";
import type { Pair } from "../place";
import { choosing, place } from "../place";
import { EmbedLine } from "./embed-line";

const FORMATS = ["csv", "geojson", "parquet"] as const;
const NAMES = { csv: "CSV", geojson: "GeoJSON", parquet: "Parquet" };

/** The question for every match, in one file. */
function inFile(pairs: readonly Pair[], format: string): Pair[] {
  return [...choosing(pairs, "sort_by", "sort_order"), ["format", format]];
}

/** A line for a shell. */
function curl(path: string): string {
  const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
  const access = document.documentElement.dataset.access;
  const key = access === "demo" ? "DEMO_KEY" : say("share.key");
  const headers = access === "open" ? "" : `-H ${quoted(`x-gateway-host: ${location.hostname}`)} -H ${quoted(`x-gateway-key: ${key}`)} `;
  return `curl ${headers}${quoted(location.origin + path)}`;
}

export function Share({ count }: { count: string }) {
  const { kind, pairs } = place.value;
  const copied = useSignal<string | null>(null);
  const failed = useSignal<string | null>(null);
  const copy = async (what: string, text: string): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      [copied.value, failed.value] = [what, null];
    } catch {
      // Browsers allow it only over HTTPS, on this machine, or with permission.
      [copied.value, failed.value] = [null, text];
    }
  };
  const button = (what: "share.link" | "share.curl", text: string) => (
    <button onClick={() => void copy(what, text)}>{copied.value === what ? say("share.copied") : say(what)}</button>
  );
  return (
    <section class="share" aria-label={say("share.label")}>
      {button("share.link", location.href)}
      {button("share.curl", curl(target(kind, pairs)))}
      <span class="files">
        {say("share.files", { n: number(count) })}{" "}
        {FORMATS.map((format) => (
          <a key={format} class="button" href={target(kind, inFile(pairs, format))} download>
            {NAMES[format]}
          </a>
        ))}
      </span>
      <EmbedLine />
      <span role="status" class="hidden">
        {copied.value && say("share.copied")}
      </span>
      {failed.value && (
        <label class="copy-by-hand">
          {say("share.failed")} <textarea readOnly rows={2} value={failed.value} onFocus={(event) => event.currentTarget.select()} />
        </label>
      )}
    </section>
  );
}
