import { isJsonValue } from "../core/index.js";
import { CreateTaskResultV1Schema, ListTasksResultV1Schema, TaskStatusNotificationV1Schema, shouldCallToolAsTaskV1, } from "../core/v1/index.js";
import { CreateTaskResultV2Schema, DetailedTaskV2Schema, InputRequiredCallToolResultV2Schema, TaskStatusNotificationV2Schema, isCreateTaskResultV2, withTaskCapabilityV2, } from "../core/v2/index.js";
import { InputCorrelationError, TaskRecoveryOwnershipError, TaskRetentionUnsupportedError, } from "./api.js";
import { ImmediateExecution, TaskExecution, defaultResultCodec, reasonAsError, } from "./execution.js";
import { projectTask, projectToolForGeneration, semanticCapabilities, } from "./internal.js";
import { buildResolvedInputContext, defaultServerRequestResponse, nextExecutionIdentifier, projectApplicationInputRequest, readRelatedTaskEvidence, resolveInputCandidate, throwIfAborted, } from "./input-routing.js";
import { createTaskRpc, parseResult, dispatchWithRetry, linkAbortSignals, responseResult, withAbort, } from "./port.js";
import { createTaskController } from "./task-controller.js";
import { ManagedToolDeclarations } from "./tool-declarations.js";
import { createTaskExecutionV1 } from "./task-protocol-v1.js";
import { createTaskExecutionV2, projectInputRequest, responseSchemaForInputRequest, } from "./task-protocol-v2.js";
function taskIdentityKey(reference) {
    return `${reference.generation}:${reference.taskId}`;
}
function isSupportedTaskReferenceOperation(reference) {
    return reference.originalOperation === "tools/call";
}
function selectResultCodec(generation, codec) {
    if (codec !== undefined)
        return codec;
    const fallback = defaultResultCodec(generation);
    return {
        parse(value) {
            const decoded = fallback.parse(value);
            if (!decoded.success)
                return decoded;
            // TResult defaults to the generated result union; callers choosing another TResult must provide resultCodec.
            return { success: true, value: decoded.value };
        },
    };
}
class PortTaskEnabledSession {
    port;
    options;
    endpointId;
    capabilities;
    closed = false;
    closePromise;
    lifecycleController = new AbortController();
    invalidationError;
    disposeListeners;
    declarations;
    managedDeclarations;
    ordinaryInputCandidates = new Map();
    v1TaskInputCandidates = new Map();
    activeTaskExecutions = new Set();
    taskIdentityOwners = new Map();
    activeTaskExecutionsById = new Map();
    constructor(port, options, disposePort) {
        this.port = port;
        this.options = options;
        this.endpointId = port.endpointId;
        this.capabilities = semanticCapabilities(port.taskCapabilities);
        // Validated here, not per call: the cap is a session-wide public option,
        // and unvalidated values fail silently (1.5 allows two rounds, NaN
        // disables the cap, negatives reject even the first round).
        const maxInputRounds = options.maxInputRounds;
        if (maxInputRounds !== undefined &&
            (!Number.isSafeInteger(maxInputRounds) || maxInputRounds < 0))
            throw new RangeError("maxInputRounds must be a non-negative safe integer");
        const reportError = (error) => {
            try {
                this.options.onError?.(error);
            }
            catch (sinkError) {
                console.error(sinkError);
            }
        };
        if (options.tools === undefined) {
            this.managedDeclarations = new ManagedToolDeclarations(port, reportError);
            this.declarations = this.managedDeclarations;
        }
        else {
            this.managedDeclarations = undefined;
            this.declarations = options.tools;
        }
        const onSessionAbort = () => {
            const error = options.signal?.reason instanceof Error
                ? options.signal.reason
                : new DOMException("The session was aborted", "AbortError");
            this.invalidationError ??= error;
            this.lifecycleController.abort(error);
            this.managedDeclarations?.close();
        };
        options.signal?.addEventListener("abort", onSessionAbort, { once: true });
        this.disposeListeners = [
            port.onServerRequest(async (incoming) => this.handleServerRequest(incoming)),
            port.onNotification((notification) => {
                this.handleNotification(notification);
            }),
            port.onInvalidated((reason) => {
                const error = reasonAsError(reason);
                this.invalidationError ??= error;
                this.lifecycleController.abort(error);
                this.managedDeclarations?.close();
            }),
            () => options.signal?.removeEventListener("abort", onSessionAbort),
            () => this.managedDeclarations?.close(),
            ...(disposePort === undefined ? [] : [disposePort]),
        ];
        if (options.signal?.aborted === true)
            onSessionAbort();
        if (port.invalidated) {
            const error = new Error("MCP session was invalidated");
            this.invalidationError = error;
            this.lifecycleController.abort(error);
            this.managedDeclarations?.close();
        }
    }
    task(taskId, options = {}) {
        this.assertUsable();
        return createTaskController(this.port, taskId, options, this.lifecycleController.signal, () => {
            this.assertUsable();
        });
    }
    async listTasks(cursor, signal) {
        this.assertUsable();
        if (this.capabilities.inventory !== "server-list")
            throw new Error("Server task inventory is not supported by this session");
        // The caller signal is linked with the session lifecycle because closing
        // or invalidating the session must abort an in-flight list request
        // rather than letting it hang or resolve on an unusable session.
        const listLifecycle = linkAbortSignals(this.lifecycleController.signal, signal);
        let response;
        try {
            response = await dispatchWithRetry(this.port, {
                method: "tasks/list",
                ...(cursor === undefined ? {} : { params: { cursor } }),
            }, { signal: listLifecycle.signal });
        }
        finally {
            listLifecycle.dispose();
        }
        this.assertUsable();
        const result = parseResult(ListTasksResultV1Schema, responseResult(response));
        const tasks = result.tasks.map((task) => projectTask({ generation: "v1", task }));
        return {
            tasks,
            ...(result.nextCursor === undefined
                ? {}
                : { nextCursor: result.nextCursor }),
        };
    }
    async cancelTask(taskId, signal) {
        this.assertUsable();
        const execution = this.activeTaskExecutionsById.get(taskId);
        if (execution !== undefined) {
            // The input lifetime is NOT ended here: TaskExecution.cancel() aborts
            // it after a successful acknowledgement, so a failed or pre-aborted
            // cancel leaves a still-live task able to receive input.
            await execution.cancel(signal);
            return;
        }
        // Deliberately detached from the session lifecycle: an in-flight
        // stand-alone cancel is the one operation that should finish during a
        // concurrent close (see "uses a detached controller" in the facade test).
        const operationLifecycle = new AbortController();
        await createTaskController(this.port, taskId, {}, operationLifecycle.signal, () => { }).cancel(signal);
    }
    async callTool(name, params, options = {}) {
        this.assertUsable();
        const callLifecycle = linkAbortSignals(this.lifecycleController.signal, options.signal);
        const callSignal = callLifecycle.signal;
        let declaration = options.declaration;
        try {
            throwIfAborted(callSignal);
            await this.managedDeclarations?.ensureReady(callSignal);
            this.assertUsable();
            declaration ??= this.declarations.currentTool(name);
        }
        catch (error) {
            callLifecycle.dispose();
            throw error;
        }
        const requestParams = { name };
        if (params !== undefined)
            requestParams.arguments = params;
        if (options.metadata !== undefined)
            requestParams._meta = options.metadata;
        const generation = this.port.taskCapabilities.generation;
        const preference = options.task?.preference ?? "allow";
        const retentionMs = options.task?.retentionMs;
        if (retentionMs !== undefined &&
            (!Number.isSafeInteger(retentionMs) || retentionMs < 0)) {
            callLifecycle.dispose();
            throw new RangeError("task.retentionMs must be a non-negative safe integer");
        }
        if (retentionMs !== undefined &&
            options.task?.retention === "require-capability" &&
            !this.capabilities.requestedRetention) {
            callLifecycle.dispose();
            throw new TaskRetentionUnsupportedError();
        }
        const portCapabilities = this.port.taskCapabilities;
        const toolV1 = portCapabilities.generation === "v1" && declaration !== undefined
            ? projectToolForGeneration(declaration, "v1")
            : undefined;
        const callAsTaskV1 = portCapabilities.generation === "v1" &&
            toolV1 !== undefined &&
            shouldCallToolAsTaskV1(portCapabilities.capabilities, toolV1, preference === "prefer" || preference === "require") &&
            preference !== "forbid";
        // A declaration-level taskSupport of "required" that cannot be honored is
        // rejected before dispatch, because an ordinary tools/call to such a tool
        // violates its known contract and cannot validly execute — whether the
        // caller forbade tasks or the server lacks the capability.
        if (toolV1?.execution?.taskSupport === "required" && !callAsTaskV1) {
            callLifecycle.dispose();
            throw new Error(preference === "forbid"
                ? `Tool "${name}" requires task execution, which options.task.preference forbids`
                : `Tool "${name}" requires task execution, which this server does not support`);
        }
        if (preference === "require" && generation !== "v2" && !callAsTaskV1) {
            callLifecycle.dispose();
            throw new Error("Task execution was required but is unavailable");
        }
        if (callAsTaskV1)
            requestParams.task =
                retentionMs === undefined ? {} : { ttl: retentionMs };
        const dispatchContext = options.headers === undefined &&
            options.requestTimeoutMs === undefined &&
            options.resetTimeoutOnProgress === undefined
            ? undefined
            : {
                headers: options.headers,
                requestTimeoutMs: options.requestTimeoutMs,
                resetTimeoutOnProgress: options.resetTimeoutOnProgress,
            };
        const executionId = nextExecutionIdentifier();
        this.ordinaryInputCandidates.set(executionId, {
            lifetime: "basic",
            generation: generation === "none" ? "v1" : generation,
            toolName: name,
            executionId,
            applicationContext: options.applicationContext,
            signal: callSignal,
        });
        let continuedRequestParams = requestParams;
        let response;
        try {
            let inputRound = 0;
            let previousRequestStateOnly;
            for (;;) {
                const dispatchPromise = dispatchWithRetry(this.port, {
                    method: "tools/call",
                    params: generation === "v2"
                        ? withTaskCapabilityV2(continuedRequestParams)
                        : continuedRequestParams,
                }, { signal: callSignal, context: dispatchContext });
                try {
                    response = await withAbort(dispatchPromise, callSignal);
                }
                catch (error) {
                    void dispatchPromise.then((lateResponse) => {
                        this.cleanupLateTaskCreation(lateResponse, generation, callAsTaskV1, dispatchContext);
                    }, () => { });
                    throw error;
                }
                this.assertUsable();
                throwIfAborted(callSignal);
                const roundResult = responseResult(response);
                if (!this.isRequestInputRequired(roundResult))
                    break;
                // Unbounded by default: the protocol does not cap MRTR exchanges,
                // and the repeated non-advancing requestState check below already
                // rejects the loop case. options.maxInputRounds is the caller's
                // opt-in budget for runaway interactions.
                const maxInputRounds = this.options.maxInputRounds;
                if (maxInputRounds !== undefined && inputRound >= maxInputRounds)
                    throw new Error(`Tool call exceeded ${String(maxInputRounds)} input-required rounds (options.maxInputRounds)`);
                const inputRequired = parseResult(InputRequiredCallToolResultV2Schema, roundResult);
                const hasInputRequests = inputRequired.inputRequests !== undefined;
                if (!hasInputRequests &&
                    inputRequired.requestState === previousRequestStateOnly)
                    throw new Error("Tool call returned repeated non-advancing requestState-only input_required");
                previousRequestStateOnly = hasInputRequests
                    ? undefined
                    : inputRequired.requestState;
                const inputResponses = await this.resolveRequestInputResponses(inputRequired.inputRequests ?? {}, executionId, options.applicationContext, callSignal);
                continuedRequestParams = {
                    ...requestParams,
                    ...(Object.keys(inputResponses).length === 0
                        ? {}
                        : { inputResponses }),
                    ...(inputRequired.requestState === undefined
                        ? {}
                        : { requestState: inputRequired.requestState }),
                };
                inputRound += 1;
            }
        }
        catch (error) {
            if (response !== undefined)
                this.cleanupLateTaskCreation(response, generation, callAsTaskV1, dispatchContext);
            callLifecycle.dispose();
            throw error;
        }
        finally {
            this.ordinaryInputCandidates.delete(executionId);
        }
        const wireResult = responseResult(response);
        const codec = selectResultCodec(generation, options.resultCodec);
        // Task-backed executions receive the linked call lifecycle and dispose it
        // only once they settle, because options.signal documents that it bounds
        // the operation's local lifecycle — disposing here would disconnect it
        // the moment tools/call returns. Immediate and error paths dispose now.
        // The flag is set at the call sites rather than inside the helper so the
        // finally's check reads an assignment flow analysis can see.
        let lifecycleTransferred = false;
        const transferLifecycle = (execution) => {
            void execution.result().finally(() => {
                callLifecycle.dispose();
            });
        };
        try {
            if (generation === "v1" && callAsTaskV1) {
                const created = parseResult(CreateTaskResultV1Schema, wireResult);
                const handle = {
                    generation: "v1",
                    taskId: created.task.taskId,
                    originalOperation: "tools/call",
                };
                const releaseTaskIdentity = this.acquireTaskIdentity(handle);
                const execution = createTaskExecutionV1({
                    applicationContext: options.applicationContext,
                    handle,
                    declaration,
                    initialTask: created.task,
                    resultCodec: codec,
                    port: this.port,
                    dispatchContext,
                    // callSignal, not the bare session signal: it already links the
                    // session lifecycle with options.signal, keeping the caller's abort
                    // effective for the task's whole local lifetime.
                    lifecycleSignal: callSignal,
                });
                const tracked = this.trackTaskExecution(execution, {
                    lifetime: "task-v1",
                    generation: "v1",
                    taskId: created.task.taskId,
                    toolName: name,
                    executionId,
                    applicationContext: options.applicationContext,
                    signal: execution.inputSignal(),
                }, releaseTaskIdentity);
                lifecycleTransferred = true;
                transferLifecycle(tracked);
                return tracked;
            }
            if (generation === "v2" &&
                preference === "require" &&
                !isCreateTaskResultV2(wireResult))
                throw new Error("Task execution was required but the server returned an immediate result");
            if (generation === "v2" &&
                preference === "forbid" &&
                isCreateTaskResultV2(wireResult)) {
                this.cleanupLateTaskCreation(response, generation, false, dispatchContext);
                throw new Error("Task execution was forbidden but the server returned a task");
            }
            if (generation === "v2" && isCreateTaskResultV2(wireResult)) {
                const created = parseResult(CreateTaskResultV2Schema, wireResult);
                const handle = {
                    generation: "v2",
                    taskId: created.taskId,
                    originalOperation: "tools/call",
                };
                const releaseTaskIdentity = this.acquireTaskIdentity(handle);
                const tracked = this.trackTaskExecution(createTaskExecutionV2({
                    applicationContext: options.applicationContext,
                    declaration,
                    handle,
                    initialTask: created,
                    resultCodec: codec,
                    port: this.port,
                    dispatchContext,
                    lifecycleSignal: callSignal,
                    onInputRequest: this.options.onInputRequest,
                    maxInputRounds: this.options.maxInputRounds,
                    reportError: (error) => {
                        this.reportBackgroundError(error);
                    },
                }), undefined, releaseTaskIdentity);
                lifecycleTransferred = true;
                transferLifecycle(tracked);
                return tracked;
            }
            const resultPromise = Promise.resolve(parseResult(codec, wireResult));
            return new ImmediateExecution(options.applicationContext, resultPromise, declaration);
        }
        finally {
            if (!lifecycleTransferred)
                callLifecycle.dispose();
        }
    }
    async resumeTask(reference, options = {}, initialSnapshot) {
        this.assertUsable();
        const capabilities = this.port.taskCapabilities;
        if (reference.endpointId !== this.port.endpointId)
            throw new Error("Task reference belongs to a different endpoint");
        if (reference.generation !== capabilities.generation)
            throw new Error("Task reference generation does not match this session");
        const activeTaskIdentity = this.taskIdentityOwners.get(taskIdentityKey(reference));
        if (activeTaskIdentity !== undefined) {
            throw new TaskRecoveryOwnershipError(reference.taskId, reference.originalOperation, activeTaskIdentity.originalOperation);
        }
        if (!isSupportedTaskReferenceOperation(reference))
            throw new Error("Task reference operation is not supported");
        const releaseTaskIdentity = this.acquireTaskIdentity(reference);
        let taskIdentityTransferred = false;
        const resumeLifecycle = linkAbortSignals(this.lifecycleController.signal, options.signal);
        const resumeSignal = resumeLifecycle.signal;
        const executionId = nextExecutionIdentifier();
        const codec = selectResultCodec(reference.generation, options.resultCodec);
        // The same wire context as callTool, because a task resumed without its
        // original headers/timeout would silently drop per-request authentication
        // on every follow-up.
        const dispatchContext = options.headers === undefined && options.requestTimeoutMs === undefined
            ? undefined
            : {
                headers: options.headers,
                requestTimeoutMs: options.requestTimeoutMs,
            };
        // Like callTool, the linked lifecycle transfers to the resumed execution
        // and is disposed when it settles, because options.signal bounds the
        // recovered operation's local lifecycle — not just the initial lookup.
        let lifecycleTransferred = false;
        const transferLifecycle = (execution) => {
            void execution.result().finally(() => {
                resumeLifecycle.dispose();
            });
        };
        try {
            throwIfAborted(resumeSignal);
            this.assertUsable();
            throwIfAborted(resumeSignal);
            if (reference.generation === "v1") {
                const task = initialSnapshot?.generation === "v1"
                    ? initialSnapshot.task
                    : await createTaskRpc(reference.generation, {
                        port: this.port,
                        taskId: reference.taskId,
                        context: dispatchContext,
                    }).get(resumeSignal);
                this.assertUsable();
                throwIfAborted(resumeSignal);
                const execution = createTaskExecutionV1({
                    applicationContext: options.applicationContext,
                    declaration: options.declaration,
                    handle: reference,
                    initialTask: task,
                    resultCodec: codec,
                    port: this.port,
                    dispatchContext,
                    lifecycleSignal: resumeSignal,
                });
                const tracked = this.trackTaskExecution(execution, {
                    lifetime: "task-v1",
                    generation: "v1",
                    taskId: reference.taskId,
                    toolName: "<resumed>",
                    executionId,
                    applicationContext: options.applicationContext,
                    signal: execution.inputSignal(),
                }, releaseTaskIdentity);
                taskIdentityTransferred = true;
                lifecycleTransferred = true;
                transferLifecycle(tracked);
                return tracked;
            }
            const seededTask = initialSnapshot?.generation === "v2" ? initialSnapshot.task : undefined;
            const seededDetailed = seededTask === undefined
                ? undefined
                : DetailedTaskV2Schema.safeParse(seededTask);
            const seededDetailedTask = seededDetailed?.success === true ? seededDetailed.data : undefined;
            const detailedTask = seededTask === undefined
                ? await createTaskRpc(reference.generation, {
                    port: this.port,
                    taskId: reference.taskId,
                    context: dispatchContext,
                }).get(resumeSignal)
                : seededDetailedTask;
            const task = seededTask ?? detailedTask;
            if (task === undefined)
                throw new Error("Task recovery produced no initial task");
            this.assertUsable();
            throwIfAborted(resumeSignal);
            const execution = createTaskExecutionV2({
                applicationContext: options.applicationContext,
                declaration: options.declaration,
                handle: reference,
                initialTask: task,
                initialDetailedTask: detailedTask,
                resultCodec: codec,
                port: this.port,
                dispatchContext,
                lifecycleSignal: resumeSignal,
                onInputRequest: this.options.onInputRequest,
                maxInputRounds: this.options.maxInputRounds,
                reportError: (error) => {
                    this.reportBackgroundError(error);
                },
            });
            const tracked = this.trackTaskExecution(execution, undefined, releaseTaskIdentity);
            taskIdentityTransferred = true;
            lifecycleTransferred = true;
            transferLifecycle(tracked);
            return tracked;
        }
        finally {
            if (!taskIdentityTransferred)
                releaseTaskIdentity();
            if (!lifecycleTransferred)
                resumeLifecycle.dispose();
        }
    }
    lateTaskCancellationTarget(result, generation, callAsTaskV1) {
        if (generation === "v1" && callAsTaskV1) {
            const parsed = CreateTaskResultV1Schema.safeParse(result);
            if (!parsed.success)
                return undefined;
            return { generation: "v1", taskId: parsed.data.task.taskId };
        }
        if (generation !== "v2" || !isCreateTaskResultV2(result))
            return undefined;
        const parsed = CreateTaskResultV2Schema.safeParse(result);
        if (!parsed.success)
            return undefined;
        return { generation: "v2", taskId: parsed.data.taskId };
    }
    cleanupLateTaskCreation(response, generation, callAsTaskV1, context) {
        if (response.kind !== "result")
            return;
        const target = this.lateTaskCancellationTarget(response.result, generation, callAsTaskV1);
        if (target === undefined)
            return;
        // Cancel through createTaskRpc because it owns generation-specific wire
        // details — including the mandatory V2 Mcp-Name routing header that
        // task-aware routing depends on.
        const rpc = target.generation === "v1"
            ? createTaskRpc("v1", {
                port: this.port,
                taskId: target.taskId,
                context,
            })
            : createTaskRpc("v2", {
                port: this.port,
                taskId: target.taskId,
                context,
            });
        void rpc.cancel().catch(() => {
            // A task returned after call abort is cleaned up on a best-effort basis.
        });
    }
    close() {
        if (this.closePromise !== undefined)
            return this.closePromise;
        this.closed = true;
        this.closePromise = (async () => {
            const childClosures = [...this.activeTaskExecutions].map(async (execution) => {
                try {
                    await execution.close();
                }
                catch (error) {
                    this.reportBackgroundError(reasonAsError(error));
                }
            });
            this.lifecycleController.abort(new Error("Task-enabled session is closed"));
            for (const dispose of this.disposeListeners) {
                try {
                    dispose();
                }
                catch (error) {
                    this.reportBackgroundError(reasonAsError(error));
                }
            }
            await Promise.all(childClosures);
        })();
        return this.closePromise;
    }
    [Symbol.asyncDispose]() {
        return this.close();
    }
    acquireTaskIdentity(reference) {
        const key = taskIdentityKey(reference);
        const active = this.taskIdentityOwners.get(key);
        if (active !== undefined) {
            throw new TaskRecoveryOwnershipError(reference.taskId, reference.originalOperation, active.originalOperation);
        }
        const owner = {
            originalOperation: reference.originalOperation,
            token: Symbol(key),
        };
        this.taskIdentityOwners.set(key, owner);
        return () => {
            if (this.taskIdentityOwners.get(key)?.token === owner.token) {
                this.taskIdentityOwners.delete(key);
            }
        };
    }
    trackTaskExecution(execution, v1InputCandidate, releaseTaskIdentity) {
        const tracked = execution;
        this.activeTaskExecutions.add(tracked);
        this.activeTaskExecutionsById.set(execution.handle.taskId, tracked);
        if (v1InputCandidate !== undefined &&
            v1InputCandidate.signal?.aborted !== true) {
            this.v1TaskInputCandidates.set(v1InputCandidate.executionId, v1InputCandidate);
            v1InputCandidate.signal?.addEventListener("abort", () => {
                this.v1TaskInputCandidates.delete(v1InputCandidate.executionId);
            }, { once: true });
        }
        void execution.result().finally(() => {
            execution.endInputLifetime();
            this.activeTaskExecutions.delete(tracked);
            if (this.activeTaskExecutionsById.get(execution.handle.taskId) === tracked)
                this.activeTaskExecutionsById.delete(execution.handle.taskId);
            if (v1InputCandidate !== undefined)
                this.v1TaskInputCandidates.delete(v1InputCandidate.executionId);
            releaseTaskIdentity?.();
        });
        return execution;
    }
    handleNotification(notification) {
        this.managedDeclarations?.onNotification(notification);
        if (notification === null ||
            Array.isArray(notification) ||
            typeof notification !== "object")
            return;
        const method = notification.method;
        const generation = this.port.taskCapabilities.generation;
        // The branches parse separately (rather than one ternary-typed union),
        // because intersecting the V2 result's transform-based open object with
        // the V1 result exceeds TS inference depth (TS2589).
        let snapshot;
        if (generation === "v1" && method === "notifications/tasks/status") {
            const parsed = TaskStatusNotificationV1Schema.safeParse(notification);
            if (!parsed.success) {
                this.reportBackgroundError(parsed.error);
                return;
            }
            snapshot = { generation: "v1", task: parsed.data.params };
        }
        else if (generation === "v2" && method === "notifications/tasks") {
            const parsed = TaskStatusNotificationV2Schema.safeParse(notification);
            if (!parsed.success) {
                this.reportBackgroundError(parsed.error);
                return;
            }
            snapshot = {
                generation: "v2",
                task: parsed.data.params,
            };
        }
        else {
            return;
        }
        for (const execution of this.activeTaskExecutions) {
            execution.onNotification(snapshot);
        }
    }
    isRequestInputRequired(value) {
        return (value !== null &&
            !Array.isArray(value) &&
            typeof value === "object" &&
            value.resultType ===
                "input_required");
    }
    async resolveRequestInputResponses(inputRequests, executionId, applicationContext, signal) {
        if (Object.keys(inputRequests).length === 0)
            return {};
        if (this.options.onInputRequest === undefined)
            throw new Error("Tool call requires input, but no onInputRequest handler is configured");
        const inputResponses = {};
        for (const [inputId, inputRequest] of Object.entries(inputRequests)) {
            throwIfAborted(signal);
            const result = await this.options.onInputRequest(projectInputRequest(inputRequest), {
                scope: "request",
                delivery: "request-retry",
                inputId,
                applicationContext,
                signal,
            });
            throwIfAborted(signal);
            inputResponses[inputId] = parseResult(responseSchemaForInputRequest(inputRequest), result);
        }
        if (this.ordinaryInputCandidates.get(executionId) === undefined)
            throw new Error("Tool call input lifetime ended before retry");
        return inputResponses;
    }
    async handleServerRequest(incoming) {
        // Unhandled paths resolve undefined instead of a protocol response,
        // because the port owner may hold a prior fallback handler that can
        // still answer a request this session does not own.
        const request = projectApplicationInputRequest(incoming);
        if (request === undefined)
            return undefined;
        const resolution = resolveInputCandidate(readRelatedTaskEvidence(request), [...this.ordinaryInputCandidates.values()], [...this.v1TaskInputCandidates.values()]);
        if (resolution.kind === "failed") {
            this.reportBackgroundError(new InputCorrelationError(request.kind, resolution.candidates, resolution.reason));
            return undefined;
        }
        if (this.options.onInputRequest === undefined)
            return undefined;
        try {
            const context = buildResolvedInputContext(resolution.candidate);
            const result = await this.options.onInputRequest(request, context);
            if (!isJsonValue(result))
                throw new Error("Input handler returned a non-JSON value");
            return { kind: "result", result };
        }
        catch (error) {
            this.reportBackgroundError(reasonAsError(error));
            return defaultServerRequestResponse(incoming);
        }
    }
    reportBackgroundError(error) {
        try {
            if (this.options.onError === undefined)
                console.error(error);
            else
                this.options.onError(error);
        }
        catch (sinkError) {
            console.error(sinkError);
        }
    }
    assertUsable() {
        if (this.invalidationError !== undefined)
            throw this.invalidationError;
        if (this.closed)
            throw new Error("Task-enabled session is closed");
    }
}
/** Adds task execution support to a connected MCP session port. */
export function withTasks(session, options = {}) {
    return new PortTaskEnabledSession(session, options);
}
/** @internal Creates a task session that owns disposal of its connected port. */
export function withOwnedTasks(session, options, disposePort) {
    return new PortTaskEnabledSession(session, options, disposePort);
}
//# sourceMappingURL=session.js.map