// JSON whose numbers stay the text that the API wrote: a float would round them.

/** Strings of JSON, which are left alone, and its numbers, which become strings. */
const STRINGS_AND_NUMBERS = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** Parses JSON; each number in it becomes a string with the same digits. */
export function parse(text: string): unknown {
  return JSON.parse(text.replace(STRINGS_AND_NUMBERS, (found) => (found.startsWith('"') ? found : `"${found}"`)));
}
