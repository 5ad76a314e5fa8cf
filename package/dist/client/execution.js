import { ProtocolDecodeError } from "../core/index.js";
import { CallToolResultV1Schema } from "../core/v1/index.js";
import { CallToolResultV2Schema } from "../core/v2/index.js";
import { JsonRpcResponseError, TaskCancelledError, TaskExecutionClosedError, TaskFailedError, TaskUpdatesAlreadyAcquiredError, } from "./api.js";
import { completedOutcome, projectTask, publicTaskHandle } from "./internal.js";
import { linkAbortSignals, withAbort } from "./port.js";
import { throwIfAborted } from "./input-routing.js";
function codecFromSchema(schema) {
    return {
        parse(value) {
            const decoded = schema.safeParse(value);
            return decoded.success
                ? { success: true, value: decoded.data }
                : {
                    success: false,
                    error: new ProtocolDecodeError("Protocol value failed schema validation", {}, { cause: decoded.error }),
                };
        },
    };
}
/** Selects the default tool-result codec for the negotiated task generation. */
export function defaultResultCodec(generation) {
    if (generation === "v2")
        return codecFromSchema(CallToolResultV2Schema);
    if (generation === "v1")
        return codecFromSchema(CallToolResultV1Schema);
    // Accept the union of valid immediate results because "none" retains no
    // protocol era: a modern no-Tasks session still returns modern result shapes.
    const legacyCodec = codecFromSchema(CallToolResultV1Schema);
    const modernCodec = codecFromSchema(CallToolResultV2Schema);
    return {
        parse(value) {
            const legacy = legacyCodec.parse(value);
            if (legacy.success)
                return legacy;
            const modern = modernCodec.parse(value);
            return modern.success ? modern : legacy;
        },
    };
}
/** Normalizes an invalidation or abort reason to an Error instance. */
export function reasonAsError(reason) {
    if (reason instanceof Error)
        return reason;
    return new Error(typeof reason === "string" ? reason : "MCP session was invalidated", { cause: reason });
}
// The floor only clamps server-suggested cadences, because a server hint of
// 0ms would otherwise turn every poll loop into a busy-wait.
export const MIN_TASK_POLL_INTERVAL_MS = 10;
// Polling falls back to one request per second when the server offers no
// pollInterval hint, because a 10ms default is 100 requests/second/task and
// overwhelms both sides under ordinary concurrent workloads.
export const DEFAULT_TASK_POLL_INTERVAL_MS = 1_000;
/** Resolves the polling cadence from server hints, floored and defaulted. */
export function taskPollInterval(...suggestedIntervals) {
    const hints = suggestedIntervals.filter((interval) => interval !== undefined);
    if (hints.length === 0)
        return DEFAULT_TASK_POLL_INTERVAL_MS;
    return Math.max(MIN_TASK_POLL_INTERVAL_MS, ...hints);
}
const MAX_TIMER_DELAY_MS = 2_147_483_647;
function safeTimerDelay(delayMs) {
    return Math.min(MAX_TIMER_DELAY_MS, Math.max(0, delayMs));
}
/** Waits for the next task poll while remaining abortable. */
export async function waitForTaskPoll(delayMs, signal) {
    let timeout;
    try {
        await withAbort(new Promise((resolve) => {
            timeout = setTimeout(resolve, safeTimerDelay(delayMs));
        }), signal);
    }
    finally {
        if (timeout !== undefined)
            clearTimeout(timeout);
    }
}
function wakeAll(waiters) {
    for (const wake of waiters)
        wake();
    waiters.clear();
}
export class TaskExecution {
    kind = "task";
    applicationContext;
    declaration;
    handle;
    internalHandle;
    endpointId;
    cancelTask;
    controller = new AbortController();
    inputController = new AbortController();
    cancellationController = new AbortController();
    resultPromise;
    outcomePromise;
    cancelledError = new TaskCancelledError();
    closedError = new TaskExecutionClosedError();
    turnWaiters = new Set();
    updateWaiters = new Set();
    observationWaiters = new Set();
    observedSnapshots = [];
    initialSnapshot;
    pendingSnapshot;
    terminalSnapshot;
    authoritativeTerminalSnapshot;
    lastAcceptedBytes;
    notificationSequence = 0;
    latestNotifiedSnapshot;
    updatesAcquired = false;
    cancelPromise;
    closePromise;
    releaseLifecycleListener;
    settlementPromise;
    settled = false;
    closed = false;
    constructor(options) {
        this.applicationContext = options.applicationContext;
        this.declaration = options.declaration;
        this.internalHandle = options.handle;
        this.handle = publicTaskHandle(options.handle);
        this.endpointId = options.endpointId;
        this.cancelTask = options.cancelTask;
        this.initialSnapshot = options.initialSnapshot;
        this.observedSnapshots.push(options.initialSnapshot);
        const initialBytes = deterministicJson(options.initialSnapshot);
        this.lastAcceptedBytes = initialBytes;
        if (terminalStatus(options.initialSnapshot.task.status)) {
            this.authoritativeTerminalSnapshot = options.initialSnapshot;
            this.inputController.abort();
        }
        const { lifecycleSignal } = options;
        if (lifecycleSignal !== undefined) {
            const abort = () => {
                this.releaseLifecycleListener?.();
                this.controller.abort(lifecycleSignal.reason);
            };
            if (lifecycleSignal.aborted)
                abort();
            else {
                lifecycleSignal.addEventListener("abort", abort, { once: true });
                this.releaseLifecycleListener = () => {
                    lifecycleSignal.removeEventListener("abort", abort);
                    this.releaseLifecycleListener = undefined;
                };
            }
        }
        this.resultPromise = options.driver({
            accept: (snapshot) => this.acceptSnapshot(snapshot),
            nextObservation: (afterSequence, delayMs, observation) => this.nextObservation(afterSequence, delayMs, observation),
            signal: this.controller.signal,
            inputSignal: this.inputController.signal,
            errors: {
                cancelled: this.cancelledError,
                closed: this.closedError,
            },
            isClosed: () => this.closed,
        });
        this.outcomePromise = this.resultPromise.then((result) => ({
            status: "completed",
            result,
            ...(this.authoritativeTerminalSnapshot === undefined
                ? {}
                : { task: projectTask(this.authoritativeTerminalSnapshot) }),
        }), (error) => error === this.cancelledError
            ? {
                status: "cancelled",
                ...(this.authoritativeTerminalSnapshot === undefined
                    ? {}
                    : { task: projectTask(this.authoritativeTerminalSnapshot) }),
            }
            : {
                status: "failed",
                error: error instanceof TaskFailedError
                    ? error
                    : error instanceof JsonRpcResponseError
                        ? new TaskFailedError(error.message, { code: error.code, data: error.data }, { cause: error })
                        : new TaskFailedError(error instanceof Error ? error.message : String(error), {}, error instanceof Error ? { cause: error } : undefined),
                ...(this.authoritativeTerminalSnapshot === undefined
                    ? {}
                    : { task: projectTask(this.authoritativeTerminalSnapshot) }),
            });
        void this.outcomePromise.catch(() => {
            // The public outcome is cached even when callers detach without awaiting it.
        });
        void this.resultPromise.then(() => {
            this.settled = true;
        }, () => {
            this.settled = true;
        });
    }
    serializeReference() {
        return { endpointId: this.endpointId, ...this.internalHandle };
    }
    async handoff(persist) {
        await persist(this.serializeReference());
        await this.detach();
    }
    onNotification(snapshot) {
        if (this.closed || snapshot.generation !== this.internalHandle.generation)
            return;
        if (snapshot.task.taskId !== this.internalHandle.taskId)
            return;
        this.transitionSnapshot(snapshot, "notification");
    }
    updates(signal) {
        if (this.updatesAcquired)
            throw new TaskUpdatesAlreadyAcquiredError();
        this.updatesAcquired = true;
        return this.iterateEvents(signal);
    }
    async *iterateEvents(signal) {
        for (;;) {
            throwIfAborted(signal);
            const snapshot = this.takeQueuedUpdate();
            if (snapshot !== undefined) {
                yield { type: "task", task: projectTask(snapshot) };
                continue;
            }
            const settled = await this.waitForUpdateOrResult(signal);
            if (!settled) {
                yield { type: "outcome", outcome: await this.result() };
                return;
            }
        }
    }
    takeQueuedUpdate() {
        if (this.initialSnapshot !== undefined) {
            const snapshot = this.initialSnapshot;
            this.initialSnapshot = undefined;
            return snapshot;
        }
        if (this.pendingSnapshot !== undefined) {
            const snapshot = this.pendingSnapshot;
            this.pendingSnapshot = undefined;
            return snapshot;
        }
        const snapshot = this.terminalSnapshot;
        this.terminalSnapshot = undefined;
        return snapshot;
    }
    acceptSnapshot(snapshot) {
        if (this.closed)
            return snapshot;
        return this.transitionSnapshot(snapshot, "accepted");
    }
    transitionSnapshot(snapshot, source) {
        // The first terminal snapshot is authoritative across polling, notifications,
        // result driving, and the update stream. Nothing may advance after it.
        if (this.authoritativeTerminalSnapshot !== undefined)
            return this.authoritativeTerminalSnapshot;
        const bytes = deterministicJson(snapshot);
        if (source === "accepted" && bytes === this.lastAcceptedBytes)
            return snapshot;
        let queuedUpdate = false;
        if (terminalStatus(snapshot.task.status)) {
            this.terminalSnapshot = snapshot;
            queuedUpdate = true;
            this.authoritativeTerminalSnapshot = snapshot;
            this.inputController.abort();
        }
        else if (source === "accepted") {
            this.pendingSnapshot = snapshot;
            queuedUpdate = true;
        }
        if (source === "accepted") {
            this.lastAcceptedBytes = bytes;
        }
        else {
            this.latestNotifiedSnapshot = snapshot;
            this.notificationSequence += 1;
            wakeAll(this.turnWaiters);
        }
        if (queuedUpdate) {
            this.observedSnapshots.push(snapshot);
            wakeAll(this.observationWaiters);
        }
        if (queuedUpdate)
            wakeAll(this.updateWaiters);
        return snapshot;
    }
    async *observeEvents(signal) {
        let index = 0;
        for (;;) {
            throwIfAborted(signal);
            while (index < this.observedSnapshots.length) {
                const snapshot = this.observedSnapshots[index];
                index += 1;
                yield { type: "task", task: projectTask(snapshot) };
            }
            const settled = await this.waitForObservationOrResult(index, signal);
            if (!settled) {
                yield { type: "outcome", outcome: await this.result() };
                return;
            }
        }
    }
    async waitForObservationOrResult(index, signal) {
        if (index < this.observedSnapshots.length)
            return true;
        let wake;
        const observed = new Promise((resolve) => {
            wake = () => {
                resolve(true);
            };
            this.observationWaiters.add(wake);
        });
        try {
            return await withAbort(Promise.race([
                observed,
                this.resultPromise.then(() => false, () => false),
            ]), signal);
        }
        finally {
            if (wake !== undefined)
                this.observationWaiters.delete(wake);
        }
    }
    async waitForUpdateOrResult(signal) {
        if (this.pendingSnapshot !== undefined ||
            this.terminalSnapshot !== undefined)
            return true;
        let wake;
        const updated = new Promise((resolve) => {
            wake = () => {
                resolve(true);
            };
            this.updateWaiters.add(wake);
        });
        try {
            return await withAbort(Promise.race([
                updated,
                this.resultPromise.then(() => false, () => false),
            ]), signal);
        }
        finally {
            if (wake !== undefined)
                this.updateWaiters.delete(wake);
        }
    }
    notifiedSnapshotAfter(afterSequence) {
        if (this.notificationSequence > afterSequence &&
            this.latestNotifiedSnapshot !== undefined) {
            return {
                sequence: this.notificationSequence,
                snapshot: this.latestNotifiedSnapshot,
            };
        }
        return undefined;
    }
    async waitForTurn(afterSequence, delayMs) {
        const current = this.notifiedSnapshotAfter(afterSequence);
        if (current !== undefined)
            return current;
        if (delayMs === undefined) {
            await Promise.resolve();
            throwIfAborted(this.controller.signal);
            return this.notifiedSnapshotAfter(afterSequence);
        }
        await new Promise((resolve, reject) => {
            const finish = (error) => {
                clearTimeout(timeout);
                this.turnWaiters.delete(onTurn);
                this.controller.signal.removeEventListener("abort", onAbort);
                if (error === undefined)
                    resolve();
                else
                    reject(reasonAsError(error));
            };
            const onTurn = () => {
                finish();
            };
            const onAbort = () => {
                finish(this.controller.signal.reason);
            };
            const timeout = setTimeout(onTurn, safeTimerDelay(delayMs));
            this.turnWaiters.add(onTurn);
            this.controller.signal.addEventListener("abort", onAbort, { once: true });
        });
        return this.notifiedSnapshotAfter(afterSequence);
    }
    async nextObservation(afterSequence, delayMs, observation) {
        const turn = await this.waitForTurn(afterSequence, delayMs);
        if (turn !== undefined)
            return turn;
        let wake;
        const notified = new Promise((resolve) => {
            wake = () => {
                resolve(this.notifiedSnapshotAfter(afterSequence));
            };
            this.turnWaiters.add(wake);
        });
        // Register before checking again so a notification cannot land between the
        // clean check and observer registration.
        const current = this.notifiedSnapshotAfter(afterSequence);
        if (current !== undefined) {
            if (wake !== undefined)
                this.turnWaiters.delete(wake);
            return current;
        }
        const observationLifecycle = linkAbortSignals(this.controller.signal);
        try {
            const observationPromise = observation(observationLifecycle.signal);
            void observationPromise.catch(() => { });
            return await withAbort(Promise.race([
                observationPromise.then((snapshot) => ({
                    sequence: afterSequence,
                    snapshot,
                })),
                notified,
            ]), this.controller.signal);
        }
        finally {
            if (!observationLifecycle.signal.aborted)
                observationLifecycle.abort();
            observationLifecycle.dispose();
            if (wake !== undefined)
                this.turnWaiters.delete(wake);
        }
    }
    result() {
        return this.outcomePromise;
    }
    settle(options = {}) {
        this.settlementPromise ??= settleExecution(this, this.observeEvents(options.signal), options);
        return this.settlementPromise;
    }
    inputSignal() {
        return this.inputController.signal;
    }
    endInputLifetime() {
        this.inputController.abort();
    }
    cancel(signal) {
        throwIfAborted(signal);
        // The server's cancel ack ends the local lifetime because V2 cancellation
        // is cooperative: the server may never reach `cancelled`, so waiting for
        // a terminal snapshot could leave result() pending forever.
        this.cancelPromise ??= this.cancelTask(this.cancellationController.signal).then(() => {
            this.releaseLifecycleListener?.();
            this.inputController.abort(this.cancelledError);
            this.controller.abort(this.cancelledError);
        });
        return signal === undefined
            ? this.cancelPromise
            : withAbort(this.cancelPromise, signal);
    }
    detach() {
        if (this.closed)
            return Promise.resolve();
        this.closed = true;
        this.releaseLifecycleListener?.();
        this.controller.abort(this.closedError);
        this.inputController.abort(this.closedError);
        return Promise.resolve();
    }
    close() {
        if (this.closePromise !== undefined)
            return this.closePromise;
        const shouldCancel = !this.settled;
        this.closePromise = this.detach();
        if (shouldCancel)
            void this.cancel().catch(() => {
                // Cooperative cancellation is best effort during close.
            });
        return this.closePromise;
    }
    [Symbol.asyncDispose]() {
        return this.close();
    }
}
/** Produces stable JSON-like text by sorting object keys recursively. */
export function deterministicJson(value) {
    if (value === null)
        return "null";
    if (typeof value === "string" ||
        typeof value === "boolean" ||
        typeof value === "number") {
        return JSON.stringify(value);
    }
    if (typeof value !== "object")
        return `[${typeof value}]`;
    if (Array.isArray(value))
        return `[${value.map(deterministicJson).join(",")}]`;
    const record = value;
    return `{${Object.keys(record)
        .filter((key) => record[key] !== undefined)
        .sort()
        .map((key) => `${JSON.stringify(key)}:${deterministicJson(record[key])}`)
        .join(",")}}`;
}
/** Returns whether a task status is terminal. */
export function terminalStatus(status) {
    return (status === "completed" || status === "failed" || status === "cancelled");
}
async function settleExecution(execution, events, options) {
    let lastTask;
    const observation = (async () => {
        for await (const event of events) {
            if (event.type === "task")
                lastTask = event.task;
            await options.onEvent?.(event);
        }
    })();
    const outcome = withAbort(execution.result(), options.signal);
    const first = await Promise.race([
        outcome.then((value) => ({ branch: "outcome", value }), (error) => ({ branch: "outcome-error", error })),
        observation.then(() => ({ branch: "observation" }), (error) => ({ branch: "observation-error", error })),
    ]);
    if (first.branch === "observation-error") {
        await execution.detach();
        throw first.error;
    }
    if (first.branch === "outcome-error") {
        await execution.detach();
        await observation.catch(() => { });
        throw first.error;
    }
    const outcomeValue = first.branch === "outcome" ? first.value : await outcome;
    await observation;
    if (options.close !== false) {
        try {
            await execution.close();
        }
        catch {
            // Settlement cleanup is best effort and never masks execution outcomes.
        }
    }
    return { outcome: outcomeValue, lastTask };
}
export class ImmediateExecution {
    applicationContext;
    resultPromise;
    kind = "immediate";
    handle = undefined;
    declaration;
    outcomePromise;
    settlementPromise;
    updatesAcquired = false;
    constructor(applicationContext, resultPromise, declaration) {
        this.applicationContext = applicationContext;
        this.resultPromise = resultPromise;
        this.declaration = declaration;
        this.outcomePromise = completedOutcome(this.resultPromise);
    }
    updates(signal) {
        if (this.updatesAcquired)
            throw new TaskUpdatesAlreadyAcquiredError();
        this.updatesAcquired = true;
        return this.observeOutcome(signal);
    }
    observeOutcome(signal) {
        throwIfAborted(signal);
        const outcome = this.result();
        return {
            async *[Symbol.asyncIterator]() {
                yield { type: "outcome", outcome: await outcome };
            },
        };
    }
    result() {
        return this.outcomePromise;
    }
    settle(options = {}) {
        this.settlementPromise ??= settleExecution(this, this.observeOutcome(options.signal), options);
        return this.settlementPromise;
    }
    cancel(signal) {
        throwIfAborted(signal);
        return Promise.resolve();
    }
    detach() {
        return Promise.resolve();
    }
    close() {
        return Promise.resolve();
    }
    [Symbol.asyncDispose]() {
        return this.close();
    }
}
//# sourceMappingURL=execution.js.map