/** MCP Tasks V1 capability negotiation and task request helpers. */
import { type JsonValue } from "../index.js";
import { type CallToolAsTaskRequestV1, type ServerTaskCapabilitiesV1, type TaskEligibleMethodV1, type ToolV1 } from "./schemas.js";
/** Checks whether the server advertises task listing by defining its list capability. */
export declare function hasTaskListCapabilityV1(capabilities: ServerTaskCapabilitiesV1): boolean;
/** Checks whether the server advertises task cancellation by defining its cancel capability. */
export declare function hasTaskCancelCapabilityV1(capabilities: ServerTaskCapabilitiesV1): boolean;
/** Checks whether the server defines task support for tool-call requests. */
export declare function hasTaskToolCallCapabilityV1(capabilities: ServerTaskCapabilitiesV1): boolean;
/** Narrows a method string to the sole V1 task-eligible method, `tools/call`. */
export declare function isTaskEligibleMethodV1(method: string): method is TaskEligibleMethodV1;
/**
 * Chooses task execution only when the server supports task tool calls and the tool
 * requires tasks, or optionally supports them while the caller explicitly prefers tasks.
 */
export declare function shouldCallToolAsTaskV1(capabilities: ServerTaskCapabilitiesV1, tool: ToolV1, preferTask?: boolean): boolean;
/**
 * Builds a `tools/call` task request, omitting `arguments` when none are supplied.
 */
export declare function callToolAsTaskV1(name: string, arguments_?: Readonly<Record<string, JsonValue>>): CallToolAsTaskRequestV1;
//# sourceMappingURL=negotiation.d.ts.map