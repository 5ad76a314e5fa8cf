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


def descendants(of):
    """The processes beneath this one, the server first: without those that have ended."""
    children = {}
    for number in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{number}/stat") as file:
                state, parent = file.read().rsplit(") ", 1)[1].split()[:2]
        except OSError:
            continue  # It has ended meanwhile.
        if state != "Z":
            children.setdefault(int(parent), []).append(int(number))

    def beneath(parent):
        return [one for child in children.get(parent, []) for one in [child, *beneath(child)]]

    return beneath(of)


WORKFLOW = "azsdk_sdk_customization_workflow"


async def coordinated(client, given):
    """A whole run of the coordinator by an agent that knows nothing but what each answer says."""
    progress, answers, fixes = [], [], []
    classifications = list(given["classifications"])

    async def on_progress(step, total, message):
        progress.append([step, message])

    async def call(tool, arguments):
        result = await client.call_tool(tool, arguments, progress_callback=on_progress)
        if result.is_error:
            raise RuntimeError(shown(result)["text"])
        return result.structured_content

    async def ask(arguments):
        """Calls the coordinator, and again while the answer is that something is at work."""
        answer = await call(WORKFLOW, arguments)
        while not answer["is_complete"] and "expected_result" not in answer:
            await anyio.sleep(0.1)
            answer = await call(WORKFLOW, {"workflowId": answer["workflow_id"]})
        answers.append(answer)
        return answer

    answer = await ask(given["start"])
    while answer["continuation_required"]:
        if "use_subagent" in answer:
            with open(given["client"], "a") as file:
                file.write(given["edit"])
            result = {"type": "tsp_fix_applied", "description": "renamed it as asked"}
        elif "run_tool" in answer:
            fixed = await call(answer["run_tool"]["name"], answer["run_tool"]["arguments"])
            while fixed["result"] == "running":
                await anyio.sleep(0.1)
                fixed = await call(answer["run_tool"]["name"], answer["run_tool"]["arguments"])
            fixes.append(fixed)
            result = {"type": "sdk_fix_applied", "description": "; ".join(fixed["patches"])}
        else:
            result = {"type": "classification", "tspApplicable": classifications.pop(0)}
        # Once as an object and once as its text: clients send either.
        result = result if len(answers) % 2 else json.dumps(result)
        answer = await ask({"workflowId": answer["workflow_id"], "result": result})
    run = (await call("azsdk_run_show", {"runId": answer["run_id"]}))["status"]
    return {"progress": progress, "answers": answers, "fixes": fixes, "run": run}


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
            # What is left of the work: nothing but the server itself, where it is ours.
            return {"progress": progress, "runs": runs, "left": descendants(os.getpid())[1:]}
        await anyio.sleep(0.1)


async def looked(client, given):
    """What there is to read, to ask for and to fill in; where the protocol has it, waits for a change of `decide`."""
    dump = {"by_alias": True, "exclude_none": True, "mode": "json"}
    resources = [resource.model_dump(**dump) for resource in (await client.list_resources()).resources]
    templates = (await client.list_resource_templates()).resource_templates
    contents = [(await client.read_resource(resource["uri"])).contents[0].text for resource in resources]
    prompts = (await client.list_prompts()).prompts
    prompt = await client.get_prompt("explain_run", {"runId": given["run"]})
    reference = types.PromptReference(type="ref/prompt", name="explain_run")
    completed = await client.complete(reference, {"name": "runId", "value": given["run"][:8]})
    told = None
    if given["mode"] == "auto":
        async with client.listen(resource_subscriptions=[given["watched"]]) as subscription:
            await client.read_resource(given["watched"])
            await anyio.run_process(given["decide"], env=given["env"])
            async for event in subscription:
                told = event.uri
                break
    return {
        "resources": resources,
        "contents": contents,
        "templates": [template.uri_template for template in templates],
        "prompts": [prompt.name for prompt in prompts],
        "explained": prompt.messages[1].content.resource.text,
        "completed": completed.completion.values,
        "told": told,
    }


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

    async def list_roots(context):
        asked.append("roots")
        return types.ListRootsResult(roots=[types.Root(uri=uri) for uri in given["roots"]])

    async def sample(context, params):
        asked.append("model")
        content = types.TextContent(type="text", text=given["model"].pop(0))
        return types.CreateMessageResult(role="assistant", model="stand-in", content=content)

    options = {"mode": given["mode"]}
    if "answer" in given:
        options["elicitation_callback"] = elicit
    if "model" in given:
        options["sampling_callback"] = sample
    if "roots" in given:
        options["list_roots_callback"] = list_roots
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
