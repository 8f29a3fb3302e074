// Stand-ins for the services of Google that the script in examples/spreadsheets.md calls. What it
// writes into its sheet is printed as JSON.
const { execFileSync } = require("node:child_process");

const PropertiesService = {
  getScriptProperties: () => ({ getProperty: (name) => process.env[name] ?? null }),
};

const UrlFetchApp = {
  fetch(url, { headers }) {
    const given = Object.entries(headers).flatMap(([name, value]) => ["-H", `${name}: ${value}`]);
    const body = execFileSync("curl", ["-sS", "--fail-with-body", ...given, url], {
      maxBuffer: 1 << 28,
    });
    // Google, too, leaves a byte order mark where it is.
    const decoded = (encoding) => new TextDecoder(encoding, { ignoreBOM: true }).decode(body);
    return { getContentText: decoded };
  },
};

const Utilities = {
  parseCsv(text) {
    const rows = [[]];
    const cells = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/g;
    for (const [, quoted, plain, end] of text.matchAll(cells)) {
      rows.at(-1).push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
      if (end === "") break;
      if (end !== ",") rows.push([]);
    }
    return rows.filter((row) => row.length > 1);
  },
};

const sheet = {
  clearContents() {},
  getRange: (row, column, rows, columns) => ({
    setValues(table) {
      if (table.length !== rows || table.some((cells) => cells.length !== columns)) {
        throw new Error("the table does not have the size of its range");
      }
      process.stdout.write(JSON.stringify(table));
    },
  }),
};

const SpreadsheetApp = { getActiveSpreadsheet: () => ({ getActiveSheet: () => sheet }) };
