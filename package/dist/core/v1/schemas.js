/** MCP Tasks V1 runtime schemas and schema-derived wire types. */
import * as z from "zod/v4";
import { isJsonValue } from "../index.js";
const JsonValueSchema = z.custom(isJsonValue, "Expected a JSON value");
const JsonRecordSchema = z.record(z.string(), JsonValueSchema);
const ObjectJsonSchema = z
    .object({ type: z.literal("object") })
    .catchall(JsonValueSchema);
export const TaskStatusesV1 = [
    "working",
    "input_required",
    "completed",
    "failed",
    "cancelled",
];
export const TaskStatusV1Schema = z.enum(TaskStatusesV1);
export const TaskSupportV1Schema = z.enum([
    "forbidden",
    "optional",
    "required",
]);
export const TaskEligibleMethodV1Schema = z.literal("tools/call");
// z.int(), not z.number(): the pinned V1 RequestId is string | integer, and
// this schema backs every V1 request codec's public runtime validation.
export const JsonRpcRequestIdV1Schema = z.union([z.string(), z.int()]);
export const TaskMetadataV1Schema = z.object({
    ttl: z.number().int().optional(),
});
export const TaskV1Schema = z.object({
    taskId: z.string(),
    status: TaskStatusV1Schema,
    statusMessage: z.string().optional(),
    createdAt: z.string(),
    lastUpdatedAt: z.string(),
    /** Normative V1 permits null for unlimited retention; the pinned JSON Schema omitted it. */
    ttl: z.number().int().nullable(),
    pollInterval: z.number().int().optional(),
});
export const CreateTaskResultV1Schema = z.object({
    task: TaskV1Schema,
    _meta: JsonRecordSchema.optional(),
});
export const ToolExecutionV1Schema = z.object({
    taskSupport: TaskSupportV1Schema.optional(),
});
// Known fields typed per the pinned schemas, with a catchall for forward
// compatibility, so malformed declarations (readOnlyHint: "yes", icon
// without a string src) fail discovery instead of passing as valid tools.
export const ToolAnnotationsV1Schema = z
    .object({
    title: z.string().optional(),
    readOnlyHint: z.boolean().optional(),
    destructiveHint: z.boolean().optional(),
    idempotentHint: z.boolean().optional(),
    openWorldHint: z.boolean().optional(),
})
    .catchall(JsonValueSchema);
export const IconV1Schema = z
    .object({
    src: z.string(),
    mimeType: z.string().optional(),
    sizes: z.array(z.string()).optional(),
    theme: z.enum(["dark", "light"]).optional(),
})
    .catchall(JsonValueSchema);
export const ToolV1Schema = z.object({
    name: z.string(),
    title: z.string().optional(),
    description: z.string().optional(),
    inputSchema: ObjectJsonSchema,
    outputSchema: ObjectJsonSchema.optional(),
    execution: ToolExecutionV1Schema.optional(),
    annotations: ToolAnnotationsV1Schema.optional(),
    icons: z.array(IconV1Schema).optional(),
    _meta: JsonRecordSchema.optional(),
});
// Declared content-block fields are modeled per the pinned 2025-11-25 shapes
// (annotations, _meta, and the resource-link descriptors) rather than left
// to the catchall, so malformed values like `annotations: true` fail decode;
// the catchall covers only genuinely unknown extensions.
const AnnotationsV1Schema = z
    .object({
    audience: z.array(z.enum(["user", "assistant"])).optional(),
    priority: z.number().min(0).max(1).optional(),
    lastModified: z.string().optional(),
})
    .catchall(JsonValueSchema);
const ContentBaseShapeV1 = {
    annotations: AnnotationsV1Schema.optional(),
    _meta: JsonRecordSchema.optional(),
};
const TextContentBlockV1Schema = z
    .object({ ...ContentBaseShapeV1, type: z.literal("text"), text: z.string() })
    .catchall(JsonValueSchema);
const MediaContentBlockV1Schema = z
    .object({
    ...ContentBaseShapeV1,
    type: z.enum(["image", "audio"]),
    data: z.string(),
    mimeType: z.string(),
})
    .catchall(JsonValueSchema);
