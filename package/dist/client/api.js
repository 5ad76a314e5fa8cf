import { toJsonValue } from "../core/index.js";
export class JsonRpcResponseError extends Error {
    code;
    data;
    response;
    constructor(error, options) {
        super(error.message, options);
        this.name = "JsonRpcResponseError";
        this.code = error.code;
        if (error.data !== undefined)
            this.data = error.data;
        this.response = error;
    }
}
/** Generation-neutral terminal task failure, preserving protocol details when present. */
export class TaskFailedError extends Error {
    code;
    data;
    constructor(message, details = {}, options) {
        super(message, options);
        this.name = "TaskFailedError";
        if (details.code !== undefined)
            this.code = details.code;
        if (details.data !== undefined)
            this.data = details.data;
    }
}
/** Typed sentinel used when remote task execution terminates by cancellation. */
export class TaskCancelledError extends Error {
    constructor(options) {
        super("Task was cancelled", options);
        this.name = "TaskCancelledError";
    }
}
export class TaskRetentionUnsupportedError extends Error {
    constructor() {
        super("Requested task retention is not supported by this session");
        this.name = "TaskRetentionUnsupportedError";
    }
}
export class TaskRecoveryOwnershipError extends Error {
    taskId;
    originalOperation;
    activeOriginalOperation;
    constructor(taskId, originalOperation, activeOriginalOperation) {
        const collision = originalOperation !== activeOriginalOperation;
        super(collision
            ? `Task recovery identity collides with active operation ${activeOriginalOperation}`
            : "Task recovery already has an active owner");
        this.taskId = taskId;
        this.originalOperation = originalOperation;
        this.activeOriginalOperation = activeOriginalOperation;
        this.name = "TaskRecoveryOwnershipError";
    }
}
/** Creates a generation-neutral structural tool declaration. */
export function toolDeclaration(declaration) {
    const { execution, ...neutral } = declaration;
    return {
        ...neutral,
        ...(neutral.taskSupport === undefined &&
            execution?.taskSupport !== undefined
            ? { taskSupport: execution.taskSupport }
            : {}),
        ...(neutral.executionExtensions === undefined &&
            execution?.extensions !== undefined
            ? { executionExtensions: execution.extensions }
            : {}),
    };
}
/** Returns request metadata with standard related-task evidence installed. */
export function withRelatedTaskMetadata(metadata, task) {
    return {
        ...metadata,
        "io.modelcontextprotocol/related-task": { taskId: task.taskId },
    };
}
function canonicalJson(value) {
    if (value === null || typeof value !== "object")
        return JSON.stringify(value);
    if (Array.isArray(value))
        return `[${value.map(canonicalJson).join(",")}]`;
    const entries = Object.entries(value).sort(([left], [right]) => {
        const serializedLeft = JSON.stringify(left);
        const serializedRight = JSON.stringify(right);
        return serializedLeft < serializedRight
            ? -1
            : serializedLeft > serializedRight
                ? 1
                : 0;
    });
    return `{${entries
        .map(([key, entry]) => `${JSON.stringify(key)}:${canonicalJson(entry)}`)
        .join(",")}}`;
}
export class InputCorrelationError extends Error {
    requestKind;
    candidates;
    reason;
    constructor(requestKind, candidates, reason) {
        super(`Input request correlation failed: ${reason}`);
        this.requestKind = requestKind;
        this.candidates = candidates;
        this.reason = reason;
        this.name = "InputCorrelationError";
    }
}
/** Returns the task represented by an execution event, when one is available. */
export function taskViewFromExecutionEvent(event) {
    return event.type === "task" ? event.task : event.outcome.task;
}
/** Unwraps a completed outcome or throws its typed failure/cancellation error. */
export function resultFromTaskOutcome(outcome) {
    if (outcome.status === "completed")
        return outcome.result;
    if (outcome.status === "failed")
        throw outcome.error;
    throw new TaskCancelledError();
}
export class TaskUpdatesAlreadyAcquiredError extends Error {
    constructor() {
        super("Task updates have already been acquired");
        this.name = "TaskUpdatesAlreadyAcquiredError";
    }
}
export class TaskExecutionClosedError extends Error {
    constructor() {
        super("Task execution is closed");
        this.name = "TaskExecutionClosedError";
    }
}
export class TaskCancellationUnsupportedError extends Error {
    constructor() {
        super("Task cancellation is not supported");
        this.name = "TaskCancellationUnsupportedError";
    }
}
export class TaskInputUpdateUnsupportedError extends Error {
    constructor() {
        super("Task input response updates require a V2 task session");
        this.name = "TaskInputUpdateUnsupportedError";
    }
}
/**
 * Creates a stable endpoint identity from host-owned connection semantics.
 * Object keys in the descriptor are sorted recursively before a versioned SHA-256 digest.
 */
export async function createTaskSessionEndpointId(namespace, descriptor) {
    if (namespace.length === 0)
        throw new TypeError("Endpoint namespace must not be empty");
    const payload = new TextEncoder().encode(canonicalJson(toJsonValue(descriptor)));
    const digest = await globalThis.crypto.subtle.digest("SHA-256", payload);
    const hex = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
    return `${namespace}:v1:sha256:${hex}`;
}
//# sourceMappingURL=api.js.map