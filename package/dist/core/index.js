/** Normalizes an arbitrary JavaScript value through JSON stringify/parse semantics. */
export function toJsonValue(value) {
    let serialized;
    try {
        serialized = JSON.stringify(value);
    }
    catch (error) {
        throw new TypeError("Value cannot be serialized as JSON", { cause: error });
    }
    if (typeof serialized !== "string")
        throw new TypeError("Value cannot be serialized as a top-level JSON value");
    const normalized = JSON.parse(serialized);
    if (!isJsonValue(normalized))
        throw new TypeError("JSON serialization produced an invalid JSON value");
    return normalized;
}
export class ProtocolDecodeError extends Error {
    details;
    constructor(message, details = {}, options) {
        super(message, options);
        this.name = "ProtocolDecodeError";
        this.details = details;
    }
}
/** Adapts a synchronous Standard Schema validator to the package runtime codec. */
export function runtimeCodecFromStandardSchema(schema) {
    return {
        parse(value) {
            try {
                const result = schema["~standard"].validate(value);
                if ("issues" in result && result.issues !== undefined) {
                    const issues = Object.freeze(result.issues.map((issue) => Object.freeze({
                        message: issue.message,
                        ...(issue.path === undefined
                            ? {}
                            : { path: Object.freeze([...issue.path]) }),
                    })));
                    const message = issues.map((issue) => issue.message).join("; ");
                    return {
                        success: false,
                        error: new ProtocolDecodeError(message || "Standard Schema validation failed", { issues }),
                    };
                }
                if (!("value" in result))
                    return {
                        success: false,
                        error: new ProtocolDecodeError("Standard Schema returned no value"),
                    };
                return { success: true, value: result.value };
            }
            catch (error) {
                return {
                    success: false,
                    error: new ProtocolDecodeError("Standard Schema validation failed", {}, { cause: error }),
                };
            }
        },
    };
}
/** Brands a string as a task identifier without runtime validation or transformation. */
export function taskId(value) {
    return value;
}
function isJsonObject(candidate, visit) {
    const prototype = Reflect.getPrototypeOf(candidate);
    return ((prototype === Object.prototype || prototype === null) &&
        Object.values(candidate).every(visit));
}
/**
 * Checks recursively whether a value is JSON-compatible, rejecting non-finite numbers,
 * sparse arrays, non-plain objects, and cyclic references.
 */
export function isJsonValue(value) {
    const visiting = new WeakSet();
    const visit = (candidate) => {
        if (candidate === null ||
            typeof candidate === "string" ||
            typeof candidate === "boolean")
            return true;
        if (typeof candidate === "number")
            return Number.isFinite(candidate);
        if (typeof candidate !== "object")
            return false;
        if (visiting.has(candidate))
            return false;
        visiting.add(candidate);
        const valid = Array.isArray(candidate)
            ? // Check every index is an own property because a hole plus an
                // enumerable extra key keeps the key count equal while `every()`
                // skips the hole — serialization would then change the value.
                candidate.length === Object.keys(candidate).length &&
                    Array.from(candidate.keys()).every((index) => index in candidate) &&
                    candidate.every(visit)
            : isJsonObject(candidate, visit);
        visiting.delete(candidate);
        return valid;
    };
    // A public predicate over unknown must answer, not throw: Object.values
    // and Reflect.getPrototypeOf execute user-controlled getter/proxy traps,
    // and a throwing host object is by definition not a JSON value — without
    // this, malformed host input escapes JsonValueCodec.parse() as an
    // exception rather than a decode failure.
    try {
        return visit(value);
    }
    catch {
        return false;
    }
}
/** Validates the package's recursive JSON data model without a schema-library dependency. */
export const JsonValueCodec = {
    parse(value) {
        return isJsonValue(value)
            ? { success: true, value }
            : {
                success: false,
                error: new ProtocolDecodeError("Expected a JSON value"),
            };
    },
};
//# sourceMappingURL=index.js.map