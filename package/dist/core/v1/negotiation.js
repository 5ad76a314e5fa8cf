/** MCP Tasks V1 capability negotiation and task request helpers. */
import {} from "../index.js";
import {} from "./schemas.js";
/** Checks whether the server advertises task listing by defining its list capability. */
export function hasTaskListCapabilityV1(capabilities) {
    return capabilities.list !== undefined;
}
/** Checks whether the server advertises task cancellation by defining its cancel capability. */
export function hasTaskCancelCapabilityV1(capabilities) {
    return capabilities.cancel !== undefined;
}
/** Checks whether the server defines task support for tool-call requests. */
export function hasTaskToolCallCapabilityV1(capabilities) {
    return capabilities.requests?.tools?.call !== undefined;
}
/** Narrows a method string to the sole V1 task-eligible method, `tools/call`. */
export function isTaskEligibleMethodV1(method) {
    return method === "tools/call";
}
/**
 * Chooses task execution only when the server supports task tool calls and the tool
 * requires tasks, or optionally supports them while the caller explicitly prefers tasks.
 */
export function shouldCallToolAsTaskV1(capabilities, tool, preferTask = false) {
    if (!hasTaskToolCallCapabilityV1(capabilities))
        return false;
    return (tool.execution?.taskSupport === "required" ||
        (tool.execution?.taskSupport === "optional" && preferTask));
}
/**
 * Builds a `tools/call` task request, omitting `arguments` when none are supplied.
 */
export function callToolAsTaskV1(name, arguments_) {
    return {
        method: "tools/call",
        params: {
            name,
            ...(arguments_ === undefined ? {} : { arguments: arguments_ }),
            task: {},
        },
    };
}
//# sourceMappingURL=negotiation.js.map