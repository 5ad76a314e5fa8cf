/** MCP Tasks V2 Zod schemas and schema-inferred wire declarations. */
import { z } from "zod/v4";
import { isJsonValue } from "../index.js";
const JsonValueSchema = z.custom(isJsonValue, "Expected a JSON value");
export const TASKS_EXTENSION_ID_V2 = "io.modelcontextprotocol/tasks";
export const CLIENT_CAPABILITIES_META_KEY_V2 = "io.modelcontextprotocol/clientCapabilities";
const JsonObjectSchema = z.custom((value) => value !== null &&
    typeof value === "object" &&
    !Array.isArray(value) &&
    isJsonValue(value), "Expected a JSON object");
const MetaSchema = JsonObjectSchema;
const copyUndeclaredJsonKeys = (target, source, declaredKeys) => {
    for (const key of Object.keys(source)) {
        if (declaredKeys.has(key))
            continue;
        Object.defineProperty(target, key, {
            configurable: true,
            enumerable: true,
            value: source[key],
            writable: true,
        });
    }
};
const openObject = (shape) => {
    const validator = z.object(shape).catchall(JsonValueSchema);
    const declaredKeys = new Set(Object.keys(shape));
    return z.unknown().transform((value, context) => {
        const parsed = validator.safeParse(value);
        if (parsed.success) {
            const data = parsed.data;
            copyUndeclaredJsonKeys(data, value, declaredKeys);
            return data;
        }
        for (const issue of parsed.error.issues)
            context.addIssue({
                code: "custom",
                path: issue.path,
                message: issue.message,
            });
        return z.NEVER;
    });
};
const IconV2Schema = openObject({
    src: z.string(),
    mimeType: z.string().optional(),
    sizes: z.array(z.string()).optional(),
    theme: z.enum(["light", "dark"]).optional(),
});
const AnnotationsV2Schema = openObject({
    audience: z.array(z.enum(["user", "assistant"])).optional(),
    priority: z.number().min(0).max(1).optional(),
    lastModified: z.string().optional(),
});
const ResourceContentsV2Schema = openObject({
    uri: z.string(),
    mimeType: z.string().optional(),
    text: z.string().optional(),
    blob: z.string().optional(),
    _meta: MetaSchema.optional(),
}).refine((resource) => resource.text !== undefined || resource.blob !== undefined, {
    message: "expected text or blob",
});
const ContentBaseShape = {
    annotations: AnnotationsV2Schema.optional(),
    _meta: MetaSchema.optional(),
};
const TextContentBlockV2Schema = openObject({
    ...ContentBaseShape,
    type: z.literal("text"),
    text: z.string(),
});
const ImageContentBlockV2Schema = openObject({
    ...ContentBaseShape,
    type: z.literal("image"),
    data: z.string(),
    mimeType: z.string(),
});
const AudioContentBlockV2Schema = openObject({
    ...ContentBaseShape,
    type: z.literal("audio"),
    data: z.string(),
    mimeType: z.string(),
});
const ResourceLinkContentBlockV2Schema = openObject({
    ...ContentBaseShape,
    type: z.literal("resource_link"),
    name: z.string(),
    uri: z.string(),
    title: z.string().optional(),
    description: z.string().optional(),
    mimeType: z.string().optional(),
    size: z.int().optional(),
    icons: z.array(IconV2Schema).optional(),
});
const EmbeddedResourceContentBlockV2Schema = openObject({
    ...ContentBaseShape,
    type: z.literal("resource"),
    resource: ResourceContentsV2Schema,
});
const ContentBlockV2Schema = z.union([
    TextContentBlockV2Schema,
    ImageContentBlockV2Schema,
    AudioContentBlockV2Schema,
    ResourceLinkContentBlockV2Schema,
    EmbeddedResourceContentBlockV2Schema,
]);
const ToolUseContentBlockV2Schema = openObject({
    type: z.literal("tool_use"),
    id: z.string(),
    name: z.string(),
    input: JsonObjectSchema,
    _meta: MetaSchema.optional(),
});
const ToolResultContentBlockV2Schema = openObject({
    type: z.literal("tool_result"),
    toolUseId: z.string(),
    content: z.array(ContentBlockV2Schema),
    structuredContent: JsonValueSchema.optional(),
    isError: z.boolean().optional(),
    _meta: MetaSchema.optional(),
});
const SamplingMessageContentBlockV2Schema = z.union([
    TextContentBlockV2Schema,
    ImageContentBlockV2Schema,
    AudioContentBlockV2Schema,
    ToolUseContentBlockV2Schema,
    ToolResultContentBlockV2Schema,
]);
const ToolV2Schema = openObject({
    name: z.string(),
    title: z.string().optional(),
    description: z.string().optional(),
    inputSchema: openObject({
        type: z.literal("object"),
        $schema: z.string().optional(),
    }),
    outputSchema: openObject({ $schema: z.string().optional() }).optional(),
    annotations: openObject({
        title: z.string().optional(),
        readOnlyHint: z.boolean().optional(),
        destructiveHint: z.boolean().optional(),
        idempotentHint: z.boolean().optional(),
        openWorldHint: z.boolean().optional(),
    }).optional(),
    icons: z.array(IconV2Schema).optional(),
    _meta: MetaSchema.optional(),
});
const CompleteResultTypeSchema = z.literal("complete");
const CompleteCallToolResultV2Schema = openObject({
    resultType: CompleteResultTypeSchema,
    content: z.array(ContentBlockV2Schema),
    structuredContent: JsonValueSchema.optional(),
    isError: z.boolean().optional(),
    _meta: MetaSchema.optional(),
});
const RequestIdV2Schema = z.union([z.string(), z.int()]);
const TaskStatusV2Schema = z.enum([
    "working",
    "input_required",
    "completed",
    "failed",
    "cancelled",
]);
const TaskEligibleMethodV2Schema = z.literal("tools/call");
const TaskBaseShape = {
    taskId: z.string(),
    statusMessage: z.string().optional(),
    createdAt: z.string(),
    lastUpdatedAt: z.string(),
    ttlMs: z.int().nullable(),
    pollIntervalMs: z.int().optional(),
};
const TaskV2Schema = z.object({
    ...TaskBaseShape,
    status: TaskStatusV2Schema,
});
const ErrorV2Schema = z.object({
    code: z.int(),
    message: z.string(),
    data: JsonValueSchema.optional(),
});
// Input request params are validated against the pinned 2026-07-28 request
// shapes, not as generic records: these schemas also back
// `InputRequestsV2Schema`, so a permissive params type would hand malformed
// task input (e.g. a sampling request without messages/maxTokens) to
// application handlers as valid.
const SamplingMessageV2Schema = openObject({
    role: z.enum(["user", "assistant"]),
    content: z.union([
        SamplingMessageContentBlockV2Schema,
        z.array(SamplingMessageContentBlockV2Schema),
    ]),
    _meta: MetaSchema.optional(),
});
const CreateMessageRequestParamsV2Schema = openObject({
    messages: z.array(SamplingMessageV2Schema),
    maxTokens: z.int(),
    systemPrompt: z.string().optional(),
    // Pinned enum, not any string: malformed sampling input would otherwise
    // pass the exported wire schema and reach application handlers as valid.
    includeContext: z.enum(["allServers", "none", "thisServer"]).optional(),
    temperature: z.number().optional(),
    stopSequences: z.array(z.string()).optional(),
    metadata: JsonObjectSchema.optional(),
    modelPreferences: JsonObjectSchema.optional(),
    toolChoice: JsonObjectSchema.optional(),
    tools: z.array(JsonObjectSchema).optional(),
    _meta: MetaSchema.optional(),
});
const CreateMessageRequestV2Schema = z.object({
    method: z.literal("sampling/createMessage"),
    params: CreateMessageRequestParamsV2Schema,
});
const ListRootsRequestV2Schema = z.object({
    method: z.literal("roots/list"),
    params: JsonObjectSchema.optional(),
});
// Elicitation params are a form/url mode union; `mode` is optional (and
// defaults to form) on the form variant but required on the url variant.
const ElicitRequestFormParamsV2Schema = openObject({
    mode: z.literal("form").optional(),
    message: z.string(),
    requestedSchema: JsonObjectSchema,
    _meta: MetaSchema.optional(),
});
const ElicitRequestUrlParamsV2Schema = openObject({
    mode: z.literal("url"),
    message: z.string(),
    url: z.string(),
    _meta: MetaSchema.optional(),
});
const ElicitRequestV2Schema = z.object({
    method: z.literal("elicitation/create"),
    params: z.union([
        ElicitRequestFormParamsV2Schema,
        ElicitRequestUrlParamsV2Schema,
    ]),
});
const InputRequestV2Schema = z.discriminatedUnion("method", [
    CreateMessageRequestV2Schema,
    ListRootsRequestV2Schema,
    ElicitRequestV2Schema,
]);
const InputRequestsV2Schema = z.record(z.string(), InputRequestV2Schema);
const InputRequiredCallToolResultV2Schema = openObject({
    resultType: z.literal("input_required"),
    inputRequests: InputRequestsV2Schema.optional(),
    requestState: z.string().optional(),
    _meta: MetaSchema.optional(),
}).refine((result) => result.inputRequests !== undefined || result.requestState !== undefined, { message: "At least one of inputRequests or requestState must be present" });
const CallToolResultV2Schema = z.union([
    CompleteCallToolResultV2Schema,
    InputRequiredCallToolResultV2Schema,
]);
const CreateMessageResultV2Schema = openObject({
    content: z.union([
        SamplingMessageContentBlockV2Schema,
        z.array(SamplingMessageContentBlockV2Schema),
    ]),
    model: z.string(),
    role: z.enum(["user", "assistant"]),
    stopReason: z.string().optional(),
    // Declared, not left to the catchall: `_meta: true` must fail like every
    // other V2 result schema rather than be submitted through tasks/update.
    _meta: MetaSchema.optional(),
});
// Roots require a string `uri` (file:// for now) with optional `name`/_meta;
// accepting arbitrary JSON here would let invalid handler output reach
// `tasks/update` (pinned schema 2026-07-28 `Root`).
const RootV2Schema = openObject({
    uri: z.string(),
    name: z.string().optional(),
    _meta: MetaSchema.optional(),
});
const ListRootsResultV2Schema = openObject({
    roots: z.array(RootV2Schema),
});
// Elicitation form values are limited to scalars and string arrays (pinned
// schema 2026-07-28 `ElicitResult.content`); an open record would forward
// arbitrary JSON to `tasks/update`. `z.number()` rather than `z.int()`,
// because a `NumberSchema` form field may be declared `type: "number"` and
// its accepted value is then a float.
const ElicitContentValueV2Schema = z.union([
    z.string(),
    z.number(),
    z.boolean(),
    z.array(z.string()),
]);
const ElicitResultV2Schema = openObject({
    action: z.enum(["accept", "decline", "cancel"]),
    content: z.record(z.string(), ElicitContentValueV2Schema).optional(),
});
// Response shapes overlap, so this union is intentionally non-discriminated.
const InputResponseUnionV2Schema = z.union([
    ElicitResultV2Schema,
    ListRootsResultV2Schema,
    CreateMessageResultV2Schema,
]);
const InputResponseV2Schema = InputResponseUnionV2Schema;
const InputResponsesV2Schema = z.record(z.string(), InputResponseV2Schema);
const WorkingTaskV2Schema = z.object({
    ...TaskBaseShape,
    status: z.literal("working"),
});
const InputRequiredTaskV2Schema = z.object({
    ...TaskBaseShape,
    status: z.literal("input_required"),
    inputRequests: InputRequestsV2Schema,
});
const CompletedTaskV2Schema = z.object({
    ...TaskBaseShape,
    status: z.literal("completed"),
    result: JsonObjectSchema,
});
const FailedTaskV2Schema = z.object({
    ...TaskBaseShape,
    status: z.literal("failed"),
    error: ErrorV2Schema,
});
const CancelledTaskV2Schema = z.object({
    ...TaskBaseShape,
    status: z.literal("cancelled"),
});
const DetailedTaskV2Schema = z.discriminatedUnion("status", [
    WorkingTaskV2Schema,
    InputRequiredTaskV2Schema,
    CompletedTaskV2Schema,
    FailedTaskV2Schema,
    CancelledTaskV2Schema,
]);
const CreateTaskResultV2Schema = z.object({
    ...TaskBaseShape,
    status: TaskStatusV2Schema,
    resultType: z.literal("task"),
    _meta: MetaSchema.optional(),
});
const RpcBaseShape = { jsonrpc: z.literal("2.0"), id: RequestIdV2Schema };
const taskIdRequestV2Schema = (method) => z.object({
    ...RpcBaseShape,
    method: z.literal(method),
    params: z.object({ taskId: z.string() }),
});
const GetTaskRequestV2Schema = taskIdRequestV2Schema("tasks/get");
const UpdateTaskRequestV2Schema = z.object({
    ...RpcBaseShape,
    method: z.literal("tasks/update"),
    params: z.object({
        taskId: z.string(),
        inputResponses: InputResponsesV2Schema,
    }),
});
const CancelTaskRequestV2Schema = taskIdRequestV2Schema("tasks/cancel");
const GetTaskResultV2Schema = z.intersection(DetailedTaskV2Schema, z.object({
    resultType: CompleteResultTypeSchema,
    _meta: MetaSchema.optional(),
}));
const CompleteOperationResultShape = {
    resultType: CompleteResultTypeSchema,
    _meta: MetaSchema.optional(),
};
const completeOperationResultV2Schema = () => openObject(CompleteOperationResultShape);
const UpdateTaskResultV2Schema = completeOperationResultV2Schema();
const CancelTaskResultV2Schema = completeOperationResultV2Schema();
// The wrapper side is an open object because the pinned
// TaskStatusNotificationParams is open to extension fields — a plain
// z.object would strip every unknown top-level key during the intersection
// before projectTask() could surface them as raw/extensions.
const TaskStatusNotificationParamsV2Schema = z.intersection(DetailedTaskV2Schema, openObject({ _meta: MetaSchema.optional() }));
const TaskStatusNotificationV2Schema = z.object({
    jsonrpc: z.literal("2.0"),
    method: z.literal("notifications/tasks"),
    params: TaskStatusNotificationParamsV2Schema,
});
const TaskSubscriptionNotificationsV2Schema = z.object({
    taskIds: z.array(z.string()).optional(),
});
const TaskSubscriptionAcknowledgedNotificationsV2Schema = TaskSubscriptionNotificationsV2Schema;
const TasksExtensionCapabilityV2Schema = z.strictObject({});
const ClientTaskCapabilityEnvelopeV2Schema = z.object({
    extensions: z.object({
        [TASKS_EXTENSION_ID_V2]: TasksExtensionCapabilityV2Schema,
    }),
});
const ServerTaskCapabilityEnvelopeV2Schema = z.object({
    extensions: z.record(z.string(), JsonValueSchema).optional(),
});
export { ContentBlockV2Schema, ToolV2Schema, CallToolResultV2Schema, InputRequiredCallToolResultV2Schema, RequestIdV2Schema, TaskStatusV2Schema, TaskEligibleMethodV2Schema, TaskV2Schema, ErrorV2Schema, CreateMessageRequestV2Schema, ListRootsRequestV2Schema, ElicitRequestV2Schema, InputRequestV2Schema, InputRequestsV2Schema, CreateMessageResultV2Schema, ListRootsResultV2Schema, ElicitResultV2Schema, InputResponseV2Schema, InputResponsesV2Schema, WorkingTaskV2Schema, InputRequiredTaskV2Schema, CompletedTaskV2Schema, FailedTaskV2Schema, CancelledTaskV2Schema, DetailedTaskV2Schema, CreateTaskResultV2Schema, GetTaskRequestV2Schema, UpdateTaskRequestV2Schema, CancelTaskRequestV2Schema, GetTaskResultV2Schema, UpdateTaskResultV2Schema, CancelTaskResultV2Schema, TaskStatusNotificationParamsV2Schema, TaskStatusNotificationV2Schema, TaskSubscriptionNotificationsV2Schema, TaskSubscriptionAcknowledgedNotificationsV2Schema, TasksExtensionCapabilityV2Schema, ClientTaskCapabilityEnvelopeV2Schema, ServerTaskCapabilityEnvelopeV2Schema, };
//# sourceMappingURL=schemas.js.map