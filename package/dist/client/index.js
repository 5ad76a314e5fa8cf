/** Requester-side MCP Tasks session and execution support. */
export { InputCorrelationError, JsonRpcResponseError, TaskCancelledError, TaskFailedError, TaskCancellationUnsupportedError, TaskExecutionClosedError, toolDeclaration, TaskRecoveryOwnershipError, TaskUpdatesAlreadyAcquiredError, TaskRetentionUnsupportedError, TaskInputUpdateUnsupportedError, } from "./api.js";
export { createTaskSessionEndpointId, resultFromTaskOutcome, taskViewFromExecutionEvent, } from "./api.js";
export { withRelatedTaskMetadata } from "./api.js";
export { createApplicationInputHandler } from "./input-routing.js";
export { DispatchError } from "./port.js";
export { createSessionPortFromClient, createTaskSessionFromClient, toolDeclarationFromMcpTool, } from "./sdk-client-adapter.js";
export { withTasks } from "./session.js";
//# sourceMappingURL=index.js.map