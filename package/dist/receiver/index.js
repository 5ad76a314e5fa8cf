import { toJsonValue } from "../core/index.js";
const DEFAULT_PAGE_SIZE = 100;
const DEFAULT_MAX_TASKS = 1_000;
function createDefaultTaskId() {
    if (typeof globalThis.crypto.randomUUID !== "function") {
        throw new Error("Task receiver requires crypto.randomUUID or options.createTaskId");
    }
    return globalThis.crypto.randomUUID();
}
const MAX_TIMER_DELAY_MS = 2_147_483_647;
function clientInternals(client) {
    const candidate = client;
    if (!(candidate._requestHandlers instanceof Map))
        throw new TypeError("Task receiver binding requires an SDK Client with request-handler restoration support");
    return candidate;
}
function nonNegativeInteger(name, value, allowNull) {
    if (value === null) {
        if (allowNull)
            return;
        throw new RangeError(`${name} must be a non-negative integer`);
    }
    if (!Number.isInteger(value) || value < 0)
        throw new RangeError(`${name} must be a non-negative integer${allowNull ? " or null" : ""}`);
}
function positiveInteger(name, value) {
    if (!Number.isInteger(value) || value <= 0)
        throw new RangeError(`${name} must be a positive integer`);
}
function paramsOf(request) {
    if (request === null || typeof request !== "object" || !("params" in request))
        return {};
    const params = toJsonValue(request.params);
    if (params === null || Array.isArray(params) || typeof params !== "object")
        throw new TypeError("Request params must normalize to a JSON object");
    return params;
}
function hasTaskAugmentation(request) {
    if (request === null || typeof request !== "object" || !("params" in request))
        return false;
    const { params } = request;
    // Presence alone routes to validation: an explicitly supplied `task` —
    // including `task: null` — must reach validateTaskAugmentation() and be
    // rejected there, not silently delegated to a prior ordinary handler as
    // "no augmentation".
    return params !== null && typeof params === "object" && "task" in params;
}
function asTaskAugmentationRecord(value) {
    return value !== null && typeof value === "object" && !Array.isArray(value)
        ? value
        : undefined;
}
function validateTaskAugmentation(request) {
    const params = paramsOf(request);
    // Absent is fine: the guarded install routes plain requests to the prior
    // handler (or rejects them) before this validation runs, so an absent
    // `task` here can only be an internal caller.
    // Object.hasOwn, because indexing types absent keys as JsonValue.
    if (!Object.hasOwn(params, "task"))
        return;
    // A present augmentation must be an object (the 2025-11-25 shape);
    // `task: true` would leave us guessing at what the requester meant.
    const augmentation = asTaskAugmentationRecord(params.task);
    if (augmentation === undefined)
        throw new Error("Task augmentation must be a JSON object");
    if (!Object.hasOwn(augmentation, "ttl"))
        return;
    // `null` is rejected along with other invalid shapes: the 2025-11-25
    // TaskMetadataV1Schema defines request-level ttl as an optional integer,
    // and omission — not null — represents an unspecified TTL.
    const ttl = augmentation.ttl;
    if (typeof ttl !== "number" || !Number.isInteger(ttl) || ttl < 0)
        throw new RangeError("task.ttl must be a non-negative integer");
}
function taskIdOf(request) {
    const taskId = paramsOf(request).taskId;
    if (typeof taskId !== "string")
        throw new Error("A string taskId is required");
    return taskId;
}
function clearExpiry(record) {
    if (record.expiryTimer !== undefined)
        clearTimeout(record.expiryTimer);
    record.expiryTimer = undefined;
}
function detachTimer(timer) {
    if (typeof timer === "object" && "unref" in timer)
        timer.unref();
}
// One active binding per client (mirroring the client adapter's guard):
// with two bindings, closing A and then B would restore A's already-closed
// handlers, leaving every task method permanently rejecting instead of the
// client's original handlers.
const boundClients = new WeakSet();
/**
 * Binds task-augmented receiver requests to an SDK Client and owns their task
 * lifecycle. The Client creates JSON-RPC envelopes for emitted notifications.
 */
