// What is around a place: typed as coordinates, or where the reader is.

import { useSignal } from "@preact/signals";
import { named, say } from "../language";
import { address, go, place, replaced, value } from "../place";

const RADII = ["1", "5", "10", "25", "50", "100"];
/** The API's own radius, if none is given. */
const USUAL = "10";

export function Near() {
  const trouble = useSignal(false);
  const [near, within] = [value("near") ?? "", value("within_km") ?? USUAL];
  const look = (at: string, radius: string): void => {
    const pairs = replaced("within_km", at && radius !== USUAL ? [radius] : [], replaced("near", at ? [at] : []));
    go(address(place.value.kind, pairs));
  };
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    look(String(form.get("near")).trim(), String(form.get("within")));
  };
  const locate = (): void => {
    trouble.value = false;
    navigator.geolocation.getCurrentPosition(
      // Three digits are about a hundred metres, which is enough, and tell nobody's house.
      ({ coords }) => look(`${coords.latitude.toFixed(3)},${coords.longitude.toFixed(3)}`, within),
      () => (trouble.value = true),
    );
  };
  return (
    <fieldset class="facet years">
      <legend>{named("name", "near")}</legend>
      <form onSubmit={submit}>
        <input key={near} name="near" defaultValue={near} aria-label={say("near.place")} placeholder="43.68, -79.77" autocomplete="off" />
        <label>
          <span class="hidden">{say("near.within")}</span>
          <select name="within" key={within} defaultValue={within} onChange={(event) => near && look(near, event.currentTarget.value)}>
            {(RADII.includes(within) ? RADII : [...RADII, within]).map((radius) => (
              <option key={radius} value={radius} selected={radius === within}>
                {radius} km
              </option>
            ))}
          </select>
        </label>
        <button>{say("near.look")}</button>
      </form>
      {"geolocation" in navigator && (
        <button class="plain" onClick={locate}>
          {say("near.me")}
        </button>
      )}
      {trouble.value && (
        <p class="hint" role="status">
          {say("near.trouble")}
        </p>
      )}
    </fieldset>
  );
}
