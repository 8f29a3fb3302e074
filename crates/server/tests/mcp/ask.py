"""Asks `outfall mcp` and the service at /mcp through the official client, which speaks both eras of
the protocol, and compares the answers with those of the API."""

import asyncio
import json
import os
import urllib.request

import httpx2
from mcp import Client, StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client

DATA = os.environ["OUTFALL_DATA_OF_TEST"]
URL = os.environ["OUTFALL_URL_OF_TEST"]
HEADERS = {"x-gateway-key": os.environ["OUTFALL_KEY_OF_TEST"], "x-gateway-host": "127.0.0.1"}
TOOLS = [
    "search_releases", "search_emissions", "count_releases", "count_emissions",
    "describe_facility", "describe_substance", "what_is_served",
]
CALLS = [
    ("search_releases", {"q": "-mercury", "sort_by": "value", "value_unit": "kg"}),
    ("search_emissions", {"year": ["2010-2020"], "limit": 3}),
    ("count_releases", {"facets": ["year*medium", "substance"], "facet_limit": 3}),
    ("count_emissions", {"facets": ["province"], "language": "fr"}),
]


def api(path, language="en"):
    """What the API answers."""
    headers = {**HEADERS, "accept-language": language}
    with urllib.request.urlopen(urllib.request.Request(URL + path, headers=headers)) as answer:
        return json.load(answer)


async def ask(client):
    """Asks everything once; returns how many answers agree with those of the API."""
    assert [tool.name for tool in (await client.list_tools()).tools] == TOOLS
    for name, arguments in CALLS:
        result = await client.call_tool(name, arguments)
        returned = result.structured_content
        assert not result.is_error and json.loads(result.content[0].text) == returned, returned
        for member, value in api(returned["request"], arguments.get("language", "en")).items():
            assert returned[member] == value, (name, member)
    served = await client.call_tool("what_is_served", {})
    assert served.structured_content == api("/meta")
    wrong = await client.call_tool("search_releases", {"provnce": "ON", "limit": 1000})
    errors = {error["parameter"]: error for error in wrong.structured_content["errors"]}
    assert wrong.is_error and errors["provnce"]["did_you_mean"] == "province", wrong
    try:
        await client.call_tool("no_such_tool", {})
        raise AssertionError("there is no such tool")
    except Exception as error:
        assert "no_such_tool" in str(error), error
    resources = (await client.list_resources()).resources
    assert len(resources) > 10, resources
    for resource in resources:
        assert (await client.read_resource(resource.uri)).contents[0].text, resource
    assert (await client.list_resource_templates()).resource_templates == []
    return len(CALLS)


async def main():
    command = StdioServerParameters(command=os.environ["OUTFALL"], args=["mcp", "--data", DATA])
    agreed = 0
    for mode in ["auto", "legacy"]:
        revision = "2026-07-28" if mode == "auto" else "2025-11-25"
        async with Client(stdio_client(command), mode=mode) as client:
            assert client.protocol_version == revision
            agreed += await ask(client)
        async with httpx2.AsyncClient(headers=HEADERS) as http:
            transport = streamable_http_client(URL + "/mcp", http_client=http)
            async with Client(transport, mode=mode) as client:
                assert client.protocol_version == revision
                agreed += await ask(client)
    print(f"{agreed} answers agree, over both transports")


asyncio.run(main())