export function bindTaskReceiver(client, options) {
    if (boundClients.has(client))
        throw new TypeError("An ext-tasks receiver binding is already active for this Client");
    const internals = clientInternals(client);
    const now = Date.now;
    const makeId = options.createTaskId ?? createDefaultTaskId;
    const ttlMs = options.ttlMs ?? null;
    const pollIntervalMs = options.pollIntervalMs;
    const pageSize = options.pageSize ?? DEFAULT_PAGE_SIZE;
    const maxTasks = options.maxTasks ?? DEFAULT_MAX_TASKS;
    if (typeof ttlMs !== "function")
        nonNegativeInteger("ttlMs", ttlMs, true);
    if (pollIntervalMs !== undefined)
        nonNegativeInteger("pollIntervalMs", pollIntervalMs, true);
    positiveInteger("pageSize", pageSize);
    positiveInteger("maxTasks", maxTasks);
    const callbacks = new Map();
    if (options.methods["sampling/createMessage"] && options.sampling)
        callbacks.set("sampling/createMessage", options.sampling);
    if (options.methods["elicitation/create"] && options.elicitation)
        callbacks.set("elicitation/create", options.elicitation);
    for (const method of Object.keys(options.methods)) {
        if (options.methods[method] && !callbacks.has(method))
            throw new Error(`Enabled receiver method ${method} requires a callback`);
    }
    const tasks = new Map();
    const installed = new Map();
    const previous = new Map();
    let closed = false;
    const report = (error, context) => {
        // The sink call is guarded because report() runs inside detached
        // rejection handlers, where a throwing consumer onError would surface
        // as an unhandled rejection instead of a diagnostic.
        try {
            options.onError?.(error, context);
        }
        catch (sinkError) {
            console.error(sinkError);
        }
    };
    const snapshot = (record) => ({ ...record.task });
    const notify = (record, origin) => {
        const notification = {
            method: "notifications/tasks/status",
            params: snapshot(record),
        };
        void client.notification(notification).catch((error) => {
            report(error, { method: origin, taskId: record.task.taskId });
        });
    };
    const transition = (record, status, origin, statusMessage) => {
        record.task = {
            ...record.task,
            status,
            lastUpdatedAt: new Date(now()).toISOString(),
            ...(statusMessage === undefined ? {} : { statusMessage }),
        };
        notify(record, origin);
    };
    const remove = (record, disposition) => {
        const firstDisposition = record.disposition === undefined;
        if (firstDisposition) {
            record.disposition = disposition;
            record.controller.abort();
            record.reject(new Error(`Task ${disposition === "expiry" ? "expired" : "receiver binding closed"}`));
        }
        clearExpiry(record);
        tasks.delete(record.task.taskId);
    };
    const expire = () => {
        const timestamp = now();
        for (const record of tasks.values())
            if (record.expiresAt !== null && timestamp >= record.expiresAt)
                remove(record, "expiry");
    };
    const evictOldestTerminal = () => {
        // Insertion order is creation order, so the first terminal record is the
        // oldest one. Only settled work is evicted: dropping a live task would
        // trade capacity for correctness.
        for (const record of tasks.values()) {
            if (record.task.status === "completed" ||
                record.task.status === "failed" ||
                record.task.status === "cancelled") {
                clearExpiry(record);
                tasks.delete(record.task.taskId);
                return true;
            }
        }
        return false;
    };
    const armExpiry = (record) => {
        if (record.expiresAt === null)
            return;
        const remainingMs = record.expiresAt - now();
        if (remainingMs <= 0) {
            remove(record, "expiry");
            return;
        }
        const timer = setTimeout(() => {
            record.expiryTimer = undefined;
            armExpiry(record);
        }, Math.min(remainingMs, MAX_TIMER_DELAY_MS));
        record.expiryTimer = timer;
        detachTimer(timer);
    };
    const get = (id) => {
        expire();
        const record = tasks.get(id);
        if (!record)
            throw new Error(`Unknown or expired task: ${id}`);
        return record;
    };
    const install = (method, handler, bypassTaskResultValidation = false) => {
        const prior = internals._requestHandlers.get(method);
        previous.set(method, prior);
        const guarded = (request, context) => {
            if (closed)
                return Promise.reject(new Error("Task receiver binding is closed"));
            if (bypassTaskResultValidation && !hasTaskAugmentation(request)) {
                if (prior)
                    return prior(request, context);
                // A plain request never allocates a task: 2025-11-25 requests task
                // execution only via `params.task` presence, and answering an
                // ordinary sampling/elicitation with a CreateTaskResult changes the
                // method's result shape for non-Tasks callers. With no prior
                // handler to delegate to, the request stays unhandled.
                return Promise.reject(new Error(`This receiver only handles task-augmented ${method} requests`));
            }
            return handler(request, context);
        };
        // The SDK excludes legacy task methods from its public method union, but its
        // runtime custom-method path still accepts these handlers.
        client.setRequestHandler(method, guarded);
        const validating = internals._requestHandlers.get(method);
        if (!validating)
            throw new Error(`SDK Client did not install request handler for ${method}`);
        const installedHandler = bypassTaskResultValidation
            ? (request, context) => hasTaskAugmentation(request)
                ? guarded(request, context)
                : validating(request, context)
            : validating;
        if (installedHandler !== validating)
            internals._requestHandlers.set(method, installedHandler);
        installed.set(method, installedHandler);
    };
    const restoreInstalledHandlers = () => {
        for (const [method, ours] of installed) {
            if (internals._requestHandlers.get(method) !== ours)
                continue;
            const prior = previous.get(method);
            if (prior)
                internals._requestHandlers.set(method, prior);
            else
                internals._requestHandlers.delete(method);
        }
    };
    // Installation is transactional: a later setRequestHandler can throw (for
    // example, sampling declared while elicitation is not), and by then the
    // earlier handlers have already replaced the client's — with no binding
    // returned, nothing else could restore them.
    try {
        for (const [method, callback] of callbacks)
            install(method, (raw) => {
                expire();
                validateTaskAugmentation(raw);
                const params = paramsOf(raw);
                // The oldest terminal record is evicted at capacity, because the
                // finite cap paired with unlimited default retention would otherwise
                // permanently stop accepting work after maxTasks requests.
                if (tasks.size >= maxTasks && !evictOldestTerminal())
                    throw new Error(`Task receiver capacity of ${String(maxTasks)} retained tasks reached`);
                const id = makeId();
                if (tasks.has(id))
                    throw new Error(`Duplicate task identifier: ${id}`);
                const createdTimestamp = now();
                const createdAt = new Date(createdTimestamp).toISOString();
                const taskTtlMs = typeof ttlMs === "function" ? ttlMs() : ttlMs;
                nonNegativeInteger("ttlMs", taskTtlMs, true);
                let resolve;
                let reject;
                const result = new Promise((yes, no) => {
                    resolve = yes;
                    reject = no;
                });
                result.catch(() => undefined);
                const record = {
                    task: {
                        taskId: id,
                        status: "input_required",
                        createdAt,
                        lastUpdatedAt: createdAt,
                        ttl: taskTtlMs,
                        ...(pollIntervalMs === undefined || pollIntervalMs === null
                            ? {}
                            : { pollInterval: pollIntervalMs }),
                    },
                    method,
                    result,
                    resolve,
                    reject,
                    controller: new AbortController(),
                    expiresAt: taskTtlMs === null ? null : createdTimestamp + taskTtlMs,
                };
                tasks.set(id, record);
                armExpiry(record);
                let callbackPromise;
                try {
                    callbackPromise = callback({ method, params }, { taskId: id, signal: record.controller.signal });
                }
                catch (error) {
                    callbackPromise = Promise.reject(error instanceof Error ? error : new Error(String(error)));
                }
                void callbackPromise.then((value) => {
                    if (record.disposition !== undefined)
                        return;
                    record.resolve(value);
                    transition(record, "completed", record.method);
                }, (error) => {
                    if (record.disposition !== undefined) {
                        report(error, {
                            method: record.method,
                            taskId: id,
                            lateAfter: record.disposition,
                        });
                        return;
                    }
                    record.reject(error);
                    transition(record, "failed", record.method, error instanceof Error ? error.message : String(error));
                    report(error, { method: record.method, taskId: id });
                });
                return Promise.resolve({
                    task: snapshot(record),
                });
            }, true);
        install("tasks/list", (request) => {
            expire();
            const params = paramsOf(request);
            const cursor = Object.hasOwn(params, "cursor")
                ? params.cursor
                : undefined;
            if (cursor !== undefined && typeof cursor !== "string")
                throw new Error("tasks/list cursor must be a string");
            const records = [...tasks.values()];
            let start = 0;
            if (cursor !== undefined) {
                const cursorIndex = records.findIndex((record) => record.task.taskId === cursor);
                if (cursorIndex < 0)
                    throw new Error("Invalid or stale tasks/list cursor");
                start = cursorIndex + 1;
            }
            const page = records.slice(start, start + pageSize);
            const hasMore = start + page.length < records.length;
            const last = page.at(-1);
            return Promise.resolve({
                tasks: page.map(snapshot),
                ...(hasMore && last !== undefined
                    ? { nextCursor: last.task.taskId }
                    : {}),
            });
        });
        install("tasks/get", (request) => Promise.resolve(snapshot(get(taskIdOf(request)))));
        install("tasks/result", (request) => {
            const record = get(taskIdOf(request));
            // Returning the still-pending promise blocks the response until the task
            // settles, because tasks/result is a blocking call per 2025-11-25; the
            // promise already rejects on failure, cancellation, expiry, and close.
            return record.result;
        });
        install("tasks/cancel", (request) => {
            const record = get(taskIdOf(request));
            if (record.task.status === "working" ||
                record.task.status === "input_required") {
                // Mark cancellation before aborting so re-entrant or immediately-settled
                // callbacks cannot overwrite an accepted cancellation.
                record.disposition = "cancel";
                transition(record, "cancelled", "tasks/cancel");
                record.controller.abort();
                record.reject(new Error("Task was cancelled"));
            }
            return Promise.resolve(snapshot(record));
        });
    }
    catch (error) {
        restoreInstalledHandlers();
        throw error;
    }
    boundClients.add(client);
    const requests = {
        ...(callbacks.has("sampling/createMessage")
            ? { sampling: { createMessage: {} } }
            : {}),
        ...(callbacks.has("elicitation/create")
            ? { elicitation: { create: {} } }
            : {}),
    };
    return {
        capabilities: { list: {}, cancel: {}, requests },
        close() {
            if (closed)
                return;
            closed = true;
            boundClients.delete(client);
            for (const record of tasks.values())
                remove(record, "close");
            tasks.clear();
            restoreInstalledHandlers();
        },
    };
}
//# sourceMappingURL=index.js.map