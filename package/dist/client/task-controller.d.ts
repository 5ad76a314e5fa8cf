/** Non-owning manual access to an existing task. */
import type { TaskId } from "../core/index.js";
import type { TaskController, TaskControllerOptions } from "./api.js";
import type { ConnectedMcpSessionPort } from "./port.js";
/** Creates a generation-aware, non-owning controller for explicit task operations. */
export declare function createTaskController(port: ConnectedMcpSessionPort, taskId: TaskId, options: TaskControllerOptions, lifecycleSignal: AbortSignal, assertUsable: () => void): TaskController;
//# sourceMappingURL=task-controller.d.ts.map