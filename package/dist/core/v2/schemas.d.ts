/** MCP Tasks V2 Zod schemas and schema-inferred wire declarations. */
import { z } from "zod/v4";
import type { JsonValue } from "../index.js";
export declare const TASKS_EXTENSION_ID_V2: "io.modelcontextprotocol/tasks";
export declare const CLIENT_CAPABILITIES_META_KEY_V2: "io.modelcontextprotocol/clientCapabilities";
declare const ContentBlockV2Schema: z.ZodUnion<readonly [z.ZodPipe<z.ZodUnknown, z.ZodTransform<{
    [x: string]: JsonValue;
    type: "text";
    text: string;
    annotations?: {
        [x: string]: JsonValue;
        audience?: ("user" | "assistant")[] | undefined;
        priority?: number | undefined;
        lastModified?: string | undefined;
    } | undefined;
    _meta?: Readonly<Record<string, JsonValue>> | undefined;
}, unknown>>, z.ZodPipe<z.ZodUnknown, z.ZodTransform<{
    [x: string]: JsonValue;
    type: "image";
    data: string;
    mimeType: string;
    annotations?: {
        [x: string]: JsonValue;
        audience?: ("user" | "assistant")[] | undefined;
        priority?: number | undefined;
        lastModified?: string | undefined;
    } | undefined;
    _meta?: Readonly<Record<string, JsonValue>> | undefined;
}, unknown>>, z.ZodPipe<z.ZodUnknown, z.ZodTransform<{
    [x: string]: JsonValue;
    type: "audio";
    data: string;
    mimeType: string;
    annotations?: {
        [x: string]: JsonValue;
        audience?: ("user" | "assistant")[] | undefined;
        priority?: number | undefined;
        lastModified?: string | undefined;
    } | undefined;
    _meta?: Readonly<Record<string, JsonValue>> | undefined;
}, unknown>>, z.ZodPipe<z.ZodUnknown, z.ZodTransform<{
    [x: string]: JsonValue;
    type: "resource_link";
    name: string;
    uri: string;
    title?: string | undefined;
    description?: string | undefined;
    mimeType?: string | undefined;
    size?: number | undefined;
    icons?: {
        [x: string]: JsonValue;
        src: string;
        mimeType?: string | undefined;
        sizes?: string[] | undefined;
        theme?: "dark" | "light" | undefined;
    }[] | undefined;
    annotations?: {
        [x: string]: JsonValue;
        audience?: ("user" | "assistant")[] | undefined;
        priority?: number | undefined;
        lastModified?: string | undefined;
    } | undefined;
    _meta?: Readonly<Record<string, JsonValue>> | undefined;
}, unknown>>, z.ZodPipe<z.ZodUnknown, z.ZodTransform<{
    [x: string]: JsonValue;
    type: "resource";
    resource: {
        [x: string]: JsonValue;
        uri: string;
        mimeType?: string | undefined;
        text?: string | undefined;
        blob?: string | undefined;
        _meta?: Readonly<Record<string, JsonValue>> | undefined;
    };
    annotations?: {
        [x: string]: JsonValue;
        audience?: ("user" | "assistant")[] | undefined;
        priority?: number | undefined;
        lastModified?: string | undefined;
    } | undefined;
    _meta?: Readonly<Record<string, JsonValue>> | undefined;
}, unknown>>]>;
declare const ToolV2Schema: z.ZodPipe<z.ZodUnknown, z.ZodTransform<{
    [x: string]: JsonValue;
    name: string;
    inputSchema: {
        [x: string]: JsonValue;
        type: "object";
        $schema?: string | undefined;
    };
    title?: string | undefined;
    description?: string | undefined;
    outputSchema?: {
        [x: string]: JsonValue;
        $schema?: string | undefined;
    } | undefined;
    annotations?: {
        [x: string]: JsonValue;
        title?: string | undefined;
        readOnlyHint?: boolean | undefined;
        destructiveHint?: boolean | undefined;
        idempotentHint?: boolean | undefined;
        openWorldHint?: boolean | undefined;
    } | undefined;
    icons?: {
        [x: string]: JsonValue;
        src: string;
        mimeType?: string | undefined;
        sizes?: string[] | undefined;
        theme?: "dark" | "light" | undefined;
    }[] | undefined;
    _meta?: Readonly<Record<string, JsonValue>> | undefined;
}, unknown>>;
declare const RequestIdV2Schema: z.ZodUnion<readonly [z.ZodString, z.ZodInt]>;
declare const TaskStatusV2Schema: z.ZodEnum<{
    working: "working";
    input_required: "input_required";
    completed: "completed";
    failed: "failed";
    cancelled: "cancelled";
}>;
declare const TaskEligibleMethodV2Schema: z.ZodLiteral<"tools/call">;
declare const TaskV2Schema: z.ZodObject<{
    status: z.ZodEnum<{
        working: "working";
        input_required: "input_required";
        completed: "completed";
        failed: "failed";
        cancelled: "cancelled";
    }>;
    taskId: z.ZodString;
    statusMessage: z.ZodOptional<z.ZodString>;
    createdAt: z.ZodString;
    lastUpdatedAt: z.ZodString;
    ttlMs: z.ZodNullable<z.ZodInt>;
    pollIntervalMs: z.ZodOptional<z.ZodInt>;
}, z.core.$strip>;
declare const ErrorV2Schema: z.ZodObject<{
    code: z.ZodInt;
    message: z.ZodString;
    data: z.ZodOptional<z.ZodType<JsonValue, unknown, z.core.$ZodTypeInternals<JsonValue, unknown>>>;
}, z.core.$strip>;
declare const CreateMessageRequestV2Schema: z.ZodObject<{
    method: z.ZodLiteral<"sampling/createMessage">;
    params: z.ZodPipe<z.ZodUnknown, z.ZodTransform<{
        [x: string]: JsonValue;
        messages: {
            [x: string]: JsonValue;
            role: "user" | "assistant";
            content: {
                [x: string]: JsonValue;
                type: "text";
                text: string;
                annotations?: {
                    [x: string]: JsonValue;
                    audience?: ("user" | "assistant")[] | undefined;
                    priority?: number | undefined;
                    lastModified?: string | undefined;
                } | undefined;
                _meta?: Readonly<Record<string, JsonValue>> | undefined;
            } | {
                [x: string]: JsonValue;
                type: "image";
                data: string;
                mimeType: string;
                annotations?: {
                    [x: string]: JsonValue;
                    audience?: ("user" | "assistant")[] | undefined;
                    priority?: number | undefined;
                    lastModified?: string | undefined;
                } | undefined;
                _meta?: Readonly<Record<string, JsonValue>> | undefined;
            } | {
                [x: string]: JsonValue;
                type: "audio";
                data: string;
                mimeType: string;
                annotations?: {
                    [x: string]: JsonValue;
                    audience?: ("user" | "assistant")[] | undefined;
                    priority?: number | undefined;
                    lastModified?: string | undefined;
                } | undefined;
                _meta?: Readonly<Record<string, JsonValue>> | undefined;
            } | {
                [x: string]: JsonValue;
                type: "tool_use";
                id: string;
                name: string;
                input: Readonly<Record<string, JsonValue>>;
                _meta?: Readonly<Record<string, JsonValue>> | undefined;
            } | {
                [x: string]: JsonValue;
                type: "tool_result";
                toolUseId: string;
                content: ({
                    [x: string]: JsonValue;
                    type: "text";
                    text: string;
                    annotations?: {
                        [x: string]: JsonValue;
                        audience?: ("user" | "assistant")[] | undefined;
                        priority?: number | undefined;
                        lastModified?: string | undefined;
                    } | undefined;
                    _meta?: Readonly<Record<string, JsonValue>> | undefined;
                } | {
                    [x: string]: JsonValue;
                    type: "image";
                    data: string;
                    mimeType: string;
                    annotations?: {
                        [x: string]: JsonValue;
                        audience?: ("user" | "assistant")[] | undefined;
                        priority?: number | undefined;
                        lastModified?: string | undefined;
                    } | undefined;
                    _meta?: Readonly<Record<string, JsonValue>> | undefined;
                } | {
                    [x: string]: JsonValue;
                    type: "audio";
                    data: string;
                    mimeType: string;
                    annotations?: {
                        [x: string]: JsonValue;
                        audience?: ("user" | "assistant")[] | undefined;
                        priority?: number | undefined;
                        lastModified?: string | undefined;
                    } | undefined;
                    _meta?: Readonly<Record<string, JsonValue>> | undefined;
                } | {
                    [x: string]: JsonValue;
                    type: "resource_link";
                    name: string;
                    uri: string;
                    title?: string | undefined;
                    description?: string | undefined;
                    mimeType?: string | undefined;
                    size?: number | undefined;
                    icons?: {
                        [x: string]: JsonValue;
                        src: string;
                        mimeType?: string | undefined;
                        sizes?: string[] | undefined;
                        theme?: "dark" | "light" | undefined;
                    }[] | undefined;
                    annotations?: {
                        [x: string]: JsonValue;
                        audience?: ("user" | "assistant")[] | undefined;
                        priority?: number | undefined;
                        lastModified?: string | undefined;
                    } | undefined;
                    _meta?: Readonly<Record<string, JsonValue>> | undefined;
                } | {
                    [x: string]: JsonValue;
                    type: "resource";
                    resource: {
                        [x: string]: JsonValue;
                        uri: string;
                        mimeType?: string | undefined;
                        text?: string | undefined;
                        blob?: string | undefined;
                        _meta?: Readonly<Record<string, JsonValue>> | undefined;
                    };
                    annotations?: {
                        [x: string]: JsonValue;
                        audience?: ("user" | "assistant")[] | undefined;
                        priority?: number | undefined;
                        lastModified?: string | undefined;
                    } | undefined;
                    _meta?: Readonly<Record<string, JsonValue>> | undefined;
                })[];
                structuredContent?: JsonValue | undefined;
                isError?: boolean | undefined;
                _meta?: Readonly<Record<string, JsonValue>> | undefined;
            } | ({
                [x: string]: JsonValue;
                type: "text";
                text: string;
                annotations?: {
                    [x: string]: JsonValue;
                    audience?: ("user" | "assistant")[] | undefined;
                    priority?: number | undefined;
                    lastModified?: string | undefined;
                } | undefined;
                _meta?: Readonly<Record<string, JsonValue>> | undefined;
            } | {
                [x: string]: JsonValue;
                type: "image";
                data: string;
                mimeType: string;
                annotations?: {
                    [x: string]: JsonValue;
                    audience?: ("user" | "assistant")[] | undefined;
                    priority?: number | undefined;
                    lastModified?: string | undefined;
                } | undefined;
                _meta?: Readonly<Record<string, JsonValue>> | undefined;
            } | {
                [x: string]: JsonValue;
                type: "audio";
                data: string;
                mimeType: string;
                annotations?: {
                    [x: string]: JsonValue;
                    audience?: ("user" | "assistant")[] | undefined;
                    priority?: number | undefined;
                    lastModified?: string | undefined;
                } | undefined;
                _meta?: Readonly<Record<string, JsonValue>> | undefined;
            } | {
                [x: string]: JsonValue;
                type: "tool_use";
                id: string;
                name: string;
                input: Readonly<Record<string, JsonValue>>;
                _meta?: Readonly<Record<string, JsonValue>> | undefined;
            } | {
                [x: string]: JsonValue;
                type: "tool_result";
                toolUseId: string;
                content: ({
                    [x: string]: JsonValue;
                    type: "text";
                    text: string;
                    annotations?: {
                        [x: string]: JsonValue;
                        audience?: ("user" | "assistant")[] | undefined;
                        priority?: number | undefined;
                        lastModified?: string | undefined;
                    } | undefined;
                    _meta?: Readonly<Record<string, JsonValue>> | undefined;
                } | {
                    [x: string]: JsonValue;
                    type: "image";
                    data: string;
                    mimeType: string;
                    annotations?: {
                        [x: string]: JsonValue;
                        audience?: ("user" | "assistant")[] | undefined;
                        priority?: number | undefined;
                        lastModified?: string | undefined;
                    } | undefined;
                    _meta?: Readonly<Record<string, JsonValue>> | undefined;
                } | {
                    [x: string]: JsonValue;
                    type: "audio";
                    data: string;
                    mimeType: string;
                    annotations?: {
                        [x: string]: JsonValue;
                        audience?: ("user" | "assistant")[] | undefined;
                        priority?: number | undefined;
                        lastModified?: string | undefined;
                    } | undefined;
                    _meta?: Readonly<Record<string, JsonValue>> | undefined;
                } | {
                    [x: string]: JsonValue;
                    type: "resource_link";
                    name: string;
                    uri: string;
                    title?: string | undefined;
                    description?: string | undefined;
                    mimeType?: string | undefined;
                    size?: number | undefined;
                    icons?: {
                        [x: string]: JsonValue;
                        src: string;
                        mimeType?: string | undefined;
                        sizes?: string[] | undefined;
                        theme?: "dark" | "light" | undefined;
                    }[] | undefined;
                    annotations?: {
                        [x: string]: JsonValue;
                        audience?: ("user" | "assistant")[] | undefined;
                        priority?: number | undefined;
                        lastModified?: string | undefined;
                    } | undefined;
                    _meta?: Readonly<Record<string, JsonValue>> | undefined;
                } | {
                    [x: string]: JsonValue;
                    type: "resource";
                    resource: {
                        [x: string]: JsonValue;
                        uri: string;
                        mimeType?: string | undefined;
                        text?: string | undefined;
                        blob?: string | undefined;
                        _meta?: Readonly<Record<string, JsonValue>> | undefined;
                    };
                    annotations?: {
                        [x: string]: JsonValue;
                        audience?: ("user" | "assistant")[] | undefined;
                        priority?: number | undefined;
                        lastModified?: string | undefined;
                    } | undefined;
                    _meta?: Readonly<Record<string, JsonValue>> | undefined;
                })[];
                structuredContent?: JsonValue | undefined;
                isError?: boolean | undefined;
                _meta?: Readonly<Record<string, JsonValue>> | undefined;
            })[];
            _meta?: Readonly<Record<string, JsonValue>> | undefined;
        }[];
        maxTokens: number;
        systemPrompt?: string | undefined;
        includeContext?: "allServers" | "none" | "thisServer" | undefined;
        temperature?: number | undefined;
        stopSequences?: string[] | undefined;
        metadata?: Readonly<Record<string, JsonValue>> | undefined;
        modelPreferences?: Readonly<Record<string, JsonValue>> | undefined;
        toolChoice?: Readonly<Record<string, JsonValue>> | undefined;
        tools?: Readonly<Record<string, JsonValue>>[] | undefined;
        _meta?: Readonly<Record<string, JsonValue>> | undefined;
    }, unknown>>;
}, z.core.$strip>;
declare const ListRootsRequestV2Schema: z.ZodObject<{
    method: z.ZodLiteral<"roots/list">;
    params: z.ZodOptional<z.ZodCustom<Readonly<Record<string, JsonValue>>, Readonly<Record<string, JsonValue>>>>;
}, z.core.$strip>;
declare const ElicitRequestV2Schema: z.ZodObject<{
    method: z.ZodLiteral<"elicitation/create">;
    params: z.ZodUnion<readonly [z.ZodPipe<z.ZodUnknown, z.ZodTransform<{
        [x: string]: JsonValue;
        message: string;
        requestedSchema: Readonly<Record<string, JsonValue>>;
        mode?: "form" | undefined;
        _meta?: Readonly<Record<string, JsonValue>> | undefined;
    }, unknown>>, z.ZodPipe<z.ZodUnknown, z.ZodTransform<{
        [x: string]: JsonValue;
        mode: "url";
        message: string;
        url: string;
        _meta?: Readonly<Record<string, JsonValue>> | undefined;
    }, unknown>>]>;
}, z.core.$strip>;
declare const InputRequestV2Schema: z.ZodDiscriminatedUnion<[z.ZodObject<{
    method: z.ZodLiteral<"sampling/createMessage">;
    params: z.ZodPipe<z.ZodUnknown, z.ZodTransform<{
        [x: string]: JsonValue;
        messages: {
            [x: string]: JsonValue;
            role: "user" | "assistant";
            content: {
                [x: string]: JsonValue;
                type: "text";
                text: string;
                annotations?: {
                    [x: string]: JsonValue;
                    audience?: ("user" | "assistant")[] | undefined;
                    priority?: number | undefined;
                    lastModified?: string | undefined;
                } | undefined;
                _meta?: Readonly<Record<string, JsonValue>> | undefined;
            } | {
                [x: string]: JsonValue;
                type: "image";
                data: string;
                mimeType: string;
                annotations?: {
                    [x: string]: JsonValue;
                    audience?: ("user" | "assistant")[] | undefined;
                    priority?: number | undefined;
                    lastModified?: string | undefined;
                } | undefined;
                _meta?: Readonly<Record<string, JsonValue>> | undefined;
            } | {
                [x: string]: JsonValue;
                type: "audio";
                data: string;
                mimeType: string;
                annotations?: {
                    [x: string]: JsonValue;
                    audience?: ("user" | "assistant")[] | undefined;
                    priority?: number | undefined;
                    lastModified?: string | undefined;
                } | undefined;
                _meta?: Readonly<Record<string, JsonValue>> | undefined;
            } | {
                [x: string]: JsonValue;
                type: "tool_use";
                id: string;
                name: string;
                input: Readonly<Record<string, JsonValue>>;
                _meta?: Readonly<Record<string, JsonValue>> | undefined;
            } | {
                [x: string]: JsonValue;
                type: "tool_result";
                toolUseId: string;
                content: ({
                    [x: string]: JsonValue;
                    type: "text";
                    text: string;
                    annotations?: {
                        [x: string]: JsonValue;
                        audience?: ("user" | "assistant")[] | undefined;
                        priority?: number | undefined;
                        lastModified?: string | undefined;
                    } | undefined;
                    _meta?: Readonly<Record<string, JsonValue>> | undefined;
                } | {
                    [x: string]: JsonValue;
                    type: "image";
                    data: string;
                    mimeType: string;
                    annotations?: {
                        [x: string]: JsonValue;
                        audience?: ("user" | "assistant")[] | undefined;
                        priority?: number | undefined;
                        lastModified?: string | undefined;
                    } | undefined;
                    _meta?: Readonly<Record<string, JsonValue>> | undefined;
                } | {
                    [x: string]: JsonValue;
                    type: "audio";
                    data: string;
                    mimeType: string;
                    annotations?: {
                        [x: string]: JsonValue;
                        audience?: ("user" | "assistant")[] | undefined;
                        priority?: number | undefined;
                        lastModified?: string | undefined;
                    } | undefined;
                    _meta?: Readonly<Record<string, JsonValue>> | undefined;
                } | {
                    [x: string]: JsonValue;
                    type: "resource_link";
                    name: string;
                    uri: string;
                    title?: string | undefined;
                    description?: string | undefined;
                    mimeType?: string | undefined;
                    size?: number | undefined;
                    icons?: {
                        [x: string]: JsonValue;
                        src: string;
                        mimeType?: string | undefined;
                        sizes?: string[] | undefined;
                        theme?: "dark" | "light" | undefined;
                    }[] | undefined;
                    annotations?: {
                        [x: string]: JsonValue;
                        audience?: ("user" | "assistant")[] | undefined;
                        priority?: number | undefined;
                        lastModified?: string | undefined;
                    } | undefined;
                    _meta?: Readonly<Record<string, JsonValue>> | undefined;
                } | {
                    [x: string]: JsonValue;
                    type: "resource";
                    resource: {
                        [x: string]: JsonValue;
                        uri: string;
                        mimeType?: string | undefined;
                        text?: string | undefined;
                        blob?: string | undefined;
                        _meta?: Readonly<Record<string, JsonValue>> | undefined;
                    };
                    annotations?: {
                        [x: string]: JsonValue;
                        audience?: ("user" | "assistant")[] | undefined;
                        priority?: number | undefined;
                        lastModified?: string | undefined;
                    } | undefined;
                    _meta?: Readonly<Record<string, JsonValue>> | undefined;
                })[];
                structuredContent?: JsonValue | undefined;
                isError?: boolean | undefined;
                _meta?: Readonly<Record<string, JsonValue>> | undefined;
            } | ({
                [x: string]: JsonValue;
                type: "text";
                text: string;
                annotations?: {
                    [x: string]: JsonValue;
                    audience?: ("user" | "assistant")[] | undefined;
                    priority?: number | undefined;
                    lastModified?: string | undefined;
                } | undefined;
                _meta?: Readonly<Record<string, JsonValue>> | undefined;
            } | {
                [x: string]: JsonValue;
                type: "image";
                data: string;
                mimeType: string;
                annotations?: {
                    [x: string]: JsonValue;
                    audience?: ("user" | "assistant")[] | undefined;
                    priority?: number | undefined;
                    lastModified?: string | undefined;
                } | undefined;
                _meta?: Readonly<Record<string, JsonValue>> | undefined;
            } | {
                [x: string]: JsonValue;
                type: "audio";
                data: string;
                mimeType: string;
                annotations?: {
                    [x: string]: JsonValue;
                    audience?: ("user" | "assistant")[] | undefined;
                    priority?: number | undefined;
                    lastModified?: string | undefined;
                } | undefined;
                _meta?: Readonly<Record<string, JsonValue>> | undefined;
            } | {
                [x: string]: JsonValue;
                type: "tool_use";
                id: string;
                name: string;
                input: Readonly<Record<string, JsonValue>>;
                _meta?: Readonly<Record<string, JsonValue>> | undefined;
            } | {
                [x: string]: JsonValue;
                type: "tool_result";
                toolUseId: string;
                content: ({
                    [x: string]: JsonValue;
                    type: "text";
                    text: string;
                    annotations?: {
                        [x: string]: JsonValue;
                        audience?: ("user" | "assistant")[] | undefined;
                        priority?: number | undefined;
                        lastModified?: string | undefined;
                    } | undefined;
                    _meta?: Readonly<Record<string, JsonValue>> | undefined;
                } | {
                    [x: string]: JsonValue;
                    type: "image";
                    data: string;
                    mimeType: string;
                    annotations?: {
                        [x: string]: JsonValue;
                        audience?: ("user" | "assistant")[] | undefined;
                        priority?: number | undefined;
                        lastModified?: string | undefined;
                    } | undefined;
                    _meta?: Readonly<Record<string, JsonValue>> | undefined;
                } | {
                    [x: string]: JsonValue;
                    type: "audio";
                    data: string;
                    mimeType: string;
                    annotations?: {
                        [x: string]: JsonValue;
                        audience?: ("user" | "assistant")[] | undefined;
                        priority?: number | undefined;
                        lastModified?: string | undefined;
                    } | undefined;
                    _meta?: Readonly<Record<string, JsonValue>> | undefined;
                } | {
                    [x: string]: JsonValue;
                    type: "resource_link";
                    name: string;
                    uri: string;
                    title?: string | undefined;
                    description?: string | undefined;
                    mimeType?: string | undefined;
                    size?: number | undefined;
                    icons?: {
                        [x: string]: JsonValue;
                        src: string;
                        mimeType?: string | undefined;
                        sizes?: string[] | undefined;
                        theme?: "dark" | "light" | undefined;
                    }[] | undefined;
                    annotations?: {
                        [x: string]: JsonValue;
                        audience?: ("user" | "assistant")[] | undefined;
                        priority?: number | undefined;
                        lastModified?: string | undefined;
                    } | undefined;
                    _meta?: Readonly<Record<string, JsonValue>> | undefined;
                } | {
                    [x: string]: JsonValue;
                    type: "resource";
                    resource: {
                        [x: string]: JsonValue;
                        uri: string;
                        mimeType?: string | undefined;
                        text?: string | undefined;
                        blob?: string | undefined;
                        _meta?: Readonly<Record<string, JsonValue>> | undefined;
                    };
                    annotations?: {
                        [x: string]: JsonValue;
                        audience?: ("user" | "assistant")[] | undefined;
                        priority?: number | undefined;
                        lastModified?: string | undefined;
                    } | undefined;
                    _meta?: Readonly<Record<string, JsonValue>> | undefined;
                })[];
                structuredContent?: JsonValue | undefined;
                isError?: boolean | undefined;
                _meta?: Readonly<Record<string, JsonValue>> | undefined;
            })[];
            _meta?: Readonly<Record<string, JsonValue>> | undefined;
        }[];
        maxTokens: number;
        systemPrompt?: string | undefined;
        includeContext?: "allServers" | "none" | "thisServer" | undefined;
        temperature?: number | undefined;
        stopSequences?: string[] | undefined;
        metadata?: Readonly<Record<string, JsonValue>> | undefined;
        modelPreferences?: Readonly<Record<string, JsonValue>> | undefined;
        toolChoice?: Readonly<Record<string, JsonValue>> | undefined;
        tools?: Readonly<Record<string, JsonValue>>[] | undefined;
        _meta?: Readonly<Record<string, JsonValue>> | undefined;
    }, unknown>>;
}, z.core.$strip>, z.ZodObject<{
    method: z.ZodLiteral<"roots/list">;
    params: z.ZodOptional<z.ZodCustom<Readonly<Record<string, JsonValue>>, Readonly<Record<string, JsonValue>>>>;
}, z.core.$strip>, z.ZodObject<{
    method: z.ZodLiteral<"elicitation/create">;
    params: z.ZodUnion<readonly [z.ZodPipe<z.ZodUnknown, z.ZodTransform<{
        [x: string]: JsonValue;
        message: string;
        requestedSchema: Readonly<Record<string, JsonValue>>;
        mode?: "form" | undefined;
        _meta?: Readonly<Record<string, JsonValue>> | undefined;
    }, unknown>>, z.ZodPipe<z.ZodUnknown, z.ZodTransform<{
        [x: string]: JsonValue;
        mode: "url";
        message: string;
        url: string;
        _meta?: Readonly<Record<string, JsonValue>> | undefined;
    }, unknown>>]>;
}, z.core.$strip>], "method">;
declare const InputRequestsV2Schema: z.ZodRecord<z.ZodString, z.ZodDiscriminatedUnion<[z.ZodObject<{
    method: z.ZodLiteral<"sampling/createMessage">;
    params: z.ZodPipe<z.ZodUnknown, z.ZodTransform<{
        [x: string]: JsonValue;
        messages: {
            [x: string]: JsonValue;
            role: "user" | "assistant";
            content: {
                [x: string]: JsonValue;
                type: "text";
                text: string;
                annotations?: {
                    [x: string]: JsonValue;
                    audience?: ("user" | "assistant")[] | undefined;
                    priority?: number | undefined;
                    lastModified?: string | undefined;
                } | undefined;
                _meta?: Readonly<Record<string, JsonValue>> | undefined;
            } | {
                [x: string]: JsonValue;
                type: "image";
                data: string;
                mimeType: string;
                annotations?: {
                    [x: string]: JsonValue;
                    audience?: ("user" | "assistant")[] | undefined;
                    priority?: number | undefined;
                    lastModified?: string | undefined;
                } | undefined;
                _meta?: Readonly<Record<string, JsonValue>> | undefined;
            } | {
                [x: string]: JsonValue;
                type: "audio";
                data: string;
                mimeType: string;
                annotations?: {
                    [x: string]: JsonValue;
                    audience?: ("user" | "assistant")[] | undefined;
                    priority?: number | undefined;
                    lastModified?: string | undefined;
                } | undefined;
                _meta?: Readonly<Record<string, JsonValue>> | undefined;
            } | {
                [x: string]: JsonValue;
                type: "tool_use";
                id: string;
                name: string;
                input: Readonly<Record<string, JsonValue>>;
                _meta?: Readonly<Record<string, JsonValue>> | undefined;
            } | {
                [x: string]: JsonValue;
                type: "tool_result";
                toolUseId: string;
                content: ({
                    [x: string]: JsonValue;
                    type: "text";
                    text: string;
                    annotations?: {
                        [x: string]: JsonValue;
                        audience?: ("user" | "assistant")[] | undefined;
                        priority?: number | undefined;
                        lastModified?: string | undefined;
                    } | undefined;
                    _meta?: Readonly<Record<string, JsonValue>> | undefined;
                } | {
                    [x: string]: JsonValue;
                    type: "image";
                    data: string;
                    mimeType: string;
                    annotations?: {
                        [x: string]: JsonValue;
                        audience?: ("user" | "assistant")[] | undefined;
                        priority?: number | undefined;
                        lastModified?: string | undefined;
                    } | undefined;
                    _meta?: Readonly<Record<string, JsonValue>> | undefined;
                } | {
                    [x: string]: JsonValue;
                    type: "audio";
                    data: string;
                    mimeType: string;
                    annotations?: {
                        [x: string]: JsonValue;
                        audience?: ("user" | "assistant")[] | undefined;
                        priority?: number | undefined;
                        lastModified?: string | undefined;
                    } | undefined;
                    _meta?: Readonly<Record<string, JsonValue>> | undefined;
                } | {
                    [x: string]: JsonValue;
                    type: "resource_link";
                    name: string;
                    uri: string;
                    title?: string | undefined;
                    description?: string | undefined;
                    mimeType?: string | undefined;
                    size?: number | undefined;
                    icons?: {
                        [x: string]: JsonValue;
                        src: string;
                        mimeType?: string | undefined;
                        sizes?: string[] | undefined;
                        theme?: "dark" | "light" | undefined;
                    }[] | undefined;
                    annotations?: {
                        [x: string]: JsonValue;
                        audience?: ("user" | "assistant")[] | undefined;
                        priority?: number | undefined;
                        lastModified?: string | undefined;
                    } | undefined;
                    _meta?: Readonly<Record<string, JsonValue>> | undefined;
                } | {
                    [x: string]: JsonValue;
                    type: "resource";
                    resource: {
                        [x: string]: JsonValue;
                        uri: string;
                        mimeType?: string | undefined;
                        text?: string | undefined;
                        blob?: string | undefined;
                        _meta?: Readonly<Record<string, JsonValue>> | undefined;
                    };
                    annotations?: {
                        [x: string]: JsonValue;
                        audience?: ("user" | "assistant")[] | undefined;
                        priority?: number | undefined;
                        lastModified?: string | undefined;
                    } | undefined;
                    _meta?: Readonly<Record<string, JsonValue>> | undefined;
                })[];
                structuredContent?: JsonValue | undefined;
                isError?: boolean | undefined;
                _meta?: Readonly<Record<string, JsonValue>> | undefined;
            } | ({
                [x: string]: JsonValue;
                type: "text";
                text: string;
                annotations?: {
                    [x: string]: JsonValue;
                    audience?: ("user" | "assistant")[] | undefined;
                    priority?: number | undefined;
                    lastModified?: string | undefined;
                } | undefined;
                _meta?: Readonly<Record<string, JsonValue>> | undefined;
            } | {
                [x: string]: JsonValue;
                type: "image";
                data: string;
                mimeType: string;
                annotations?: {
                    [x: string]: JsonValue;
                    audience?: ("user" | "assistant")[] | undefined;
                    priority?: number | undefined;
                    lastModified?: string | undefined;
                } | undefined;
                _meta?: Readonly<Record<string, JsonValue>> | undefined;
            } | {
                [x: string]: JsonValue;
                type: "audio";
                data: string;
                mimeType: string;
                annotations?: {
                    [x: string]: JsonValue;
                    audience?: ("user" | "assistant")[] | undefined;
                    priority?: number | undefined;
                    lastModified?: string | undefined;
                } | undefined;
                _meta?: Readonly<Record<string, JsonValue>> | undefined;
            } | {
                [x: string]: JsonValue;
                type: "tool_use";
                id: string;
                name: string;
                input: Readonly<Record<string, JsonValue>>;
                _meta?: Readonly<Record<string, JsonValue>> | undefined;
            } | {
                [x: string]: JsonValue;
                type: "tool_result";
                toolUseId: string;
                content: ({
                    [x: string]: JsonValue;
                    type: "text";
                    text: string;
                    annotations?: {
                        [x: string]: JsonValue;
                        audience?: ("user" | "assistant")[] | undefined;
                        priority?: number | undefined;
                        lastModified?: string | undefined;
                    } | undefined;
                    _meta?: Readonly<Record<string, JsonValue>> | undefined;
                } | {
                    [x: string]: JsonValue;
                    type: "image";
                    data: string;
                    mimeType: string;
                    annotations?: {
                        [x: string]: JsonValue;
                        audience?: ("user" | "assistant")[] | undefined;
                        priority?: number | undefined;
                        lastModified?: string | undefined;
                    } | undefined;
                    _meta?: Readonly<Record<string, JsonValue>> | undefined;
                } | {
                    [x: string]: JsonValue;
                    type: "audio";
                    data: string;
                    mimeType: string;
                    annotations?: {
                        [x: string]: JsonValue;
                        audience?: ("user" | "assistant")[] | undefined;
                        priority?: number | undefined;
                        lastModified?: string | undefined;
                    } | undefined;
                    _meta?: Readonly<Record<string, JsonValue>> | undefined;
                } | {
                    [x: string]: JsonValue;
                    type: "resource_link";
                    name: string;
                    uri: string;
                    title?: string | undefined;
                    description?: string | undefined;
                    mimeType?: string | undefined;
                    size?: number | undefined;
                    icons?: {
                        [x: string]: JsonValue;
                        src: string;
                        mimeType?: string | undefined;
                        sizes?: string[] | undefined;
                        theme?: "dark" | "light" | undefined;
                    }[] | undefined;
                    annotations?: {
                        [x: string]: JsonValue;
                        audience?: ("user" | "assistant")[] | undefined;
                        priority?: number | undefined;
                        lastModified?: string | undefined;
                    } | undefined;
                    _meta?: Readonly<Record<string, JsonValue>> | undefined;
                } | {
                    [x: string]: JsonValue;
                    type: "resource";
                    resource: {
                        [x: string]: JsonValue;
                        uri: string;
                        mimeType?: string | undefined;
                        text?: string | undefined;
                        blob?: string | undefined;
                        _meta?: Readonly<Record<string, JsonValue>> | undefined;
                    };
                    annotations?: {
                        [x: string]: JsonValue;
                        audience?: ("user" | "assistant")[] | undefined;
                        priority?: number | undefined;
                        lastModified?: string | undefined;
                    } | undefined;
                    _meta?: Readonly<Record<string, JsonValue>> | undefined;
                })[];
                structuredContent?: JsonValue | undefined;
                isError?: boolean | undefined;
                _meta?: Readonly<Record<string, JsonValue>> | undefined;
            })[];
            _meta?: Readonly<Record<string, JsonValue>> | undefined;
        }[];
        maxTokens: number;
        systemPrompt?: string | undefined;
        includeContext?: "allServers" | "none" | "thisServer" | undefined;
        temperature?: number | undefined;
        stopSequences?: string[] | undefined;
        metadata?: Readonly<Record<string, JsonValue>> | undefined;
        modelPreferences?: Readonly<Record<string, JsonValue>> | undefined;
        toolChoice?: Readonly<Record<string, JsonValue>> | undefined;
        tools?: Readonly<Record<string, JsonValue>>[] | undefined;
        _meta?: Readonly<Record<string, JsonValue>> | undefined;
    }, unknown>>;
}, z.core.$strip>, z.ZodObject<{
    method: z.ZodLiteral<"roots/list">;
    params: z.ZodOptional<z.ZodCustom<Readonly<Record<string, JsonValue>>, Readonly<Record<string, JsonValue>>>>;
}, z.core.$strip>, z.ZodObject<{
    method: z.ZodLiteral<"elicitation/create">;
    params: z.ZodUnion<readonly [z.ZodPipe<z.ZodUnknown, z.ZodTransform<{
        [x: string]: JsonValue;
        message: string;
        requestedSchema: Readonly<Record<string, JsonValue>>;
        mode?: "form" | undefined;
        _meta?: Readonly<Record<string, JsonValue>> | undefined;
    }, unknown>>, z.ZodPipe<z.ZodUnknown, z.ZodTransform<{
        [x: string]: JsonValue;
        mode: "url";
        message: string;
        url: string;
        _meta?: Readonly<Record<string, JsonValue>> | undefined;
    }, unknown>>]>;
}, z.core.$strip>], "method">>;
declare const InputRequiredCallToolResultV2Schema: z.ZodPipe<z.ZodUnknown, z.ZodTransform<{
    [x: string]: JsonValue;
    resultType: "input_required";
    inputRequests?: Record<string, {
        method: "sampling/createMessage";
        params: {
            [x: string]: JsonValue;
            messages: {
                [x: string]: JsonValue;
                role: "user" | "assistant";
                content: {
                    [x: string]: JsonValue;
                    type: "text";
                    text: string;
                    annotations?: {
                        [x: string]: JsonValue;
                        audience?: ("user" | "assistant")[] | undefined;
                        priority?: number | undefined;
                        lastModified?: string | undefined;
                    } | undefined;
                    _meta?: Readonly<Record<string, JsonValue>> | undefined;
                } | {
                    [x: string]: JsonValue;
                    type: "image";
                    data: string;
                    mimeType: string;
                    annotations?: {
                        [x: string]: JsonValue;
                        audience?: ("user" | "assistant")[] | undefined;
                        priority?: number | undefined;
                        lastModified?: string | undefined;
                    } | undefined;
                    _meta?: Readonly<Record<string, JsonValue>> | undefined;
                } | {
                    [x: string]: JsonValue;
                    type: "audio";
                    data: string;
                    mimeType: string;
                    annotations?: {
                        [x: string]: JsonValue;
                        audience?: ("user" | "assistant")[] | undefined;
                        priority?: number | undefined;
                        lastModified?: string | undefined;
                    } | undefined;
                    _meta?: Readonly<Record<string, JsonValue>> | undefined;
                } | {
                    [x: string]: JsonValue;
                    type: "tool_use";
                    id: string;
                    name: string;
                    input: Readonly<Record<string, JsonValue>>;
                    _meta?: Readonly<Record<string, JsonValue>> | undefined;
                } | {
                    [x: string]: JsonValue;
                    type: "tool_result";
                    toolUseId: string;
                    content: ({
                        [x: string]: JsonValue;
                        type: "text";
                        text: string;
                        annotations?: {
                            [x: string]: JsonValue;
                            audience?: ("user" | "assistant")[] | undefined;
                            priority?: number | undefined;
                            lastModified?: string | undefined;
                        } | undefined;
                        _meta?: Readonly<Record<string, JsonValue>> | undefined;
                    } | {
                        [x: string]: JsonValue;
                        type: "image";
                        data: string;
                        mimeType: string;
                        annotations?: {
                            [x: string]: JsonValue;
                            audience?: ("user" | "assistant")[] | undefined;
                            priority?: number | undefined;
                            lastModified?: string | undefined;
                        } | undefined;
                        _meta?: Readonly<Record<string, JsonValue>> | undefined;
                    } | {
                        [x: string]: JsonValue;
                        type: "audio";
                        data: string;
                        mimeType: string;
                        annotations?: {
                            [x: string]: JsonValue;
                            audience?: ("user" | "assistant")[] | undefined;
                            priority?: number | undefined;
                            lastModified?: string | undefined;
                        } | undefined;
                        _meta?: Readonly<Record<string, JsonValue>> | undefined;
                    } | {
                        [x: string]: JsonValue;
                        type: "resource_link";
                        name: string;
                        uri: string;
                        title?: string | undefined;
                        description?: string | undefined;
                        mimeType?: string | undefined;
                        size?: number | undefined;
                        icons?: {
                            [x: string]: JsonValue;
                            src: string;
                            mimeType?: string | undefined;
                            sizes?: string[] | undefined;
                            theme?: "dark" | "light" | undefined;
                        }[] | undefined;
                        annotations?: {
                            [x: string]: JsonValue;
                            audience?: ("user" | "assistant")[] | undefined;
                            priority?: number | undefined;
                            lastModified?: string | undefined;
                        } | undefined;
                        _meta?: Readonly<Record<string, JsonValue>> | undefined;
                    } | {
                        [x: string]: JsonValue;
                        type: "resource";
                        resource: {
                            [x: string]: JsonValue;
                            uri: string;
                            mimeType?: string | undefined;
                            text?: string | undefined;
                            blob?: string | undefined;
                            _meta?: Readonly<Record<string, JsonValue>> | undefined;
                        };
                        annotations?: {
                            [x: string]: JsonValue;
                            audience?: ("user" | "assistant")[] | undefined;
                            priority?: number | undefined;
                            lastModified?: string | undefined;
                        } | undefined;
                        _meta?: Readonly<Record<string, JsonValue>> | undefined;
                    })[];
                    structuredContent?: JsonValue | undefined;
                    isError?: boolean | undefined;
                    _meta?: Readonly<Record<string, JsonValue>> | undefined;
                } | ({
                    [x: string]: JsonValue;
                    type: "text";
                    text: string;
                    annotations?: {
                        [x: string]: JsonValue;
                        audience?: ("user" | "assistant")[] | undefined;
                        priority?: number | undefined;
                        lastModified?: string | undefined;
                    } | undefined;
                    _meta?: Readonly<Record<string, JsonValue>> | undefined;
                } | {
                    [x: string]: JsonValue;
                    type: "image";
                    data: string;
                    mimeType: string;
                    annotations?: {
                        [x: string]: JsonValue;
                        audience?: ("user" | "assistant")[] | undefined;
                        priority?: number | undefined;
                        lastModified?: string | undefined;
                    } | undefined;
                    _meta?: Readonly<Record<string, JsonValue>> | undefined;
                } | {
                    [x: string]: JsonValue;
                    type: "audio";
                    data: string;
                    mimeType: string;
                    annotations?: {
                        [x: string]: JsonValue;
                        audience?: ("user" | "assistant")[] | undefined;
                        priority?: number | undefined;
                        lastModified?: string | undefined;
                    } | undefined;
                    _meta?: Readonly<Record<string, JsonValue>> | undefined;
                } | {
                    [x: string]: JsonValue;
                    type: "tool_use";
                    id: string;
                    name: string;
                    input: Readonly<Record<string, JsonValue>>;
                    _meta?: Readonly<Record<string, JsonValue>> | undefined;
                } | {
                    [x: string]: JsonValue;
                    type: "tool_result";
                    toolUseId: string;
                    content: ({
                        [x: string]: JsonValue;
                        type: "text";
                        text: string;
                        annotations?: {
                            [x: string]: JsonValue;
                            audience?: ("user" | "assistant")[] | undefined;
                            priority?: number | undefined;
                            lastModified?: string | undefined;
                        } | undefined;
                        _meta?: Readonly<Record<string, JsonValue>> | undefined;
                    } | {
                        [x: string]: JsonValue;
                        type: "image";
                        data: string;
                        mimeType: string;
                        annotations?: {
                            [x: string]: JsonValue;
                            audience?: ("user" | "assistant")[] | undefined;
                            priority?: number | undefined;
                            lastModified?: string | undefined;
                        } | undefined;
                        _meta?: Readonly<Record<string, JsonValue>> | undefined;
                    } | {
                        [x: string]: JsonValue;
                        type: "audio";
                        data: string;
                        mimeType: string;
                        annotations?: {
                            [x: string]: JsonValue;
                            audience?: ("user" | "assistant")[] | undefined;
                            priority?: number | undefined;
                            lastModified?: string | undefined;
                        } | undefined;
                        _meta?: Readonly<Record<string, JsonValue>> | undefined;
                    } | {
                        [x: string]: JsonValue;
                        type: "resource_link";
                        name: string;
                        uri: string;
                        title?: string | undefined;
                        description?: string | undefined;
                        mimeType?: string | undefined;
                        size?: number | undefined;
                        icons?: {
                            [x: string]: JsonValue;
                            src: string;
                            mimeType?: string | undefined;
                            sizes?: string[] | undefined;
                            theme?: "dark" | "light" | undefined;
                        }[] | undefined;
                        annotations?: {
                            [x: string]: JsonValue;
                            audience?: ("user" | "assistant")[] | undefined;
                            priority?: number | undefined;
                            lastModified?: string | undefined;
                        } | undefined;
                        _meta?: Readonly<Record<string, JsonValue>> | undefined;
                    } | {
                        [x: string]: JsonValue;
                        type: "resource";
                        resource: {
                            [x: string]: JsonValue;
                            uri: string;
                            mimeType?: string | undefined;
                            text?: string | undefined;
                            blob?: string | undefined;
                            _meta?: Readonly<Record<string, JsonValue>> | undefined;
                        };
                        annotations?: {
                            [x: string]: JsonValue;
                            audience?: ("user" | "assistant")[] | undefined;
                            priority?: number | undefined;
                            lastModified?: string | undefined;
                        } | undefined;
                        _meta?: Readonly<Record<string, JsonValue>> | undefined;
                    })[];
                    structuredContent?: JsonValue | undefined;
                    isError?: boolean | undefined;
                    _meta?: Readonly<Record<string, JsonValue>> | undefined;
                })[];
                _meta?: Readonly<Record<string, JsonValue>> | undefined;
            }[];
            maxTokens: number;
            systemPrompt?: string | undefined;
            includeContext?: "allServers" | "none" | "thisServer" | undefined;
            temperature?: number | undefined;
            stopSequences?: string[] | undefined;
            metadata?: Readonly<Record<string, JsonValue>> | undefined;
            modelPreferences?: Readonly<Record<string, JsonValue>> | undefined;
            toolChoice?: Readonly<Record<string, JsonValue>> | undefined;
            tools?: Readonly<Record<string, JsonValue>>[] | undefined;
            _meta?: Readonly<Record<string, JsonValue>> | undefined;
        };
    } | {
        method: "roots/list";
        params?: Readonly<Record<string, JsonValue>> | undefined;
    } | {
        method: "elicitation/create";
        params: {
            [x: string]: JsonValue;
            message: string;
            requestedSchema: Readonly<Record<string, JsonValue>>;
            mode?: "form" | undefined;
            _meta?: Readonly<Record<string, JsonValue>> | undefined;
        } | {
            [x: string]: JsonValue;
            mode: "url";
            message: string;
            url: string;
            _meta?: Readonly<Record<string, JsonValue>> | undefined;
        };
    }> | undefined;
    requestState?: string | undefined;
    _meta?: Readonly<Record<string, JsonValue>> | undefined;
}, unknown>>;
declare const CallToolResultV2Schema: z.ZodUnion<readonly [z.ZodPipe<z.ZodUnknown, z.ZodTransform<{
    [x: string]: JsonValue;
    resultType: "complete";
    content: ({
        [x: string]: JsonValue;
        type: "text";
        text: string;
        annotations?: {
            [x: string]: JsonValue;
            audience?: ("user" | "assistant")[] | undefined;
            priority?: number | undefined;
            lastModified?: string | undefined;
        } | undefined;
        _meta?: Readonly<Record<string, JsonValue>> | undefined;
    } | {
        [x: string]: JsonValue;
        type: "image";
        data: string;
        mimeType: string;
        annotations?: {
            [x: string]: JsonValue;
            audience?: ("user" | "assistant")[] | undefined;
            priority?: number | undefined;
            lastModified?: string | undefined;
        } | undefined;
        _meta?: Readonly<Record<string, JsonValue>> | undefined;
    } | {
        [x: string]: JsonValue;
        type: "audio";
        data: string;
        mimeType: string;
        annotations?: {
            [x: string]: JsonValue;
            audience?: ("user" | "assistant")[] | undefined;
            priority?: number | undefined;
            lastModified?: string | undefined;
        } | undefined;
        _meta?: Readonly<Record<string, JsonValue>> | undefined;
    } | {
        [x: string]: JsonValue;
        type: "resource_link";
        name: string;
        uri: string;
        title?: string | undefined;
        description?: string | undefined;
        mimeType?: string | undefined;
        size?: number | undefined;
        icons?: {
            [x: string]: JsonValue;
            src: string;
            mimeType?: string | undefined;
            sizes?: string[] | undefined;
            theme?: "dark" | "light" | undefined;
        }[] | undefined;
        annotations?: {
            [x: string]: JsonValue;
            audience?: ("user" | "assistant")[] | undefined;
            priority?: number | undefined;
            lastModified?: string | undefined;
        } | undefined;
        _meta?: Readonly<Record<string, JsonValue>> | undefined;
    } | {
        [x: string]: JsonValue;
        type: "resource";
        resource: {
            [x: string]: JsonValue;
            uri: string;
            mimeType?: string | undefined;
            text?: string | undefined;
            blob?: string | undefined;
            _meta?: Readonly<Record<string, JsonValue>> | undefined;
        };
        annotations?: {
            [x: string]: JsonValue;
            audience?: ("user" | "assistant")[] | undefined;
            priority?: number | undefined;
            lastModified?: string | undefined;
        } | undefined;
        _meta?: Readonly<Record<string, JsonValue>> | undefined;
    })[];
    structuredContent?: JsonValue | undefined;
    isError?: boolean | undefined;
    _meta?: Readonly<Record<string, JsonValue>> | undefined;
}, unknown>>, z.ZodPipe<z.ZodUnknown, z.ZodTransform<{
    [x: string]: JsonValue;
    resultType: "input_required";
    inputRequests?: Record<string, {
        method: "sampling/createMessage";
        params: {
            [x: string]: JsonValue;
            messages: {
                [x: string]: JsonValue;
                role: "user" | "assistant";
                content: {
                    [x: string]: JsonValue;
                    type: "text";
                    text: string;
                    annotations?: {
                        [x: string]: JsonValue;
                        audience?: ("user" | "assistant")[] | undefined;
                        priority?: number | undefined;
                        lastModified?: string | undefined;
                    } | undefined;
                    _meta?: Readonly<Record<string, JsonValue>> | undefined;
                } | {
                    [x: string]: JsonValue;
                    type: "image";
                    data: string;
                    mimeType: string;
                    annotations?: {
                        [x: string]: JsonValue;
                        audience?: ("user" | "assistant")[] | undefined;
                        priority?: number | undefined;
                        lastModified?: string | undefined;
                    } | undefined;
                    _meta?: Readonly<Record<string, JsonValue>> | undefined;
                } | {
                    [x: string]: JsonValue;
                    type: "audio";
                    data: string;
                    mimeType: string;
                    annotations?: {
                        [x: string]: JsonValue;
                        audience?: ("user" | "assistant")[] | undefined;
                        priority?: number | undefined;
                        lastModified?: string | undefined;
                    } | undefined;
                    _meta?: Readonly<Record<string, JsonValue>> | undefined;
                } | {
                    [x: string]: JsonValue;
                    type: "tool_use";
                    id: string;
                    name: string;
                    input: Readonly<Record<string, JsonValue>>;
                    _meta?: Readonly<Record<string, JsonValue>> | undefined;
                } | {
                    [x: string]: JsonValue;
                    type: "tool_result";
                    toolUseId: string;
                    content: ({
                        [x: string]: JsonValue;
                        type: "text";
                        text: string;
                        annotations?: {
                            [x: string]: JsonValue;
                            audience?: ("user" | "assistant")[] | undefined;
                            priority?: number | undefined;
                            lastModified?: string | undefined;
                        } | undefined;
                        _meta?: Readonly<Record<string, JsonValue>> | undefined;
                    } | {
                        [x: string]: JsonValue;
                        type: "image";
                        data: string;
                        mimeType: string;
                        annotations?: {
                            [x: string]: JsonValue;
                            audience?: ("user" | "assistant")[] | undefined;
                            priority?: number | undefined;
                            lastModified?: string | undefined;
                        } | undefined;
                        _meta?: Readonly<Record<string, JsonValue>> | undefined;
                    } | {
                        [x: string]: JsonValue;
                        type: "audio";
                        data: string;
                        mimeType: string;
                        annotations?: {
                            [x: string]: JsonValue;
                            audience?: ("user" | "assistant")[] | undefined;
                            priority?: number | undefined;
                            lastModified?: string | undefined;
                        } | undefined;
                        _meta?: Readonly<Record<string, JsonValue>> | undefined;
                    } | {
                        [x: string]: JsonValue;
                        type: "resource_link";
                        name: string;
                        uri: string;
                        title?: string | undefined;
                        description?: string | undefined;
                        mimeType?: string | undefined;
                        size?: number | undefined;
                        icons?: {
                            [x: string]: JsonValue;
                            src: string;
                            mimeType?: string | undefined;
                            sizes?: string[] | undefined;
                            theme?: "dark" | "light" | undefined;
                        }[] | undefined;
                        annotations?: {
                            [x: string]: JsonValue;
                            audience?: ("user" | "assistant")[] | undefined;
                            priority?: number | undefined;
                            lastModified?: string | undefined;
                        } | undefined;
                        _meta?: Readonly<Record<string, JsonValue>> | undefined;
                    } | {
                        [x: string]: JsonValue;
                        type: "resource";
                        resource: {
                            [x: string]: JsonValue;
                            uri: string;
                            mimeType?: string | undefined;
                            text?: string | undefined;
                            blob?: string | undefined;
                            _meta?: Readonly<Record<string, JsonValue>> | undefined;
                        };
                        annotations?: {
                            [x: string]: JsonValue;
                            audience?: ("user" | "assistant")[] | undefined;
                            priority?: number | undefined;
                            lastModified?: string | undefined;
                        } | undefined;
                        _meta?: Readonly<Record<string, JsonValue>> | undefined;
                    })[];
                    structuredContent?: JsonValue | undefined;
                    isError?: boolean | undefined;
                    _meta?: Readonly<Record<string, JsonValue>> | undefined;
                } | ({
                    [x: string]: JsonValue;
                    type: "text";
                    text: string;
                    annotations?: {
                        [x: string]: JsonValue;
                        audience?: ("user" | "assistant")[] | undefined;
                        priority?: number | undefined;
                        lastModified?: string | undefined;
                    } | undefined;
                    _meta?: Readonly<Record<string, JsonValue>> | undefined;
                } | {
                    [x: string]: JsonValue;
                    type: "image";
                    data: string;
                    mimeType: string;
                    annotations?: {
                        [x: string]: JsonValue;
                        audience?: ("user" | "assistant")[] | undefined;
                        priority?: number | undefined;
                        lastModified?: string | undefined;
                    } | undefined;
                    _meta?: Readonly<Record<string, JsonValue>> | undefined;
                } | {
                    [x: string]: JsonValue;
                    type: "audio";
                    data: string;
                    mimeType: string;
                    annotations?: {
                        [x: string]: JsonValue;
                        audience?: ("user" | "assistant")[] | undefined;
                        priority?: number | undefined;
                        lastModified?: string | undefined;
                    } | undefined;
                    _meta?: Readonly<Record<string, JsonValue>> | undefined;
                } | {
                    [x: string]: JsonValue;
                    type: "tool_use";
                    id: string;
                    name: string;
                    input: Readonly<Record<string, JsonValue>>;
                    _meta?: Readonly<Record<string, JsonValue>> | undefined;
                } | {
                    [x: string]: JsonValue;
                    type: "tool_result";
                    toolUseId: string;
                    content: ({
                        [x: string]: JsonValue;
                        type: "text";
                        text: string;
                        annotations?: {
                            [x: string]: JsonValue;
                            audience?: ("user" | "assistant")[] | undefined;
                            priority?: number | undefined;
                            lastModified?: string | undefined;
                        } | undefined;
                        _meta?: Readonly<Record<string, JsonValue>> | undefined;
                    } | {
                        [x: string]: JsonValue;
                        type: "image";
                        data: string;
                        mimeType: string;
                        annotations?: {
                            [x: string]: JsonValue;
                            audience?: ("user" | "assistant")[] | undefined;
                            priority?: number | undefined;
                            lastModified?: string | undefined;
                        } | undefined;
                        _meta?: Readonly<Record<string, JsonValue>> | undefined;
                    } | {
                        [x: string]: JsonValue;
                        type: "audio";
                        data: string;
                        mimeType: string;
                        annotations?: {
                            [x: string]: JsonValue;
                            audience?: ("user" | "assistant")[] | undefined;
                            priority?: number | undefined;
                            lastModified?: string | undefined;
                        } | undefined;
                        _meta?: Readonly<Record<string, JsonValue>> | undefined;
                    } | {
                        [x: string]: JsonValue;
                        type: "resource_link";
                        name: string;
                        uri: string;
                        title?: string | undefined;
                        description?: string | undefined;
                        mimeType?: string | undefined;
                        size?: number | undefined;
                        icons?: {
                            [x: string]: JsonValue;
                            src: string;
                            mimeType?: string | undefined;
                            sizes?: string[] | undefined;
                            theme?: "dark" | "light" | undefined;
                        }[] | undefined;
                        annotations?: {
                            [x: string]: JsonValue;
                            audience?: ("user" | "assistant")[] | undefined;
                            priority?: number | undefined;
                            lastModified?: string | undefined;
                        } | undefined;
                        _meta?: Readonly<Record<string, JsonValue>> | undefined;
                    } | {
                        [x: string]: JsonValue;
                        type: "resource";
                        resource: {
                            [x: string]: JsonValue;
                            uri: string;
                            mimeType?: string | undefined;
                            text?: string | undefined;
                            blob?: string | undefined;
                            _meta?: Readonly<Record<string, JsonValue>> | undefined;
                        };
                        annotations?: {
                            [x: string]: JsonValue;
                            audience?: ("user" | "assistant")[] | undefined;
                            priority?: number | undefined;
                            lastModified?: string | undefined;
                        } | undefined;
                        _meta?: Readonly<Record<string, JsonValue>> | undefined;
                    })[];
                    structuredContent?: JsonValue | undefined;
                    isError?: boolean | undefined;
                    _meta?: Readonly<Record<string, JsonValue>> | undefined;
                })[];
                _meta?: Readonly<Record<string, JsonValue>> | undefined;
            }[];
            maxTokens: number;
            systemPrompt?: string | undefined;
            includeContext?: "allServers" | "none" | "thisServer" | undefined;
            temperature?: number | undefined;
            stopSequences?: string[] | undefined;
            metadata?: Readonly<Record<string, JsonValue>> | undefined;
            modelPreferences?: Readonly<Record<string, JsonValue>> | undefined;
            toolChoice?: Readonly<Record<string, JsonValue>> | undefined;
            tools?: Readonly<Record<string, JsonValue>>[] | undefined;
            _meta?: Readonly<Record<string, JsonValue>> | undefined;
        };
    } | {
        method: "roots/list";
        params?: Readonly<Record<string, JsonValue>> | undefined;
    } | {
        method: "elicitation/create";
        params: {
            [x: string]: JsonValue;
            message: string;
            requestedSchema: Readonly<Record<string, JsonValue>>;
            mode?: "form" | undefined;
            _meta?: Readonly<Record<string, JsonValue>> | undefined;
        } | {
            [x: string]: JsonValue;
            mode: "url";
            message: string;
            url: string;
            _meta?: Readonly<Record<string, JsonValue>> | undefined;
        };
    }> | undefined;
    requestState?: string | undefined;
    _meta?: Readonly<Record<string, JsonValue>> | undefined;
}, unknown>>]>;
declare const CreateMessageResultV2Schema: z.ZodPipe<z.ZodUnknown, z.ZodTransform<{
    [x: string]: JsonValue;
    content: {
        [x: string]: JsonValue;
        type: "text";
        text: string;
        annotations?: {
            [x: string]: JsonValue;
            audience?: ("user" | "assistant")[] | undefined;
            priority?: number | undefined;
            lastModified?: string | undefined;
        } | undefined;
        _meta?: Readonly<Record<string, JsonValue>> | undefined;
    } | {
        [x: string]: JsonValue;
        type: "image";
        data: string;
        mimeType: string;
        annotations?: {
            [x: string]: JsonValue;
            audience?: ("user" | "assistant")[] | undefined;
            priority?: number | undefined;
            lastModified?: string | undefined;
        } | undefined;
        _meta?: Readonly<Record<string, JsonValue>> | undefined;
    } | {
        [x: string]: JsonValue;
        type: "audio";
        data: string;
        mimeType: string;
        annotations?: {
            [x: string]: JsonValue;
            audience?: ("user" | "assistant")[] | undefined;
            priority?: number | undefined;
            lastModified?: string | undefined;
        } | undefined;
        _meta?: Readonly<Record<string, JsonValue>> | undefined;
    } | {
        [x: string]: JsonValue;
        type: "tool_use";
        id: string;
        name: string;
        input: Readonly<Record<string, JsonValue>>;
        _meta?: Readonly<Record<string, JsonValue>> | undefined;
    } | {
        [x: string]: JsonValue;
        type: "tool_result";
        toolUseId: string;
        content: ({
            [x: string]: JsonValue;
            type: "text";
            text: string;
            annotations?: {
                [x: string]: JsonValue;
                audience?: ("user" | "assistant")[] | undefined;
                priority?: number | undefined;
                lastModified?: string | undefined;
            } | undefined;
            _meta?: Readonly<Record<string, JsonValue>> | undefined;
        } | {
            [x: string]: JsonValue;
            type: "image";
            data: string;
            mimeType: string;
            annotations?: {
                [x: string]: JsonValue;
                audience?: ("user" | "assistant")[] | undefined;
                priority?: number | undefined;
                lastModified?: string | undefined;
            } | undefined;
            _meta?: Readonly<Record<string, JsonValue>> | undefined;
        } | {
            [x: string]: JsonValue;
            type: "audio";
            data: string;
            mimeType: string;
            annotations?: {
                [x: string]: JsonValue;
                audience?: ("user" | "assistant")[] | undefined;
                priority?: number | undefined;
                lastModified?: string | undefined;
            } | undefined;
            _meta?: Readonly<Record<string, JsonValue>> | undefined;
        } | {
            [x: string]: JsonValue;
            type: "resource_link";
            name: string;
            uri: string;
            title?: string | undefined;
            description?: string | undefined;
            mimeType?: string | undefined;
            size?: number | undefined;
            icons?: {
                [x: string]: JsonValue;
                src: string;
                mimeType?: string | undefined;
                sizes?: string[] | undefined;
                theme?: "dark" | "light" | undefined;
            }[] | undefined;
            annotations?: {
                [x: string]: JsonValue;
                audience?: ("user" | "assistant")[] | undefined;
                priority?: number | undefined;
                lastModified?: string | undefined;
            } | undefined;
            _meta?: Readonly<Record<string, JsonValue>> | undefined;
        } | {
            [x: string]: JsonValue;
            type: "resource";
            resource: {
                [x: string]: JsonValue;
                uri: string;
                mimeType?: string | undefined;
                text?: string | undefined;
                blob?: string | undefined;
                _meta?: Readonly<Record<string, JsonValue>> | undefined;
            };
            annotations?: {
                [x: string]: JsonValue;
                audience?: ("user" | "assistant")[] | undefined;
                priority?: number | undefined;
                lastModified?: string | undefined;
            } | undefined;
            _meta?: Readonly<Record<string, JsonValue>> | undefined;
        })[];
        structuredContent?: JsonValue | undefined;
        isError?: boolean | undefined;
        _meta?: Readonly<Record<string, JsonValue>> | undefined;
    } | ({
        [x: string]: JsonValue;
        type: "text";
        text: string;
        annotations?: {
            [x: string]: JsonValue;
            audience?: ("user" | "assistant")[] | undefined;
            priority?: number | undefined;
            lastModified?: string | undefined;
        } | undefined;
        _meta?: Readonly<Record<string, JsonValue>> | undefined;
    } | {
        [x: string]: JsonValue;
        type: "image";
        data: string;
        mimeType: string;
        annotations?: {
            [x: string]: JsonValue;
            audience?: ("user" | "assistant")[] | undefined;
            priority?: number | undefined;
            lastModified?: string | undefined;
        } | undefined;
        _meta?: Readonly<Record<string, JsonValue>> | undefined;
    } | {
        [x: string]: JsonValue;
        type: "audio";
        data: string;
        mimeType: string;
        annotations?: {
            [x: string]: JsonValue;
            audience?: ("user" | "assistant")[] | undefined;
            priority?: number | undefined;
            lastModified?: string | undefined;
        } | undefined;
        _meta?: Readonly<Record<string, JsonValue>> | undefined;
    } | {
        [x: string]: JsonValue;
        type: "tool_use";
        id: string;
        name: string;
        input: Readonly<Record<string, JsonValue>>;
        _meta?: Readonly<Record<string, JsonValue>> | undefined;
    } | {
        [x: string]: JsonValue;
        type: "tool_result";
        toolUseId: string;
        content: ({
            [x: string]: JsonValue;
            type: "text";
            text: string;
            annotations?: {
                [x: string]: JsonValue;
                audience?: ("user" | "assistant")[] | undefined;
                priority?: number | undefined;
                lastModified?: string | undefined;
            } | undefined;
            _meta?: Readonly<Record<string, JsonValue>> | undefined;
        } | {
            [x: string]: JsonValue;
            type: "image";
            data: string;
            mimeType: string;
            annotations?: {
                [x: string]: JsonValue;
                audience?: ("user" | "assistant")[] | undefined;
                priority?: number | undefined;
                lastModified?: string | undefined;
            } | undefined;
            _meta?: Readonly<Record<string, JsonValue>> | undefined;
        } | {
            [x: string]: JsonValue;
            type: "audio";
            data: string;
            mimeType: string;
            annotations?: {
                [x: string]: JsonValue;
                audience?: ("user" | "assistant")[] | undefined;
                priority?: number | undefined;
                lastModified?: string | undefined;
            } | undefined;
            _meta?: Readonly<Record<string, JsonValue>> | undefined;
        } | {
            [x: string]: JsonValue;
            type: "resource_link";
            name: string;
            uri: string;
            title?: string | undefined;
            description?: string | undefined;
            mimeType?: string | undefined;
            size?: number | undefined;
            icons?: {
                [x: string]: JsonValue;
                src: string;
                mimeType?: string | undefined;
                sizes?: string[] | undefined;
                theme?: "dark" | "light" | undefined;
            }[] | undefined;
            annotations?: {
                [x: string]: JsonValue;
                audience?: ("user" | "assistant")[] | undefined;
                priority?: number | undefined;
                lastModified?: string | undefined;
            } | undefined;
            _meta?: Readonly<Record<string, JsonValue>> | undefined;
        } | {
            [x: string]: JsonValue;
            type: "resource";
            resource: {
                [x: string]: JsonValue;
                uri: string;
                mimeType?: string | undefined;
                text?: string | undefined;
                blob?: string | undefined;
                _meta?: Readonly<Record<string, JsonValue>> | undefined;
            };
            annotations?: {
                [x: string]: JsonValue;
                audience?: ("user" | "assistant")[] | undefined;
                priority?: number | undefined;
                lastModified?: string | undefined;
            } | undefined;
            _meta?: Readonly<Record<string, JsonValue>> | undefined;
        })[];
        structuredContent?: JsonValue | undefined;
        isError?: boolean | undefined;
        _meta?: Readonly<Record<string, JsonValue>> | undefined;
    })[];
    model: string;
    role: "user" | "assistant";
    stopReason?: string | undefined;
    _meta?: Readonly<Record<string, JsonValue>> | undefined;
}, unknown>>;
declare const ListRootsResultV2Schema: z.ZodPipe<z.ZodUnknown, z.ZodTransform<{
    [x: string]: JsonValue;
    roots: {
        [x: string]: JsonValue;
        uri: string;
        name?: string | undefined;
        _meta?: Readonly<Record<string, JsonValue>> | undefined;
    }[];
}, unknown>>;
declare const ElicitResultV2Schema: z.ZodPipe<z.ZodUnknown, z.ZodTransform<{
    [x: string]: JsonValue;
    action: "cancel" | "accept" | "decline";
    content?: Record<string, string | number | boolean | string[]> | undefined;
}, unknown>>;
declare const InputResponseV2Schema: z.ZodUnion<readonly [z.ZodPipe<z.ZodUnknown, z.ZodTransform<{
    [x: string]: JsonValue;
    action: "cancel" | "accept" | "decline";
    content?: Record<string, string | number | boolean | string[]> | undefined;
}, unknown>>, z.ZodPipe<z.ZodUnknown, z.ZodTransform<{
    [x: string]: JsonValue;
    roots: {
        [x: string]: JsonValue;
        uri: string;
        name?: string | undefined;
        _meta?: Readonly<Record<string, JsonValue>> | undefined;
    }[];
}, unknown>>, z.ZodPipe<z.ZodUnknown, z.ZodTransform<{
    [x: string]: JsonValue;
    content: {
        [x: string]: JsonValue;
        type: "text";
        text: string;
        annotations?: {
            [x: string]: JsonValue;
            audience?: ("user" | "assistant")[] | undefined;
            priority?: number | undefined;
            lastModified?: string | undefined;
        } | undefined;
        _meta?: Readonly<Record<string, JsonValue>> | undefined;
    } | {
        [x: string]: JsonValue;
        type: "image";
        data: string;
        mimeType: string;
        annotations?: {
            [x: string]: JsonValue;
            audience?: ("user" | "assistant")[] | undefined;
            priority?: number | undefined;
            lastModified?: string | undefined;
        } | undefined;
        _meta?: Readonly<Record<string, JsonValue>> | undefined;
    } | {
        [x: string]: JsonValue;
        type: "audio";
        data: string;
        mimeType: string;
        annotations?: {
            [x: string]: JsonValue;
            audience?: ("user" | "assistant")[] | undefined;
            priority?: number | undefined;
            lastModified?: string | undefined;
        } | undefined;
        _meta?: Readonly<Record<string, JsonValue>> | undefined;
    } | {
        [x: string]: JsonValue;
        type: "tool_use";
        id: string;
        name: string;
        input: Readonly<Record<string, JsonValue>>;
        _meta?: Readonly<Record<string, JsonValue>> | undefined;
    } | {
        [x: string]: JsonValue;
        type: "tool_result";
        toolUseId: string;
        content: ({
            [x: string]: JsonValue;
            type: "text";
            text: string;
            annotations?: {
                [x: string]: JsonValue;
                audience?: ("user" | "assistant")[] | undefined;
                priority?: number | undefined;
                lastModified?: string | undefined;
            } | undefined;
            _meta?: Readonly<Record<string, JsonValue>> | undefined;
        } | {
            [x: string]: JsonValue;
            type: "image";
            data: string;
            mimeType: string;
            annotations?: {
                [x: string]: JsonValue;
                audience?: ("user" | "assistant")[] | undefined;
                priority?: number | undefined;
                lastModified?: string | undefined;
            } | undefined;
            _meta?: Readonly<Record<string, JsonValue>> | undefined;
        } | {
            [x: string]: JsonValue;
            type: "audio";
            data: string;
            mimeType: string;
            annotations?: {
                [x: string]: JsonValue;
                audience?: ("user" | "assistant")[] | undefined;
                priority?: number | undefined;
                lastModified?: string | undefined;
            } | undefined;
            _meta?: Readonly<Record<string, JsonValue>> | undefined;
        } | {
            [x: string]: JsonValue;
            type: "resource_link";
            name: string;
            uri: string;
            title?: string | undefined;
            description?: string | undefined;
            mimeType?: string | undefined;
            size?: number | undefined;
            icons?: {
                [x: string]: JsonValue;
                src: string;
                mimeType?: string | undefined;
                sizes?: string[] | undefined;
                theme?: "dark" | "light" | undefined;
            }[] | undefined;
            annotations?: {
                [x: string]: JsonValue;
                audience?: ("user" | "assistant")[] | undefined;
                priority?: number | undefined;
                lastModified?: string | undefined;
            } | undefined;
            _meta?: Readonly<Record<string, JsonValue>> | undefined;
        } | {
            [x: string]: JsonValue;
            type: "resource";
            resource: {
                [x: string]: JsonValue;
                uri: string;
                mimeType?: string | undefined;
                text?: string | undefined;
                blob?: string | undefined;
                _meta?: Readonly<Record<string, JsonValue>> | undefined;
            };
            annotations?: {
                [x: string]: JsonValue;
                audience?: ("user" | "assistant")[] | undefined;
                priority?: number | undefined;
                lastModified?: string | undefined;
            } | undefined;
            _meta?: Readonly<Record<string, JsonValue>> | undefined;
        })[];
        structuredContent?: JsonValue | undefined;
        isError?: boolean | undefined;
        _meta?: Readonly<Record<string, JsonValue>> | undefined;
    } | ({
        [x: string]: JsonValue;
        type: "text";
        text: string;
        annotations?: {
            [x: string]: JsonValue;
            audience?: ("user" | "assistant")[] | undefined;
            priority?: number | undefined;
            lastModified?: string | undefined;
        } | undefined;
        _meta?: Readonly<Record<string, JsonValue>> | undefined;
    } | {
        [x: string]: JsonValue;
        type: "image";
        data: string;
        mimeType: string;
        annotations?: {
            [x: string]: JsonValue;
            audience?: ("user" | "assistant")[] | undefined;
            priority?: number | undefined;
            lastModified?: string | undefined;
        } | undefined;
        _meta?: Readonly<Record<string, JsonValue>> | undefined;
    } | {
        [x: string]: JsonValue;
        type: "audio";
        data: string;
        mimeType: string;
        annotations?: {
            [x: string]: JsonValue;
            audience?: ("user" | "assistant")[] | undefined;
            priority?: number | undefined;
            lastModified?: string | undefined;
        } | undefined;
        _meta?: Readonly<Record<string, JsonValue>> | undefined;
    } | {
        [x: string]: JsonValue;
        type: "tool_use";
        id: string;
        name: string;
        input: Readonly<Record<string, JsonValue>>;
        _meta?: Readonly<Record<string, JsonValue>> | undefined;
    } | {
        [x: string]: JsonValue;
        type: "tool_result";
        toolUseId: string;
        content: ({
            [x: string]: JsonValue;
            type: "text";
            text: string;
            annotations?: {
                [x: string]: JsonValue;
                audience?: ("user" | "assistant")[] | undefined;
                priority?: number | undefined;
                lastModified?: string | undefined;
            } | undefined;
            _meta?: Readonly<Record<string, JsonValue>> | undefined;
        } | {
            [x: string]: JsonValue;
            type: "image";
            data: string;
            mimeType: string;
            annotations?: {
                [x: string]: JsonValue;
                audience?: ("user" | "assistant")[] | undefined;
                priority?: number | undefined;
                lastModified?: string | undefined;
            } | undefined;
            _meta?: Readonly<Record<string, JsonValue>> | undefined;
        } | {
            [x: string]: JsonValue;
            type: "audio";
            data: string;
            mimeType: string;
            annotations?: {
                [x: string]: JsonValue;
                audience?: ("user" | "assistant")[] | undefined;
                priority?: number | undefined;
                lastModified?: string | undefined;
            } | undefined;
            _meta?: Readonly<Record<string, JsonValue>> | undefined;
        } | {
            [x: string]: JsonValue;
            type: "resource_link";
            name: string;
            uri: string;
            title?: string | undefined;
            description?: string | undefined;
            mimeType?: string | undefined;
            size?: number | undefined;
            icons?: {
                [x: string]: JsonValue;
                src: string;
                mimeType?: string | undefined;
                sizes?: string[] | undefined;
                theme?: "dark" | "light" | undefined;
            }[] | undefined;
            annotations?: {
                [x: string]: JsonValue;
                audience?: ("user" | "assistant")[] | undefined;
                priority?: number | undefined;
                lastModified?: string | undefined;
            } | undefined;
            _meta?: Readonly<Record<string, JsonValue>> | undefined;
        } | {
            [x: string]: JsonValue;
            type: "resource";
            resource: {
                [x: string]: JsonValue;
                uri: string;
                mimeType?: string | undefined;
                text?: string | undefined;
                blob?: string | undefined;
                _meta?: Readonly<Record<string, JsonValue>> | undefined;
            };
            annotations?: {
                [x: string]: JsonValue;
                audience?: ("user" | "assistant")[] | undefined;
                priority?: number | undefined;
                lastModified?: string | undefined;
            } | undefined;
            _meta?: Readonly<Record<string, JsonValue>> | undefined;
        })[];
        structuredContent?: JsonValue | undefined;
        isError?: boolean | undefined;
        _meta?: Readonly<Record<string, JsonValue>> | undefined;
    })[];
    model: string;
    role: "user" | "assistant";
    stopReason?: string | undefined;
    _meta?: Readonly<Record<string, JsonValue>> | undefined;
}, unknown>>]>;
declare const InputResponsesV2Schema: z.ZodRecord<z.ZodString, z.ZodUnion<readonly [z.ZodPipe<z.ZodUnknown, z.ZodTransform<{
    [x: string]: JsonValue;
    action: "cancel" | "accept" | "decline";
    content?: Record<string, string | number | boolean | string[]> | undefined;
}, unknown>>, z.ZodPipe<z.ZodUnknown, z.ZodTransform<{
    [x: string]: JsonValue;
    roots: {
        [x: string]: JsonValue;
        uri: string;
        name?: string | undefined;
        _meta?: Readonly<Record<string, JsonValue>> | undefined;
    }[];
}, unknown>>, z.ZodPipe<z.ZodUnknown, z.ZodTransform<{
    [x: string]: JsonValue;
    content: {
        [x: string]: JsonValue;
        type: "text";
        text: string;
        annotations?: {
            [x: string]: JsonValue;
            audience?: ("user" | "assistant")[] | undefined;
            priority?: number | undefined;
            lastModified?: string | undefined;
        } | undefined;
        _meta?: Readonly<Record<string, JsonValue>> | undefined;
    } | {
        [x: string]: JsonValue;
        type: "image";
        data: string;
        mimeType: string;
        annotations?: {
            [x: string]: JsonValue;
            audience?: ("user" | "assistant")[] | undefined;
            priority?: number | undefined;
            lastModified?: string | undefined;
        } | undefined;
        _meta?: Readonly<Record<string, JsonValue>> | undefined;
    } | {
        [x: string]: JsonValue;
        type: "audio";
        data: string;
        mimeType: string;
        annotations?: {
            [x: string]: JsonValue;
            audience?: ("user" | "assistant")[] | undefined;
            priority?: number | undefined;
            lastModified?: string | undefined;
        } | undefined;
        _meta?: Readonly<Record<string, JsonValue>> | undefined;
    } | {
        [x: string]: JsonValue;
        type: "tool_use";
        id: string;
        name: string;
        input: Readonly<Record<string, JsonValue>>;
        _meta?: Readonly<Record<string, JsonValue>> | undefined;
    } | {
        [x: string]: JsonValue;
        type: "tool_result";
        toolUseId: string;
        content: ({
            [x: string]: JsonValue;
            type: "text";
            text: string;
            annotations?: {
                [x: string]: JsonValue;
                audience?: ("user" | "assistant")[] | undefined;
                priority?: number | undefined;
                lastModified?: string | undefined;
            } | undefined;
            _meta?: Readonly<Record<string, JsonValue>> | undefined;
        } | {
            [x: string]: JsonValue;
            type: "image";
            data: string;
            mimeType: string;
            annotations?: {
                [x: string]: JsonValue;
                audience?: ("user" | "assistant")[] | undefined;
                priority?: number | undefined;
                lastModified?: string | undefined;
            } | undefined;
            _meta?: Readonly<Record<string, JsonValue>> | undefined;
        } | {
            [x: string]: JsonValue;
            type: "audio";
            data: string;
            mimeType: string;
            annotations?: {
                [x: string]: JsonValue;
                audience?: ("user" | "assistant")[] | undefined;
                priority?: number | undefined;
                lastModified?: string | undefined;
            } | undefined;
            _meta?: Readonly<Record<string, JsonValue>> | undefined;
        } | {
            [x: string]: JsonValue;
            type: "resource_link";
            name: string;
            uri: string;
            title?: string | undefined;
            description?: string | undefined;
            mimeType?: string | undefined;
            size?: number | undefined;
            icons?: {
                [x: string]: JsonValue;
                src: string;
                mimeType?: string | undefined;
                sizes?: string[] | undefined;
                theme?: "dark" | "light" | undefined;
            }[] | undefined;
            annotations?: {
                [x: string]: JsonValue;
                audience?: ("user" | "assistant")[] | undefined;
                priority?: number | undefined;
                lastModified?: string | undefined;
            } | undefined;
            _meta?: Readonly<Record<string, JsonValue>> | undefined;
        } | {
            [x: string]: JsonValue;
            type: "resource";
            resource: {
                [x: string]: JsonValue;
                uri: string;
                mimeType?: string | undefined;
                text?: string | undefined;
                blob?: string | undefined;
                _meta?: Readonly<Record<string, JsonValue>> | undefined;
            };
            annotations?: {
                [x: string]: JsonValue;
                audience?: ("user" | "assistant")[] | undefined;
                priority?: number | undefined;
                lastModified?: string | undefined;
            } | undefined;
            _meta?: Readonly<Record<string, JsonValue>> | undefined;
        })[];
        structuredContent?: JsonValue | undefined;
        isError?: boolean | undefined;
        _meta?: Readonly<Record<string, JsonValue>> | undefined;
    } | ({
        [x: string]: JsonValue;
        type: "text";
        text: string;
        annotations?: {
            [x: string]: JsonValue;
            audience?: ("user" | "assistant")[] | undefined;
            priority?: number | undefined;
            lastModified?: string | undefined;
        } | undefined;
        _meta?: Readonly<Record<string, JsonValue>> | undefined;
    } | {
        [x: string]: JsonValue;
        type: "image";
        data: string;
        mimeType: string;
        annotations?: {
            [x: string]: JsonValue;
            audience?: ("user" | "assistant")[] | undefined;
            priority?: number | undefined;
            lastModified?: string | undefined;
        } | undefined;
        _meta?: Readonly<Record<string, JsonValue>> | undefined;
    } | {
        [x: string]: JsonValue;
        type: "audio";
        data: string;
        mimeType: string;
        annotations?: {
            [x: string]: JsonValue;
            audience?: ("user" | "assistant")[] | undefined;
            priority?: number | undefined;
            lastModified?: string | undefined;
        } | undefined;
        _meta?: Readonly<Record<string, JsonValue>> | undefined;
    } | {
        [x: string]: JsonValue;
        type: "tool_use";
        id: string;
        name: string;
        input: Readonly<Record<string, JsonValue>>;
        _meta?: Readonly<Record<string, JsonValue>> | undefined;
    } | {
        [x: string]: JsonValue;
        type: "tool_result";
        toolUseId: string;
        content: ({
            [x: string]: JsonValue;
            type: "text";
            text: string;
            annotations?: {
                [x: string]: JsonValue;
                audience?: ("user" | "assistant")[] | undefined;
                priority?: number | undefined;
                lastModified?: string | undefined;
            } | undefined;
            _meta?: Readonly<Record<string, JsonValue>> | undefined;
        } | {
            [x: string]: JsonValue;
            type: "image";
            data: string;
            mimeType: string;
            annotations?: {
                [x: string]: JsonValue;
                audience?: ("user" | "assistant")[] | undefined;
                priority?: number | undefined;
                lastModified?: string | undefined;
            } | undefined;
            _meta?: Readonly<Record<string, JsonValue>> | undefined;
        } | {
            [x: string]: JsonValue;
            type: "audio";
            data: string;
            mimeType: string;
            annotations?: {
                [x: string]: JsonValue;
                audience?: ("user" | "assistant")[] | undefined;
                priority?: number | undefined;
                lastModified?: string | undefined;
            } | undefined;
            _meta?: Readonly<Record<string, JsonValue>> | undefined;
        } | {
            [x: string]: JsonValue;
            type: "resource_link";
            name: string;
            uri: string;
            title?: string | undefined;
            description?: string | undefined;
            mimeType?: string | undefined;
            size?: number | undefined;
            icons?: {
                [x: string]: JsonValue;
                src: string;
                mimeType?: string | undefined;
                sizes?: string[] | undefined;
                theme?: "dark" | "light" | undefined;
            }[] | undefined;
            annotations?: {
                [x: string]: JsonValue;
                audience?: ("user" | "assistant")[] | undefined;
                priority?: number | undefined;
                lastModified?: string | undefined;
            } | undefined;
            _meta?: Readonly<Record<string, JsonValue>> | undefined;
        } | {
            [x: string]: JsonValue;
            type: "resource";
            resource: {
                [x: string]: JsonValue;
                uri: string;
                mimeType?: string | undefined;
                text?: string | undefined;
                blob?: string | undefined;
                _meta?: Readonly<Record<string, JsonValue>> | undefined;
            };
            annotations?: {
                [x: string]: JsonValue;
                audience?: ("user" | "assistant")[] | undefined;
                priority?: number | undefined;
                lastModified?: string | undefined;
            } | undefined;
            _meta?: Readonly<Record<string, JsonValue>> | undefined;
        })[];
        structuredContent?: JsonValue | undefined;
        isError?: boolean | undefined;
        _meta?: Readonly<Record<string, JsonValue>> | undefined;
    })[];
    model: string;
    role: "user" | "assistant";
    stopReason?: string | undefined;
    _meta?: Readonly<Record<string, JsonValue>> | undefined;
}, unknown>>]>>;
declare const WorkingTaskV2Schema: z.ZodObject<{
    status: z.ZodLiteral<"working">;
    taskId: z.ZodString;
    statusMessage: z.ZodOptional<z.ZodString>;
    createdAt: z.ZodString;
    lastUpdatedAt: z.ZodString;
    ttlMs: z.ZodNullable<z.ZodInt>;
    pollIntervalMs: z.ZodOptional<z.ZodInt>;
}, z.core.$strip>;
declare const InputRequiredTaskV2Schema: z.ZodObject<{
    status: z.ZodLiteral<"input_required">;
    inputRequests: z.ZodRecord<z.ZodString, z.ZodDiscriminatedUnion<[z.ZodObject<{
        method: z.ZodLiteral<"sampling/createMessage">;
        params: z.ZodPipe<z.ZodUnknown, z.ZodTransform<{
            [x: string]: JsonValue;
            messages: {
                [x: string]: JsonValue;
                role: "user" | "assistant";
                content: {
                    [x: string]: JsonValue;
                    type: "text";
                    text: string;
                    annotations?: {
                        [x: string]: JsonValue;
                        audience?: ("user" | "assistant")[] | undefined;
                        priority?: number | undefined;
                        lastModified?: string | undefined;
                    } | undefined;
                    _meta?: Readonly<Record<string, JsonValue>> | undefined;
                } | {
                    [x: string]: JsonValue;
                    type: "image";
                    data: string;
                    mimeType: string;
                    annotations?: {
                        [x: string]: JsonValue;
                        audience?: ("user" | "assistant")[] | undefined;
                        priority?: number | undefined;
                        lastModified?: string | undefined;
                    } | undefined;
                    _meta?: Readonly<Record<string, JsonValue>> | undefined;
                } | {
                    [x: string]: JsonValue;
                    type: "audio";
                    data: string;
                    mimeType: string;
                    annotations?: {
                        [x: string]: JsonValue;
                        audience?: ("user" | "assistant")[] | undefined;
                        priority?: number | undefined;
                        lastModified?: string | undefined;
                    } | undefined;
                    _meta?: Readonly<Record<string, JsonValue>> | undefined;
                } | {
                    [x: string]: JsonValue;
                    type: "tool_use";
                    id: string;
                    name: string;
                    input: Readonly<Record<string, JsonValue>>;
                    _meta?: Readonly<Record<string, JsonValue>> | undefined;
                } | {
                    [x: string]: JsonValue;
                    type: "tool_result";
                    toolUseId: string;
                    content: ({
                        [x: string]: JsonValue;
                        type: "text";
                        text: string;
                        annotations?: {
                            [x: string]: JsonValue;
                            audience?: ("user" | "assistant")[] | undefined;
                            priority?: number | undefined;
                            lastModified?: string | undefined;
                        } | undefined;
                        _meta?: Readonly<Record<string, JsonValue>> | undefined;
                    } | {
                        [x: string]: JsonValue;
                        type: "image";
                        data: string;
                        mimeType: string;
                        annotations?: {
                            [x: string]: JsonValue;
                            audience?: ("user" | "assistant")[] | undefined;
                            priority?: number | undefined;
                            lastModified?: string | undefined;
                        } | undefined;
                        _meta?: Readonly<Record<string, JsonValue>> | undefined;
                    } | {
                        [x: string]: JsonValue;
                        type: "audio";
                        data: string;
                        mimeType: string;
                        annotations?: {
                            [x: string]: JsonValue;
                            audience?: ("user" | "assistant")[] | undefined;
                            priority?: number | undefined;
                            lastModified?: string | undefined;
                        } | undefined;
                        _meta?: Readonly<Record<string, JsonValue>> | undefined;
                    } | {
                        [x: string]: JsonValue;
                        type: "resource_link";
                        name: string;
                        uri: string;
                        title?: string | undefined;
                        description?: string | undefined;
                        mimeType?: string | undefined;
                        size?: number | undefined;
                        icons?: {
                            [x: string]: JsonValue;
                            src: string;
                            mimeType?: string | undefined;
                            sizes?: string[] | undefined;
                            theme?: "dark" | "light" | undefined;
                        }[] | undefined;
                        annotations?: {
                            [x: string]: JsonValue;
                            audience?: ("user" | "assistant")[] | undefined;
                            priority?: number | undefined;
                            lastModified?: string | undefined;
                        } | undefined;
                        _meta?: Readonly<Record<string, JsonValue>> | undefined;
                    } | {
                        [x: string]: JsonValue;
                        type: "resource";
                        resource: {
                            [x: string]: JsonValue;
                            uri: string;
                            mimeType?: string | undefined;
                            text?: string | undefined;
                            blob?: string | undefined;
                            _meta?: Readonly<Record<string, JsonValue>> | undefined;
                        };
                        annotations?: {
                            [x: string]: JsonValue;
                            audience?: ("user" | "assistant")[] | undefined;
                            priority?: number | undefined;
                            lastModified?: string | undefined;
                        } | undefined;
                        _meta?: Readonly<Record<string, JsonValue>> | undefined;
                    })[];
                    structuredContent?: JsonValue | undefined;
                    isError?: boolean | undefined;
                    _meta?: Readonly<Record<string, JsonValue>> | undefined;
                } | ({
                    [x: string]: JsonValue;
                    type: "text";
                    text: string;
                    annotations?: {
                        [x: string]: JsonValue;
                        audience?: ("user" | "assistant")[] | undefined;
                        priority?: number | undefined;
                        lastModified?: string | undefined;
                    } | undefined;
                    _meta?: Readonly<Record<string, JsonValue>> | undefined;
                } | {
                    [x: string]: JsonValue;
                    type: "image";
                    data: string;
                    mimeType: string;
                    annotations?: {
                        [x: string]: JsonValue;
                        audience?: ("user" | "assistant")[] | undefined;
                        priority?: number | undefined;
                        lastModified?: string | undefined;
                    } | undefined;
                    _meta?: Readonly<Record<string, JsonValue>> | undefined;
                } | {
                    [x: string]: JsonValue;
                    type: "audio";
                    data: string;
                    mimeType: string;
                    annotations?: {
                        [x: string]: JsonValue;
                        audience?: ("user" | "assistant")[] | undefined;
                        priority?: number | undefined;
                        lastModified?: string | undefined;
                    } | undefined;
                    _meta?: Readonly<Record<string, JsonValue>> | undefined;
                } | {
                    [x: string]: JsonValue;
                    type: "tool_use";
                    id: string;
                    name: string;
                    input: Readonly<Record<string, JsonValue>>;
                    _meta?: Readonly<Record<string, JsonValue>> | undefined;
                } | {
                    [x: string]: JsonValue;
                    type: "tool_result";
                    toolUseId: string;
                    content: ({
                        [x: string]: JsonValue;
                        type: "text";
                        text: string;
                        annotations?: {
                            [x: string]: JsonValue;
                            audience?: ("user" | "assistant")[] | undefined;
                            priority?: number | undefined;
                            lastModified?: string | undefined;
                        } | undefined;
                        _meta?: Readonly<Record<string, JsonValue>> | undefined;
                    } | {
                        [x: string]: JsonValue;
                        type: "image";
                        data: string;
                        mimeType: string;
                        annotations?: {
                            [x: string]: JsonValue;
                            audience?: ("user" | "assistant")[] | undefined;
                            priority?: number | undefined;
                            lastModified?: string | undefined;
                        } | undefined;
                        _meta?: Readonly<Record<string, JsonValue>> | undefined;
                    } | {
                        [x: string]: JsonValue;
                        type: "audio";
                        data: string;
                        mimeType: string;
                        annotations?: {
                            [x: string]: JsonValue;
                            audience?: ("user" | "assistant")[] | undefined;
                            priority?: number | undefined;
                            lastModified?: string | undefined;
                        } | undefined;
                        _meta?: Readonly<Record<string, JsonValue>> | undefined;
                    } | {
                        [x: string]: JsonValue;
                        type: "resource_link";
                        name: string;
                        uri: string;
                        title?: string | undefined;
                        description?: string | undefined;
                        mimeType?: string | undefined;
                        size?: number | undefined;
                        icons?: {
                            [x: string]: JsonValue;
                            src: string;
                            mimeType?: string | undefined;
                            sizes?: string[] | undefined;
                            theme?: "dark" | "light" | undefined;
                        }[] | undefined;
                        annotations?: {
                            [x: string]: JsonValue;
                            audience?: ("user" | "assistant")[] | undefined;
                            priority?: number | undefined;
                            lastModified?: string | undefined;
                        } | undefined;
                        _meta?: Readonly<Record<string, JsonValue>> | undefined;
                    } | {
                        [x: string]: JsonValue;
                        type: "resource";
                        resource: {
                            [x: string]: JsonValue;
                            uri: string;
                            mimeType?: string | undefined;
                            text?: string | undefined;
                            blob?: string | undefined;
                            _meta?: Readonly<Record<string, JsonValue>> | undefined;
                        };
                        annotations?: {
                            [x: string]: JsonValue;
                            audience?: ("user" | "assistant")[] | undefined;
                            priority?: number | undefined;
                            lastModified?: string | undefined;
                        } | undefined;
                        _meta?: Readonly<Record<string, JsonValue>> | undefined;
                    })[];
                    structuredContent?: JsonValue | undefined;
                    isError?: boolean | undefined;
                    _meta?: Readonly<Record<string, JsonValue>> | undefined;
                })[];
                _meta?: Readonly<Record<string, JsonValue>> | undefined;
            }[];
            maxTokens: number;
            systemPrompt?: string | undefined;
            includeContext?: "allServers" | "none" | "thisServer" | undefined;
            temperature?: number | undefined;
            stopSequences?: string[] | undefined;
            metadata?: Readonly<Record<string, JsonValue>> | undefined;
            modelPreferences?: Readonly<Record<string, JsonValue>> | undefined;
            toolChoice?: Readonly<Record<string, JsonValue>> | undefined;
            tools?: Readonly<Record<string, JsonValue>>[] | undefined;
            _meta?: Readonly<Record<string, JsonValue>> | undefined;
        }, unknown>>;
    }, z.core.$strip>, z.ZodObject<{
        method: z.ZodLiteral<"roots/list">;
        params: z.ZodOptional<z.ZodCustom<Readonly<Record<string, JsonValue>>, Readonly<Record<string, JsonValue>>>>;
    }, z.core.$strip>, z.ZodObject<{
        method: z.ZodLiteral<"elicitation/create">;
        params: z.ZodUnion<readonly [z.ZodPipe<z.ZodUnknown, z.ZodTransform<{
            [x: string]: JsonValue;
            message: string;
            requestedSchema: Readonly<Record<string, JsonValue>>;
            mode?: "form" | undefined;
            _meta?: Readonly<Record<string, JsonValue>> | undefined;
        }, unknown>>, z.ZodPipe<z.ZodUnknown, z.ZodTransform<{
            [x: string]: JsonValue;
            mode: "url";
            message: string;
            url: string;
            _meta?: Readonly<Record<string, JsonValue>> | undefined;
        }, unknown>>]>;
    }, z.core.$strip>], "method">>;
    taskId: z.ZodString;
    statusMessage: z.ZodOptional<z.ZodString>;
    createdAt: z.ZodString;
    lastUpdatedAt: z.ZodString;
    ttlMs: z.ZodNullable<z.ZodInt>;
    pollIntervalMs: z.ZodOptional<z.ZodInt>;
}, z.core.$strip>;
declare const CompletedTaskV2Schema: z.ZodObject<{
    status: z.ZodLiteral<"completed">;
    result: z.ZodCustom<Readonly<Record<string, JsonValue>>, Readonly<Record<string, JsonValue>>>;
    taskId: z.ZodString;
    statusMessage: z.ZodOptional<z.ZodString>;
    createdAt: z.ZodString;
    lastUpdatedAt: z.ZodString;
    ttlMs: z.ZodNullable<z.ZodInt>;
    pollIntervalMs: z.ZodOptional<z.ZodInt>;
}, z.core.$strip>;
declare const FailedTaskV2Schema: z.ZodObject<{
    status: z.ZodLiteral<"failed">;
    error: z.ZodObject<{
        code: z.ZodInt;
        message: z.ZodString;
        data: z.ZodOptional<z.ZodType<JsonValue, unknown, z.core.$ZodTypeInternals<JsonValue, unknown>>>;
    }, z.core.$strip>;
    taskId: z.ZodString;
    statusMessage: z.ZodOptional<z.ZodString>;
    createdAt: z.ZodString;
    lastUpdatedAt: z.ZodString;
    ttlMs: z.ZodNullable<z.ZodInt>;
    pollIntervalMs: z.ZodOptional<z.ZodInt>;
}, z.core.$strip>;
declare const CancelledTaskV2Schema: z.ZodObject<{
    status: z.ZodLiteral<"cancelled">;
    taskId: z.ZodString;
    statusMessage: z.ZodOptional<z.ZodString>;
    createdAt: z.ZodString;
    lastUpdatedAt: z.ZodString;
    ttlMs: z.ZodNullable<z.ZodInt>;
    pollIntervalMs: z.ZodOptional<z.ZodInt>;
}, z.core.$strip>;
declare const DetailedTaskV2Schema: z.ZodDiscriminatedUnion<[z.ZodObject<{
    status: z.ZodLiteral<"working">;
    taskId: z.ZodString;
    statusMessage: z.ZodOptional<z.ZodString>;
    createdAt: z.ZodString;
    lastUpdatedAt: z.ZodString;
    ttlMs: z.ZodNullable<z.ZodInt>;
    pollIntervalMs: z.ZodOptional<z.ZodInt>;
}, z.core.$strip>, z.ZodObject<{
    status: z.ZodLiteral<"input_required">;
    inputRequests: z.ZodRecord<z.ZodString, z.ZodDiscriminatedUnion<[z.ZodObject<{
        method: z.ZodLiteral<"sampling/createMessage">;
        params: z.ZodPipe<z.ZodUnknown, z.ZodTransform<{
            [x: string]: JsonValue;
            messages: {
                [x: string]: JsonValue;
                role: "user" | "assistant";
                content: {
                    [x: string]: JsonValue;
                    type: "text";
                    text: string;
                    annotations?: {
                        [x: string]: JsonValue;
                        audience?: ("user" | "assistant")[] | undefined;
                        priority?: number | undefined;
                        lastModified?: string | undefined;
                    } | undefined;
                    _meta?: Readonly<Record<string, JsonValue>> | undefined;
                } | {
                    [x: string]: JsonValue;
                    type: "image";
                    data: string;
                    mimeType: string;
                    annotations?: {
                        [x: string]: JsonValue;
                        audience?: ("user" | "assistant")[] | undefined;
                        priority?: number | undefined;
                        lastModified?: string | undefined;
                    } | undefined;
                    _meta?: Readonly<Record<string, JsonValue>> | undefined;
                } | {
                    [x: string]: JsonValue;
                    type: "audio";
                    data: string;
                    mimeType: string;
                    annotations?: {
                        [x: string]: JsonValue;
                        audience?: ("user" | "assistant")[] | undefined;
                        priority?: number | undefined;
                        lastModified?: string | undefined;
                    } | undefined;
                    _meta?: Readonly<Record<string, JsonValue>> | undefined;
                } | {
                    [x: string]: JsonValue;
                    type: "tool_use";
                    id: string;
                    name: string;
                    input: Readonly<Record<string, JsonValue>>;
                    _meta?: Readonly<Record<string, JsonValue>> | undefined;
                } | {
                    [x: string]: JsonValue;
                    type: "tool_result";
                    toolUseId: string;
                    content: ({
                        [x: string]: JsonValue;
                        type: "text";
                        text: string;
                        annotations?: {
                            [x: string]: JsonValue;
                            audience?: ("user" | "assistant")[] | undefined;
                            priority?: number | undefined;
                            lastModified?: string | undefined;
                        } | undefined;
                        _meta?: Readonly<Record<string, JsonValue>> | undefined;
                    } | {
                        [x: string]: JsonValue;
                        type: "image";
                        data: string;
                        mimeType: string;
                        annotations?: {
                            [x: string]: JsonValue;
                            audience?: ("user" | "assistant")[] | undefined;
                            priority?: number | undefined;
                            lastModified?: string | undefined;
                        } | undefined;
                        _meta?: Readonly<Record<string, JsonValue>> | undefined;
                    } | {
                        [x: string]: JsonValue;
                        type: "audio";
                        data: string;
                        mimeType: string;
                        annotations?: {
                            [x: string]: JsonValue;
                            audience?: ("user" | "assistant")[] | undefined;
                            priority?: number | undefined;
                            lastModified?: string | undefined;
                        } | undefined;
                        _meta?: Readonly<Record<string, JsonValue>> | undefined;
                    } | {
                        [x: string]: JsonValue;
                        type: "resource_link";
                        name: string;
                        uri: string;
                        title?: string | undefined;
                        description?: string | undefined;
                        mimeType?: string | undefined;
                        size?: number | undefined;
                        icons?: {
                            [x: string]: JsonValue;
                            src: string;
                            mimeType?: string | undefined;
                            sizes?: string[] | undefined;
                            theme?: "dark" | "light" | undefined;
                        }[] | undefined;
                        annotations?: {
                            [x: string]: JsonValue;
                            audience?: ("user" | "assistant")[] | undefined;
                            priority?: number | undefined;
                            lastModified?: string | undefined;
                        } | undefined;
                        _meta?: Readonly<Record<string, JsonValue>> | undefined;
                    } | {
                        [x: string]: JsonValue;
                        type: "resource";
                        resource: {
                            [x: string]: JsonValue;
                            uri: string;
                            mimeType?: string | undefined;
                            text?: string | undefined;
                            blob?: string | undefined;
                            _meta?: Readonly<Record<string, JsonValue>> | undefined;
                        };
                        annotations?: {
                            [x: string]: JsonValue;
                            audience?: ("user" | "assistant")[] | undefined;
                            priority?: number | undefined;
                            lastModified?: string | undefined;
                        } | undefined;
                        _meta?: Readonly<Record<string, JsonValue>> | undefined;
                    })[];
                    structuredContent?: JsonValue | undefined;
                    isError?: boolean | undefined;
                    _meta?: Readonly<Record<string, JsonValue>> | undefined;
                } | ({
                    [x: string]: JsonValue;
                    type: "text";
                    text: string;
                    annotations?: {
                        [x: string]: JsonValue;
                        audience?: ("user" | "assistant")[] | undefined;
                        priority?: number | undefined;
                        lastModified?: string | undefined;
                    } | undefined;
                    _meta?: Readonly<Record<string, JsonValue>> | undefined;
                } | {
                    [x: string]: JsonValue;
                    type: "image";
                    data: string;
                    mimeType: string;
                    annotations?: {
                        [x: string]: JsonValue;
                        audience?: ("user" | "assistant")[] | undefined;
                        priority?: number | undefined;
                        lastModified?: string | undefined;
                    } | undefined;
                    _meta?: Readonly<Record<string, JsonValue>> | undefined;
                } | {
                    [x: string]: JsonValue;
                    type: "audio";
                    data: string;
                    mimeType: string;
                    annotations?: {
                        [x: string]: JsonValue;
                        audience?: ("user" | "assistant")[] | undefined;
                        priority?: number | undefined;
                        lastModified?: string | undefined;
                    } | undefined;
                    _meta?: Readonly<Record<string, JsonValue>> | undefined;
                } | {
                    [x: string]: JsonValue;
                    type: "tool_use";
                    id: string;
                    name: string;
                    input: Readonly<Record<string, JsonValue>>;
                    _meta?: Readonly<Record<string, JsonValue>> | undefined;
                } | {
                    [x: string]: JsonValue;
                    type: "tool_result";
                    toolUseId: string;
                    content: ({
                        [x: string]: JsonValue;
                        type: "text";
                        text: string;
                        annotations?: {
                            [x: string]: JsonValue;
                            audience?: ("user" | "assistant")[] | undefined;
                            priority?: number | undefined;
                            lastModified?: string | undefined;
                        } | undefined;
                        _meta?: Readonly<Record<string, JsonValue>> | undefined;
                    } | {
                        [x: string]: JsonValue;
                        type: "image";
                        data: string;
                        mimeType: string;
                        annotations?: {
                            [x: string]: JsonValue;
                            audience?: ("user" | "assistant")[] | undefined;
                            priority?: number | undefined;
                            lastModified?: string | undefined;
                        } | undefined;
                        _meta?: Readonly<Record<string, JsonValue>> | undefined;
                    } | {
                        [x: string]: JsonValue;
                        type: "audio";
                        data: string;
                        mimeType: string;
                        annotations?: {
                            [x: string]: JsonValue;
                            audience?: ("user" | "assistant")[] | undefined;
                            priority?: number | undefined;
                            lastModified?: string | undefined;
                        } | undefined;
                        _meta?: Readonly<Record<string, JsonValue>> | undefined;
                    } | {
                        [x: string]: JsonValue;
                        type: "resource_link";
                        name: string;
                        uri: string;
                        title?: string | undefined;
                        description?: string | undefined;
                        mimeType?: string | undefined;
                        size?: number | undefined;
                        icons?: {
                            [x: string]: JsonValue;
                            src: string;
                            mimeType?: string | undefined;
                            sizes?: string[] | undefined;
                            theme?: "dark" | "light" | undefined;
                        }[] | undefined;
                        annotations?: {
                            [x: string]: JsonValue;
                            audience?: ("user" | "assistant")[] | undefined;
                            priority?: number | undefined;
                            lastModified?: string | undefined;
                        } | undefined;
                        _meta?: Readonly<Record<string, JsonValue>> | undefined;
                    } | {
                        [x: string]: JsonValue;
                        type: "resource";
                        resource: {
                            [x: string]: JsonValue;
                            uri: string;
                            mimeType?: string | undefined;
                            text?: string | undefined;
                            blob?: string | undefined;
                            _meta?: Readonly<Record<string, JsonValue>> | undefined;
                        };
                        annotations?: {
                            [x: string]: JsonValue;
                            audience?: ("user" | "assistant")[] | undefined;
                            priority?: number | undefined;
                            lastModified?: string | undefined;
                        } | undefined;
                        _meta?: Readonly<Record<string, JsonValue>> | undefined;
                    })[];
                    structuredContent?: JsonValue | undefined;
                    isError?: boolean | undefined;
                    _meta?: Readonly<Record<string, JsonValue>> | undefined;
                })[];
                _meta?: Readonly<Record<string, JsonValue>> | undefined;
            }[];
            maxTokens: number;
            systemPrompt?: string | undefined;
            includeContext?: "allServers" | "none" | "thisServer" | undefined;
            temperature?: number | undefined;
            stopSequences?: string[] | undefined;
            metadata?: Readonly<Record<string, JsonValue>> | undefined;
            modelPreferences?: Readonly<Record<string, JsonValue>> | undefined;
            toolChoice?: Readonly<Record<string, JsonValue>> | undefined;
            tools?: Readonly<Record<string, JsonValue>>[] | undefined;
            _meta?: Readonly<Record<string, JsonValue>> | undefined;
        }, unknown>>;
    }, z.core.$strip>, z.ZodObject<{
        method: z.ZodLiteral<"roots/list">;
        params: z.ZodOptional<z.ZodCustom<Readonly<Record<string, JsonValue>>, Readonly<Record<string, JsonValue>>>>;
    }, z.core.$strip>, z.ZodObject<{
        method: z.ZodLiteral<"elicitation/create">;
        params: z.ZodUnion<readonly [z.ZodPipe<z.ZodUnknown, z.ZodTransform<{
            [x: string]: JsonValue;
            message: string;
            requestedSchema: Readonly<Record<string, JsonValue>>;
            mode?: "form" | undefined;
            _meta?: Readonly<Record<string, JsonValue>> | undefined;
        }, unknown>>, z.ZodPipe<z.ZodUnknown, z.ZodTransform<{
            [x: string]: JsonValue;
            mode: "url";
            message: string;
            url: string;
            _meta?: Readonly<Record<string, JsonValue>> | undefined;
        }, unknown>>]>;
    }, z.core.$strip>], "method">>;
    taskId: z.ZodString;
    statusMessage: z.ZodOptional<z.ZodString>;
    createdAt: z.ZodString;
    lastUpdatedAt: z.ZodString;
    ttlMs: z.ZodNullable<z.ZodInt>;
    pollIntervalMs: z.ZodOptional<z.ZodInt>;
}, z.core.$strip>, z.ZodObject<{
    status: z.ZodLiteral<"completed">;
    result: z.ZodCustom<Readonly<Record<string, JsonValue>>, Readonly<Record<string, JsonValue>>>;
    taskId: z.ZodString;
    statusMessage: z.ZodOptional<z.ZodString>;
    createdAt: z.ZodString;
    lastUpdatedAt: z.ZodString;
    ttlMs: z.ZodNullable<z.ZodInt>;
    pollIntervalMs: z.ZodOptional<z.ZodInt>;
}, z.core.$strip>, z.ZodObject<{
    status: z.ZodLiteral<"failed">;
    error: z.ZodObject<{
        code: z.ZodInt;
        message: z.ZodString;
        data: z.ZodOptional<z.ZodType<JsonValue, unknown, z.core.$ZodTypeInternals<JsonValue, unknown>>>;
    }, z.core.$strip>;
    taskId: z.ZodString;
    statusMessage: z.ZodOptional<z.ZodString>;
    createdAt: z.ZodString;
    lastUpdatedAt: z.ZodString;
    ttlMs: z.ZodNullable<z.ZodInt>;
    pollIntervalMs: z.ZodOptional<z.ZodInt>;
}, z.core.$strip>, z.ZodObject<{
    status: z.ZodLiteral<"cancelled">;
    taskId: z.ZodString;
    statusMessage: z.ZodOptional<z.ZodString>;
    createdAt: z.ZodString;
    lastUpdatedAt: z.ZodString;
    ttlMs: z.ZodNullable<z.ZodInt>;
    pollIntervalMs: z.ZodOptional<z.ZodInt>;
}, z.core.$strip>], "status">;
declare const CreateTaskResultV2Schema: z.ZodObject<{
    status: z.ZodEnum<{
        working: "working";
        input_required: "input_required";
        completed: "completed";
        failed: "failed";
        cancelled: "cancelled";
    }>;
    resultType: z.ZodLiteral<"task">;
    _meta: z.ZodOptional<z.ZodCustom<Readonly<Record<string, JsonValue>>, Readonly<Record<string, JsonValue>>>>;
    taskId: z.ZodString;
    statusMessage: z.ZodOptional<z.ZodString>;
    createdAt: z.ZodString;
    lastUpdatedAt: z.ZodString;
    ttlMs: z.ZodNullable<z.ZodInt>;
    pollIntervalMs: z.ZodOptional<z.ZodInt>;
}, z.core.$strip>;
declare const GetTaskRequestV2Schema: z.ZodObject<{
    method: z.ZodLiteral<"tasks/get">;
    params: z.ZodObject<{
        taskId: z.ZodString;
    }, z.core.$strip>;
    jsonrpc: z.ZodLiteral<"2.0">;
    id: z.ZodUnion<readonly [z.ZodString, z.ZodInt]>;
}, z.core.$strip>;
declare const UpdateTaskRequestV2Schema: z.ZodObject<{
    method: z.ZodLiteral<"tasks/update">;
    params: z.ZodObject<{
        taskId: z.ZodString;
        inputResponses: z.ZodRecord<z.ZodString, z.ZodUnion<readonly [z.ZodPipe<z.ZodUnknown, z.ZodTransform<{
            [x: string]: JsonValue;
            action: "cancel" | "accept" | "decline";
            content?: Record<string, string | number | boolean | string[]> | undefined;
        }, unknown>>, z.ZodPipe<z.ZodUnknown, z.ZodTransform<{
            [x: string]: JsonValue;
            roots: {
                [x: string]: JsonValue;
                uri: string;
                name?: string | undefined;
                _meta?: Readonly<Record<string, JsonValue>> | undefined;
            }[];
        }, unknown>>, z.ZodPipe<z.ZodUnknown, z.ZodTransform<{
            [x: string]: JsonValue;
            content: {
                [x: string]: JsonValue;
                type: "text";
                text: string;
                annotations?: {
                    [x: string]: JsonValue;
                    audience?: ("user" | "assistant")[] | undefined;
                    priority?: number | undefined;
                    lastModified?: string | undefined;
                } | undefined;
                _meta?: Readonly<Record<string, JsonValue>> | undefined;
            } | {
                [x: string]: JsonValue;
                type: "image";
                data: string;
                mimeType: string;
                annotations?: {
                    [x: string]: JsonValue;
                    audience?: ("user" | "assistant")[] | undefined;
                    priority?: number | undefined;
                    lastModified?: string | undefined;
                } | undefined;
                _meta?: Readonly<Record<string, JsonValue>> | undefined;
            } | {
                [x: string]: JsonValue;
                type: "audio";
                data: string;
                mimeType: string;
                annotations?: {
                    [x: string]: JsonValue;
                    audience?: ("user" | "assistant")[] | undefined;
                    priority?: number | undefined;
                    lastModified?: string | undefined;
                } | undefined;
                _meta?: Readonly<Record<string, JsonValue>> | undefined;
            } | {
                [x: string]: JsonValue;
                type: "tool_use";
                id: string;
                name: string;
                input: Readonly<Record<string, JsonValue>>;
                _meta?: Readonly<Record<string, JsonValue>> | undefined;
            } | {
                [x: string]: JsonValue;
                type: "tool_result";
                toolUseId: string;
                content: ({
                    [x: string]: JsonValue;
                    type: "text";
                    text: string;
                    annotations?: {
                        [x: string]: JsonValue;
                        audience?: ("user" | "assistant")[] | undefined;
                        priority?: number | undefined;
                        lastModified?: string | undefined;
                    } | undefined;
                    _meta?: Readonly<Record<string, JsonValue>> | undefined;
                } | {
                    [x: string]: JsonValue;
                    type: "image";
                    data: string;
                    mimeType: string;
                    annotations?: {
                        [x: string]: JsonValue;
                        audience?: ("user" | "assistant")[] | undefined;
                        priority?: number | undefined;
                        lastModified?: string | undefined;
                    } | undefined;
                    _meta?: Readonly<Record<string, JsonValue>> | undefined;
                } | {
                    [x: string]: JsonValue;
                    type: "audio";
                    data: string;
                    mimeType: string;
                    annotations?: {
                        [x: string]: JsonValue;
                        audience?: ("user" | "assistant")[] | undefined;
                        priority?: number | undefined;
                        lastModified?: string | undefined;
                    } | undefined;
                    _meta?: Readonly<Record<string, JsonValue>> | undefined;
                } | {
                    [x: string]: JsonValue;
                    type: "resource_link";
                    name: string;
                    uri: string;
                    title?: string | undefined;
                    description?: string | undefined;
                    mimeType?: string | undefined;
                    size?: number | undefined;
                    icons?: {
                        [x: string]: JsonValue;
                        src: string;
                        mimeType?: string | undefined;
                        sizes?: string[] | undefined;
                        theme?: "dark" | "light" | undefined;
                    }[] | undefined;
                    annotations?: {
                        [x: string]: JsonValue;
                        audience?: ("user" | "assistant")[] | undefined;
                        priority?: number | undefined;
                        lastModified?: string | undefined;
                    } | undefined;
                    _meta?: Readonly<Record<string, JsonValue>> | undefined;
                } | {
                    [x: string]: JsonValue;
                    type: "resource";
                    resource: {
                        [x: string]: JsonValue;
                        uri: string;
                        mimeType?: string | undefined;
                        text?: string | undefined;
                        blob?: string | undefined;
                        _meta?: Readonly<Record<string, JsonValue>> | undefined;
                    };
                    annotations?: {
                        [x: string]: JsonValue;
                        audience?: ("user" | "assistant")[] | undefined;
                        priority?: number | undefined;
                        lastModified?: string | undefined;
                    } | undefined;
                    _meta?: Readonly<Record<string, JsonValue>> | undefined;
                })[];
                structuredContent?: JsonValue | undefined;
                isError?: boolean | undefined;
                _meta?: Readonly<Record<string, JsonValue>> | undefined;
            } | ({
                [x: string]: JsonValue;
                type: "text";
                text: string;
                annotations?: {
                    [x: string]: JsonValue;
                    audience?: ("user" | "assistant")[] | undefined;
                    priority?: number | undefined;
                    lastModified?: string | undefined;
                } | undefined;
                _meta?: Readonly<Record<string, JsonValue>> | undefined;
            } | {
                [x: string]: JsonValue;
                type: "image";
                data: string;
                mimeType: string;
                annotations?: {
                    [x: string]: JsonValue;
                    audience?: ("user" | "assistant")[] | undefined;
                    priority?: number | undefined;
                    lastModified?: string | undefined;
                } | undefined;
                _meta?: Readonly<Record<string, JsonValue>> | undefined;
            } | {
                [x: string]: JsonValue;
                type: "audio";
                data: string;
                mimeType: string;
                annotations?: {
                    [x: string]: JsonValue;
                    audience?: ("user" | "assistant")[] | undefined;
                    priority?: number | undefined;
                    lastModified?: string | undefined;
                } | undefined;
                _meta?: Readonly<Record<string, JsonValue>> | undefined;
            } | {
                [x: string]: JsonValue;
                type: "tool_use";
                id: string;
                name: string;
                input: Readonly<Record<string, JsonValue>>;
                _meta?: Readonly<Record<string, JsonValue>> | undefined;
            } | {
                [x: string]: JsonValue;
                type: "tool_result";
                toolUseId: string;
                content: ({
                    [x: string]: JsonValue;
                    type: "text";
                    text: string;
                    annotations?: {
                        [x: string]: JsonValue;
                        audience?: ("user" | "assistant")[] | undefined;
                        priority?: number | undefined;
                        lastModified?: string | undefined;
                    } | undefined;
                    _meta?: Readonly<Record<string, JsonValue>> | undefined;
                } | {
                    [x: string]: JsonValue;
                    type: "image";
                    data: string;
                    mimeType: string;
                    annotations?: {
                        [x: string]: JsonValue;
                        audience?: ("user" | "assistant")[] | undefined;
                        priority?: number | undefined;
                        lastModified?: string | undefined;
                    } | undefined;
                    _meta?: Readonly<Record<string, JsonValue>> | undefined;
                } | {
                    [x: string]: JsonValue;
                    type: "audio";
                    data: string;
                    mimeType: string;
                    annotations?: {
                        [x: string]: JsonValue;
                        audience?: ("user" | "assistant")[] | undefined;
                        priority?: number | undefined;
                        lastModified?: string | undefined;
                    } | undefined;
                    _meta?: Readonly<Record<string, JsonValue>> | undefined;
                } | {
                    [x: string]: JsonValue;
                    type: "resource_link";
                    name: string;
                    uri: string;
                    title?: string | undefined;
                    description?: string | undefined;
                    mimeType?: string | undefined;
                    size?: number | undefined;
                    icons?: {
                        [x: string]: JsonValue;
                        src: string;
                        mimeType?: string | undefined;
                        sizes?: string[] | undefined;
                        theme?: "dark" | "light" | undefined;
                    }[] | undefined;
                    annotations?: {
                        [x: string]: JsonValue;
                        audience?: ("user" | "assistant")[] | undefined;
                        priority?: number | undefined;
                        lastModified?: string | undefined;
                    } | undefined;
                    _meta?: Readonly<Record<string, JsonValue>> | undefined;
                } | {
                    [x: string]: JsonValue;
                    type: "resource";
                    resource: {
                        [x: string]: JsonValue;
                        uri: string;
                        mimeType?: string | undefined;
                        text?: string | undefined;
                        blob?: string | undefined;
                        _meta?: Readonly<Record<string, JsonValue>> | undefined;
                    };
                    annotations?: {
                        [x: string]: JsonValue;
                        audience?: ("user" | "assistant")[] | undefined;
                        priority?: number | undefined;
                        lastModified?: string | undefined;
                    } | undefined;
                    _meta?: Readonly<Record<string, JsonValue>> | undefined;
                })[];
                structuredContent?: JsonValue | undefined;
                isError?: boolean | undefined;
                _meta?: Readonly<Record<string, JsonValue>> | undefined;
            })[];
            model: string;
            role: "user" | "assistant";
            stopReason?: string | undefined;
            _meta?: Readonly<Record<string, JsonValue>> | undefined;
        }, unknown>>]>>;
    }, z.core.$strip>;
    jsonrpc: z.ZodLiteral<"2.0">;
    id: z.ZodUnion<readonly [z.ZodString, z.ZodInt]>;
}, z.core.$strip>;
declare const CancelTaskRequestV2Schema: z.ZodObject<{
    method: z.ZodLiteral<"tasks/cancel">;
    params: z.ZodObject<{
        taskId: z.ZodString;
    }, z.core.$strip>;
    jsonrpc: z.ZodLiteral<"2.0">;
    id: z.ZodUnion<readonly [z.ZodString, z.ZodInt]>;
}, z.core.$strip>;
declare const GetTaskResultV2Schema: z.ZodIntersection<z.ZodDiscriminatedUnion<[z.ZodObject<{
    status: z.ZodLiteral<"working">;
    taskId: z.ZodString;
    statusMessage: z.ZodOptional<z.ZodString>;
    createdAt: z.ZodString;
    lastUpdatedAt: z.ZodString;
    ttlMs: z.ZodNullable<z.ZodInt>;
    pollIntervalMs: z.ZodOptional<z.ZodInt>;
}, z.core.$strip>, z.ZodObject<{
    status: z.ZodLiteral<"input_required">;
    inputRequests: z.ZodRecord<z.ZodString, z.ZodDiscriminatedUnion<[z.ZodObject<{
        method: z.ZodLiteral<"sampling/createMessage">;
        params: z.ZodPipe<z.ZodUnknown, z.ZodTransform<{
            [x: string]: JsonValue;
            messages: {
                [x: string]: JsonValue;
                role: "user" | "assistant";
                content: {
                    [x: string]: JsonValue;
                    type: "text";
                    text: string;
                    annotations?: {
                        [x: string]: JsonValue;
                        audience?: ("user" | "assistant")[] | undefined;
                        priority?: number | undefined;
                        lastModified?: string | undefined;
                    } | undefined;
                    _meta?: Readonly<Record<string, JsonValue>> | undefined;
                } | {
                    [x: string]: JsonValue;
                    type: "image";
                    data: string;
                    mimeType: string;
                    annotations?: {
                        [x: string]: JsonValue;
                        audience?: ("user" | "assistant")[] | undefined;
                        priority?: number | undefined;
                        lastModified?: string | undefined;
                    } | undefined;
                    _meta?: Readonly<Record<string, JsonValue>> | undefined;
                } | {
                    [x: string]: JsonValue;
                    type: "audio";
                    data: string;
                    mimeType: string;
                    annotations?: {
                        [x: string]: JsonValue;
                        audience?: ("user" | "assistant")[] | undefined;
                        priority?: number | undefined;
                        lastModified?: string | undefined;
                    } | undefined;
                    _meta?: Readonly<Record<string, JsonValue>> | undefined;
                } | {
                    [x: string]: JsonValue;
                    type: "tool_use";
                    id: string;
                    name: string;
                    input: Readonly<Record<string, JsonValue>>;
                    _meta?: Readonly<Record<string, JsonValue>> | undefined;
                } | {
                    [x: string]: JsonValue;
                    type: "tool_result";
                    toolUseId: string;
                    content: ({
                        [x: string]: JsonValue;
                        type: "text";
                        text: string;
                        annotations?: {
                            [x: string]: JsonValue;
                            audience?: ("user" | "assistant")[] | undefined;
                            priority?: number | undefined;
                            lastModified?: string | undefined;
                        } | undefined;
                        _meta?: Readonly<Record<string, JsonValue>> | undefined;
                    } | {
                        [x: string]: JsonValue;
                        type: "image";
                        data: string;
                        mimeType: string;
                        annotations?: {
                            [x: string]: JsonValue;
                            audience?: ("user" | "assistant")[] | undefined;
                            priority?: number | undefined;
                            lastModified?: string | undefined;
                        } | undefined;
                        _meta?: Readonly<Record<string, JsonValue>> | undefined;
                    } | {
                        [x: string]: JsonValue;
                        type: "audio";
                        data: string;
                        mimeType: string;
                        annotations?: {
                            [x: string]: JsonValue;
                            audience?: ("user" | "assistant")[] | undefined;
                            priority?: number | undefined;
                            lastModified?: string | undefined;
                        } | undefined;
                        _meta?: Readonly<Record<string, JsonValue>> | undefined;
                    } | {
                        [x: string]: JsonValue;
                        type: "resource_link";
                        name: string;
                        uri: string;
                        title?: string | undefined;
                        description?: string | undefined;
                        mimeType?: string | undefined;
                        size?: number | undefined;
                        icons?: {
                            [x: string]: JsonValue;
                            src: string;
                            mimeType?: string | undefined;
                            sizes?: string[] | undefined;
                            theme?: "dark" | "light" | undefined;
                        }[] | undefined;
                        annotations?: {
                            [x: string]: JsonValue;
                            audience?: ("user" | "assistant")[] | undefined;
                            priority?: number | undefined;
                            lastModified?: string | undefined;
                        } | undefined;
                        _meta?: Readonly<Record<string, JsonValue>> | undefined;
                    } | {
                        [x: string]: JsonValue;
                        type: "resource";
                        resource: {
                            [x: string]: JsonValue;
                            uri: string;
                            mimeType?: string | undefined;
                            text?: string | undefined;
                            blob?: string | undefined;
                            _meta?: Readonly<Record<string, JsonValue>> | undefined;
                        };
                        annotations?: {
                            [x: string]: JsonValue;
                            audience?: ("user" | "assistant")[] | undefined;
                            priority?: number | undefined;
                            lastModified?: string | undefined;
                        } | undefined;
                        _meta?: Readonly<Record<string, JsonValue>> | undefined;
                    })[];
                    structuredContent?: JsonValue | undefined;
                    isError?: boolean | undefined;
                    _meta?: Readonly<Record<string, JsonValue>> | undefined;
                } | ({
                    [x: string]: JsonValue;
                    type: "text";
                    text: string;
                    annotations?: {
                        [x: string]: JsonValue;
                        audience?: ("user" | "assistant")[] | undefined;
                        priority?: number | undefined;
                        lastModified?: string | undefined;
                    } | undefined;
                    _meta?: Readonly<Record<string, JsonValue>> | undefined;
                } | {
                    [x: string]: JsonValue;
                    type: "image";
                    data: string;
                    mimeType: string;
                    annotations?: {
                        [x: string]: JsonValue;
                        audience?: ("user" | "assistant")[] | undefined;
                        priority?: number | undefined;
                        lastModified?: string | undefined;
                    } | undefined;
                    _meta?: Readonly<Record<string, JsonValue>> | undefined;
                } | {
                    [x: string]: JsonValue;
                    type: "audio";
                    data: string;
                    mimeType: string;
                    annotations?: {
                        [x: string]: JsonValue;
                        audience?: ("user" | "assistant")[] | undefined;
                        priority?: number | undefined;
                        lastModified?: string | undefined;
                    } | undefined;
                    _meta?: Readonly<Record<string, JsonValue>> | undefined;
                } | {
                    [x: string]: JsonValue;
                    type: "tool_use";
                    id: string;
                    name: string;
                    input: Readonly<Record<string, JsonValue>>;
                    _meta?: Readonly<Record<string, JsonValue>> | undefined;
                } | {
                    [x: string]: JsonValue;
                    type: "tool_result";
                    toolUseId: string;
                    content: ({
                        [x: string]: JsonValue;
                        type: "text";
                        text: string;
                        annotations?: {
                            [x: string]: JsonValue;
                            audience?: ("user" | "assistant")[] | undefined;
                            priority?: number | undefined;
                            lastModified?: string | undefined;
                        } | undefined;
                        _meta?: Readonly<Record<string, JsonValue>> | undefined;
                    } | {
                        [x: string]: JsonValue;
                        type: "image";
                        data: string;
                        mimeType: string;
                        annotations?: {
                            [x: string]: JsonValue;
                            audience?: ("user" | "assistant")[] | undefined;
                            priority?: number | undefined;
                            lastModified?: string | undefined;
                        } | undefined;
                        _meta?: Readonly<Record<string, JsonValue>> | undefined;
                    } | {
                        [x: string]: JsonValue;
                        type: "audio";
                        data: string;
                        mimeType: string;
                        annotations?: {
                            [x: string]: JsonValue;
                            audience?: ("user" | "assistant")[] | undefined;
                            priority?: number | undefined;
                            lastModified?: string | undefined;
                        } | undefined;
                        _meta?: Readonly<Record<string, JsonValue>> | undefined;
                    } | {
                        [x: string]: JsonValue;
                        type: "resource_link";
                        name: string;
                        uri: string;
                        title?: string | undefined;
                        description?: string | undefined;
                        mimeType?: string | undefined;
                        size?: number | undefined;
                        icons?: {
                            [x: string]: JsonValue;
                            src: string;
                            mimeType?: string | undefined;
                            sizes?: string[] | undefined;
                            theme?: "dark" | "light" | undefined;
                        }[] | undefined;
                        annotations?: {
                            [x: string]: JsonValue;
                            audience?: ("user" | "assistant")[] | undefined;
                            priority?: number | undefined;
                            lastModified?: string | undefined;
                        } | undefined;
                        _meta?: Readonly<Record<string, JsonValue>> | undefined;
                    } | {
                        [x: string]: JsonValue;
                        type: "resource";
                        resource: {
                            [x: string]: JsonValue;
                            uri: string;
                            mimeType?: string | undefined;
                            text?: string | undefined;
                            blob?: string | undefined;
                            _meta?: Readonly<Record<string, JsonValue>> | undefined;
                        };
                        annotations?: {
                            [x: string]: JsonValue;
                            audience?: ("user" | "assistant")[] | undefined;
                            priority?: number | undefined;
                            lastModified?: string | undefined;
                        } | undefined;
                        _meta?: Readonly<Record<string, JsonValue>> | undefined;
                    })[];
                    structuredContent?: JsonValue | undefined;
                    isError?: boolean | undefined;
                    _meta?: Readonly<Record<string, JsonValue>> | undefined;
                })[];
                _meta?: Readonly<Record<string, JsonValue>> | undefined;
            }[];
            maxTokens: number;
            systemPrompt?: string | undefined;
            includeContext?: "allServers" | "none" | "thisServer" | undefined;
            temperature?: number | undefined;
            stopSequences?: string[] | undefined;
            metadata?: Readonly<Record<string, JsonValue>> | undefined;
            modelPreferences?: Readonly<Record<string, JsonValue>> | undefined;
            toolChoice?: Readonly<Record<string, JsonValue>> | undefined;
            tools?: Readonly<Record<string, JsonValue>>[] | undefined;
            _meta?: Readonly<Record<string, JsonValue>> | undefined;
        }, unknown>>;
    }, z.core.$strip>, z.ZodObject<{
        method: z.ZodLiteral<"roots/list">;
        params: z.ZodOptional<z.ZodCustom<Readonly<Record<string, JsonValue>>, Readonly<Record<string, JsonValue>>>>;
    }, z.core.$strip>, z.ZodObject<{
        method: z.ZodLiteral<"elicitation/create">;
        params: z.ZodUnion<readonly [z.ZodPipe<z.ZodUnknown, z.ZodTransform<{
            [x: string]: JsonValue;
            message: string;
            requestedSchema: Readonly<Record<string, JsonValue>>;
            mode?: "form" | undefined;
            _meta?: Readonly<Record<string, JsonValue>> | undefined;
        }, unknown>>, z.ZodPipe<z.ZodUnknown, z.ZodTransform<{
            [x: string]: JsonValue;
            mode: "url";
            message: string;
            url: string;
            _meta?: Readonly<Record<string, JsonValue>> | undefined;
        }, unknown>>]>;
    }, z.core.$strip>], "method">>;
    taskId: z.ZodString;
    statusMessage: z.ZodOptional<z.ZodString>;
    createdAt: z.ZodString;
    lastUpdatedAt: z.ZodString;
    ttlMs: z.ZodNullable<z.ZodInt>;
    pollIntervalMs: z.ZodOptional<z.ZodInt>;
}, z.core.$strip>, z.ZodObject<{
    status: z.ZodLiteral<"completed">;
    result: z.ZodCustom<Readonly<Record<string, JsonValue>>, Readonly<Record<string, JsonValue>>>;
    taskId: z.ZodString;
    statusMessage: z.ZodOptional<z.ZodString>;
    createdAt: z.ZodString;
    lastUpdatedAt: z.ZodString;
    ttlMs: z.ZodNullable<z.ZodInt>;
    pollIntervalMs: z.ZodOptional<z.ZodInt>;
}, z.core.$strip>, z.ZodObject<{
    status: z.ZodLiteral<"failed">;
    error: z.ZodObject<{
        code: z.ZodInt;
        message: z.ZodString;
        data: z.ZodOptional<z.ZodType<JsonValue, unknown, z.core.$ZodTypeInternals<JsonValue, unknown>>>;
    }, z.core.$strip>;
    taskId: z.ZodString;
    statusMessage: z.ZodOptional<z.ZodString>;
    createdAt: z.ZodString;
    lastUpdatedAt: z.ZodString;
    ttlMs: z.ZodNullable<z.ZodInt>;
    pollIntervalMs: z.ZodOptional<z.ZodInt>;
}, z.core.$strip>, z.ZodObject<{
    status: z.ZodLiteral<"cancelled">;
    taskId: z.ZodString;
    statusMessage: z.ZodOptional<z.ZodString>;
    createdAt: z.ZodString;
    lastUpdatedAt: z.ZodString;
    ttlMs: z.ZodNullable<z.ZodInt>;
    pollIntervalMs: z.ZodOptional<z.ZodInt>;
}, z.core.$strip>], "status">, z.ZodObject<{
    resultType: z.ZodLiteral<"complete">;
    _meta: z.ZodOptional<z.ZodCustom<Readonly<Record<string, JsonValue>>, Readonly<Record<string, JsonValue>>>>;
}, z.core.$strip>>;
declare const UpdateTaskResultV2Schema: z.ZodPipe<z.ZodUnknown, z.ZodTransform<{
    [x: string]: JsonValue;
    resultType: "complete";
    _meta?: Readonly<Record<string, JsonValue>> | undefined;
}, unknown>>;
declare const CancelTaskResultV2Schema: z.ZodPipe<z.ZodUnknown, z.ZodTransform<{
    [x: string]: JsonValue;
    resultType: "complete";
    _meta?: Readonly<Record<string, JsonValue>> | undefined;
}, unknown>>;
declare const TaskStatusNotificationParamsV2Schema: z.ZodIntersection<z.ZodDiscriminatedUnion<[z.ZodObject<{
    status: z.ZodLiteral<"working">;
    taskId: z.ZodString;
    statusMessage: z.ZodOptional<z.ZodString>;
    createdAt: z.ZodString;
    lastUpdatedAt: z.ZodString;
    ttlMs: z.ZodNullable<z.ZodInt>;
    pollIntervalMs: z.ZodOptional<z.ZodInt>;
}, z.core.$strip>, z.ZodObject<{
    status: z.ZodLiteral<"input_required">;
    inputRequests: z.ZodRecord<z.ZodString, z.ZodDiscriminatedUnion<[z.ZodObject<{
        method: z.ZodLiteral<"sampling/createMessage">;
        params: z.ZodPipe<z.ZodUnknown, z.ZodTransform<{
            [x: string]: JsonValue;
            messages: {
                [x: string]: JsonValue;
                role: "user" | "assistant";
                content: {
                    [x: string]: JsonValue;
                    type: "text";
                    text: string;
                    annotations?: {
                        [x: string]: JsonValue;
                        audience?: ("user" | "assistant")[] | undefined;
                        priority?: number | undefined;
                        lastModified?: string | undefined;
                    } | undefined;
                    _meta?: Readonly<Record<string, JsonValue>> | undefined;
                } | {
                    [x: string]: JsonValue;
                    type: "image";
                    data: string;
                    mimeType: string;
                    annotations?: {
                        [x: string]: JsonValue;
                        audience?: ("user" | "assistant")[] | undefined;
                        priority?: number | undefined;
                        lastModified?: string | undefined;
                    } | undefined;
                    _meta?: Readonly<Record<string, JsonValue>> | undefined;
                } | {
                    [x: string]: JsonValue;
                    type: "audio";
                    data: string;
                    mimeType: string;
                    annotations?: {
                        [x: string]: JsonValue;
                        audience?: ("user" | "assistant")[] | undefined;
                        priority?: number | undefined;
                        lastModified?: string | undefined;
                    } | undefined;
                    _meta?: Readonly<Record<string, JsonValue>> | undefined;
                } | {
                    [x: string]: JsonValue;
                    type: "tool_use";
                    id: string;
                    name: string;
                    input: Readonly<Record<string, JsonValue>>;
                    _meta?: Readonly<Record<string, JsonValue>> | undefined;
                } | {
                    [x: string]: JsonValue;
                    type: "tool_result";
                    toolUseId: string;
                    content: ({
                        [x: string]: JsonValue;
                        type: "text";
                        text: string;
                        annotations?: {
                            [x: string]: JsonValue;
                            audience?: ("user" | "assistant")[] | undefined;
                            priority?: number | undefined;
                            lastModified?: string | undefined;
                        } | undefined;
                        _meta?: Readonly<Record<string, JsonValue>> | undefined;
                    } | {
                        [x: string]: JsonValue;
                        type: "image";
                        data: string;
                        mimeType: string;
                        annotations?: {
                            [x: string]: JsonValue;
                            audience?: ("user" | "assistant")[] | undefined;
                            priority?: number | undefined;
                            lastModified?: string | undefined;
                        } | undefined;
                        _meta?: Readonly<Record<string, JsonValue>> | undefined;
                    } | {
                        [x: string]: JsonValue;
                        type: "audio";
                        data: string;
                        mimeType: string;
                        annotations?: {
                            [x: string]: JsonValue;
                            audience?: ("user" | "assistant")[] | undefined;
                            priority?: number | undefined;
                            lastModified?: string | undefined;
                        } | undefined;
                        _meta?: Readonly<Record<string, JsonValue>> | undefined;
                    } | {
                        [x: string]: JsonValue;
                        type: "resource_link";
                        name: string;
                        uri: string;
                        title?: string | undefined;
                        description?: string | undefined;
                        mimeType?: string | undefined;
                        size?: number | undefined;
                        icons?: {
                            [x: string]: JsonValue;
                            src: string;
                            mimeType?: string | undefined;
                            sizes?: string[] | undefined;
                            theme?: "dark" | "light" | undefined;
                        }[] | undefined;
                        annotations?: {
                            [x: string]: JsonValue;
                            audience?: ("user" | "assistant")[] | undefined;
                            priority?: number | undefined;
                            lastModified?: string | undefined;
                        } | undefined;
                        _meta?: Readonly<Record<string, JsonValue>> | undefined;
                    } | {
                        [x: string]: JsonValue;
                        type: "resource";
                        resource: {
                            [x: string]: JsonValue;
                            uri: string;
                            mimeType?: string | undefined;
                            text?: string | undefined;
                            blob?: string | undefined;
                            _meta?: Readonly<Record<string, JsonValue>> | undefined;
                        };
                        annotations?: {
                            [x: string]: JsonValue;
                            audience?: ("user" | "assistant")[] | undefined;
                            priority?: number | undefined;
                            lastModified?: string | undefined;
                        } | undefined;
                        _meta?: Readonly<Record<string, JsonValue>> | undefined;
                    })[];
                    structuredContent?: JsonValue | undefined;
                    isError?: boolean | undefined;
                    _meta?: Readonly<Record<string, JsonValue>> | undefined;
                } | ({
                    [x: string]: JsonValue;
                    type: "text";
                    text: string;
                    annotations?: {
                        [x: string]: JsonValue;
                        audience?: ("user" | "assistant")[] | undefined;
                        priority?: number | undefined;
                        lastModified?: string | undefined;
                    } | undefined;
                    _meta?: Readonly<Record<string, JsonValue>> | undefined;
                } | {
                    [x: string]: JsonValue;
                    type: "image";
                    data: string;
                    mimeType: string;
                    annotations?: {
                        [x: string]: JsonValue;
                        audience?: ("user" | "assistant")[] | undefined;
                        priority?: number | undefined;
                        lastModified?: string | undefined;
                    } | undefined;
                    _meta?: Readonly<Record<string, JsonValue>> | undefined;
                } | {
                    [x: string]: JsonValue;
                    type: "audio";
                    data: string;
                    mimeType: string;
                    annotations?: {
                        [x: string]: JsonValue;
                        audience?: ("user" | "assistant")[] | undefined;
                        priority?: number | undefined;
                        lastModified?: string | undefined;
                    } | undefined;
                    _meta?: Readonly<Record<string, JsonValue>> | undefined;
                } | {
                    [x: string]: JsonValue;
                    type: "tool_use";
                    id: string;
                    name: string;
                    input: Readonly<Record<string, JsonValue>>;
                    _meta?: Readonly<Record<string, JsonValue>> | undefined;
                } | {
                    [x: string]: JsonValue;
                    type: "tool_result";
                    toolUseId: string;
                    content: ({
                        [x: string]: JsonValue;
                        type: "text";
                        text: string;
                        annotations?: {
                            [x: string]: JsonValue;
                            audience?: ("user" | "assistant")[] | undefined;
                            priority?: number | undefined;
                            lastModified?: string | undefined;
                        } | undefined;
                        _meta?: Readonly<Record<string, JsonValue>> | undefined;
                    } | {
                        [x: string]: JsonValue;
                        type: "image";
                        data: string;
                        mimeType: string;
                        annotations?: {
                            [x: string]: JsonValue;
                            audience?: ("user" | "assistant")[] | undefined;
                            priority?: number | undefined;
                            lastModified?: string | undefined;
                        } | undefined;
                        _meta?: Readonly<Record<string, JsonValue>> | undefined;
                    } | {
                        [x: string]: JsonValue;
                        type: "audio";
                        data: string;
                        mimeType: string;
                        annotations?: {
                            [x: string]: JsonValue;
                            audience?: ("user" | "assistant")[] | undefined;
                            priority?: number | undefined;
                            lastModified?: string | undefined;
                        } | undefined;
                        _meta?: Readonly<Record<string, JsonValue>> | undefined;
                    } | {
                        [x: string]: JsonValue;
                        type: "resource_link";
                        name: string;
                        uri: string;
                        title?: string | undefined;
                        description?: string | undefined;
                        mimeType?: string | undefined;
                        size?: number | undefined;
                        icons?: {
                            [x: string]: JsonValue;
                            src: string;
                            mimeType?: string | undefined;
                            sizes?: string[] | undefined;
                            theme?: "dark" | "light" | undefined;
                        }[] | undefined;
                        annotations?: {
                            [x: string]: JsonValue;
                            audience?: ("user" | "assistant")[] | undefined;
                            priority?: number | undefined;
                            lastModified?: string | undefined;
                        } | undefined;
                        _meta?: Readonly<Record<string, JsonValue>> | undefined;
                    } | {
                        [x: string]: JsonValue;
                        type: "resource";
                        resource: {
                            [x: string]: JsonValue;
                            uri: string;
                            mimeType?: string | undefined;
                            text?: string | undefined;
                            blob?: string | undefined;
                            _meta?: Readonly<Record<string, JsonValue>> | undefined;
                        };
                        annotations?: {
                            [x: string]: JsonValue;
                            audience?: ("user" | "assistant")[] | undefined;
                            priority?: number | undefined;
                            lastModified?: string | undefined;
                        } | undefined;
                        _meta?: Readonly<Record<string, JsonValue>> | undefined;
                    })[];
                    structuredContent?: JsonValue | undefined;
                    isError?: boolean | undefined;
                    _meta?: Readonly<Record<string, JsonValue>> | undefined;
                })[];
                _meta?: Readonly<Record<string, JsonValue>> | undefined;
            }[];
            maxTokens: number;
            systemPrompt?: string | undefined;
            includeContext?: "allServers" | "none" | "thisServer" | undefined;
            temperature?: number | undefined;
            stopSequences?: string[] | undefined;
            metadata?: Readonly<Record<string, JsonValue>> | undefined;
            modelPreferences?: Readonly<Record<string, JsonValue>> | undefined;
            toolChoice?: Readonly<Record<string, JsonValue>> | undefined;
            tools?: Readonly<Record<string, JsonValue>>[] | undefined;
            _meta?: Readonly<Record<string, JsonValue>> | undefined;
        }, unknown>>;
    }, z.core.$strip>, z.ZodObject<{
        method: z.ZodLiteral<"roots/list">;
        params: z.ZodOptional<z.ZodCustom<Readonly<Record<string, JsonValue>>, Readonly<Record<string, JsonValue>>>>;
    }, z.core.$strip>, z.ZodObject<{
        method: z.ZodLiteral<"elicitation/create">;
        params: z.ZodUnion<readonly [z.ZodPipe<z.ZodUnknown, z.ZodTransform<{
            [x: string]: JsonValue;
            message: string;
            requestedSchema: Readonly<Record<string, JsonValue>>;
            mode?: "form" | undefined;
            _meta?: Readonly<Record<string, JsonValue>> | undefined;
        }, unknown>>, z.ZodPipe<z.ZodUnknown, z.ZodTransform<{
            [x: string]: JsonValue;
            mode: "url";
            message: string;
            url: string;
            _meta?: Readonly<Record<string, JsonValue>> | undefined;
        }, unknown>>]>;
    }, z.core.$strip>], "method">>;
    taskId: z.ZodString;
    statusMessage: z.ZodOptional<z.ZodString>;
    createdAt: z.ZodString;
    lastUpdatedAt: z.ZodString;
    ttlMs: z.ZodNullable<z.ZodInt>;
    pollIntervalMs: z.ZodOptional<z.ZodInt>;
}, z.core.$strip>, z.ZodObject<{
    status: z.ZodLiteral<"completed">;
    result: z.ZodCustom<Readonly<Record<string, JsonValue>>, Readonly<Record<string, JsonValue>>>;
    taskId: z.ZodString;
    statusMessage: z.ZodOptional<z.ZodString>;
    createdAt: z.ZodString;
    lastUpdatedAt: z.ZodString;
    ttlMs: z.ZodNullable<z.ZodInt>;
    pollIntervalMs: z.ZodOptional<z.ZodInt>;
}, z.core.$strip>, z.ZodObject<{
    status: z.ZodLiteral<"failed">;
    error: z.ZodObject<{
        code: z.ZodInt;
        message: z.ZodString;
        data: z.ZodOptional<z.ZodType<JsonValue, unknown, z.core.$ZodTypeInternals<JsonValue, unknown>>>;
    }, z.core.$strip>;
    taskId: z.ZodString;
    statusMessage: z.ZodOptional<z.ZodString>;
    createdAt: z.ZodString;
    lastUpdatedAt: z.ZodString;
    ttlMs: z.ZodNullable<z.ZodInt>;
    pollIntervalMs: z.ZodOptional<z.ZodInt>;
}, z.core.$strip>, z.ZodObject<{
    status: z.ZodLiteral<"cancelled">;
    taskId: z.ZodString;
    statusMessage: z.ZodOptional<z.ZodString>;
    createdAt: z.ZodString;
    lastUpdatedAt: z.ZodString;
    ttlMs: z.ZodNullable<z.ZodInt>;
    pollIntervalMs: z.ZodOptional<z.ZodInt>;
}, z.core.$strip>], "status">, z.ZodPipe<z.ZodUnknown, z.ZodTransform<{
    [x: string]: JsonValue;
    _meta?: Readonly<Record<string, JsonValue>> | undefined;
}, unknown>>>;
declare const TaskStatusNotificationV2Schema: z.ZodObject<{
    jsonrpc: z.ZodLiteral<"2.0">;
    method: z.ZodLiteral<"notifications/tasks">;
    params: z.ZodIntersection<z.ZodDiscriminatedUnion<[z.ZodObject<{
        status: z.ZodLiteral<"working">;
        taskId: z.ZodString;
        statusMessage: z.ZodOptional<z.ZodString>;
        createdAt: z.ZodString;
        lastUpdatedAt: z.ZodString;
        ttlMs: z.ZodNullable<z.ZodInt>;
        pollIntervalMs: z.ZodOptional<z.ZodInt>;
    }, z.core.$strip>, z.ZodObject<{
        status: z.ZodLiteral<"input_required">;
        inputRequests: z.ZodRecord<z.ZodString, z.ZodDiscriminatedUnion<[z.ZodObject<{
            method: z.ZodLiteral<"sampling/createMessage">;
            params: z.ZodPipe<z.ZodUnknown, z.ZodTransform<{
                [x: string]: JsonValue;
                messages: {
                    [x: string]: JsonValue;
                    role: "user" | "assistant";
                    content: {
                        [x: string]: JsonValue;
                        type: "text";
                        text: string;
                        annotations?: {
                            [x: string]: JsonValue;
                            audience?: ("user" | "assistant")[] | undefined;
                            priority?: number | undefined;
                            lastModified?: string | undefined;
                        } | undefined;
                        _meta?: Readonly<Record<string, JsonValue>> | undefined;
                    } | {
                        [x: string]: JsonValue;
                        type: "image";
                        data: string;
                        mimeType: string;
                        annotations?: {
                            [x: string]: JsonValue;
                            audience?: ("user" | "assistant")[] | undefined;
                            priority?: number | undefined;
                            lastModified?: string | undefined;
                        } | undefined;
                        _meta?: Readonly<Record<string, JsonValue>> | undefined;
                    } | {
                        [x: string]: JsonValue;
                        type: "audio";
                        data: string;
                        mimeType: string;
                        annotations?: {
                            [x: string]: JsonValue;
                            audience?: ("user" | "assistant")[] | undefined;
                            priority?: number | undefined;
                            lastModified?: string | undefined;
                        } | undefined;
                        _meta?: Readonly<Record<string, JsonValue>> | undefined;
                    } | {
                        [x: string]: JsonValue;
                        type: "tool_use";
                        id: string;
                        name: string;
                        input: Readonly<Record<string, JsonValue>>;
                        _meta?: Readonly<Record<string, JsonValue>> | undefined;
                    } | {
                        [x: string]: JsonValue;
                        type: "tool_result";
                        toolUseId: string;
                        content: ({
                            [x: string]: JsonValue;
                            type: "text";
                            text: string;
                            annotations?: {
                                [x: string]: JsonValue;
                                audience?: ("user" | "assistant")[] | undefined;
                                priority?: number | undefined;
                                lastModified?: string | undefined;
                            } | undefined;
                            _meta?: Readonly<Record<string, JsonValue>> | undefined;
                        } | {
                            [x: string]: JsonValue;
                            type: "image";
                            data: string;
                            mimeType: string;
                            annotations?: {
                                [x: string]: JsonValue;
                                audience?: ("user" | "assistant")[] | undefined;
                                priority?: number | undefined;
                                lastModified?: string | undefined;
                            } | undefined;
                            _meta?: Readonly<Record<string, JsonValue>> | undefined;
                        } | {
                            [x: string]: JsonValue;
                            type: "audio";
                            data: string;
                            mimeType: string;
                            annotations?: {
                                [x: string]: JsonValue;
                                audience?: ("user" | "assistant")[] | undefined;
                                priority?: number | undefined;
                                lastModified?: string | undefined;
                            } | undefined;
                            _meta?: Readonly<Record<string, JsonValue>> | undefined;
                        } | {
                            [x: string]: JsonValue;
                            type: "resource_link";
                            name: string;
                            uri: string;
                            title?: string | undefined;
                            description?: string | undefined;
                            mimeType?: string | undefined;
                            size?: number | undefined;
                            icons?: {
                                [x: string]: JsonValue;
                                src: string;
                                mimeType?: string | undefined;
                                sizes?: string[] | undefined;
                                theme?: "dark" | "light" | undefined;
                            }[] | undefined;
                            annotations?: {
                                [x: string]: JsonValue;
                                audience?: ("user" | "assistant")[] | undefined;
                                priority?: number | undefined;
                                lastModified?: string | undefined;
                            } | undefined;
                            _meta?: Readonly<Record<string, JsonValue>> | undefined;
                        } | {
                            [x: string]: JsonValue;
                            type: "resource";
                            resource: {
                                [x: string]: JsonValue;
                                uri: string;
                                mimeType?: string | undefined;
                                text?: string | undefined;
                                blob?: string | undefined;
                                _meta?: Readonly<Record<string, JsonValue>> | undefined;
                            };
                            annotations?: {
                                [x: string]: JsonValue;
                                audience?: ("user" | "assistant")[] | undefined;
                                priority?: number | undefined;
                                lastModified?: string | undefined;
                            } | undefined;
                            _meta?: Readonly<Record<string, JsonValue>> | undefined;
                        })[];
                        structuredContent?: JsonValue | undefined;
                        isError?: boolean | undefined;
                        _meta?: Readonly<Record<string, JsonValue>> | undefined;
                    } | ({
                        [x: string]: JsonValue;
                        type: "text";
                        text: string;
                        annotations?: {
                            [x: string]: JsonValue;
                            audience?: ("user" | "assistant")[] | undefined;
                            priority?: number | undefined;
                            lastModified?: string | undefined;
                        } | undefined;
                        _meta?: Readonly<Record<string, JsonValue>> | undefined;
                    } | {
                        [x: string]: JsonValue;
                        type: "image";
                        data: string;
                        mimeType: string;
                        annotations?: {
                            [x: string]: JsonValue;
                            audience?: ("user" | "assistant")[] | undefined;
                            priority?: number | undefined;
                            lastModified?: string | undefined;
                        } | undefined;
                        _meta?: Readonly<Record<string, JsonValue>> | undefined;
                    } | {
                        [x: string]: JsonValue;
                        type: "audio";
                        data: string;
                        mimeType: string;
                        annotations?: {
                            [x: string]: JsonValue;
                            audience?: ("user" | "assistant")[] | undefined;
                            priority?: number | undefined;
                            lastModified?: string | undefined;
                        } | undefined;
                        _meta?: Readonly<Record<string, JsonValue>> | undefined;
                    } | {
                        [x: string]: JsonValue;
                        type: "tool_use";
                        id: string;
                        name: string;
                        input: Readonly<Record<string, JsonValue>>;
                        _meta?: Readonly<Record<string, JsonValue>> | undefined;
                    } | {
                        [x: string]: JsonValue;
                        type: "tool_result";
                        toolUseId: string;
                        content: ({
                            [x: string]: JsonValue;
                            type: "text";
                            text: string;
                            annotations?: {
                                [x: string]: JsonValue;
                                audience?: ("user" | "assistant")[] | undefined;
                                priority?: number | undefined;
                                lastModified?: string | undefined;
                            } | undefined;
                            _meta?: Readonly<Record<string, JsonValue>> | undefined;
                        } | {
                            [x: string]: JsonValue;
                            type: "image";
                            data: string;
                            mimeType: string;
                            annotations?: {
                                [x: string]: JsonValue;
                                audience?: ("user" | "assistant")[] | undefined;
                                priority?: number | undefined;
                                lastModified?: string | undefined;
                            } | undefined;
                            _meta?: Readonly<Record<string, JsonValue>> | undefined;
                        } | {
                            [x: string]: JsonValue;
                            type: "audio";
                            data: string;
                            mimeType: string;
                            annotations?: {
                                [x: string]: JsonValue;
                                audience?: ("user" | "assistant")[] | undefined;
                                priority?: number | undefined;
                                lastModified?: string | undefined;
                            } | undefined;
                            _meta?: Readonly<Record<string, JsonValue>> | undefined;
                        } | {
                            [x: string]: JsonValue;
                            type: "resource_link";
                            name: string;
                            uri: string;
                            title?: string | undefined;
                            description?: string | undefined;
                            mimeType?: string | undefined;
                            size?: number | undefined;
                            icons?: {
                                [x: string]: JsonValue;
                                src: string;
                                mimeType?: string | undefined;
                                sizes?: string[] | undefined;
                                theme?: "dark" | "light" | undefined;
                            }[] | undefined;
                            annotations?: {
                                [x: string]: JsonValue;
                                audience?: ("user" | "assistant")[] | undefined;
                                priority?: number | undefined;
                                lastModified?: string | undefined;
                            } | undefined;
                            _meta?: Readonly<Record<string, JsonValue>> | undefined;
                        } | {
                            [x: string]: JsonValue;
                            type: "resource";
                            resource: {
                                [x: string]: JsonValue;
                                uri: string;
                                mimeType?: string | undefined;
                                text?: string | undefined;
                                blob?: string | undefined;
                                _meta?: Readonly<Record<string, JsonValue>> | undefined;
                            };
                            annotations?: {
                                [x: string]: JsonValue;
                                audience?: ("user" | "assistant")[] | undefined;
                                priority?: number | undefined;
                                lastModified?: string | undefined;
                            } | undefined;
                            _meta?: Readonly<Record<string, JsonValue>> | undefined;
                        })[];
                        structuredContent?: JsonValue | undefined;
                        isError?: boolean | undefined;
                        _meta?: Readonly<Record<string, JsonValue>> | undefined;
                    })[];
                    _meta?: Readonly<Record<string, JsonValue>> | undefined;
                }[];
                maxTokens: number;
                systemPrompt?: string | undefined;
                includeContext?: "allServers" | "none" | "thisServer" | undefined;
                temperature?: number | undefined;
                stopSequences?: string[] | undefined;
                metadata?: Readonly<Record<string, JsonValue>> | undefined;
                modelPreferences?: Readonly<Record<string, JsonValue>> | undefined;
                toolChoice?: Readonly<Record<string, JsonValue>> | undefined;
                tools?: Readonly<Record<string, JsonValue>>[] | undefined;
                _meta?: Readonly<Record<string, JsonValue>> | undefined;
            }, unknown>>;
        }, z.core.$strip>, z.ZodObject<{
            method: z.ZodLiteral<"roots/list">;
            params: z.ZodOptional<z.ZodCustom<Readonly<Record<string, JsonValue>>, Readonly<Record<string, JsonValue>>>>;
        }, z.core.$strip>, z.ZodObject<{
            method: z.ZodLiteral<"elicitation/create">;
            params: z.ZodUnion<readonly [z.ZodPipe<z.ZodUnknown, z.ZodTransform<{
                [x: string]: JsonValue;
                message: string;
                requestedSchema: Readonly<Record<string, JsonValue>>;
                mode?: "form" | undefined;
                _meta?: Readonly<Record<string, JsonValue>> | undefined;
            }, unknown>>, z.ZodPipe<z.ZodUnknown, z.ZodTransform<{
                [x: string]: JsonValue;
                mode: "url";
                message: string;
                url: string;
                _meta?: Readonly<Record<string, JsonValue>> | undefined;
            }, unknown>>]>;
        }, z.core.$strip>], "method">>;
        taskId: z.ZodString;
        statusMessage: z.ZodOptional<z.ZodString>;
        createdAt: z.ZodString;
        lastUpdatedAt: z.ZodString;
        ttlMs: z.ZodNullable<z.ZodInt>;
        pollIntervalMs: z.ZodOptional<z.ZodInt>;
    }, z.core.$strip>, z.ZodObject<{
        status: z.ZodLiteral<"completed">;
        result: z.ZodCustom<Readonly<Record<string, JsonValue>>, Readonly<Record<string, JsonValue>>>;
        taskId: z.ZodString;
        statusMessage: z.ZodOptional<z.ZodString>;
        createdAt: z.ZodString;
        lastUpdatedAt: z.ZodString;
        ttlMs: z.ZodNullable<z.ZodInt>;
        pollIntervalMs: z.ZodOptional<z.ZodInt>;
    }, z.core.$strip>, z.ZodObject<{
        status: z.ZodLiteral<"failed">;
        error: z.ZodObject<{
            code: z.ZodInt;
            message: z.ZodString;
            data: z.ZodOptional<z.ZodType<JsonValue, unknown, z.core.$ZodTypeInternals<JsonValue, unknown>>>;
        }, z.core.$strip>;
        taskId: z.ZodString;
        statusMessage: z.ZodOptional<z.ZodString>;
        createdAt: z.ZodString;
        lastUpdatedAt: z.ZodString;
        ttlMs: z.ZodNullable<z.ZodInt>;
        pollIntervalMs: z.ZodOptional<z.ZodInt>;
    }, z.core.$strip>, z.ZodObject<{
        status: z.ZodLiteral<"cancelled">;
        taskId: z.ZodString;
        statusMessage: z.ZodOptional<z.ZodString>;
        createdAt: z.ZodString;
        lastUpdatedAt: z.ZodString;
        ttlMs: z.ZodNullable<z.ZodInt>;
        pollIntervalMs: z.ZodOptional<z.ZodInt>;
    }, z.core.$strip>], "status">, z.ZodPipe<z.ZodUnknown, z.ZodTransform<{
        [x: string]: JsonValue;
        _meta?: Readonly<Record<string, JsonValue>> | undefined;
    }, unknown>>>;
}, z.core.$strip>;
declare const TaskSubscriptionNotificationsV2Schema: z.ZodObject<{
    taskIds: z.ZodOptional<z.ZodArray<z.ZodString>>;
}, z.core.$strip>;
declare const TaskSubscriptionAcknowledgedNotificationsV2Schema: z.ZodObject<{
    taskIds: z.ZodOptional<z.ZodArray<z.ZodString>>;
}, z.core.$strip>;
declare const TasksExtensionCapabilityV2Schema: z.ZodObject<{}, z.core.$strict>;
declare const ClientTaskCapabilityEnvelopeV2Schema: z.ZodObject<{
    extensions: z.ZodObject<{
        "io.modelcontextprotocol/tasks": z.ZodObject<{}, z.core.$strict>;
    }, z.core.$strip>;
}, z.core.$strip>;
declare const ServerTaskCapabilityEnvelopeV2Schema: z.ZodObject<{
    extensions: z.ZodOptional<z.ZodRecord<z.ZodString, z.ZodType<JsonValue, unknown, z.core.$ZodTypeInternals<JsonValue, unknown>>>>;
}, z.core.$strip>;
export { ContentBlockV2Schema, ToolV2Schema, CallToolResultV2Schema, InputRequiredCallToolResultV2Schema, RequestIdV2Schema, TaskStatusV2Schema, TaskEligibleMethodV2Schema, TaskV2Schema, ErrorV2Schema, CreateMessageRequestV2Schema, ListRootsRequestV2Schema, ElicitRequestV2Schema, InputRequestV2Schema, InputRequestsV2Schema, CreateMessageResultV2Schema, ListRootsResultV2Schema, ElicitResultV2Schema, InputResponseV2Schema, InputResponsesV2Schema, WorkingTaskV2Schema, InputRequiredTaskV2Schema, CompletedTaskV2Schema, FailedTaskV2Schema, CancelledTaskV2Schema, DetailedTaskV2Schema, CreateTaskResultV2Schema, GetTaskRequestV2Schema, UpdateTaskRequestV2Schema, CancelTaskRequestV2Schema, GetTaskResultV2Schema, UpdateTaskResultV2Schema, CancelTaskResultV2Schema, TaskStatusNotificationParamsV2Schema, TaskStatusNotificationV2Schema, TaskSubscriptionNotificationsV2Schema, TaskSubscriptionAcknowledgedNotificationsV2Schema, TasksExtensionCapabilityV2Schema, ClientTaskCapabilityEnvelopeV2Schema, ServerTaskCapabilityEnvelopeV2Schema, };
export type ContentBlockV2 = z.infer<typeof ContentBlockV2Schema>;
export type ToolV2 = z.infer<typeof ToolV2Schema>;
export type CallToolResultV2 = z.infer<typeof CallToolResultV2Schema>;
export type InputRequiredCallToolResultV2 = z.infer<typeof InputRequiredCallToolResultV2Schema>;
export type RequestIdV2 = z.infer<typeof RequestIdV2Schema>;
export type TaskStatusV2 = z.infer<typeof TaskStatusV2Schema>;
export type TaskEligibleMethodV2 = z.infer<typeof TaskEligibleMethodV2Schema>;
export type TaskV2 = z.infer<typeof TaskV2Schema>;
export type ErrorV2 = z.infer<typeof ErrorV2Schema>;
export type CreateMessageRequestV2 = z.infer<typeof CreateMessageRequestV2Schema>;
export type ListRootsRequestV2 = z.infer<typeof ListRootsRequestV2Schema>;
export type ElicitRequestV2 = z.infer<typeof ElicitRequestV2Schema>;
export type InputRequestV2 = z.infer<typeof InputRequestV2Schema>;
export type InputRequestsV2 = z.infer<typeof InputRequestsV2Schema>;
export type CreateMessageResultV2 = z.infer<typeof CreateMessageResultV2Schema>;
export type ListRootsResultV2 = z.infer<typeof ListRootsResultV2Schema>;
export type ElicitResultV2 = z.infer<typeof ElicitResultV2Schema>;
export type InputResponseV2 = z.infer<typeof InputResponseV2Schema>;
export type InputResponsesV2 = z.infer<typeof InputResponsesV2Schema>;
export type WorkingTaskV2 = z.infer<typeof WorkingTaskV2Schema>;
export type InputRequiredTaskV2 = z.infer<typeof InputRequiredTaskV2Schema>;
export type CompletedTaskV2 = z.infer<typeof CompletedTaskV2Schema>;
export type FailedTaskV2 = z.infer<typeof FailedTaskV2Schema>;
export type CancelledTaskV2 = z.infer<typeof CancelledTaskV2Schema>;
export type DetailedTaskV2 = z.infer<typeof DetailedTaskV2Schema>;
export type CreateTaskResultV2 = z.infer<typeof CreateTaskResultV2Schema>;
export type GetTaskRequestV2 = z.infer<typeof GetTaskRequestV2Schema>;
export type UpdateTaskRequestV2 = z.infer<typeof UpdateTaskRequestV2Schema>;
export type CancelTaskRequestV2 = z.infer<typeof CancelTaskRequestV2Schema>;
export type GetTaskResultV2 = z.infer<typeof GetTaskResultV2Schema>;
export type UpdateTaskResultV2 = z.infer<typeof UpdateTaskResultV2Schema>;
export type CancelTaskResultV2 = z.infer<typeof CancelTaskResultV2Schema>;
export type TaskStatusNotificationParamsV2 = z.infer<typeof TaskStatusNotificationParamsV2Schema>;
export type TaskStatusNotificationV2 = z.infer<typeof TaskStatusNotificationV2Schema>;
export type TaskSubscriptionNotificationsV2 = z.infer<typeof TaskSubscriptionNotificationsV2Schema>;
export type TaskSubscriptionAcknowledgedNotificationsV2 = z.infer<typeof TaskSubscriptionAcknowledgedNotificationsV2Schema>;
export type TasksExtensionCapabilityV2 = z.infer<typeof TasksExtensionCapabilityV2Schema>;
export type ClientTaskCapabilityEnvelopeV2 = z.infer<typeof ClientTaskCapabilityEnvelopeV2Schema>;
export type ServerTaskCapabilityEnvelopeV2 = z.infer<typeof ServerTaskCapabilityEnvelopeV2Schema>;
//# sourceMappingURL=schemas.d.ts.map