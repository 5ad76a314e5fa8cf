/** SDK Client binding for MCP Tasks V1 receiver requests. */
import type { Client } from "@modelcontextprotocol/client";
import { type JsonValue } from "../core/index.js";
export type TaskReceiverMethod = "sampling/createMessage" | "elicitation/create";
export type TaskReceiverProtocolMethod = TaskReceiverMethod | "tasks/list" | "tasks/get" | "tasks/result" | "tasks/cancel" | "notifications/tasks/status";
export interface TaskReceiverRequest {
    readonly method: TaskReceiverMethod;
    readonly params: Readonly<Record<string, JsonValue>>;
}
export interface TaskReceiverCallbackContext {
    readonly taskId: string;
    readonly signal: AbortSignal;
}
export type TaskReceiverCallback<TResult extends Record<string, JsonValue> = Record<string, JsonValue>> = (request: TaskReceiverRequest, context: TaskReceiverCallbackContext) => Promise<TResult>;
export interface TaskReceiverErrorContext {
    readonly method: TaskReceiverProtocolMethod;
    readonly taskId?: string;
    readonly lateAfter?: "cancel" | "expiry" | "close";
}
export interface TaskReceiverOptions {
    readonly methods: Partial<Record<TaskReceiverMethod, boolean>>;
    /**
     * Total task lifetime, measured from creation. A function is sampled once for
     * each created task; `null` disables time expiry for that task.
     */
    readonly ttlMs?: number | null | (() => number | null);
    readonly pollIntervalMs?: number | null;
    /** Maximum tasks returned in one `tasks/list` page. Defaults to 100. */
    readonly pageSize?: number;
    /**
     * Maximum retained tasks, including pending tasks. Defaults to 1,000.
     * At capacity the oldest terminal task is evicted to admit new work, so
     * unlimited retention (`ttlMs: null`) cannot permanently exhaust capacity.
     */
    readonly maxTasks?: number;
    readonly sampling?: TaskReceiverCallback;
    readonly elicitation?: TaskReceiverCallback;
    readonly onError?: (error: unknown, context: TaskReceiverErrorContext) => void;
    readonly createTaskId?: () => string;
}
export interface TaskReceiverCapabilities {
    readonly list: Record<string, never>;
    readonly cancel: Record<string, never>;
    readonly requests: {
        readonly sampling?: {
            readonly createMessage: Record<string, never>;
        };
        readonly elicitation?: {
            readonly create: Record<string, never>;
        };
    };
}
export interface TaskReceiverBinding {
    readonly capabilities: TaskReceiverCapabilities;
    close(): void;
}
/**
 * Binds task-augmented receiver requests to an SDK Client and owns their task
 * lifecycle. The Client creates JSON-RPC envelopes for emitted notifications.
 */
export declare function bindTaskReceiver(client: Client, options: TaskReceiverOptions): TaskReceiverBinding;
//# sourceMappingURL=index.d.ts.map