"""Validates request bodies by the types of the official Python SDKs.

Reads a JSON array of `{"name", "dialect", "body"}` on stdin and writes one of `{"name", "problem"}` on stdout, with an
entry for each problem. A body is refused when the SDK's own types refuse it, and when it has a key that they do not know.
Types that are made for writing Python are read more strictly than Python would: iterables are lists, validated at once,
and dictionaries have no other keys than those that are named.
"""

import json
import sys
from functools import cache
from typing import Any, Optional

from anthropic.types import message_create_params as anthropic_messages
from google.genai import types as gemini
from ollama._types import ChatRequest, Message
from openai.types.chat import completion_create_params as openai_chat
from openai.types.responses import response_create_params as openai_responses
from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError
from pydantic_core import SchemaValidator


class GeminiBody(BaseModel):
    """The body of `generateContent`, put together from the types that the SDK has for its parts."""

    model_config = ConfigDict(extra="forbid")

    contents: list[gemini.Content]
    systemInstruction: Optional[gemini.Content] = None
    tools: Optional[list[gemini.Tool]] = None
    toolConfig: Optional[gemini.ToolConfig] = None
    generationConfig: Optional[gemini.GenerationConfig] = None


class OllamaBody(ChatRequest):
    """The body of `/api/chat`; the SDK itself lets any mapping pass for a message."""

    model_config = ConfigDict(extra="forbid")

    messages: list[Message]


# For each dialect: the type of a whole answer's request, and that of a streamed one's.
TYPES = {
    "openai": (openai_chat.CompletionCreateParamsNonStreaming, openai_chat.CompletionCreateParamsStreaming),
    "openai-responses": (
        openai_responses.ResponseCreateParamsNonStreaming,
        openai_responses.ResponseCreateParamsStreaming,
    ),
    "anthropic": (anthropic_messages.MessageCreateParamsNonStreaming, anthropic_messages.MessageCreateParamsStreaming),
    "gemini": (GeminiBody, GeminiBody),
    "ollama": (OllamaBody, OllamaBody),
}
TYPES["openai-compatible"] = TYPES["azure"] = TYPES["openai"]

# The SDK's type of a tool's parameters has but a few keywords of JSON Schema; the API takes all and reads those.
OPEN = {"ollama": {("tools", "*", "function", "parameters")}}


def stricter(schema: Any) -> Any:
    """A schema of pydantic with lists for iterables, which it would validate only while they are read, and with
    dictionaries that have no other keys. (Other keys of models are found afterwards.)"""
    if isinstance(schema, list):
        return [stricter(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    changed = {key: stricter(one) for key, one in schema.items()}
    if schema.get("type") == "generator":
        changed["type"] = "list"
    elif schema.get("type") == "typed-dict":
        changed["extra_behavior"] = "forbid"
    return changed


def plain(value: Any) -> Any:
    """The validated value as JSON has it."""
    if isinstance(value, BaseModel):
        return {(field.alias or name): plain(getattr(value, name)) for name, field in type(value).model_fields.items()}
    if isinstance(value, dict):
        return {key: plain(one) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(one) for one in value]
    return value


def unknown(body: Any, known: Any, place: tuple[str, ...], opened: set[tuple[str, ...]]) -> list[str]:
    """The keys of `body` that are not in what was made of it."""
    if place in opened:
        return []
    if isinstance(body, dict) and isinstance(known, dict):
        lost = [".".join((*place, key)) for key in body if key not in known]
        inner = (unknown(one, known[key], (*place, key), opened) for key, one in body.items() if key in known)
        return lost + [one for some in inner for one in some]
    if isinstance(body, list) and isinstance(known, list):
        pairs = zip(body, known, strict=True)
        return [found for one, other in pairs for found in unknown(one, other, (*place, "*"), opened)]
    return []


@cache
def validator(dialect: str, streamed: bool) -> SchemaValidator:
    return SchemaValidator(stricter(TypeAdapter(TYPES[dialect][streamed]).core_schema))


def problems(dialect: str, body: Any) -> list[str]:
    try:
        known = plain(validator(dialect, body.get("stream") is True).validate_json(json.dumps(body)))
    except ValidationError as error:
        return [f"{'.'.join(str(part) for part in one['loc'])}: {one['msg']}" for one in error.errors()][:20]
    return [f"{key}: not a key that the SDK knows" for key in unknown(body, known, (), OPEN.get(dialect, set()))]


def main() -> None:
    found = []
    for case in json.load(sys.stdin):
        found += [{"name": case["name"], "problem": one} for one in problems(case["dialect"], case["body"])]
    json.dump(found, sys.stdout)


main()
