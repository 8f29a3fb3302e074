// For everybody: axe finds nothing in any view, and nothing is wider than the screen.

import { test } from "node:test";
import { audit } from "./axe.mjs";
import { open, shown, withBrowser } from "./support.mjs";
import { VIEWS } from "./views.mjs";

withBrowser();

for (const language of ["en", "fr"]) {
  test(`${language}: axe finds nothing in any view, at any width, in either colours, and nothing is too wide`, async (t) => {
    const page = await open(t, null, { language: `${language}-CA`, bypassCSP: true });
    for (const view of VIEWS) {
      await shown(page, view);
      await audit(page, view[0]);
    }
  });
}
