/** Generation-specific requester-side V2 task execution. */
import { CreateMessageResultV2Schema, ElicitResultV2Schema, ListRootsResultV2Schema, } from "../core/v2/index.js";
import { JsonRpcResponseError } from "./api.js";
import { TaskExecution, deterministicJson, taskPollInterval, terminalStatus, } from "./execution.js";
import { createTaskRpc, parseResult } from "./port.js";
/** Reserves input keys during handling and commits them only after update succeeds. */
class InputRequestLedger {
    fingerprints = new Map();
    acquire(inputKey, request) {
        const fingerprint = deterministicJson(request);
        const acquired = this.fingerprints.get(inputKey);
        if (acquired === undefined) {
            this.fingerprints.set(inputKey, { fingerprint, state: "reserved" });
            return { kind: "new" };
        }
        return acquired.fingerprint === fingerprint
            ? { kind: "duplicate" }
            : { kind: "incompatible" };
    }
    hasNewInput(inputRequests) {
        return Object.keys(inputRequests).some((inputKey) => !this.fingerprints.has(inputKey));
    }
    commit(inputKey) {
        const acquired = this.fingerprints.get(inputKey);
        if (acquired !== undefined)
            this.fingerprints.set(inputKey, { ...acquired, state: "committed" });
    }
    release(inputKey) {
        if (this.fingerprints.get(inputKey)?.state === "reserved")
            this.fingerprints.delete(inputKey);
    }
}
/** Creates an execution controller for an existing V2 task. */
export function createTaskExecutionV2(options) {
    const rpcContext = {
        rpc: createTaskRpc("v2", {
            port: options.port,
            taskId: options.handle.taskId,
            context: options.dispatchContext,
        }),
        handle: options.handle,
    };
    return new TaskExecution({
        applicationContext: options.applicationContext,
        declaration: options.declaration,
        handle: options.handle,
        endpointId: options.port.endpointId,
        initialSnapshot: { generation: "v2", task: options.initialTask },
        driver: (driverContext) => driveTaskExecutionV2({ options, rpcContext, driverContext }),
        cancelTask: (signal) => rpcContext.rpc.cancel(signal),
        lifecycleSignal: options.lifecycleSignal,
    });
}
async function driveTaskExecutionV2(args) {
    const { options, rpcContext, driverContext } = args;
    let knownStatus = options.initialTask.status;
    let latestDetailedTask = options.initialDetailedTask;
    let lastNotificationSequence = 0;
    const acquiredRequestLedger = new InputRequestLedger();
    let inputRound = 0;
    const resolveTaskInput = async (task) => {
        if (task.status === "input_required" &&
            acquiredRequestLedger.hasNewInput(task.inputRequests)) {
            // Unbounded by default: a durable task may legitimately request many
            // distinct inputs over its lifetime, keys are deduplicated, and
            // incompatible reuse already fails the execution. The cap is the
            // caller's opt-in policy (options.maxInputRounds).
            const maxInputRounds = options.maxInputRounds;
            if (maxInputRounds !== undefined && inputRound >= maxInputRounds)
                throw new Error(`Task exceeded ${String(maxInputRounds)} input-required rounds (maxInputRounds)`);
            inputRound += 1;
        }
        await resolveAndSubmitInputRequests({ task, inputContext });
    };
    const inputContext = {
        ...rpcContext,
        applicationContext: options.applicationContext,
        onInputRequest: options.onInputRequest,
        reportError: options.reportError,
        acquiredRequestLedger,
        inputSignal: driverContext.inputSignal,
        signal: driverContext.signal,
    };
    if (latestDetailedTask !== undefined)
        await resolveTaskInput(latestDetailedTask);
    while (!terminalStatus(knownStatus)) {
        // The creation-time hint applies only until the first detailed task is
        // observed: a detailed snapshot is the current complete state, so a
        // server that lowers or removes its hint is honored instead of being
        // pinned to a stale larger interval forever.
        const delayMs = taskPollInterval(...(latestDetailedTask === undefined
            ? [options.initialTask.pollIntervalMs]
            : [latestDetailedTask.pollIntervalMs]));
        const observed = await driverContext.nextObservation(lastNotificationSequence, delayMs, async (signal) => ({
            generation: "v2",
            task: await rpcContext.rpc.get(signal),
        }));
        if (observed === undefined)
            continue;
        if (observed.snapshot.generation !== "v2")
            throw new Error("V2 task driver received a non-V2 snapshot");
        lastNotificationSequence = observed.sequence;
        const accepted = driverContext.isClosed()
            ? observed.snapshot
            : driverContext.accept(observed.snapshot);
        if (accepted.generation !== "v2")
            throw new Error("V2 task driver accepted a non-V2 snapshot");
        knownStatus = accepted.task.status;
        latestDetailedTask = accepted.task;
        await resolveTaskInput(latestDetailedTask);
    }
    if (driverContext.isClosed())
        throw driverContext.errors.closed;
    if (latestDetailedTask === undefined)
        latestDetailedTask = await rpcContext.rpc.get(driverContext.signal);
    return resolveTerminalTaskResult({
        task: latestDetailedTask,
        resultCodec: options.resultCodec,
        cancelledError: driverContext.errors.cancelled,
    });
}
/** Resolves a terminal V2 task with the same result and error semantics everywhere. */
export function resolveTerminalTaskResult(args) {
    const { task, resultCodec, cancelledError } = args;
    switch (task.status) {
        case "cancelled":
            throw cancelledError;
        case "failed":
            throw new JsonRpcResponseError(task.error);
        case "completed":
            return parseResult(resultCodec, task.result);
        default:
            throw new Error(`Unsupported terminal task status: ${task.status}`);
    }
}
/** Projects a V2 wire input request to the generation-neutral application shape. */
export function projectInputRequest(request) {
    if (request.method === "sampling/createMessage")
        return { kind: "sampling", params: request.params };
    if (request.method === "roots/list")
        return {
            kind: "roots",
            ...(request.params === undefined ? {} : { params: request.params }),
        };
    return { kind: "elicitation", params: request.params };
}
/** Selects the response validator for a V2 input request. */
export function responseSchemaForInputRequest(request) {
    if (request.method === "sampling/createMessage")
        return CreateMessageResultV2Schema;
    if (request.method === "roots/list")
        return ListRootsResultV2Schema;
    return ElicitResultV2Schema;
}
async function invokeInputHandler(args) {
    const { inputKey, request, inputContext } = args;
    if (inputContext.onInputRequest === undefined)
        return request.method === "elicitation/create"
            ? { kind: "result", value: { action: "cancel" } }
            : { kind: "skipped" };
    try {
        return {
            kind: "result",
            value: await inputContext.onInputRequest(projectInputRequest(request), {
                scope: "task",
                delivery: "task-update",
                taskId: inputContext.handle.taskId,
                inputId: inputKey,
                applicationContext: inputContext.applicationContext,
                signal: inputContext.inputSignal,
            }),
        };
    }
    catch (error) {
        if (inputContext.inputSignal.aborted)
            return { kind: "skipped" };
        inputContext.reportError(error instanceof Error ? error : new Error(String(error)));
        return request.method === "elicitation/create"
            ? { kind: "result", value: { action: "cancel" } }
            : { kind: "skipped" };
    }
}
async function resolveInputRequest(args) {
    const { inputKey, request, inputContext } = args;
    const acquisition = inputContext.acquiredRequestLedger.acquire(inputKey, request);
    if (acquisition.kind !== "new") {
        // Throwing fails the execution because reusing a key with a different
        // request is a protocol violation: the client already answered this key,
        // and polling on would act on input the application never saw.
        if (acquisition.kind === "incompatible")
            throw new Error(`V2 task input key ${inputKey} was reused incompatibly`);
        return undefined;
    }
    const outcome = await invokeInputHandler({
        inputKey,
        request,
        inputContext,
    });
    if (outcome.kind === "skipped") {
        inputContext.acquiredRequestLedger.release(inputKey);
        return undefined;
    }
    try {
        return {
            inputKey,
            response: parseResult(responseSchemaForInputRequest(request), outcome.value),
        };
    }
    catch (error) {
        inputContext.reportError(error instanceof Error ? error : new Error(String(error)));
        inputContext.acquiredRequestLedger.release(inputKey);
        return undefined;
    }
}
async function resolveAndSubmitInputRequests(args) {
    const { task, inputContext } = args;
    if (task.status !== "input_required")
        return;
    const inputResponses = {};
    for (const [inputKey, request] of Object.entries(task.inputRequests)) {
        const resolution = await resolveInputRequest({
            inputKey,
            request,
            inputContext,
        });
        if (inputContext.inputSignal.aborted)
            return;
        if (resolution !== undefined)
            inputResponses[resolution.inputKey] = resolution.response;
    }
    if (inputContext.inputSignal.aborted ||
        Object.keys(inputResponses).length === 0)
        return;
    try {
        await inputContext.rpc.update(inputResponses, inputContext.signal);
        for (const inputKey of Object.keys(inputResponses))
            inputContext.acquiredRequestLedger.commit(inputKey);
    }
    catch (error) {
        for (const inputKey of Object.keys(inputResponses))
            inputContext.acquiredRequestLedger.release(inputKey);
        throw error;
    }
}
//# sourceMappingURL=task-protocol-v2.js.map