const ResourceLinkContentBlockV1Schema = z
    .object({
    ...ContentBaseShapeV1,
    type: z.literal("resource_link"),
    name: z.string(),
    uri: z.string(),
    title: z.string().optional(),
    description: z.string().optional(),
    mimeType: z.string().optional(),
    size: z.int().optional(),
    icons: z.array(IconV1Schema).optional(),
})
    .catchall(JsonValueSchema);
// The pinned V1 wire schema requires embedded resource contents to be text
// (uri + text) or blob (uri + blob); an unconstrained record would let a
// malformed `resource: {}` decode as valid server output.
const TextResourceContentsV1Schema = z
    .object({
    uri: z.string(),
    text: z.string(),
    mimeType: z.string().optional(),
    _meta: JsonRecordSchema.optional(),
})
    .catchall(JsonValueSchema);
const BlobResourceContentsV1Schema = z
    .object({
    uri: z.string(),
    blob: z.string(),
    mimeType: z.string().optional(),
    _meta: JsonRecordSchema.optional(),
})
    .catchall(JsonValueSchema);
const EmbeddedResourceContentBlockV1Schema = z
    .object({
    ...ContentBaseShapeV1,
    type: z.literal("resource"),
    resource: z.union([
        TextResourceContentsV1Schema,
        BlobResourceContentsV1Schema,
    ]),
})
    .catchall(JsonValueSchema);
export const ContentBlockV1Schema = z.union([
    TextContentBlockV1Schema,
    MediaContentBlockV1Schema,
    ResourceLinkContentBlockV1Schema,
    EmbeddedResourceContentBlockV1Schema,
]);
export const CallToolRequestV1Schema = z.object({
    jsonrpc: z.literal("2.0"),
    id: JsonRpcRequestIdV1Schema,
    method: z.literal("tools/call"),
    params: z.object({
        name: z.string(),
        arguments: JsonRecordSchema.optional(),
        task: TaskMetadataV1Schema.optional(),
    }),
});
export const CallToolResultV1Schema = z
    .object({
    content: z.array(ContentBlockV1Schema),
    structuredContent: JsonRecordSchema.optional(),
    isError: z.boolean().optional(),
    _meta: JsonRecordSchema.optional(),
})
    .catchall(JsonValueSchema);
export const ServerTaskCapabilitiesV1Schema = z.object({
    list: JsonRecordSchema.optional(),
    cancel: JsonRecordSchema.optional(),
    requests: z
        .object({
        tools: z
            .object({
            call: JsonRecordSchema.optional(),
        })
            .optional(),
    })
        .optional(),
});
export const ServerCapabilitiesV1Schema = z.object({
    tasks: ServerTaskCapabilitiesV1Schema.optional(),
});
function taskRequestSchema(method) {
    return z.object({
        jsonrpc: z.literal("2.0"),
        id: JsonRpcRequestIdV1Schema,
        method: z.literal(method),
        params: z.object({ taskId: z.string() }),
    });
}
export const GetTaskRequestV1Schema = taskRequestSchema("tasks/get");
export const GetTaskResultV1Schema = TaskV1Schema.extend({
    _meta: JsonRecordSchema.optional(),
});
export const GetTaskResultRequestV1Schema = taskRequestSchema("tasks/result");
export const TaskResultV1Schema = JsonRecordSchema;
export const ListTasksRequestV1Schema = z.object({
    jsonrpc: z.literal("2.0"),
    id: JsonRpcRequestIdV1Schema,
    method: z.literal("tasks/list"),
    params: z.object({ cursor: z.string().optional() }).optional(),
});
export const ListTasksResultV1Schema = z.object({
    tasks: z.array(TaskV1Schema),
    nextCursor: z.string().optional(),
    _meta: JsonRecordSchema.optional(),
});
export const CancelTaskRequestV1Schema = taskRequestSchema("tasks/cancel");
export const CancelTaskResultV1Schema = TaskV1Schema.extend({
    _meta: JsonRecordSchema.optional(),
});
export const TaskStatusNotificationV1Schema = z.object({
    jsonrpc: z.literal("2.0"),
    method: z.literal("notifications/tasks/status"),
    params: TaskV1Schema.extend({ _meta: JsonRecordSchema.optional() }),
});
export const CallToolAsTaskRequestV1Schema = z.object({
    method: z.literal("tools/call"),
    params: z.object({
        name: z.string(),
        arguments: JsonRecordSchema.optional(),
        task: z.object({}),
    }),
});
//# sourceMappingURL=schemas.js.map