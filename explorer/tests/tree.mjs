// What a screen reader is told of a page.

import assert from "node:assert/strict";

/** The roles that say nothing without a name. */
const NAMED = new Set(["button", "link", "checkbox", "radio", "combobox", "listbox", "textbox", "searchbox", "spinbutton", "slider", "image", "img", "navigation", "region", "dialog", "heading", "DisclosureTriangle"]);

/** The nodes of the accessibility tree in their order. */
export async function tree(page) {
  const cdp = await page.context().newCDPSession(page);
  const { nodes } = await cdp.send("Accessibility.getFullAXTree");
  await cdp.detach();
  return nodes
    .filter(({ ignored }) => !ignored)
    .map(({ role, name, properties = [] }) => ({
      role: role.value,
      name: name?.value ?? "",
      level: properties.find(({ name: property }) => property === "level")?.value.value,
    }));
}

/** Asserts that the tree has its landmarks once, an outline without gaps, and a name for all that needs one. */
export async function assertTold(page, view, landmarks) {
  const nodes = await tree(page);
  for (const role of landmarks) assert.equal(nodes.filter((node) => node.role === role).length, 1, `${view}: ${role}`);
  const levels = nodes.filter(({ role }) => role === "heading").map(({ level }) => level);
  assert.deepEqual(levels.filter((level) => level === 1), [1], `${view}: one heading of the first level`);
  levels.reduce((before, level) => {
    assert.ok(level <= before + 1, `${view}: a heading of level ${level} below one of ${before}`);
    return level;
  }, 0);
  const nameless = nodes.filter(({ role, name }) => NAMED.has(role) && name.trim() === "");
  assert.deepEqual(nameless, [], view);
  assert.deepEqual(nodes.filter(({ name }) => /undefined|NaN|\[object|\{\w+\}/.test(name)), [], view);
  return nodes;
}
