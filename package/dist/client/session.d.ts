import type { TaskEnabledSession, WithTasksOptions } from "./api.js";
import type { ConnectedMcpSessionPort } from "./port.js";
/** Adds task execution support to a connected MCP session port. */
export declare function withTasks<TApplicationContext = void>(session: ConnectedMcpSessionPort, options?: WithTasksOptions<TApplicationContext>): TaskEnabledSession<TApplicationContext>;
/** @internal Creates a task session that owns disposal of its connected port. */
export declare function withOwnedTasks<TApplicationContext = void>(session: ConnectedMcpSessionPort, options: WithTasksOptions<TApplicationContext>, disposePort: () => void): TaskEnabledSession<TApplicationContext>;
//# sourceMappingURL=session.d.ts.map