import type { JsonValue, TaskGeneration, TaskId } from "../core/index.js";
import type { ApplicationInputCallbacks, ApplicationInputHandler, ApplicationInputRequest, InputCorrelationFailureReason, ResolvedInputExchangeContext } from "./api.js";
import type { IncomingServerRequest, JsonRpcResponse } from "./port.js";
/** Returns object-valued request parameters, defaulting an omitted value to empty. */
export declare function requestParams(request: Readonly<Record<string, JsonValue>>): Readonly<Record<string, JsonValue>>;
export interface OrdinaryInputCandidate<TApplicationContext> {
    readonly lifetime: "basic";
    readonly generation: TaskGeneration;
    readonly toolName: string;
    readonly executionId: string;
    readonly applicationContext: TApplicationContext;
    readonly signal?: AbortSignal;
}
export interface V1TaskInputCandidate<TApplicationContext> {
    readonly lifetime: "task-v1";
    readonly generation: "v1";
    readonly taskId: TaskId;
    readonly toolName: string;
    readonly executionId: string;
    readonly applicationContext: TApplicationContext;
    readonly signal?: AbortSignal;
}
export type InputCandidate<TApplicationContext> = OrdinaryInputCandidate<TApplicationContext> | V1TaskInputCandidate<TApplicationContext>;
export type RelatedTaskEvidence = {
    readonly kind: "absent";
} | {
    readonly kind: "invalid";
} | {
    readonly kind: "task-id";
    readonly taskId: string;
};
export interface InputCandidateProjection {
    readonly toolName: string;
    readonly executionId: string;
}
export type InputCandidateResolution<TApplicationContext> = {
    readonly kind: "resolved";
    readonly candidate: InputCandidate<TApplicationContext>;
} | {
    readonly kind: "failed";
    readonly reason: InputCorrelationFailureReason;
    readonly candidates: readonly InputCandidateProjection[];
};
/** Creates an exhaustive application input handler from kind-specific callbacks. */
export declare function createApplicationInputHandler<TApplicationContext = void>(callbacks: ApplicationInputCallbacks<TApplicationContext>): ApplicationInputHandler<TApplicationContext>["handle"];
/** Projects a supported wire request into the application input request shape. */
export declare function projectApplicationInputRequest(incoming: IncomingServerRequest): ApplicationInputRequest | undefined;
/** Reads related-task metadata without conflating absence with malformed evidence. */
export declare function readRelatedTaskEvidence(request: ApplicationInputRequest): RelatedTaskEvidence;
/** Resolves the unique input candidate while preserving correlation diagnostics. */
export declare function resolveInputCandidate<TApplicationContext>(evidence: RelatedTaskEvidence, ordinaryCandidates: readonly OrdinaryInputCandidate<TApplicationContext>[], taskCandidates: readonly V1TaskInputCandidate<TApplicationContext>[]): InputCandidateResolution<TApplicationContext>;
/** Converts a matched candidate to handler context. */
export declare function buildResolvedInputContext<TApplicationContext>(candidate: InputCandidate<TApplicationContext>): ResolvedInputExchangeContext<TApplicationContext>;
/** Allocates a process-local identifier for an ordinary tool execution. */
export declare function nextExecutionIdentifier(): string;
/** Returns the conservative fallback response for an unhandled server request. */
export declare function defaultServerRequestResponse(incoming: IncomingServerRequest): JsonRpcResponse;
/** Throws if the signal is aborted. */
export declare function throwIfAborted(signal: AbortSignal | undefined): void;
//# sourceMappingURL=input-routing.d.ts.map