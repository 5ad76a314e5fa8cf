import type { RuntimeCodec } from "../core/index.js";
import type { CallToolResultV1, TaskV1 } from "../core/v1/index.js";
import type { CallToolResultV2 } from "../core/v2/index.js";
import type { SerializedTaskReference, TaskExecutionEvent, TaskHandle, TaskOutcome, TaskSessionEndpointId, ToolDeclaration, ToolExecutionCommon, ToolExecutionSettleOptions, ToolExecutionSettlement } from "./api.js";
import type { InternalTaskHandle, InternalTaskSnapshot } from "./internal.js";
import type { SessionTaskCapabilities } from "./port.js";
/** Selects the default tool-result codec for the negotiated task generation. */
export declare function defaultResultCodec(generation: SessionTaskCapabilities["generation"]): RuntimeCodec<CallToolResultV1 | CallToolResultV2>;
/** Normalizes an invalidation or abort reason to an Error instance. */
export declare function reasonAsError(reason: unknown): Error;
export declare const MIN_TASK_POLL_INTERVAL_MS = 10;
export declare const DEFAULT_TASK_POLL_INTERVAL_MS = 1000;
/** Resolves the polling cadence from server hints, floored and defaulted. */
export declare function taskPollInterval(...suggestedIntervals: readonly (number | undefined)[]): number;
/** Waits for the next task poll while remaining abortable. */
export declare function waitForTaskPoll(delayMs: number, signal: AbortSignal): Promise<void>;
type TaskTurn = {
    readonly sequence: number;
    readonly snapshot: InternalTaskSnapshot;
} | undefined;
export interface TaskDriverContext {
    readonly accept: (snapshot: InternalTaskSnapshot) => InternalTaskSnapshot;
    readonly nextObservation: (afterSequence: number, delayMs: number | undefined, observation: (signal: AbortSignal) => Promise<InternalTaskSnapshot>) => Promise<TaskTurn>;
    readonly signal: AbortSignal;
    readonly inputSignal: AbortSignal;
    readonly errors: {
        readonly cancelled: Error;
        readonly closed: Error;
    };
    readonly isClosed: () => boolean;
}
export type TaskDriver<TResult> = (context: TaskDriverContext) => Promise<TResult>;
interface TaskExecutionOptions<TResult, TApplicationContext> {
    readonly applicationContext: TApplicationContext;
    readonly handle: InternalTaskHandle;
    readonly declaration?: ToolDeclaration;
    readonly endpointId: TaskSessionEndpointId;
    readonly initialSnapshot: InternalTaskSnapshot;
    readonly driver: TaskDriver<TResult>;
    readonly cancelTask: (signal?: AbortSignal) => Promise<void>;
    readonly lifecycleSignal?: AbortSignal;
}
export declare class TaskExecution<TResult, TApplicationContext> implements ToolExecutionCommon<TResult, TApplicationContext> {
    readonly kind: "task";
    readonly applicationContext: TApplicationContext;
    readonly declaration: ToolDeclaration | undefined;
    readonly handle: TaskHandle;
    private readonly internalHandle;
    private readonly endpointId;
    private readonly cancelTask;
    private readonly controller;
    private readonly inputController;
    private readonly cancellationController;
    private readonly resultPromise;
    private readonly outcomePromise;
    private readonly cancelledError;
    private readonly closedError;
    private readonly turnWaiters;
    private readonly updateWaiters;
    private readonly observationWaiters;
    private readonly observedSnapshots;
    private initialSnapshot;
    private pendingSnapshot;
    private terminalSnapshot;
    private authoritativeTerminalSnapshot;
    private lastAcceptedBytes;
    private notificationSequence;
    private latestNotifiedSnapshot;
    private updatesAcquired;
    private cancelPromise;
    private closePromise;
    private releaseLifecycleListener;
    private settlementPromise;
    private settled;
    private closed;
    constructor(options: TaskExecutionOptions<TResult, TApplicationContext>);
    serializeReference(): SerializedTaskReference;
    handoff(persist: (reference: SerializedTaskReference) => void | Promise<void>): Promise<void>;
    onNotification(snapshot: InternalTaskSnapshot): void;
    updates(signal?: AbortSignal): AsyncIterable<TaskExecutionEvent<TResult>>;
    private iterateEvents;
    private takeQueuedUpdate;
    private acceptSnapshot;
    private transitionSnapshot;
    private observeEvents;
    private waitForObservationOrResult;
    private waitForUpdateOrResult;
    private notifiedSnapshotAfter;
    private waitForTurn;
    private nextObservation;
    result(): Promise<TaskOutcome<TResult>>;
    settle(options?: ToolExecutionSettleOptions<TResult>): Promise<ToolExecutionSettlement<TResult>>;
    inputSignal(): AbortSignal;
    endInputLifetime(): void;
    cancel(signal?: AbortSignal): Promise<void>;
    detach(): Promise<void>;
    close(): Promise<void>;
    [Symbol.asyncDispose](): Promise<void>;
}
/** Produces stable JSON-like text by sorting object keys recursively. */
export declare function deterministicJson(value: unknown): string;
/** Returns whether a task status is terminal. */
export declare function terminalStatus(status: TaskV1["status"]): boolean;
export declare class ImmediateExecution<TResult, TApplicationContext> implements ToolExecutionCommon<TResult, TApplicationContext> {
    readonly applicationContext: TApplicationContext;
    private readonly resultPromise;
    readonly kind: "immediate";
    readonly handle: undefined;
    readonly declaration: ToolDeclaration | undefined;
    private readonly outcomePromise;
    private settlementPromise;
    private updatesAcquired;
    constructor(applicationContext: TApplicationContext, resultPromise: Promise<TResult>, declaration?: ToolDeclaration);
    updates(signal?: AbortSignal): AsyncIterable<TaskExecutionEvent<TResult>>;
    private observeOutcome;
    result(): Promise<TaskOutcome<TResult>>;
    settle(options?: ToolExecutionSettleOptions<TResult>): Promise<ToolExecutionSettlement<TResult>>;
    cancel(signal?: AbortSignal): Promise<void>;
    detach(): Promise<void>;
    close(): Promise<void>;
    [Symbol.asyncDispose](): Promise<void>;
}
export {};
//# sourceMappingURL=execution.d.ts.map