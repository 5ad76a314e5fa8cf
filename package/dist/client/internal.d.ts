/** Internal generation-aware records and neutral client projections. */
import type { TaskId } from "../core/index.js";
import type { CallToolResultV1, TaskV1, ToolV1 } from "../core/v1/index.js";
import type { CallToolResultV2, DetailedTaskV2, TaskV2, ToolV2 } from "../core/v2/index.js";
import type { TaskCapabilities, TaskHandle, TaskOutcome, TaskView, ToolDeclaration } from "./api.js";
import type { SessionTaskCapabilities } from "./port.js";
export type InternalTaskHandle = {
    readonly generation: "v1";
    readonly taskId: TaskId;
    readonly originalOperation: "tools/call";
} | {
    readonly generation: "v2";
    readonly taskId: TaskId;
    readonly originalOperation: "tools/call";
};
export type InternalTaskSnapshot = {
    readonly generation: "v1";
    readonly task: TaskV1;
} | {
    readonly generation: "v2";
    readonly task: TaskV2 | DetailedTaskV2;
};
/** Projects an internal handle to the opaque primary handle. */
export declare function publicTaskHandle(handle: InternalTaskHandle): TaskHandle;
/** Projects a generation-specific task snapshot to the primary task view. */
export declare function projectTask(snapshot: InternalTaskSnapshot): TaskView;
/** Projects a generated tool declaration to the neutral declaration shape. */
export declare function projectTool(tool: ToolV1 | ToolV2): ToolDeclaration;
/** Projects a neutral declaration to the negotiated generated tool shape. */
export declare function projectToolForGeneration(declaration: ToolDeclaration, generation: "v1"): ToolV1;
export declare function projectToolForGeneration(declaration: ToolDeclaration, generation: "v2"): ToolV2;
/** Derives primary semantic capabilities from negotiated wire capabilities. */
export declare function semanticCapabilities(negotiated: SessionTaskCapabilities): TaskCapabilities;
/** Converts a result promise into a uniformly resolving semantic outcome. */
export declare function completedOutcome<TResult>(result: Promise<TResult>, task?: TaskView): Promise<TaskOutcome<TResult>>;
export type DefaultCallToolResult = CallToolResultV1 | CallToolResultV2;
//# sourceMappingURL=internal.d.ts.map