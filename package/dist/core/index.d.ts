import type { TaskV1 } from "./v1/index.js";
import type { DetailedTaskV2, TaskV2 } from "./v2/index.js";
export type TaskId = string & {
    readonly __taskId: unique symbol;
};
export type TaskGeneration = "v1" | "v2";
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | {
    readonly [key: string]: JsonValue;
};
/** Normalizes an arbitrary JavaScript value through JSON stringify/parse semantics. */
export declare function toJsonValue(value: unknown): JsonValue;
export type StandardSchemaPathSegment = PropertyKey | {
    readonly key: PropertyKey;
};
export interface StandardSchemaIssue {
    readonly message: string;
    readonly path?: readonly StandardSchemaPathSegment[];
}
export interface ProtocolDecodeErrorDetails {
    readonly issues?: readonly StandardSchemaIssue[];
}
export declare class ProtocolDecodeError extends Error {
    readonly details: ProtocolDecodeErrorDetails;
    constructor(message: string, details?: ProtocolDecodeErrorDetails, options?: ErrorOptions);
}
export type RuntimeDecodeResult<T> = {
    readonly success: true;
    readonly value: T;
} | {
    readonly success: false;
    readonly error: ProtocolDecodeError;
};
export interface RuntimeCodec<T> {
    parse(value: JsonValue): RuntimeDecodeResult<T>;
}
/** Canonical synchronous Standard Schema V1 surface accepted at the package boundary. */
export interface SynchronousStandardSchema<T> {
    readonly "~standard": {
        readonly version: 1;
        readonly vendor: string;
        readonly validate: (value: unknown) => {
            readonly value: T;
            readonly issues?: undefined;
        } | {
            readonly issues: readonly StandardSchemaIssue[];
        };
    };
}
/** Adapts a synchronous Standard Schema validator to the package runtime codec. */
export declare function runtimeCodecFromStandardSchema<T>(schema: SynchronousStandardSchema<T>): RuntimeCodec<T>;
export type TaskSnapshot = {
    readonly generation: "v1";
    readonly task: TaskV1;
} | {
    readonly generation: "v2";
    readonly task: TaskV2 | DetailedTaskV2;
};
/** Brands a string as a task identifier without runtime validation or transformation. */
export declare function taskId(value: string): TaskId;
/**
 * Checks recursively whether a value is JSON-compatible, rejecting non-finite numbers,
 * sparse arrays, non-plain objects, and cyclic references.
 */
export declare function isJsonValue(value: unknown): value is JsonValue;
/** Validates the package's recursive JSON data model without a schema-library dependency. */
export declare const JsonValueCodec: RuntimeCodec<JsonValue>;
//# sourceMappingURL=index.d.ts.map