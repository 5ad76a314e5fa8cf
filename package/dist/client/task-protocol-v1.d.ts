/** Generation-specific requester-side V1 task execution. */
import type { RuntimeCodec } from "../core/index.js";
import type { TaskV1 } from "../core/v1/index.js";
import type { ToolDeclaration } from "./api.js";
import type { InternalTaskHandle } from "./internal.js";
import { TaskExecution } from "./execution.js";
import type { ConnectedMcpSessionPort, DispatchContext } from "./port.js";
/** Creates an execution controller for an existing V1 task. */
export declare function createTaskExecutionV1<TResult, TApplicationContext>(options: {
    readonly applicationContext: TApplicationContext;
    readonly handle: InternalTaskHandle & {
        readonly generation: "v1";
    };
    readonly declaration?: ToolDeclaration;
    readonly initialTask: TaskV1;
    readonly resultCodec: RuntimeCodec<TResult>;
    readonly port: ConnectedMcpSessionPort;
    readonly dispatchContext?: DispatchContext;
    readonly lifecycleSignal: AbortSignal;
}): TaskExecution<TResult, TApplicationContext>;
//# sourceMappingURL=task-protocol-v1.d.ts.map