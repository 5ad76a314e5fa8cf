import { ProtocolDecodeError, } from "../core/index.js";
import { CancelTaskResultV1Schema, GetTaskResultV1Schema, } from "../core/v1/index.js";
import { CancelTaskResultV2Schema, GetTaskResultV2Schema, UpdateTaskResultV2Schema, withTaskCapabilityV2, } from "../core/v2/index.js";
import { JsonRpcResponseError } from "./api.js";
import { throwIfAborted } from "./input-routing.js";
export class DispatchError extends Error {
    retryable;
    constructor(message, retryable = false, options) {
        super(message, options);
        this.name = "DispatchError";
        this.retryable = retryable;
    }
}
/** Races a promise against an optional abort signal and releases its listener. */
export async function withAbort(promise, signal) {
    if (signal === undefined)
        return promise;
    if (signal.aborted) {
        // The racing promise is held before throwing, because an already-aborted
        // signal exits before Promise.race attaches to it — a later rejection
        // (e.g. an observation aborted by the same signal) would otherwise be an
        // unhandled rejection. The callee owns its failure surface: the caller
        // gets the abort error thrown below.
        void promise.catch(() => { });
        throwIfAborted(signal);
    }
    let onAbort;
    const aborted = new Promise((_, reject) => {
        onAbort = () => {
            reject(signal.reason instanceof Error
                ? signal.reason
                : new DOMException("The operation was aborted", "AbortError"));
        };
        signal.addEventListener("abort", onAbort, { once: true });
    });
    try {
        return await Promise.race([promise, aborted]);
    }
    finally {
        if (onAbort !== undefined)
            signal.removeEventListener("abort", onAbort);
    }
}
/** Links abort signals into one disposable lifecycle. */
export function linkAbortSignals(...signals) {
    const controller = new AbortController();
    const listeners = [];
    for (const signal of signals) {
        if (signal === undefined)
            continue;
        const abort = () => {
            controller.abort(signal.reason);
        };
        if (signal.aborted) {
            abort();
            break;
        }
        signal.addEventListener("abort", abort, { once: true });
        listeners.push(() => {
            signal.removeEventListener("abort", abort);
        });
    }
    return {
        signal: controller.signal,
        abort: (reason) => {
            controller.abort(reason);
        },
        dispose: () => {
            for (const remove of listeners)
                remove();
        },
    };
}
/** Dispatches a request with the retry policy for its observation or mutation intent. */
export async function dispatchWithRetry(port, request, dispatchOptions) {
    const options = dispatchOptions instanceof AbortSignal
        ? { signal: dispatchOptions }
        : dispatchOptions;
    const signal = options?.signal;
    try {
        return await port.dispatch(request, options);
    }
    catch (error) {
        throwIfAborted(signal);
        if (!(error instanceof DispatchError) || !error.retryable) {
            throw error;
        }
        return port.dispatch(request, options);
    }
}
/** Validates and parses a JSON-RPC result with a public codec or internal schema. */
export function parseResult(codec, value) {
    if ("safeParse" in codec) {
        const decoded = codec.safeParse(value);
        if (decoded.success)
            return decoded.data;
        throw new ProtocolDecodeError("Protocol value failed schema validation", {}, { cause: decoded.error });
    }
    const decoded = codec.parse(value);
    if (decoded.success)
        return decoded.value;
    throw decoded.error;
}
/** Unwraps a JSON-RPC result or throws the response error. */
export function responseResult(response) {
    if (response.kind === "error")
        throw new JsonRpcResponseError(response.error);
    return response.result;
}
function v2TaskDispatchContext(options) {
    const headers = Object.fromEntries(Object.entries(options.context?.headers ?? {}).filter(([name]) => name.toLowerCase() !== "mcp-name"));
    return {
        ...options.context,
        headers: { ...headers, "Mcp-Name": options.taskId },
    };
}
async function dispatchTaskRpc(options, request, schema, signal, context = options.context) {
    const response = await dispatchWithRetry(options.port, request, {
        signal,
        context,
    });
    return parseResult(schema, responseResult(response));
}
// Structural schema validation alone would accept a valid task snapshot for
// a DIFFERENT task: a misrouted or malformed response could then settle an
// execution/controller with another task's state and result.
function assertTaskIdentity(expected, result) {
    if (result.taskId !== expected)
        throw new Error(`Task response identity mismatch: requested ${expected}, received ${result.taskId}`);
    return result;
}
export function createTaskRpc(generation, options) {
    if (generation === "v1") {
        return {
            generation,
            get: async (signal) => assertTaskIdentity(options.taskId, await dispatchTaskRpc(options, { method: "tasks/get", params: { taskId: options.taskId } }, GetTaskResultV1Schema, signal)),
            result: (codec, signal) => dispatchTaskRpc(options, { method: "tasks/result", params: { taskId: options.taskId } }, codec, signal),
            cancel: async (signal) => {
                // The V1 cancel result is a Task snapshot; without the identity check
                // a misrouted response would mark this execution locally cancelled
                // even though the requested task was never acknowledged. (The V2
                // cancel result is a bare complete-operation envelope with no taskId.)
                assertTaskIdentity(options.taskId, await dispatchTaskRpc(options, { method: "tasks/cancel", params: { taskId: options.taskId } }, CancelTaskResultV1Schema, signal));
            },
        };
    }
    const params = (value) => withTaskCapabilityV2(value);
    const context = v2TaskDispatchContext(options);
    return {
        generation,
        get: async (signal) => assertTaskIdentity(options.taskId, await dispatchTaskRpc(options, { method: "tasks/get", params: params({ taskId: options.taskId }) }, GetTaskResultV2Schema, signal, context)),
        cancel: async (signal) => {
            await dispatchTaskRpc(options, { method: "tasks/cancel", params: params({ taskId: options.taskId }) }, CancelTaskResultV2Schema, signal, context);
        },
        update: async (inputResponses, signal) => {
            await dispatchTaskRpc(options, {
                method: "tasks/update",
                params: params({ taskId: options.taskId, inputResponses }),
            }, UpdateTaskResultV2Schema, signal, context);
        },
    };
}
//# sourceMappingURL=port.js.map