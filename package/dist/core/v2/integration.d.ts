import { type JsonValue } from "../index.js";
import { type CreateTaskResultV2, type DetailedTaskV2, type GetTaskRequestV2, type ServerTaskCapabilityEnvelopeV2, type TaskStatusNotificationV2, type TaskV2, type UpdateTaskRequestV2, type CancelTaskRequestV2 } from "./schemas.js";
export declare const isTaskV2: (value: unknown) => value is TaskV2;
export declare const isDetailedTaskV2: (value: unknown) => value is DetailedTaskV2;
export declare const isCreateTaskResultV2: (value: unknown) => value is CreateTaskResultV2;
export declare const isGetTaskRequestV2: (value: unknown) => value is GetTaskRequestV2;
export declare const isUpdateTaskRequestV2: (value: unknown) => value is UpdateTaskRequestV2;
export declare const isCancelTaskRequestV2: (value: unknown) => value is CancelTaskRequestV2;
export declare const isTaskStatusNotificationV2: (value: unknown) => value is TaskStatusNotificationV2;
/**
 * Recognizes a decoded task-creation result only when it belongs to `tools/call`.
 */
export declare function isToolCallTaskResultV2(method: string, value: unknown): value is CreateTaskResultV2;
/**
 * Checks for the tasks extension inside object-shaped client capability metadata,
 * returning false for malformed or missing containers.
 */
export declare function hasTaskClientCapabilityV2(value: unknown): boolean;
/**
 * Narrows an object-shaped server capability envelope when its extensions own the tasks key.
 */
export declare function hasTaskServerCapabilityV2(value: unknown): value is ServerTaskCapabilityEnvelopeV2;
/**
 * Returns a copy with the client tasks capability installed in `_meta`, preserving existing
 * object-shaped metadata and replacing malformed metadata with a fresh object.
 */
export declare function withTaskCapabilityV2<T extends Readonly<Record<string, JsonValue>>>(params: T): T & Readonly<Record<string, JsonValue>>;
/**
 * Returns a filter with deduplicated task IDs, preserving existing object-shaped
 * notification fields and replacing malformed notification data.
 */
export declare function contributeTaskFilterV2<T extends Readonly<Record<string, JsonValue>>>(filter: T, taskIds: readonly string[]): T & {
    readonly notifications: Readonly<Record<string, JsonValue>> & {
        readonly taskIds: readonly string[];
    };
};
/**
 * Copies task IDs from an accepted notification filter, or returns an empty array when
 * any enclosing value is malformed or any ID is not a string.
 */
export declare function readAcceptedTaskIdsV2(value: unknown): readonly string[];
//# sourceMappingURL=integration.d.ts.map