import { type JsonValue, type RuntimeCodec } from "../core/index.js";
import { type ServerTaskCapabilitiesV1, type TaskV1 } from "../core/v1/index.js";
import { type DetailedTaskV2, type ErrorV2, type InputResponseV2, type TasksExtensionCapabilityV2 } from "../core/v2/index.js";
export type SessionTaskCapabilities = {
    readonly generation: "none";
} | {
    readonly generation: "v1";
    readonly capabilities: ServerTaskCapabilitiesV1;
} | {
    readonly generation: "v2";
    readonly capabilities: TasksExtensionCapabilityV2;
};
export type JsonRpcResponse = {
    readonly kind: "result";
    readonly result: JsonValue;
} | {
    readonly kind: "error";
    readonly error: ErrorV2;
};
export interface IncomingServerRequest {
    readonly request: JsonValue;
    readonly requestContext: unknown;
}
/** Per-dispatch transport context preserved by task follow-up requests. */
export interface DispatchContext {
    /** Additional transport headers. HTTP transports send these on this request. */
    readonly headers?: Readonly<Record<string, string>>;
    /** Per-request timeout in milliseconds. */
    readonly requestTimeoutMs?: number;
    /** Re-arms the request timeout whenever correlated progress arrives. */
    readonly resetTimeoutOnProgress?: boolean;
}
/** Options for one port dispatch. */
export interface DispatchOptions {
    readonly signal?: AbortSignal;
    /** Host-owned context that must remain attached to task lifecycle requests. */
    readonly context?: DispatchContext;
}
export interface ConnectedMcpSessionPort {
    readonly endpointId: string;
    readonly taskCapabilities: SessionTaskCapabilities;
    dispatch(request: JsonValue, options?: DispatchOptions): Promise<JsonRpcResponse>;
    onServerRequest(handler: (incoming: IncomingServerRequest) => Promise<JsonRpcResponse | undefined>): () => void;
    onNotification(listener: (notification: JsonValue) => void): () => void;
    onInvalidated(listener: (reason: unknown) => void): () => void;
    readonly invalidated: boolean;
}
export declare class DispatchError extends Error {
    readonly retryable: boolean;
    constructor(message: string, retryable?: boolean, options?: ErrorOptions);
}
/** Races a promise against an optional abort signal and releases its listener. */
export declare function withAbort<T>(promise: Promise<T>, signal?: AbortSignal): Promise<T>;
/** Links abort signals into one disposable lifecycle. */
export declare function linkAbortSignals(...signals: readonly (AbortSignal | undefined)[]): {
    readonly signal: AbortSignal;
    readonly abort: (reason?: unknown) => void;
    readonly dispose: () => void;
};
/** Dispatches a request with the retry policy for its observation or mutation intent. */
export declare function dispatchWithRetry(port: ConnectedMcpSessionPort, request: JsonValue, dispatchOptions: DispatchOptions | AbortSignal | undefined): Promise<JsonRpcResponse>;
interface InternalSchema<T> {
    safeParse(value: unknown): {
        readonly success: true;
        readonly data: T;
    } | {
        readonly success: false;
        readonly error: unknown;
    };
}
/** Validates and parses a JSON-RPC result with a public codec or internal schema. */
export declare function parseResult<T>(codec: RuntimeCodec<T> | InternalSchema<T>, value: JsonValue): T;
/** Unwraps a JSON-RPC result or throws the response error. */
export declare function responseResult(response: JsonRpcResponse): JsonValue;
interface TaskRpcOptions {
    readonly port: ConnectedMcpSessionPort;
    readonly taskId: string;
    readonly context?: DispatchContext;
}
export interface TaskRpcV1 {
    readonly generation: "v1";
    readonly get: (signal?: AbortSignal) => Promise<TaskV1>;
    readonly result: <TResult>(codec: RuntimeCodec<TResult>, signal?: AbortSignal) => Promise<TResult>;
    readonly cancel: (signal?: AbortSignal) => Promise<void>;
}
export interface TaskRpcV2 {
    readonly generation: "v2";
    readonly get: (signal?: AbortSignal) => Promise<DetailedTaskV2>;
    readonly cancel: (signal?: AbortSignal) => Promise<void>;
    readonly update: (inputResponses: Readonly<Record<string, InputResponseV2>>, signal?: AbortSignal) => Promise<void>;
}
/** Creates a task-bound RPC service that owns generation-specific wire details. */
export declare function createTaskRpc(generation: "v1", options: TaskRpcOptions): TaskRpcV1;
export declare function createTaskRpc(generation: "v2", options: TaskRpcOptions): TaskRpcV2;
export {};
//# sourceMappingURL=port.d.ts.map