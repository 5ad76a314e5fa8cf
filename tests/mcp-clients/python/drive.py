"""Drives a server with the Python SDK's client: one scenario, given as JSON in the only argument; prints what came of it."""

import json
import os
import sys

import anyio
import httpx2
import mcp_types as types
from mcp import Client, MCPError, StdioServerParameters
from mcp.client.auth.extensions.client_credentials import ClientCredentialsOAuthProvider
from mcp.client.streamable_http import streamable_http_client


def shown(result):
    return {
        "text": "".join(part.text for part in result.content if part.type == "text"),
        "structured": result.structured_content,
        "isError": bool(result.is_error),
    }


async def listed(client, given):
    tools = (await client.list_tools()).tools
    return {
        "tools": [tool.model_dump(by_alias=True, exclude_none=True, mode="json") for tool in tools],
        "server": client.session.server_info.model_dump(exclude_none=True) if client.session.server_info else None,
        "protocol": client.session.protocol_version,
    }


async def called(client, given):
    return [shown(await client.call_tool(name, arguments)) for name, arguments in given["calls"]]


async def customized(client, given):
    """A customization with its progress; waits on where it goes on. `answers` has each state that was seen."""
    progress, answers = [], []

    async def on_progress(step, total, message):
        progress.append([step, message])

    result = await client.call_tool("azsdk_package_customize_code", given["arguments"], progress_callback=on_progress)
    answers.append(shown(result))
    while not result.is_error and result.structured_content["status"] == "running":
        wait = {"runId": result.structured_content["runId"], "seconds": given.get("seconds", 60)}
        result = await client.call_tool("azsdk_run_wait", wait, progress_callback=on_progress)
        answers.append(shown(result))
    return {"progress": progress, "answers": answers}


async def cancelled(client, given):
    """Takes the call back when its progress says `at`, then looks until no run is at work."""
    progress = []
    with anyio.CancelScope() as scope:

        async def on_progress(step, total, message):
            progress.append(message)
            if given["at"] in message:
                scope.cancel()

        await client.call_tool("azsdk_package_customize_code", given["arguments"], progress_callback=on_progress)
        return {"progress": progress, "runs": None}
    while True:
        runs = (await client.call_tool("azsdk_run_list", {})).structured_content["runs"]
        if all(run["status"] != "running" for run in runs):
            return {"progress": progress, "runs": runs}
        await anyio.sleep(0.1)


async def abandoned(client, given):
    """Leaves without a word when the progress says `at`: the server sees its input end."""

    async def on_progress(step, total, message):
        if given["at"] in message:
            os._exit(0)

    await client.call_tool("azsdk_package_customize_code", given["arguments"], progress_callback=on_progress)
    return "it was never said"


class Kept:
    """What an OAuth client remembers, for as long as it runs."""

    def __init__(self):
        self.tokens = self.info = None

    async def get_tokens(self):
        return self.tokens

    async def set_tokens(self, tokens):
        self.tokens = tokens

    async def get_client_info(self):
        return self.info

    async def set_client_info(self, info):
        self.info = info


async def main(given):
    asked = []

    async def elicit(context, params):
        asked.append(params.message)
        action, approve = given["answer"]
        return types.ElicitResult(action=action, content={"approve": approve} if action == "accept" else None)

    options = {"mode": given["mode"]}
    if "answer" in given:
        options["elicitation_callback"] = elicit
    async with anyio.create_task_group():
        if "credentials" in given:
            # No token at first: the client learns from the server's refusal where to get one.
            provider = ClientCredentialsOAuthProvider(given["url"], Kept(), **given["credentials"])
            http = httpx2.AsyncClient(auth=provider, timeout=60)
            server = streamable_http_client(given["url"], http_client=http)
        elif "url" in given:
            headers = {"Authorization": f"Bearer {given['token']}"}
            http = httpx2.AsyncClient(headers=headers, timeout=600)
            server = streamable_http_client(given["url"], http_client=http)
        else:
            server = StdioServerParameters(command=given["command"], args=given["args"], env=given["env"])
        async with Client(server, **options) as client:
            outcome = await globals()[given["scenario"]](client, given)
            # The process ends here: how a server ends is another test's subject.
            print(json.dumps({"outcome": outcome, "asked": asked}), flush=True)


anyio.run(main, json.loads(sys.argv[1]))
