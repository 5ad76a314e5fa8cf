/** Generation-specific requester-side V2 task execution. */
import type { RuntimeCodec } from "../core/index.js";
import type { z } from "zod/v4";
import { type DetailedTaskV2, type InputRequestV2, type InputResponseV2, type TaskV2 } from "../core/v2/index.js";
import type { ApplicationInputHandler, ApplicationInputRequest, ToolDeclaration } from "./api.js";
import type { InternalTaskHandle } from "./internal.js";
import { TaskExecution } from "./execution.js";
import type { ConnectedMcpSessionPort, DispatchContext } from "./port.js";
interface TaskExecutionV2Options<TResult, TApplicationContext> {
    readonly applicationContext: TApplicationContext;
    readonly handle: InternalTaskHandle & {
        readonly generation: "v2";
    };
    readonly declaration?: ToolDeclaration;
    readonly initialTask: TaskV2;
    readonly initialDetailedTask?: DetailedTaskV2;
    readonly resultCodec: RuntimeCodec<TResult>;
    readonly port: ConnectedMcpSessionPort;
    readonly dispatchContext?: DispatchContext;
    readonly lifecycleSignal: AbortSignal;
    readonly onInputRequest?: ApplicationInputHandler<TApplicationContext>["handle"];
    readonly reportError: (error: Error) => void;
    /** Optional caller budget for input exchanges; unbounded when omitted. */
    readonly maxInputRounds?: number;
}
/** Creates an execution controller for an existing V2 task. */
export declare function createTaskExecutionV2<TResult, TApplicationContext>(options: TaskExecutionV2Options<TResult, TApplicationContext>): TaskExecution<TResult, TApplicationContext>;
/** Resolves a terminal V2 task with the same result and error semantics everywhere. */
export declare function resolveTerminalTaskResult<TResult>(args: {
    readonly task: DetailedTaskV2;
    readonly resultCodec: RuntimeCodec<TResult>;
    readonly cancelledError: Error;
}): TResult;
/** Projects a V2 wire input request to the generation-neutral application shape. */
export declare function projectInputRequest(request: InputRequestV2): ApplicationInputRequest;
/** Selects the response validator for a V2 input request. */
export declare function responseSchemaForInputRequest(request: InputRequestV2): z.ZodType<InputResponseV2>;
export {};
//# sourceMappingURL=task-protocol-v2.d.ts.map