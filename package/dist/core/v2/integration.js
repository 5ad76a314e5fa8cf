import {} from "../index.js";
import { CreateTaskResultV2Schema, DetailedTaskV2Schema, GetTaskRequestV2Schema, TasksExtensionCapabilityV2Schema, ServerTaskCapabilityEnvelopeV2Schema, TaskStatusNotificationV2Schema, TaskV2Schema, UpdateTaskRequestV2Schema, CancelTaskRequestV2Schema, } from "./schemas.js";
import { CLIENT_CAPABILITIES_META_KEY_V2, TASKS_EXTENSION_ID_V2, } from "./schemas.js";
function parsed(schema, value) {
    return schema.safeParse(value).success;
}
function asObjectRecord(value) {
    return value !== null && typeof value === "object" && !Array.isArray(value)
        ? value
        : undefined;
}
function hasOwnTaskExtension(value) {
    const extensions = asObjectRecord(value);
    if (extensions === undefined ||
        !Object.prototype.hasOwnProperty.call(extensions, TASKS_EXTENSION_ID_V2))
        return false;
    // The extension value is validated as well as the key's presence, because
    // a malformed envelope (null, true, a non-empty object) must not enable
    // V2 task behavior the schema would reject.
    return TasksExtensionCapabilityV2Schema.safeParse(extensions[TASKS_EXTENSION_ID_V2]).success;
}
export const isTaskV2 = (value) => parsed(TaskV2Schema, value);
export const isDetailedTaskV2 = (value) => parsed(DetailedTaskV2Schema, value);
export const isCreateTaskResultV2 = (value) => parsed(CreateTaskResultV2Schema, value);
export const isGetTaskRequestV2 = (value) => parsed(GetTaskRequestV2Schema, value);
export const isUpdateTaskRequestV2 = (value) => parsed(UpdateTaskRequestV2Schema, value);
export const isCancelTaskRequestV2 = (value) => parsed(CancelTaskRequestV2Schema, value);
export const isTaskStatusNotificationV2 = (value) => parsed(TaskStatusNotificationV2Schema, value);
/**
 * Recognizes a decoded task-creation result only when it belongs to `tools/call`.
 */
export function isToolCallTaskResultV2(method, value) {
    return method === "tools/call" && isCreateTaskResultV2(value);
}
/**
 * Checks for the tasks extension inside object-shaped client capability metadata,
 * returning false for malformed or missing containers.
 */
export function hasTaskClientCapabilityV2(value) {
    const params = asObjectRecord(value);
    const metadata = asObjectRecord(params?._meta);
    const clientCapabilities = asObjectRecord(metadata?.[CLIENT_CAPABILITIES_META_KEY_V2]);
    return hasOwnTaskExtension(clientCapabilities?.extensions);
}
/**
 * Narrows an object-shaped server capability envelope when its extensions own the tasks key.
 */
export function hasTaskServerCapabilityV2(value) {
    const serverCapabilities = asObjectRecord(value);
    // Validate the whole envelope, not only the Tasks entry: the narrowed type
    // claims every extension value is JsonValue, so an envelope carrying an
    // unrelated non-JSON extension value (e.g. `other: undefined`) must not
    // pass the guard.
    return (hasOwnTaskExtension(serverCapabilities?.extensions) &&
        parsed(ServerTaskCapabilityEnvelopeV2Schema, value));
}
/**
 * Returns a copy with the client tasks capability installed in `_meta`, preserving existing
 * object-shaped metadata and replacing malformed metadata with a fresh object.
 */
export function withTaskCapabilityV2(params) {
    const existingMetadata = asObjectRecord(params._meta) ?? {};
    // Merging (like frameV2TaskRequest) because replacing the entry would drop
    // any capabilities and extensions the caller already declared.
    const existingCapability = asObjectRecord(existingMetadata[CLIENT_CAPABILITIES_META_KEY_V2]) ?? {};
    const existingExtensions = asObjectRecord(existingCapability.extensions) ?? {};
    const capability = {
        ...existingCapability,
        extensions: { ...existingExtensions, [TASKS_EXTENSION_ID_V2]: {} },
    };
    return {
        ...params,
        _meta: {
            ...existingMetadata,
            [CLIENT_CAPABILITIES_META_KEY_V2]: capability,
        },
    };
}
/**
 * Returns a filter with deduplicated task IDs, preserving existing object-shaped
 * notification fields and replacing malformed notification data.
 */
export function contributeTaskFilterV2(filter, taskIds) {
    const existingNotifications = asObjectRecord(filter.notifications) ?? {};
    return {
        ...filter,
        notifications: {
            ...existingNotifications,
            taskIds: [...new Set(taskIds)],
        },
    };
}
/**
 * Copies task IDs from an accepted notification filter, or returns an empty array when
 * any enclosing value is malformed or any ID is not a string.
 */
export function readAcceptedTaskIdsV2(value) {
    const acceptedFilter = asObjectRecord(value);
    const notifications = asObjectRecord(acceptedFilter?.notifications);
    const acceptedTaskIds = notifications?.taskIds;
    if (!Array.isArray(acceptedTaskIds))
        return [];
    // Iterate indices rather than every(), because every() skips sparse-array
    // holes: [, "task"] would pass the check yet spread to [undefined, "task"],
    // breaking the declared readonly string[] contract.
    const taskIds = [];
    for (let index = 0; index < acceptedTaskIds.length; index += 1) {
        const taskId = acceptedTaskIds[index];
        if (typeof taskId !== "string")
            return [];
        taskIds.push(taskId);
    }
    return taskIds;
}
//# sourceMappingURL=integration.js.map