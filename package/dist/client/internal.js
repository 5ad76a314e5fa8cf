/** Internal generation-aware records and neutral client projections. */
import { JsonRpcResponseError, TaskCancelledError, TaskFailedError, } from "./api.js";
/** Projects an internal handle to the opaque primary handle. */
export function publicTaskHandle(handle) {
    return { taskId: handle.taskId, operation: handle.originalOperation };
}
function jsonRecord(value) {
    return value;
}
function cloneJson(value) {
    if (value === null || typeof value !== "object")
        return value;
    if (Array.isArray(value))
        return value.map(cloneJson);
    return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, cloneJson(entry)]));
}
/** Projects a generation-specific task snapshot to the primary task view. */
export function projectTask(snapshot) {
    const task = snapshot.task;
    const raw = cloneJson(jsonRecord(task));
    const known = new Set([
        "taskId",
        "status",
        "statusMessage",
        "createdAt",
        "lastUpdatedAt",
        "ttl",
        "ttlMs",
        "pollInterval",
        "pollIntervalMs",
        // Standard protocol fields, not vendor extensions: V2 snapshots carry
        // resultType, and detailed V2 tasks carry inputRequests/result/error;
        // _meta is standard in both generations.
        "_meta",
        "resultType",
        "inputRequests",
        "result",
        "error",
    ]);
    const extensions = Object.fromEntries(Object.entries(raw).filter(([key]) => !known.has(key)));
    const protocolFields = snapshot.generation === "v1"
        ? {
            retentionMs: snapshot.task.ttl,
            ttl: snapshot.task.ttl,
            ...(snapshot.task.pollInterval === undefined
                ? {}
                : {
                    suggestedPollIntervalMs: snapshot.task.pollInterval,
                    pollInterval: snapshot.task.pollInterval,
                }),
        }
        : {
            retentionMs: snapshot.task.ttlMs,
            ttl: snapshot.task.ttlMs,
            ...(snapshot.task.pollIntervalMs === undefined
                ? {}
                : {
                    suggestedPollIntervalMs: snapshot.task.pollIntervalMs,
                    pollInterval: snapshot.task.pollIntervalMs,
                }),
        };
    return {
        taskId: task.taskId,
        status: task.status,
        ...(task.statusMessage === undefined
            ? {}
            : { statusMessage: task.statusMessage }),
        createdAt: task.createdAt,
        lastUpdatedAt: task.lastUpdatedAt,
        ...protocolFields,
        raw,
        extensions,
    };
}
/** Projects a generated tool declaration to the neutral declaration shape. */
export function projectTool(tool) {
    const raw = jsonRecord(tool);
    const execution = "execution" in tool &&
        tool.execution !== undefined &&
        tool.execution !== null &&
        typeof tool.execution === "object" &&
        !Array.isArray(tool.execution)
        ? tool.execution
        : undefined;
    const taskSupport = execution !== undefined &&
        (execution.taskSupport === "forbidden" ||
            execution.taskSupport === "optional" ||
            execution.taskSupport === "required")
        ? execution.taskSupport
        : undefined;
    // Retain non-taskSupport execution fields because the neutral declaration
    // promises them back for inspection and projection (executionExtensions).
    const executionExtensions = execution === undefined
        ? undefined
        : Object.fromEntries(Object.entries(execution).filter(([key]) => key !== "taskSupport"));
    const known = new Set([
        "name",
        "title",
        "description",
        "inputSchema",
        "outputSchema",
        "annotations",
        "icons",
        "_meta",
        "execution",
    ]);
    return {
        name: tool.name,
        ...(tool.title === undefined ? {} : { title: tool.title }),
        ...(tool.description === undefined
            ? {}
            : { description: tool.description }),
        inputSchema: tool.inputSchema,
        ...(tool.outputSchema === undefined
            ? {}
            : { outputSchema: tool.outputSchema }),
        ...(tool.annotations === undefined
            ? {}
            : { annotations: tool.annotations }),
        ...(tool.icons === undefined ? {} : { icons: tool.icons }),
        ...(tool._meta === undefined ? {} : { metadata: tool._meta }),
        ...(taskSupport === undefined ? {} : { taskSupport }),
        ...(executionExtensions === undefined ||
            Object.keys(executionExtensions).length === 0
            ? {}
            : { executionExtensions }),
        extensions: Object.fromEntries(Object.entries(raw).filter(([key]) => !known.has(key))),
    };
}
export function projectToolForGeneration(declaration, generation) {
    const inputSchema = { type: "object", ...declaration.inputSchema };
    const outputSchema = declaration.outputSchema === undefined
        ? undefined
        : { type: "object", ...declaration.outputSchema };
    const common = {
        ...declaration.extensions,
        name: declaration.name,
        ...(declaration.title === undefined ? {} : { title: declaration.title }),
        ...(declaration.description === undefined
            ? {}
            : { description: declaration.description }),
        inputSchema,
        ...(outputSchema === undefined ? {} : { outputSchema }),
        // Single casts: the neutral declaration deliberately keeps annotations and
        // icons as loose JSON for forward compatibility, while the generated tool
        // types now mirror the pinned wire schemas. Wire-sourced declarations were
        // already validated against those schemas at discovery, and this projected
        // tool is consumed locally (task-support hints), never dispatched.
        ...(declaration.annotations === undefined
            ? {}
            : { annotations: declaration.annotations }),
        ...(declaration.icons === undefined
            ? {}
            : { icons: [...declaration.icons] }),
        ...(declaration.metadata === undefined
            ? {}
            : { _meta: declaration.metadata }),
    };
    // Rebuild `execution` from executionExtensions plus taskSupport because the
    // neutral declaration retains vendor execution data for round-tripping;
    // taskSupport is spread last so the recognized field wins a key collision.
    const execution = {
        ...declaration.executionExtensions,
        ...(declaration.taskSupport === undefined
            ? {}
            : { taskSupport: declaration.taskSupport }),
    };
    return generation === "v1"
        ? {
            ...common,
            ...(Object.keys(execution).length === 0 ? {} : { execution }),
        }
        : common;
}
/** Derives primary semantic capabilities from negotiated wire capabilities. */
export function semanticCapabilities(negotiated) {
    if (negotiated.generation === "none") {
        return {
            inventory: "unsupported",
            execution: false,
            cancellation: false,
            inputResponses: false,
            requestedRetention: false,
        };
    }
    if (negotiated.generation === "v1") {
        const capabilities = negotiated.capabilities;
        return {
            inventory: capabilities.list === undefined ? "known-handles" : "server-list",
            execution: capabilities.requests?.tools?.call !== undefined,
            cancellation: capabilities.cancel !== undefined,
            inputResponses: false,
            requestedRetention: true,
        };
    }
    return {
        inventory: "known-handles",
        execution: true,
        cancellation: true,
        inputResponses: true,
        requestedRetention: false,
    };
}
/** Converts a result promise into a uniformly resolving semantic outcome. */
export async function completedOutcome(result, task) {
    try {
        return {
            status: "completed",
            result: await result,
            ...(task === undefined ? {} : { task }),
        };
    }
    catch (error) {
        if (error instanceof TaskCancelledError) {
            return { status: "cancelled", ...(task === undefined ? {} : { task }) };
        }
        const failure = error instanceof TaskFailedError
            ? error
            : error instanceof JsonRpcResponseError
                ? new TaskFailedError(error.message, { code: error.code, data: error.data }, { cause: error })
                : new TaskFailedError(error instanceof Error ? error.message : String(error), {}, error instanceof Error ? { cause: error } : undefined);
        return {
            status: "failed",
            error: failure,
            ...(task === undefined ? {} : { task }),
        };
    }
}
//# sourceMappingURL=internal.js.map