/** MCP Tasks V2 public API. */
export * from "./schemas.js";
export { contributeTaskFilterV2, hasTaskClientCapabilityV2, hasTaskServerCapabilityV2, isCancelTaskRequestV2, isCreateTaskResultV2, isDetailedTaskV2, isGetTaskRequestV2, isTaskStatusNotificationV2, isTaskV2, isToolCallTaskResultV2, isUpdateTaskRequestV2, readAcceptedTaskIdsV2, withTaskCapabilityV2, } from "./integration.js";
//# sourceMappingURL=index.js.map