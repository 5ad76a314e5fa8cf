import { withRelatedTaskMetadata } from "./api.js";
/** Returns object-valued request parameters, defaulting an omitted value to empty. */
export function requestParams(request) {
    if (!Object.hasOwn(request, "params"))
        return {};
    if (request.params === null ||
        Array.isArray(request.params) ||
        typeof request.params !== "object") {
        throw new Error("Input request params must be an object");
    }
    return request.params;
}
function existingMetadata(request) {
    const metadata = request.params?._meta;
    if (metadata === null ||
        Array.isArray(metadata) ||
        typeof metadata !== "object")
        return undefined;
    return metadata;
}
function withContextRelatedTask(request, context) {
    if (context.scope !== "task" || context.taskId === undefined)
        return request;
    return {
        ...request,
        params: {
            ...request.params,
            _meta: withRelatedTaskMetadata(existingMetadata(request), {
                taskId: context.taskId,
            }),
        },
    };
}
function unreachableInputRequest(request) {
    throw new TypeError(`Unsupported application input request: ${String(request)}`);
}
/** Creates an exhaustive application input handler from kind-specific callbacks. */
export function createApplicationInputHandler(callbacks) {
    return async (originalRequest, context) => {
        const request = withContextRelatedTask(originalRequest, context);
        switch (request.kind) {
            case "elicitation":
                return (await callbacks.elicitation(request, context));
            case "sampling":
                return (await callbacks.sampling(request, context));
            case "roots":
                return (await callbacks.roots(request, context));
            default:
                return unreachableInputRequest(request);
        }
    };
}
/** Projects a supported wire request into the application input request shape. */
export function projectApplicationInputRequest(incoming) {
    if (incoming.request === null ||
        Array.isArray(incoming.request) ||
        typeof incoming.request !== "object") {
        return undefined;
    }
    const wire = incoming.request;
    if (wire.method === "elicitation/create") {
        return { kind: "elicitation", params: requestParams(wire) };
    }
    if (wire.method === "sampling/createMessage") {
        return { kind: "sampling", params: requestParams(wire) };
    }
    if (wire.method === "roots/list") {
        return {
            kind: "roots",
            ...(Object.hasOwn(wire, "params") ? { params: requestParams(wire) } : {}),
        };
    }
    return undefined;
}
/** Reads related-task metadata without conflating absence with malformed evidence. */
export function readRelatedTaskEvidence(request) {
    const meta = request.params?._meta;
    const relatedTaskKey = "io.modelcontextprotocol/related-task";
    if (meta === undefined)
        return { kind: "absent" };
    if (meta === null || Array.isArray(meta) || typeof meta !== "object")
        return { kind: "invalid" };
    if (!Object.hasOwn(meta, relatedTaskKey))
        return { kind: "absent" };
    const relatedTask = meta[relatedTaskKey];
    if (relatedTask === null ||
        Array.isArray(relatedTask) ||
        typeof relatedTask !== "object" ||
        typeof relatedTask.taskId !==
            "string") {
        return { kind: "invalid" };
    }
    return {
        kind: "task-id",
        taskId: relatedTask
            .taskId,
    };
}
function correlationFailureReason(evidence, matchCount) {
    if (evidence.kind === "invalid")
        return "invalid-evidence";
    if (matchCount > 1)
        return "ambiguous-matches";
    if (matchCount === 0)
        return evidence.kind === "absent" ? "missing-evidence" : "zero-matches";
    return undefined;
}
/** Resolves the unique input candidate while preserving correlation diagnostics. */
export function resolveInputCandidate(evidence, ordinaryCandidates, taskCandidates) {
    const matches = evidence.kind === "task-id"
        ? taskCandidates.filter((candidate) => candidate.taskId === evidence.taskId)
        : evidence.kind === "absent"
            ? ordinaryCandidates
            : [];
    const reason = correlationFailureReason(evidence, matches.length);
    if (reason !== undefined) {
        return {
            kind: "failed",
            reason,
            candidates: matches.map((candidate) => ({
                toolName: candidate.toolName,
                executionId: candidate.executionId,
            })),
        };
    }
    return { kind: "resolved", candidate: matches[0] };
}
/** Converts a matched candidate to handler context. */
export function buildResolvedInputContext(candidate) {
    if (candidate.lifetime === "task-v1") {
        return {
            scope: "task",
            delivery: "peer-request",
            taskId: candidate.taskId,
            applicationContext: candidate.applicationContext,
            ...(candidate.signal === undefined ? {} : { signal: candidate.signal }),
        };
    }
    return {
        scope: "request",
        delivery: "peer-request",
        inputId: candidate.executionId,
        applicationContext: candidate.applicationContext,
        ...(candidate.signal === undefined ? {} : { signal: candidate.signal }),
    };
}
let nextExecutionId = 0;
/** Allocates a process-local identifier for an ordinary tool execution. */
export function nextExecutionIdentifier() {
    return `execution-${String(++nextExecutionId)}`;
}
/** Returns the conservative fallback response for an unhandled server request. */
export function defaultServerRequestResponse(incoming) {
    if (incoming.request !== null &&
        !Array.isArray(incoming.request) &&
        typeof incoming.request === "object") {
        const request = incoming.request;
        if (request.method === "elicitation/create") {
            return { kind: "result", result: { action: "cancel" } };
        }
    }
    return { kind: "error", error: { code: -32603, message: "Internal error" } };
}
/** Throws if the signal is aborted. */
export function throwIfAborted(signal) {
    if (signal?.aborted !== true)
        return;
    throw signal.reason instanceof Error
        ? signal.reason
        : new DOMException("The operation was aborted", "AbortError");
}
//# sourceMappingURL=input-routing.js.map