// Asks `outfall mcp` and the service at /mcp through the official client, which says `initialize`
// first, and compares the answers with those of the API.

import assert from "node:assert/strict";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const { OUTFALL, OUTFALL_DATA_OF_TEST, OUTFALL_URL_OF_TEST, OUTFALL_KEY_OF_TEST } = process.env;
const headers = { "x-gateway-key": OUTFALL_KEY_OF_TEST, "x-gateway-host": "127.0.0.1" };

const transports = [
  new StdioClientTransport({ command: OUTFALL, args: ["mcp", "--data", OUTFALL_DATA_OF_TEST] }),
  new StreamableHTTPClientTransport(new URL("/mcp", OUTFALL_URL_OF_TEST), { requestInit: { headers } }),
];
const calls = [
  ["search_releases", { q: "-mercury", sort_by: "value", value_unit: "kg" }],
  ["search_emissions", { year: ["2010-2020"], limit: 3 }],
  ["count_releases", { facets: ["year*medium", "substance"], facet_limit: 3 }],
  ["count_emissions", { facets: ["province"], language: "fr" }],
];

let agreed = 0;
for (const transport of transports) {
  const client = new Client({ name: "test", version: "1" });
  await client.connect(transport);
  assert.equal(client.getServerVersion().name, "outfall");
  assert.ok(client.getInstructions().includes("next_cursor"));
  await client.ping();
  const { tools } = await client.listTools();
  assert.equal(tools.length, 7);
  for (const [name, args] of calls) {
    const result = await client.callTool({ name, arguments: args });
    assert.equal(result.isError, false);
    const returned = result.structuredContent;
    assert.deepEqual(JSON.parse(result.content[0].text), returned);
    const answer = await fetch(new URL(returned.request, OUTFALL_URL_OF_TEST), {
      headers: { ...headers, "accept-language": args.language ?? "en" },
    });
    for (const [member, value] of Object.entries(await answer.json())) {
      assert.deepEqual(returned[member], value, `${name}: ${member}`);
    }
    agreed += 1;
  }
  const facility = await client.callTool({ name: "describe_facility", arguments: { facility_id: "1" } });
  assert.deepEqual(Object.keys(facility.structuredContent), ["releases", "substances", "emissions", "source"]);
  const wrong = await client.callTool({ name: "search_releases", arguments: { provnce: "ON" } });
  assert.equal(wrong.isError, true);
  assert.equal(wrong.structuredContent.errors[0].did_you_mean, "province");
  await assert.rejects(client.callTool({ name: "no_such_tool" }), { code: -32602 });
  const { resources } = await client.listResources();
  assert.ok(resources.length > 10);
  for (const { uri } of resources) {
    const { contents } = await client.readResource({ uri });
    assert.ok(contents[0].text.length > 0, uri);
  }
  assert.deepEqual((await client.listResourceTemplates()).resourceTemplates, []);
  await client.close();
}
console.log(`${agreed} answers agree, over both transports`);
